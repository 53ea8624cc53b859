"""A game: its history, its tree, and how it ends."""

from __future__ import annotations

import copy
import pickle
import random
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.records.trees import games

from punct import (
    SPACES,
    Colour,
    Ending,
    Game,
    Heading,
    IllegalMoveError,
    InvalidPositionError,
    Move,
    Outcome,
    Position,
    PunctError,
    Reason,
    Rules,
    WrongTypeError,
    kernel,
    records,
)

OPENING = ("Ed5ne", "Tl5s")
SHUFFLE = ("d5-d5n", "l5-l5n", "d5-d5ne", "l5-l5s")


def played(*turns: str, start: str = "standard w") -> Game:
    game = Game(start)
    for text in turns:
        game.push(text)
    return game


def facts(game: Game) -> tuple[Any, ...]:
    """Everything a game tells about itself."""
    tree = [(node.move, node.comment, node.declared, node.ply, node.children) for node in game.nodes()]
    return tree, game.node, str(game.position), game.moves, game.repetitions, game.outcome(), dict(game.tags)


def test_the_position_cannot_be_used_to_change_the_game() -> None:
    game = played(*OPENING)
    position = game.position
    with pytest.raises(PunctError, match=r"read-only: play on in its copy\(\), or with game\.push\(\)"):
        position.push("Td2n")
    with pytest.raises(PunctError, match="read-only"):
        position.pop()
    assert game.position is position  # asked in a loop, it costs nothing
    assert game == played(*OPENING)
    mine = position.copy()
    mine.push("Td2n")
    assert game.push("Td2s") is Move.parse("Td2s")
    assert str(position) == "standard w wEd5ne bTl5s"  # and what was looked at stays as it was
    assert str(game.position) == "standard b wTd2s wEd5ne bTl5s"
    game.back()
    assert game.position == position
    game.go_to_start()
    assert game.position == Position()


def test_a_game_begins_from_whatever_is_a_position() -> None:
    for start in ("basic", Rules.BASIC, "basic w", Position("basic"), kernel.Position("basic")):
        assert Game(start) == Game("basic w")
    with pytest.raises(WrongTypeError, match="a position is set up from"):
        Game(None)  # type: ignore[arg-type]
    game = Game()
    game.push(kernel.Move.pack("Ed5ne", game.position))
    assert str(game.position) == "standard b wEd5ne"


def test_history() -> None:
    game = played(*OPENING)
    assert [str(move) for move in game.moves] == list(OPENING)
    assert [str(position) for position in game.positions()] == [
        "standard w", "standard b wEd5ne", "standard w wEd5ne bTl5s",
    ]  # fmt: skip
    assert str(game.position) == "standard w wEd5ne bTl5s"
    assert str(game.start) == "standard w"
    assert game.result() == "*"
    assert game.pop() is Move.parse("Tl5s")
    assert game.pop() is Move.parse("Ed5ne")
    with pytest.raises(IndexError):
        game.pop()
    assert game == Game()


def test_the_positions_given_out_are_ones_own() -> None:
    game = played(*OPENING)
    for position in (game.start, *game.positions(), game.node.position()):
        position.push("Tb9ne")
    assert str(game.start) == "standard w"
    assert str(game.position) == "standard w wEd5ne bTl5s"


def test_a_game_begins_anywhere() -> None:
    position = Position()
    position.push("Ed5ne")
    game = Game(position)
    position.push("Tl5s")
    assert str(game.start) == str(game.position) == "standard b wEd5ne"
    assert game.moves == ()
    with pytest.raises(IndexError):
        game.pop()
    with pytest.raises(InvalidPositionError):
        Game("standard x")


# ---------------------------------------------------------------------- endings


def test_the_third_time_is_a_draw() -> None:
    game = played(*OPENING, *SHUFFLE, *SHUFFLE[:-1])
    assert (game.repetitions, game.outcome()) == (2, None)
    game.push(SHUFFLE[-1])
    assert game.repetitions == 3
    assert game.outcome() == Outcome(None, Ending.REPETITION) == game.node.outcome()
    assert game.result() == "1/2-1/2"
    before = facts(game)
    with pytest.raises(IllegalMoveError) as caught:
        game.push("d5-d5n")
    assert caught.value.reason is Reason.GAME_OVER
    with pytest.raises(IllegalMoveError):
        game.node.add("d5-d5n")
    with pytest.raises(PunctError, match="already over: Draw"):
        game.resign(Colour.WHITE)
    assert facts(game) == before
    game.pop()
    assert game.outcome() is None
    game.push("l5-l6s")
    assert game.repetitions == 1


