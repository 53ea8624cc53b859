"""Games as Boardspace stores them: every action, what people do before Done, and what cannot be a game."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from tests.records.sgf.people import played

from punct import Colour, Ending, Game, Heading, InvalidRecordError, Kind, Outcome, Space, records
from punct.records.sgf.numbering import Numbers, colour_of, heading_of, kind_of, rotation_of
from punct.records.sgf.syntax import read_tree
from punct.records.source import TextBuffer

WRITTEN_THERE = Path(__file__).parents[2] / "vectors" / "sgf"
EXPECTED = json.loads((WRITTEN_THERE / "expected.json").read_text(encoding="utf-8"))

HEADER = '(;GM[25]VV[1]SU[punct 2 0 101]P0[id "Anna"]P1[id "Dumbot"]DT[2008-06-07 20:08]GN[PU-1]RE[Dumbot won]\n'


def sgf(*actions: str, header: str = HEADER) -> str:
    """Return a record; each action is told as ``0 Pick W 9``, the player first."""
    nodes = [f";P{action[0]}[{index} {action[2:]}]TM[{index * 1000}]\n" for index, action in enumerate(actions)]
    return header + "".join(nodes) + ";P0[time 0:12:34]P1[time 0:01:02])\n"


def read(*actions: str, header: str = HEADER) -> Game:
    (game,) = records.loads(sgf(*actions, header=header))
    return game


def turns(game: Game) -> list[str]:
    return [str(move) for move in game.moves]


@pytest.mark.parametrize("name", EXPECTED)
def test_records_by_boardspaces_own_writers(name: str) -> None:
    (game,) = records.load(WRITTEN_THERE / name)
    outcome = game.outcome()
    assert outcome is not None
    declared = outcome.reason in (Ending.RESIGNATION, Ending.TIME)
    ending = str(outcome.reason) if declared else "rules"
    assert {"turns": turns(game), "result": game.result(), "ending": ending} == EXPECTED[name]
    second_is_white = name.startswith("map10")
    assert game.tags["Black" if second_is_white else "White"] == "guest one"
    assert game.tags["White" if second_is_white else "Black"] == "SmartBot"
    assert records.loads(records.dumps(game, "sgf")) == [game]


@pytest.mark.parametrize("seed", range(24))
def test_games_as_people_play_them(seed: int) -> None:
    """With second thoughts, seated either way and ended in any way, they are the games that were played."""
    rng = random.Random(seed)
    ending = (None, "Resign", "LoseOnTime", "WinOnTime")[seed % 4]
    record = played(rng, 30, ending, swapped=seed % 3 == 0, robot=seed % 5 == 0, fumbles=3)
    for text in (record.as_archived(), record.as_saved()):
        (game,) = records.loads(text)
        assert game.moves == record.game.moves, text
        assert game.outcome() == record.game.outcome()
        assert game.tags["White"] == ("two" if seed % 3 == 0 else "one")


def test_every_record_written_there_is_read() -> None:
    assert sorted(EXPECTED) == sorted(path.name for path in WRITTEN_THERE.glob("*.sgf"))


WHITE_ADDS = ("0 Pick W 9", "0 Dropb 9 F 8 1", "0 Done")  # Ef8sw
BLACK_ADDS = ("1 Dropb 20 L 5 0", "1 Done")  # Tl5s; robots do not pick
WHITE_MOVES = ("0 Pickb F 8", "0 Dropb 9 F 7 1", "0 Done")
START = ("0 Start P0", *WHITE_ADDS, *BLACK_ADDS)


def test_an_ordinary_game() -> None:
    game = read(*START, "0 Pickb F 8", "0 Dropb 9 F 7 1", "0 Done", "1 Move L 5 J 3 3", "1 Done")
    assert turns(game) == ["Ef8sw", "Tl5s", "f8-f7sw", "l5-j3n"]
    assert game.tags == {"White": "Anna", "Black": "Dumbot", "Date": "2008-06-07 20:08", "Game": "PU-1"}
    assert game.outcome() is None
    assert str(game.start) == "standard w"


@pytest.mark.parametrize(
    "actions",
    [
        ("0 Pick W 3", "0 Drop W 3"),  # back to the set
        ("0 Pick W 3", "0 Pick W 5"),  # another one instead
        ("0 Pick W 3", "0 Dropb 3 D 5 0", "0 Pickb D 5", "0 Drop W 3"),  # dropped, taken up, put back
        ("0 Pick W 3", "0 Dropb 3 D 5 0", "0 Pick W 5"),  # dropped, then another one
        ("0 Dropb 3 D 5 0", "0 Dropb 5 D 6 1", "0 Drop W 5"),  # a drop right after a drop takes the first one back
        ("0 Pickb F 8", "0 Rotate", "0 Dropb 9 F 8 2", "0 Pickb F 8"),  # turned, and taken up again
        ("0 Pickb F 8", "0 Dropb 9 F 8 1"),  # put back exactly
        ("0 Pickb F 8", "0 Dropb 9 F 8 1", "0 Pickb F 8"),
        ("0 Pickb E 7",),  # by a minor dot
        ("0 Pickb L 5", "0 Dropb 20 L 5 0"),  # the opponent's piece touched and put back
        ("0 Pickb F 8", "0 Dropb 9 A 2 1", "0 Dropb 9 I 9 3", "0 Pickb I 9"),  # impossible, but not the end of the turn
        ("0 Dropb 9 H 6 1", "0 Pickb G 5"),  # the dropped piece, by a minor dot
        ("0 Resign", "0 Resign"),  # taken back
        ("0 Edit", "0 Sing a song", "0 OfferDraw"),  # unknown here
        ("0 ROTATE", "1 rotate"),
    ],
)
def test_only_the_difference_between_two_dones_is_a_turn(actions: tuple[str, ...]) -> None:
    game = read(*START, *actions, "0 pickb f 8", "0 DROPB 9 F 7 1", "0 done", "1 Start P1")
    assert turns(game) == ["Ef8sw", "Tl5s", "f8-f7sw"]


def test_a_piece_keeps_its_number() -> None:
    """Piece 11 is added before piece 9; later turns name them."""
    game = read("0 Dropb 11 F 8 1", "0 Done", *BLACK_ADDS, "0 Dropb 9 D 5 4", "0 Done",
                "1 Dropb 20 L 6 0", "1 Done", "0 Dropb 11 F 7 1", "0 Done")  # fmt: skip
    assert turns(game) == ["Ef8sw", "Tl5s", "Ed5ne", "l5-l6s", "f8-f7sw"]


def test_the_top_piece_is_picked_from_a_stack() -> None:
    game = read("0 Dropb 1 D 5 4", "0 Done", *BLACK_ADDS, "0 Dropb 2 D 8 4", "0 Done", "1 Dropb 21 L 8 0", "1 Done",
                "0 Pickb D 8", "0 Dropb 2 D 5 4", "0 Done", "1 Dropb 22 O 8 0", "1 Done",
                "0 Pickb D 5", "0 Dropb 2 D 4 0", "0 Done")  # fmt: skip
    assert turns(game)[4::2] == ["d8-d5ne", "d5-d4s"]


def test_black_may_start() -> None:
    game = read("1 Start P1", *BLACK_ADDS, *WHITE_ADDS)
    assert str(game.start) == "standard b"
    assert turns(game) == ["Tl5s", "Ef8sw"]
    assert read("0 Start P0", "1 Start P1", *BLACK_ADDS, *WHITE_ADDS) == game
    with pytest.raises(InvalidRecordError, match=r"^action 0 \(line 1\): Black 'start P2': Start names P0 or P1"):
        records.loads("(;GM[25]P1[0 Start P2])")


SWAPPED = ("1 Start P1", "1 Pick W 9", "1 Dropb 9 F 8 1", "1 Done", "0 Dropb 20 L 5 0", "0 Done")


@pytest.mark.parametrize("map", ["CM[1,0]", "CM[1, 0]", "CM[ 1 0 ]", "cm[1,0]", "", "CM[]", "CM[0,0]", "CM[2,1,0]"])
def test_the_second_player_may_be_white(map: str) -> None:
    """The seat map says so; without one that makes sense, the first piece laid does."""
    game = read(*SWAPPED, header=f'(;P0[id "Ben"]P1[id "Anna"]GM[25]SU[punct]{map}')
    assert turns(game) == ["Ef8sw", "Tl5s"]
    assert game.tags == {"White": "Anna", "Black": "Ben"}
    assert str(game.start) == "standard w"


def test_the_second_player_may_be_white_and_the_first_start() -> None:
    game = read("0 Start P0", "0 Dropb 20 L 5 0", "0 Done", "1 Dropb 9 F 8 1", "1 Done", header="(;GM[25]CM[1,0]")
    assert str(game.start) == "standard b"
    assert turns(game) == ["Tl5s", "Ef8sw"]


def test_a_seat_map_holds_whatever_is_laid() -> None:
    with pytest.raises(InvalidRecordError, match=r"^action 3 .*: Black 'done': piece 9 is White's"):
        read(*SWAPPED, header="(;GM[25]CM[0,1]")


def test_who_acts_before_anybody_sits_is_the_first_player() -> None:
    text = sgf(*START).replace(";P0[0 Start P0]", ";P-1[0 Edit ];P-1[1 Start P0]")
    assert turns(records.loads(text)[0]) == ["Ef8sw", "Tl5s"]


def test_a_start_that_cannot_be() -> None:
    for name in ("SP", "POSITION"):
        with pytest.raises(InvalidRecordError, match=rf"^line 1: {name}: 'x' is not a side to move"):
            records.loads(f"(;GM[25]{name}[standard x];P0[0 Start P0])")


def test_properties_of_ours_have_names_that_boardspace_passes_over() -> None:
    """It stops at a name of more than two capitals; such names are read as they were once written."""
    game = Game("basic b wTb9ne bTl5s", {"White": "Anna", "Mood": "fine", "Place": "home"})
    text = records.dumps(game, "sgf")
    root, _ = read_tree(TextBuffer(text))
    assert {name for name, _ in root.properties if len(name) > 2} == set()
    assert records.loads(text) == [game]
    assert records.loads(text.replace("SP[", "POSITION[").replace("TG[", "TAG[")) == [game]


def test_a_turn_that_was_never_done_is_no_turn() -> None:
    for rest in (("0 Pickb F 8",), ("0 Pickb F 8", "0 Dropb 9 F 7 1"), ("0 Resign",), ("0 Pickb F 8", "0 Resign")):
        game = read(*START, *rest)
        assert turns(game) == ["Ef8sw", "Tl5s"]
        assert game.outcome() is None


def test_resigning_ends_the_game_at_done() -> None:
    game = read(*START, "0 Resign", "0 Done")
    assert game.outcome() == Outcome(Colour.BLACK, Ending.RESIGNATION)
    game = read(*START, "0 Pickb F 8", "0 Dropb 9 F 7 1", "0 Done", "1 Pick B 21", "1 Resign", "1 Done", "1 Done")
    assert game.outcome() == Outcome(Colour.WHITE, Ending.RESIGNATION)
    assert len(game.moves) == 3


@pytest.mark.parametrize(
    ("rest", "winner"),
    [
        (("0 LoseOnTime ",), Colour.BLACK),
        (("0 loseontime", "0 Done"), Colour.BLACK),
        (("0 Pick W 3", "0 Dropb 3 D 5 0", "0 LoseOnTime", "0 Done"), Colour.BLACK),  # what was in hand is no turn
        (("0 WinOnTime ",), Colour.WHITE),
        (("1 LoseOnTime",), Colour.WHITE),
        (("1 WINONTIME",), Colour.BLACK),
    ],
)
def test_time_ends_a_game_at_once(rest: tuple[str, ...], winner: Colour) -> None:
    game = read(*START, *rest)
    assert game.outcome() == Outcome(winner, Ending.TIME)
    assert turns(game) == ["Ef8sw", "Tl5s"]
    assert records.loads(records.dumps(game, "sgf")) == [game]


def test_time_is_written_for_the_player_to_move() -> None:
    """There nobody else can win or lose on time."""
    for loser, action in ((Colour.WHITE, "P0[7 LoseOnTime]"), (Colour.BLACK, "P0[7 WinOnTime]")):
        game = read(*START)
        game.lose_on_time(loser)
        assert action in records.dumps(game, "sgf").replace("P0[6", "P0[7")


def test_what_comes_after_the_end_changes_nothing() -> None:
    game = read(*START, "0 Resign", "0 Done", "1 Resign", "1 Done", "1 WinOnTime")
    assert game.outcome() == Outcome(Colour.BLACK, Ending.RESIGNATION)


@pytest.mark.parametrize(
    ("rest", "outcome", "moves"),
    [
        (("0 OfferDraw", "0 Done", "1 AcceptDraw", "1 Done"), Outcome(None, Ending.AGREEMENT), 2),
        (("0 OfferDraw", "0 Done", "1 DeclineDraw", "1 Done", *WHITE_MOVES), None, 3),
        (("0 OfferDraw", "0 OfferDraw", *WHITE_MOVES), None, 3),
        (("0 OfferDraw", "0 Done", "1 AcceptDraw", "1 AcceptDraw", "1 DeclineDraw", "1 Done"), None, 2),
    ],
)
def test_draws_offered(rest: tuple[str, ...], outcome: Outcome | None, moves: int) -> None:
    game = read(*START, *rest)
    assert game.outcome() == outcome
    assert len(game.moves) == moves


def test_a_sentence_confirms_a_resignation_without_done() -> None:
    said = 'P0[id "Anna"]P1[id "Ben"]RE[Game won by '
    assert read(*START, "0 Resign", header=f"(;GM[25]{said}Ben]").outcome() == Outcome(Colour.BLACK, Ending.RESIGNATION)
    for winner in ("Anna", "Carl"):
        assert read(*START, "0 Resign", header=f"(;GM[25]{said}{winner}]").outcome() is None
    same = said.replace("Ben", "Anna")
    assert read(*START, "0 Resign", header=f"(;GM[25]{same}Anna]").outcome() is None


@pytest.mark.parametrize(
    ("written", "name"),
    [('id "Anna"', "Anna"), ('id " Anna "', "Anna"), ("id Anna", "Anna"), (' ID  "Anna B" ', "Anna B"),
     ('id "A "B" C"', 'A "B" C'), ('id "a\nb\x07"', "a b"), ('id ""', None), ("id", None)],
)  # fmt: skip
def test_names(written: str, name: str | None) -> None:
    assert read(*START, header=f"(;GM[25]P0[{written}]").tags.get("White") == name


def test_archives_of_several_games() -> None:
    text = "Games of June\n" + sgf(*START) + "\n\nand (not a game)\n" + sgf(*START, "0 Resign", "0 Done") + "end"
    one, two = records.loads(text, "sgf")
    assert (one.result(), two.result()) == ("*", "0-1")
    with pytest.raises(InvalidRecordError, match=r"^game 2, action 7 \(line 17\): White 'done'"):
        records.loads(sgf(*START) + sgf(*START, "0 Pick W 3", "0 Done"))


@pytest.mark.parametrize(
    ("actions", "index", "why"),
    [
        (("0 Done",), 6, "nothing was added or moved"),
        (("0 Pickb F 8", "0 Done"), 7, "taken off the board"),
        (("0 Pick W 3", "0 Done"), 7, "nothing was added or moved"),
        (("0 Pickb F 8", "0 Drop W 9", "0 Pick W 3", "0 Dropb 3 D 5 0", "0 Done"), 10, "2 pieces"),
        (("0 Move F 8 F 7 1", "0 Pickb L 5", "0 Dropb 20 L 6 0", "0 Done"), 9, "2 pieces"),
        (("0 Dropb 21 O 8 0", "0 Done"), 7, "piece 21 is Black's"),
        (("0 Dropb 3 D 5 4", "1 Done"), 7, "it is White's turn"),
        (("0 Dropb 3 F 8 4", "0 Done"), 7, "three empty spaces"),
        (("0 Dropb 9 G 10 4", "0 Done"), 7, "straight line"),
        (("0 Dropb 3 I 9 4", "0 Done"), 7, "central hexagon"),
        (("0 Pickb A 3",), 6, "no piece on a3"),
        (("0 Pickb F 8", "0 Dropb 9 F 3 1", "0 Pickb F 8"), 8, "no piece on f8"),
        (("0 Pickb Z 3",), 6, "not a space"),
        (("0 Pickb",), 6, "not a space"),
        (("0 Pick W 0",), 6, "no piece's number"),
        (("0 Pick W 38",), 6, "no piece's number"),
        (("0 Pick W 99999999999999999999",), 6, "no piece's number"),
        (("0 Pick W",), 6, "no piece's number"),
        (("0 Pick",), 6, "no piece's number"),
        (("0 Dropb x F 8 1",), 6, "no piece's number"),
        (("0 Dropb 3 D 5 6",), 6, "not a rotation"),
        (("0 Dropb 3 D 5",), 6, "not a rotation"),
        (("0 Move F 8 Q 1 1",), 6, "Q1 is not one of"),
        (("0 Start P1",), 6, "it is White's turn"),
        (("0 Start",), 6, "P0 or P1"),
        (("0 Resign", "0 Done", "0 Dropb 3 D 5 4", "0 Done"), 9, "the game is over"),
    ],
)
def test_what_does_not_replay_names_the_action(actions: tuple[str, ...], index: int, why: str) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        read(*START, *actions)
    assert str(caught.value).startswith(f"action {index} (line {index + 2}): ")
    assert why in str(caught.value)


def test_a_covered_piece_cannot_be_named_by_its_number() -> None:
    """Both pieces have their PÜNCT on d5; the number says that the lower one is meant."""
    with pytest.raises(InvalidRecordError, match=r"^action 13 .*lies below another piece"):
        read("0 Dropb 1 D 5 4", "0 Done", *BLACK_ADDS, "0 Dropb 2 D 8 4", "0 Done", "1 Dropb 21 L 8 0", "1 Done",
             "0 Dropb 2 D 5 4", "0 Done", "1 Dropb 22 O 8 0", "1 Done", "0 Dropb 1 D 4 0", "0 Done")  # fmt: skip


def test_another_game_is_refused() -> None:
    with pytest.raises(InvalidRecordError, match=r"line 1: GM\[1\] is another game"):
        records.loads("(;GM[1];B[aa])")
    assert turns(read(*START, header="(;GM[Punct]")) == ["Ef8sw", "Tl5s"]
    assert turns(read(*START, header="(;")) == ["Ef8sw", "Tl5s"]


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("W+R", Outcome(Colour.WHITE, Ending.RESIGNATION)),
        ("B+Resign", Outcome(Colour.BLACK, Ending.RESIGNATION)),
        ("B+T", Outcome(Colour.BLACK, Ending.TIME)),
        ("Draw", Outcome(None, Ending.AGREEMENT)),
        ("Anna won", None),
        ("?", None),
    ],
)
def test_results_as_sgf_writes_them(said: str, outcome: Outcome | None) -> None:
    assert read(*START, header=f"(;GM[25]RE[{said}]").outcome() == outcome


@pytest.mark.parametrize(("said", "rest"), [("W+", ()), ("W+R", ("0 Resign", "0 Done")), ("0", ("0 Resign", "0 Done"))])
def test_a_result_that_cannot_be(said: str, rest: tuple[str, ...]) -> None:
    with pytest.raises(InvalidRecordError, match=r"^line 1: RE\[.*by its moves"):
        read(*START, *rest, header=f"(;GM[25]RE[{said}]")


def test_comments_belong_to_the_turn_they_are_made_in() -> None:
    text = """(;GM[25]C[all];P0[0 Start P0]C[begin];P0[1 Dropb 9 F 8 1]C[hm];P0[2 Done]C[done]
    ;P1[3 Pick B 20];P1[4 Dropb 20 L 5 0]C[unsure])"""
    (game,) = records.loads(text)
    assert game.root.comment == "all\nbegin"
    assert game.main_line()[0].comment == "hm\ndone\nunsure"


def test_variations_may_leave_in_the_middle_of_a_turn() -> None:
    text = """(;GM[25];P0[0 Start P0];P0[1 Pick W 9]
      (;P0[2 Dropb 9 F 8 1];P0[3 Done];P1[4 Dropb 20 L 5 0];P1[5 Done];P0[6 Resign];P0[7 Done])
      (;P0[2 Dropb 9 D 5 4];P0[3 Done]
        (;P1[4 Dropb 20 L 5 0];P1[5 Done])
        (;P1[4 Dropb 21 L 6 0];P1[5 Done];P0[6 Pickb D 5];P0[7 Dropb 9 D 5 3];P0[8 Done]
         ;P1[9 Dropb 21 L 5 0];P1[10 Done];P0[11 Resign];P0[12 Done])))"""
    (game,) = records.loads(text)
    assert turns(game) == ["Ef8sw", "Tl5s"]
    assert game.result() == "0-1"
    (variation,) = game.root.variations
    assert [str(node.move) for node in variation.children] == ["Tl5s", "Tl6s"]
    assert [str(move) for move in variation.children[1].moves()] == ["Ed5ne", "Tl6s"]
    last = variation.children[1]
    while last.next is not None:
        last = last.next
    assert [str(move) for move in last.moves()] == ["Ed5ne", "Tl6s", "d5-d5n", "l6-l5s"]
    assert last.declared is None


def test_old_encodings() -> None:
    text = sgf(*START, header='(;GM[25]P0[id "José"]')
    for encoding in ("utf-8", "latin-1", "utf-8-sig"):
        assert records.loads(text.encode(encoding))[0].tags["White"] == "José"


def test_unknown_and_unwritable_tags_do_no_harm() -> None:
    game = read(*START, header="(;GM[25]ZZ[top]TAG[no name!:x][Result:1-0][Other: a:b ][Empty:]C[bell\x07]")
    assert game.tags == {"Other": "a:b"}
    assert game.root.comment == "bell "


# ---------------------------------------------------------------------- numbers

HEADINGS = {
    Kind.T: "s sw nw n ne se",
    Kind.E: "s sw nw n ne se",
    Kind.R: "s sw nw n ne se",
    Kind.C: "n ne se n ne se",
    Kind.L: "ne se s sw nw n",
    Kind.M: "sw nw n ne se s",
}


def test_rotations() -> None:
    for kind, words in HEADINGS.items():
        assert [str(heading_of(kind, rotation)) for rotation in range(6)] == words.split()
        for heading in kind.headings:
            assert heading_of(kind, rotation_of(kind, heading)) is heading
        assert heading_of(kind, rotation_of(kind, Heading.S)) is kind.canonical(Heading.S)


def test_piece_numbers() -> None:
    kinds = "-" + "T" * 6 + "C" * 2 + "E" * 4 + "R" * 2 + "M" * 2 + "L" * 2
    assert [str(kind_of(number) or "-") for number in range(38)] == list(kinds * 2)
    assert kind_of(-1) is kind_of(38) is None
    assert [colour_of(number) for number in (1, 18, 20, 37)] == [Colour.WHITE] * 2 + [Colour.BLACK] * 2


def test_the_lowest_free_number_is_next() -> None:
    start = Game("standard w wTb9ne bTl5s wTd2ne").start
    numbers = Numbers(start.pieces)
    assert [numbers.place(number) for number in (1, 2, 20)] == [(piece.space, piece.heading) for piece in start.pieces]
    assert numbers.next_in_set(Colour.WHITE, Kind.T) == 3
    assert numbers.place(3) is None


def test_what_was_put_down_last_lies_on_top() -> None:
    numbers = Numbers(Game("basic b wEb3n bEd3n wEb3se").start.pieces)

    def stacks(numbers: Numbers, *names: str) -> list[tuple[int, ...]]:
        return [numbers.stack(Space(name)) for name in names]

    assert stacks(numbers, "b3", "c3", "d3", "b5", "i9") == [(9, 10), (10,), (28, 10), (9,), ()]
    before = numbers.copy()
    numbers.put(10, (Space("i9"), Heading.N))
    assert stacks(numbers, "b3", "c3", "d3", "i11") == [(9,), (), (28,), (10,)]
    assert stacks(before, "c3", "i9") == [(10,), ()]
