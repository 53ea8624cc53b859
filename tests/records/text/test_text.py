"""The text record: what it looks like, what a reader lets pass, and what it refuses."""

from __future__ import annotations

import pytest

from punct import Colour, Ending, Game, InvalidRecordError, Outcome, records

LOOKS = r"""[White "Anna \"the\" \\ Great"]
[Event "Café"]
[Rules "standard"]
[Result "0-1"]
[Termination "resignation"]

{About the {game\}, and \\.
Two lines.} 1. Ed5ne {first} (1. Ef8sw Tl5s (1... Tk4n {x}) 2. f8-f7sw)
(1. Tb9ne) 1... Tl5s 2. d5-d5n Ta3ne 3. d5-d5ne 0-1
"""


def sample() -> Game:
    game = Game(tags={"White": 'Anna "the" \\ Great', "Event": "Café"})
    game.comment = "About the {game}, and \\.\nTwo lines."
    for text in ("Ed5ne", "Tl5s", "d5-d5n", "Ta3ne", "d5-d5ne"):
        game.push(text)
    game.main_line()[0].comment = "first"
    game.resign(Colour.WHITE)
    game.go_to_start()
    for text in ("Ef8sw", "Tl5s", "f8-f7sw"):
        game.push(text)
    game.back()
    game.back()
    game.push("Tk4n")
    game.comment = "x"
    game.go_to_start()
    game.push("Tb9ne")
    return game


def test_how_it_looks() -> None:
    assert records.dumps(sample()) == LOOKS
    assert records.loads(LOOKS) == [sample()]


def test_a_game_is_left_at_the_end_of_its_main_line() -> None:
    (game,) = records.loads(LOOKS)
    assert len(game.moves) == 5
    assert game.outcome() == Outcome(Colour.BLACK, Ending.RESIGNATION)


def test_black_may_begin() -> None:
    game = Game("basic b")
    game.push("Ed5ne")
    game.push("Tl5s")
    assert records.dumps(game).splitlines()[1:] == ['[Position "basic b"]', '[Result "*"]', "", "1... Ed5ne 2. Tl5s *"]
    assert records.loads(records.dumps(game)) == [game]


def by_cutegames(result: str, *tags: str) -> str:
    """Return a record as the match runner cutegames writes it."""
    head = '[Event "?"]\n[Site "CuteGames"]\n[Date "??"]\n[Round "1"]\n[White "one"]\n[Black "two"]\n'
    return f'{head}[Result "{result}"]\n[FEN "startpos"]\n{"".join(tags)}[PlyCount "2"]\n\n1. Ed5ne Tl5s {result}\n\n\n'


@pytest.mark.parametrize(
    ("result", "why", "outcome"),
    [
        ("0-1", "Out of time", Outcome(Colour.BLACK, Ending.TIME)),
        ("1-0", "Out of time", Outcome(Colour.WHITE, Ending.TIME)),
        ("1-0", "Resigned", Outcome(Colour.WHITE, Ending.RESIGNATION)),
        ("1-0", "Crashed", Outcome(Colour.WHITE, Ending.RESIGNATION)),
        ("0-1", "Illegal move", Outcome(Colour.BLACK, Ending.RESIGNATION)),
        ("1/2-1/2", "Maximum game length", Outcome(None, Ending.AGREEMENT)),
        ("*", "Maximum game length", None),
        ("*", "Result mismatch", None),
    ],
)
def test_what_a_match_runner_decided(result: str, why: str, outcome: Outcome | None) -> None:
    text = by_cutegames(result, f'[Adjudicated "{why}"]\n') * 2
    games = records.loads(text)
    assert [game.outcome() for game in games] == [outcome] * 2
    assert games[0].tags["Adjudicated"] == why
    assert records.loads(records.dumps(games)) == games


def test_what_a_match_runner_decided_must_name_a_reason_we_know() -> None:
    with pytest.raises(InvalidRecordError, match="the record must say so"):
        records.loads(by_cutegames("1-0", '[Adjudicated "Bad weather"]\n'))


def test_the_usual_start_by_its_name() -> None:
    assert str(records.loads('[FEN "startpos"] *')[0].start) == "standard w"
    assert str(records.loads('[Rules "basic"] [FEN "startpos"] *')[0].start) == "basic w"