def test_the_player_to_move_belongs_to_the_repeated_position() -> None:
    """White turns in three steps and Black in two, so the same pieces stand with either player to move."""
    game = played(*OPENING, "d5-d5n", "l5-l5n", "d5-d5se", "l5-l5s", "d5-d5ne")
    assert str(game.position) == "standard b wEd5ne bTl5s"
    assert game.repetitions == 1


def test_a_start_counts_as_a_time() -> None:
    game = played(*SHUFFLE, *SHUFFLE, start="standard w wEd5ne bTl5s")
    assert game.outcome() == Outcome(None, Ending.REPETITION)


def test_a_connection_ends_the_game_before_repetition_is_counted() -> None:
    game = played("Tj16n", start="basic w wEh1n wEh4n wEh7n wEi10n wCj14n")
    assert game.outcome() == Outcome(Colour.WHITE, Ending.CONNECTION)
    with pytest.raises(IllegalMoveError) as caught:
        game.push("Tl5s")
    assert caught.value.reason is Reason.GAME_OVER


@pytest.mark.parametrize("colour", Colour)
def test_facts_end_a_game(colour: Colour) -> None:
    for end, reason in ((Game.resign, Ending.RESIGNATION), (Game.lose_on_time, Ending.TIME)):
        game = played(*OPENING)
        end(game, colour)
        assert game.outcome() == Outcome(colour.other, reason)
    game = played(*OPENING)
    game.agree_draw()
    assert game.outcome() == Outcome(None, Ending.AGREEMENT)


def test_after_the_end_nothing_more_happens() -> None:
    game = played(*OPENING)
    game.resign(Colour.BLACK)
    before = facts(game)
    for again in (game.resign, game.lose_on_time):
        for colour in Colour:
            with pytest.raises(PunctError, match=r"already over: White wins \(resignation\)"):
                again(colour)
    with pytest.raises(PunctError, match="already over"):
        game.agree_draw()
    for move in ("d5-d5n", Move.parse("d5-d5n")):
        with pytest.raises(IllegalMoveError) as caught:
            game.push(move)
        assert caught.value.reason is Reason.GAME_OVER
    assert facts(game) == before


def test_an_ending_can_be_taken_back() -> None:
    game = played(*OPENING)
    with pytest.raises(PunctError, match="nobody resigned"):
        game.reopen()
    game.resign(Colour.BLACK)
    game.reopen()
    assert game == played(*OPENING)
    game.resign(Colour.BLACK)
    game.pop()
    assert game == played(OPENING[0])


def test_a_game_ends_only_after_its_last_turn() -> None:
    game = played(*OPENING)
    game.back()
    for _ in range(2):
        before = facts(game)
        with pytest.raises(PunctError, match="last move of its main line"):
            game.agree_draw()
        assert facts(game) == before
        if game.node.next is not None:
            game.push("Tb9ne")  # now at the end of a variation
    game.go_to_end()
    game.agree_draw()
    game.back()
    assert game.outcome() is None
    assert game.push("Ta3ne")


@given(games, st.text(max_size=8))
@settings(max_examples=20)
def test_a_refused_turn_changes_nothing(game: Game, text: str) -> None:
    before = facts(game)
    for move in (text, "Ed5ne" if game.outcome() else "a2-q9n", Move.parse("i9-i9n"), "Ti9n"):
        if game.position.explain("Ti9n") is None and move == "Ti9n":
            continue
        if isinstance(move, Move) and game.position.explain(move) is None:
            continue
        with pytest.raises(PunctError):
            game.push(move)
        assert facts(game) == before


# ---------------------------------------------------------------------- the tree


def tree() -> Game:
    game = played(*OPENING, "Tb9ne")
    game.go_to(game.main_line()[0])
    game.push("Ta3ne")
    game.push("d5-d5n")
    game.go_to_start()
    game.push("Tb9ne")
    return game


def test_a_second_turn_from_the_same_place_is_a_variation() -> None:
    game = tree()
    assert [str(node.move) for node in game.main_line()] == [*OPENING, "Tb9ne"]
    assert [str(node.move) for node in game.nodes()] == ["None", *OPENING, "Tb9ne", "Ta3ne", "d5-d5n", "Tb9ne"]
    assert [str(node.move) for node in game.root.variations] == ["Tb9ne"]
    assert [node.is_main for node in game.nodes()] == [True] * 4 + [False] * 3
    game.go_to_start()
    count = len(list(game.nodes()))
    game.push("Ed5ne")
    assert len(list(game.nodes())) == count
    assert game.node is game.main_line()[0]