@pytest.mark.parametrize(
    "text",
    [
        "1. Ed5ne Tl5s *",
        "1.Ed5ne 1...Tl5s *",
        "Ed5ne Tl5s",
        "1 Ed5ne 1 ... Tl5s",
        '[FEN "standard w"] 1. ED5ne\r\n\tTl5s *',
        '[ White  "" ] [Rules "standard"]\n[Result "*"]\n1. Ed5ne Tl5s *',
        "7. Ed5ne 99... Tl5s *",
        '[Position "standard w"]\n\n\n1. Ed5ne Tl5s *\n\n\n',
        "\ufeff1. Ed5ne Tl5s *",
    ],
)
def test_what_a_reader_lets_pass(text: str) -> None:
    game = Game()
    game.push("Ed5ne")
    game.push("Tl5s")
    assert records.loads(text, "text") == [game]


def test_remarks_to_the_end_of_a_line_are_comments_and_several_comments_are_one() -> None:
    (game,) = records.loads("; on all\n{of it}\n1. Ed5ne ; good } (\n {it is} Tl5s ( {before} 1... Tk4n {after}) *")
    (first, second) = game.main_line()
    assert game.root.comment == "on all\nof it"
    assert first.comment == "good } (\nit is"
    assert first.variations[0].comment == "before\nafter"
    assert second.comment == ""


def test_a_backslash_that_escapes_nothing_is_kept() -> None:
    (game,) = records.loads(r"{C:\games} 1. Ed5ne *")
    assert game.root.comment == r"C:\games"


def test_a_variation_that_repeats_a_turn_adds_to_it() -> None:
    (game,) = records.loads("1. Ed5ne {a} (1. Ed5ne {b} Tk4n) Tl5s *")
    assert [str(move) for move in game.moves] == ["Ed5ne", "Tl5s"]
    assert game.main_line()[0].comment == "a\nb"
    assert [str(node.move) for node in game.main_line()[0].variations] == ["Tk4n"]


def test_turns_alone_tell_how_a_game_ended() -> None:
    game = Game("basic w wEh1n wEh4n wEh7n wEi10n wCj14n")
    game.push("Tj16n")
    assert game.outcome() == Outcome(Colour.WHITE, Ending.CONNECTION)
    tags, _, _ = records.dumps(game).partition('[Result "')
    assert records.loads(tags + "1. Tj16n") == [game]


def test_games_without_a_result_end_at_the_next_tags() -> None:
    one, two = records.loads('1. Ed5ne\n[White "Anna"]\n1. Tl5s')
    assert (str(one.moves[0]), one.tags, str(two.moves[0])) == ("Ed5ne", {}, "Tl5s")
    assert two.tags == {"White": "Anna"}


def test_no_games() -> None:
    assert records.loads("") == records.loads(" \n\t ") == []
    assert records.dumps([]) == ""


TAGS = '[White "Anna"]\n[Result "1-0"]\n'