def test_moving_about() -> None:
    game = tree()
    for node in (*game.nodes(), *reversed(list(game.nodes()))):
        game.go_to(node)
        assert game.node is node
        assert game.moves == node.moves() == game.position.moves
        assert game.position == node.position()
        assert game.outcome() == node.outcome()
        assert game.repetitions == 1
    game.go_to_end()
    assert game.node is game.main_line()[-1]
    assert not game.forward()
    assert game.back()
    assert game.forward()
    game.go_to_start()
    assert not game.back()
    assert game.node is game.root


def test_a_node_of_another_game_is_refused() -> None:
    game = tree()
    before = facts(game)
    removed = game.root.variations[0]
    for foreign in (tree().root, tree().main_line()[-1]):
        for refuse in (game.go_to, game.remove, game.promote):
            with pytest.raises(PunctError):
                refuse(foreign)
    assert facts(game) == before
    game.pop()
    for refuse in (game.go_to, game.remove, game.promote):
        with pytest.raises(PunctError):
            refuse(removed)


def test_what_a_node_is_cannot_be_assigned() -> None:
    game = tree()
    before = facts(game)
    node: Any = game.main_line()[0]
    for name, value in {
        "move": Move.parse("Td2n"),
        "parent": None,
        "ply": 7,
        "declared": Outcome(None, Ending.AGREEMENT),
        "children": (),
        "next": None,
    }.items():
        with pytest.raises(AttributeError):
            setattr(node, name, value)
    assert facts(game) == before
    assert not hasattr(game, "lay")  # nobody but a reader of records has turns that are known to be legal


def test_what_is_no_node_and_no_player_is_refused_with_what_to_give() -> None:
    game: Any = tree()
    before = facts(game)
    for wrong in ("Ed5ne", 1, None, Move.parse("Ed5ne")):
        with pytest.raises(WrongTypeError, match="places in a game are its nodes"):
            game.go_to(wrong)
    game.go_to_end()
    for wrong in ("w", 0, True, None):  # python-chess's True is White, our 1 is Black
        for end in (game.resign, game.lose_on_time):
            with pytest.raises(WrongTypeError, match=r"a player is Colour\.WHITE or Colour\.BLACK"):
                end(wrong)
    assert facts(game)[0] == before[0]


def test_nodes_take_turns_without_moving_the_game() -> None:
    game = played(*OPENING)
    node = game.root.add("Tb9ne").add(Move.parse("Ta3ne"))
    assert [str(move) for move in node.moves()] == ["Tb9ne", "Ta3ne"]
    assert game.node is game.main_line()[-1]
    assert game.root.add("Tb9ne") is node.parent
    with pytest.raises(IllegalMoveError):
        node.add("Tb9ne")
    assert node.children == ()


def test_removing_and_promoting() -> None:
    game = tree()
    main, other = game.root.children
    with pytest.raises(PunctError, match="current node"):
        game.remove(other)
    game.promote(other)
    assert game.root.children == (other, main)
    assert [node.move for node in game.main_line()] == [other.move]
    game.promote(main)
    game.go_to_end()
    game.remove(other)
    assert [node.move for node in game.root.children] == [main.move]


def test_removing_needs_the_current_node_elsewhere_and_promoting_an_open_game() -> None:
    game = tree()
    main, other = game.root.children
    game.go_to_end()
    game.resign(Colour.WHITE)
    with pytest.raises(PunctError, match="reopen it first"):
        game.promote(other)
    game.promote(main)
    inner = main.variations[0]
    game.promote(inner.children[0])
    assert game.result() == "0-1"
    with pytest.raises(PunctError, match="reopen it first"):
        game.promote(inner)
    game.remove(other)
    assert game.root.children == (main,)
    with pytest.raises(PunctError, match="cannot be removed"):
        game.remove(game.root)


def test_a_node_taken_out_of_its_game_keeps_its_position() -> None:
    """Whoever still holds it, or one that followed it, sees what was on the board there."""
    game = Game()
    for move in ("Ea2se", "Tc8n", "Ed2se", "Tf10n"):
        game.push(move)
    line = game.main_line()
    before = [(node.moves(), str(node.position()), node.ply, node.outcome()) for node in line]
    game.go_to(line[0])
    game.remove(line[1])
    game.pop()
    assert [(node.moves(), str(node.position()), node.ply, node.outcome()) for node in line] == before
    assert [node.parent for node in line] == [None, None, line[1], line[2]]
    assert not any(node.is_main for node in line)
    assert line[3].add("Eg2se").moves() == (*before[3][0], Move.parse("Eg2se"))
    for node in line:
        with pytest.raises(PunctError, match="not in this game"):
            game.go_to(node)