@pytest.mark.parametrize(
    ("text", "line", "token", "why"),
    [
        ("1. Ed5ne\nZl5s *", 2, "Zl5s", "not a kind of piece"),
        ("1. Ed5ne\n\nEd5ne *", 3, "Ed5ne", "three empty spaces"),
        ("1. Ed5ne\n(1. Tl5s\nTl5s) *", 3, "Tl5s", "three empty spaces"),
        ("1. Ed5ne {no end\n*", 1, "{no end", "no closing brace"),
        ("1. Ed5ne }\n*", 1, "}", "expected"),
        ("\n(1. Ed5ne) *", 2, "(", "after the move it replaces"),
        ("1. Ed5ne\n(1. Tl5s *", 2, "*", "line 2 has no closing parenthesis"),
        ("1. Ed5ne\n(1. Tl5s\n(1. Tl5n)", 2, "(", "no closing parenthesis"),
        ("1. Ed5ne () *", 1, ")", "no moves"),
        ("1. Ed5ne\n) *", 2, ")", "no variation is open"),
        ("[White Anna]\n1. Ed5ne *", 1, "[White Anna]", 'written [Name "value"]'),
        ('[White "Anna]\n1. Ed5ne *', 1, '[White "Anna]', 'written [Name "value"]'),
        ('[White "A"]\n[White "B"]\n*', 2, "White", "twice"),
        ('[White "A\nB"]\n*', 1, "White", "line break"),
        ('[1st "A"]\n*', 1, "1st", "cannot name a tag"),
        ('[Rules "chess"]\n*', 1, "chess", "basic or standard"),
        ('\n[Position "standard w wTz9ne"]\n*', 2, "Position", "wTz9ne"),
        ('[Rules "basic"]\n[Position "standard b"]\n*', 2, "Position", "Rules says basic"),
        ('[FEN "standard b"]\n[Position "standard b"]\n*', 1, "FEN", "only one"),
        (f"{TAGS}1. Ed5ne 1-0", 3, "1-0", "the game goes on"),
        (f'{TAGS}[Termination "connection"]\n1. Ed5ne 1-0', 4, "1-0", "the game goes on"),
        (f'{TAGS}[Termination "agreed draw"]\n1. Ed5ne 1-0', 4, "1-0", "the game goes on"),
        (f"{TAGS}1. Ed5ne 0-1", 3, "0-1", "the tag Result says 1-0"),
        (f"{TAGS}1. Ed5ne", 3, "Result", "is part missing?"),
        ('[Result "2-0"]\n*', 1, "2-0", "a result is"),
        ('[Termination "boredom"]\n*', 1, "boredom", "Termination may say connection"),
        ('[Termination "time"]\n*', 2, "*", "goes on"),
        ('[Termination "time"]\n1. Ed5ne', 1, "time", "goes on"),
        ('[Termination "time"]\n1. Ed5ne 1/2-1/2', 2, "1/2-1/2", "the game goes on"),
        ("1. Ed5ne {\x07} *", 1, "Ed5ne", "control character"),
        ("{\x07} *", 1, "{", "control character"),
        ("1. Ed5\x00ne *", 1, "Ed5", "not a turn"),
    ],
)
def test_faults_name_line_word_and_reason(text: str, line: int, token: str, why: str) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        records.loads(text, "text")
    message = str(caught.value)
    assert message.startswith(f"line {line}: ")
    assert token in message
    assert why in message


def test_the_result_must_agree_with_turns_that_end_the_game() -> None:
    game = Game("standard w wEh1n wEh4n wEh7n wEi10n wCj14n")
    game.push("Tj16n")
    good = records.dumps(game)
    assert records.loads(good) == [game]
    for bad in (good.replace("1-0", "0-1"), good.replace("1-0", "*"), good.replace("connection", "resignation")):
        assert bad != good
        with pytest.raises(InvalidRecordError, match=r"by its moves: White wins \(connection\)"):
            records.loads(bad)


def test_hostile_sizes_end_in_an_error_or_a_game() -> None:
    many = 10_000
    deep = "1. Ed5ne " + "(1. Ef8sw " * many
    for text in (
        deep,
        deep + ")" * many,
        "(" * many,
        "{" * many,
        "[" * many,
        '["' * many,
        "[a " * many,
        "x" * 3_000_000,
        "\\" * many,
        "{" + "\\" * many,
        "1" * many + ".",
        "\x00" * many,
        '[White "' + "A" * 3_000_000 + '"] 1. Zz',
        "1. Ed5ne " + "{a}" * many + "(1. Ed5ne {b}) " * many + "Tl5s Tl5s",
    ):
        try:
            records.loads(text, "text")
        except InvalidRecordError as error:
            assert len(str(error)) < 1000


def test_thousands_of_variations_in_variations() -> None:
    depth = 2000
    text = "1. Ed5ne " + "(1. Ef8sw (1. Ed5ne " * depth + ")" * (2 * depth) + " *"
    (game,) = records.loads(text)
    assert [str(node.move) for node in game.root.children] == ["Ed5ne", "Ef8sw"]


def test_hundreds_of_variations_side_by_side() -> None:
    game = Game()
    game.push("Ed5ne")
    for move in list(game.start.legal_moves)[:500]:
        game.go_to_start()
        game.push(move)
    assert records.loads(records.dumps(game)) == [game]
    assert records.loads(records.dumps(game, "sgf")) == [game]