def test_taking_back_removes_what_followed() -> None:
    game = tree()
    game.go_to(game.main_line()[0])
    game.pop()
    assert [str(node.move) for node in game.nodes()] == ["None", "Tb9ne"]


def long_game(turns: int) -> Game:
    """Return a game in which two pieces wander about."""
    rng = random.Random(5)
    game = Game("standard w wEd5ne bTl5s")
    while game.node.ply < turns:
        (piece,) = game.position.free_pieces(game.position.turn)
        move = Move.shift(piece.space, rng.choice(SPACES), rng.choice(tuple(Heading)))
        if game.position.explain(move) is None:
            game.push(move)
    return game


def test_a_game_of_thousands_of_turns_is_copied_compared_pickled_and_recorded() -> None:
    """Deeper than Python's recursion goes."""
    game = long_game(sys.getrecursionlimit() + 500)
    assert copy.deepcopy(game) == pickle.loads(pickle.dumps(game)) == game
    assert records.loads(records.dumps(game)) == records.loads(records.dumps(game, "sgf")) == [game]


# ---------------------------------------------------------------------- as a value


@given(games)
@settings(max_examples=25)
def test_copies_are_equal_and_independent(game: Game) -> None:
    before = facts(game)
    for twin in (game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert twin == game
        assert twin.moves == game.moves
        assert twin.outcome() == game.outcome()
        twin.tags["Annotator"] = "somebody"
        assert twin != game
        del twin.tags["Annotator"]
        twin.root.comment += "!"
        assert twin != game
    assert facts(game) == before


def test_what_makes_games_differ() -> None:
    game = played(*OPENING)
    assert game == played(*OPENING)
    assert game != played(*OPENING, start="basic w")
    assert game != played(OPENING[0])
    ended = game.copy()
    ended.agree_draw()
    assert ended != game
    assert game != "a game"
    moved = game.copy()
    moved.go_to_start()
    assert moved == game
    with pytest.raises(TypeError):
        hash(game)


def test_it_shows_itself() -> None:
    game = played(*OPENING)
    game.tags["White"] = "Anna"
    assert repr(game) == "<Game Anna – ?: 2 moves, now at move 2, *>"
    assert repr(game.node) == "<Node: move 2, Tl5s>"
    assert repr(game.root) == "<Node: start>"


# ---------------------------------------------------------------------- tags and comments


def test_tags() -> None:
    game = Game(tags={"White": " Anna ", "Black": "Ben"})
    game.tags["Event"] = "Café 1\t2"
    game.tags |= {"Round": "3"}
    assert game.tags.setdefault("Round", "4") == "3"
    assert game.tags.setdefault("Site", "Ghent ") == "Ghent"
    assert list(game.tags.items()) == [
        ("White", "Anna"), ("Black", "Ben"), ("Event", "Café 1\t2"), ("Round", "3"), ("Site", "Ghent"),
    ]  # fmt: skip
    assert game.tags.copy() == game.tags
    game.tags = {"White": "Zoë"}
    assert game.tags == {"White": "Zoë"}


@pytest.mark.parametrize(
    ("name", "value"),
    [("", "x"), ("1st", "x"), ("Wh ite", "x"), ("a" * 65, "x"), ("White", ""), ("White", " "), ("White", "a\nb"),
     ("White", "a\0"), ("White", "\ud800"), ("_White", "x"), ("Wéiß", "x"), ("Result", "1-0"), ("Rules", "basic"),
     ("Position", "basic w"),
     ("Termination", "time"), ("FEN", "basic w")],
)  # fmt: skip
def test_tags_that_no_record_could_hold(name: str, value: str) -> None:
    game = Game(tags={"Black": "Ben"})
    for refuse in (
        lambda: game.tags.__setitem__(name, value),
        lambda: game.tags.update({"Event": "x", name: value}),
        lambda: game.tags.setdefault(name, value),
        lambda: game.tags.__ior__({name: value}),
        lambda: Game(tags={name: value}),
    ):
        with pytest.raises(PunctError):
            refuse()
    assert game.tags == {"Black": "Ben"}


def test_tags_are_texts() -> None:
    with pytest.raises(TypeError):
        Game(tags={"Round": 3})  # type: ignore[dict-item]


def test_comments() -> None:
    game = played(*OPENING)
    game.comment = "a\r\nb\rc"
    assert game.comment == game.node.comment == "a\nb\nc"
    for bad in ("\x00", "\x1b[31m", "\ud800"):
        with pytest.raises(PunctError, match="control character"):
            game.comment = bad
    with pytest.raises(WrongTypeError, match="a comment is a text, not int"):
        game.comment = 5  # type: ignore[assignment]
    assert game.comment == "a\nb\nc"
