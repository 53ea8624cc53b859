"""The JSON view of a position: equal to recorded answers, and to what the Python rules say.

``views.jsonl.xz`` holds positions with their views and explanations, as the server's former presenter in Python wrote
them. After an intended change of the view, ``python -m tests.kernel.test_view`` writes the file again from the kernel.
"""

from __future__ import annotations

import json
import lzma
from base64 import b64decode
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import random_play
from tests.kernel.lockstep import PREFERENCES
from tests.kernel.test_position import move_texts

from punct import SPACES, Colour, Ending, Heading, InvalidMoveError, Move, Outcome, Position, Reason, _kernel, kernel
from punct.kernel.view import explanation_json, view_json
from punct.piece import Kind, Piece

VIEWS: Final = Path(__file__).with_name("views.jsonl.xz")
RESIGNED: Final = Outcome(Colour.BLACK, Ending.RESIGNATION)


@cache
def vectors() -> list[dict[str, Any]]:
    return [json.loads(line) for line in lzma.decompress(VIEWS.read_bytes()).splitlines()]


def outcome_of(vector: dict[str, Any]) -> Outcome | None:
    if vector["reason"] is None:
        return None
    winner = vector["winner"]
    return Outcome(None if winner is None else Colour(winner), Ending[vector["reason"]])


def reached(start: str, moves: list[str]) -> kernel.Position:
    """Return the position after some moves, its pieces numbered in canonical order at the start."""
    position = kernel.Position(str(kernel.Position(start)))
    for move in moves:
        position.push(move)
    return position


def test_the_vectors_have_everything_a_view_can_show() -> None:
    views = [vector["view"] for vector in vectors()]
    assert len(views) > 200
    endings = {view["outcome"]["reason"] for view in views if view["outcome"]}
    assert endings >= {"connection", "centre_count", "last_piece", "resignation", "time", "agreement", "repetition"}
    assert {view["last"]["manner"] for view in views if view["last"]} == {"add", "move", "turn", "jump", "bridge"}
    assert sum(threat["count"] > 0 for view in views for threat in view["threats"].values()) > 10
    assert any(piece["level"] > 3 for view in views for piece in view["pieces"])
    reasons = {answer["reason"] for vector in vectors() for _, _, answer in vector["explanations"]}
    assert reasons >= {reason.name for reason in Reason}


def test_views_and_explanations_are_the_recorded_ones() -> None:
    for vector in vectors():
        position, outcome = reached(vector["start"], vector["moves"]), outcome_of(vector)
        assert json.loads(view_json(position, outcome)) == vector["view"], str(position)
        for text, any_heading, expected in vector["explanations"]:
            answer = explanation_json(position, outcome, text, any_heading=any_heading)
            assert json.loads(answer) == expected, (str(position), text)


def test_sentences_are_the_library_s() -> None:
    """The library has the only source of them; the kernel's table, which the page needs too, is held to it here."""
    assert _kernel.reasons() == [(reason.name, reason.section, reason.sentence) for reason in Reason]


# ---------------------------------------------------------------------- against the Python rules


def shown_piece(position: Position, piece: Piece) -> dict[str, Any]:
    """Return a piece's view but for names."""
    return {
        "colour": piece.colour.letter,
        "kind": piece.kind.value,
        "space": piece.space.name,
        "heading": str(piece.heading),
        "level": piece.level,
        "spaces": [space.name for space in piece.spaces],
        "bridge": position.is_bridge(piece),
        "free": position.is_free(piece),
        "blocked_by": [space.name for space in position.blockers(piece)],
    }


def legal_texts(legal: dict[str, Any]) -> list[str]:
    """Return the moves that a view's masks stand for."""
    texts = []
    for infix, table in (("", legal["adds"]), ("-", legal["moves"])):
        for key, headings in table.items():
            for heading, mask in headings.items():
                bits = int.from_bytes(b64decode(mask), "little")
                texts += [f"{key}{infix}{space}{heading}" for number, space in enumerate(SPACES) if bits >> number & 1]
    return texts


def check_against_rules(view: dict[str, Any], slow: Position, outcome: Outcome | None) -> None:
    """Assert that a view shows what the library says of the position."""
    assert (view["text"], view["rules"], view["turn"]) == (str(slow), slow.rules.value, slow.turn.letter)
    assert view["centre"] == dict(zip("wb", slow.centre_count(), strict=True))
    for colour in Colour:
        assert view["sets"][colour.letter] == {kind.value: slow.in_set(colour)[kind] for kind in Kind}
    assert view["result"] == ("*" if outcome is None else outcome.result())
    by_rules = outcome is not None and outcome.reason is Ending.CONNECTION
    assert view["chain"] == [space.name for space in slow.winning_chain if by_rules]
    pieces = [{key: value for key, value in piece.items() if key != "id"} for piece in view["pieces"]]
    for piece in pieces:
        piece["blocked_by"] = [dot["space"] for dot in piece["blocked_by"]]
    assert pieces == [shown_piece(slow, piece) for piece in slow.pieces]
    names = {piece["id"] for piece in view["pieces"]}
    assert len(names) == len(pieces)
    assert all(piece["id"][:2] == piece["colour"] + piece["kind"] for piece in view["pieces"])
    assert all(dot["piece"] in names for piece in view["pieces"] for dot in piece["blocked_by"])
    texts = legal_texts(view["legal"])
    assert len(texts) == view["legal"]["count"]
    assert set(texts) == (set() if outcome else set(map(str, slow.legal_moves)))


@pytest.mark.parametrize("seed", range(8))
def test_views_of_whole_games_are_those_of_the_rules(seed: int) -> None:
    preference = PREFERENCES[seed % len(PREFERENCES)]
    start = ("standard w", "basic w")[seed % 2]
    fast, slow = kernel.Position(start), Position(start)
    names: dict[str, str] = {}
    while not slow.outcome() and len(slow.moves) < 50:
        [move] = fast.play_random(
            seed * 1000 + len(slow.moves),
            1,
            raised=preference.raised,
            bridge=preference.bridge,
            moved=preference.moved,
        )
        before = slow.copy()
        slow.push(move)
        outcome = slow.outcome()
        view = json.loads(view_json(fast, outcome))
        assert view["ply"] == len(slow.moves)
        check_against_rules(view, slow, outcome)
        check_last_move(view, before, slow, move)
        # A name stays with its piece: only that of the piece just played is elsewhere.
        moved = view["last"]["piece"]
        places = {piece["id"]: piece["space"] for piece in view["pieces"]}
        assert {name: space for name, space in places.items() if name != moved} == {
            name: space for name, space in names.items() if name != moved
        }
        assert names.get(moved) == (None if move.origin is None else move.origin.name)
        names = places


def check_last_move(view: dict[str, Any], before: Position, after: Position, move: Move) -> None:
    """Assert that a view's last move is what the library says of it."""
    last = view["last"]
    piece = after.top(move.space)
    assert piece is not None
    old = None if move.origin is None else before.top(move.origin)
    assert (last["text"], last["colour"], last["kind"]) == (str(move), piece.colour.letter, piece.kind.value)
    assert (last["space"], last["heading"], last["level"]) == (piece.space.name, str(piece.heading), piece.level)
    manner = (
        "bridge" if after.is_bridge(piece) else "turn" if move.is_rotation else "jump" if piece.level > 1 else "move"
    )
    assert last["manner"] == ("add" if old is None else manner)
    expected = (None, None, None) if old is None else (old.space.name, str(old.heading), old.level)
    assert (last["origin"], last["origin_heading"], last["origin_level"]) == expected
    assert last["path"][-1] == piece.space.name and last["path"][0] == (old or piece).space.name
    covered = [space.name for space in piece.spaces if len(after.stack(space)) > 1]
    assert [dot["space"] for dot in last["covered"]] == covered
    left = [space for space in (() if old is None else old.spaces) if space not in piece.spaces]
    assert [dot["space"] for dot in last["uncovered"]] == [space.name for space in left if after.top(space)]
    assert last["emptied"] == [space.name for space in left if not after.top(space)]


def test_a_declared_end_leaves_nothing_to_play() -> None:
    slow = Position("standard b wEd5ne")
    view = json.loads(view_json(kernel.Position(slow), RESIGNED))
    check_against_rules(view, slow, RESIGNED)
    assert view["outcome"] == {"winner": "b", "reason": "resignation"}
    assert view["threats"]["w"] == view["threats"]["b"] == {"count": 0, "turns": [], "chain": []}
    answer = json.loads(explanation_json(kernel.Position(slow), RESIGNED, "Tl5n"))
    assert (answer["legal"], answer["turn"], answer["reason"]) == (False, "Tl5n", "GAME_OVER")


def test_threats_are_the_moves_that_connect() -> None:
    """By playing every move of either player in the library."""
    counts: Counter[bool] = Counter()
    open_games = [vector for vector in vectors() if vector["reason"] is None]
    threatened = [v for v in open_games if any(threat["count"] for threat in v["view"]["threats"].values())]
    for vector in threatened[::3] + open_games[::25]:
        words = vector["view"]["text"].split()
        for colour in Colour:
            slow = Position(" ".join((words[0], colour.letter, *words[2:])))
            threat = vector["view"]["threats"][colour.letter]
            wins = []
            for move in list(slow.legal_moves):
                slow.push(move)
                if slow.chain(colour):
                    wins.append(str(move))
                slow.pop()
            assert threat["count"] == len(wins)
            assert len(threat["turns"]) == min(len(wins), 12) and set(threat["turns"]) <= set(wins)
            counts[bool(wins)] += 1
            if wins:
                slow.push(threat["turns"][0])
                assert threat["chain"] == [space.name for space in slow.chain(colour)]
    assert min(counts[True], counts[False]) >= 5, counts


@given(random_play.positions, st.lists(move_texts, max_size=12), st.booleans())
@settings(max_examples=60)
def test_explanations_are_the_library_s_refusals(slow: Position, texts: list[str], any_heading: bool) -> None:
    """For any text: a sentence and the spaces of the library, or its error."""
    fast = kernel.Position(str(slow))
    for text in texts:
        headings = list(map(str, Heading)) if any_heading else [""]
        try:
            moves = [Move.parse(f"{text}{heading}") for heading in headings]
        except InvalidMoveError as error:
            with pytest.raises(InvalidMoveError) as caught:
                explanation_json(fast, slow.outcome(), text, any_heading=any_heading)
            assert str(caught.value) == str(error)
            continue
        answer = json.loads(explanation_json(fast, slow.outcome(), text, any_heading=any_heading))
        refusals = {str(move.heading): slow.refusal(str(move) if any_heading else text) for move in moves}
        assert answer["legal"] == any(refusals[judged["heading"]] is None for judged in answer["headings"])
        for judged in answer["headings"]:
            refusal = refusals[judged["heading"]]
            assert judged["reason"] == (refusal and refusal.reason.name)
        if not answer["legal"]:
            reason = Reason[answer["reason"]]
            assert (answer["section"], answer["sentence"]) == (reason.section, reason.sentence)
            blocked = {space.name for refusal in refusals.values() if refusal for space in refusal.spaces}
            assert set(answer["spaces"]) <= blocked


def main() -> None:
    """Write the file of views again, from the kernel's answers."""
    lines = []
    for vector in vectors():
        position, outcome = reached(vector["start"], vector["moves"]), outcome_of(vector)
        vector["view"] = json.loads(view_json(position, outcome))
        vector["explanations"] = [
            [text, any_heading, json.loads(explanation_json(position, outcome, text, any_heading=any_heading))]
            for text, any_heading, _ in vector["explanations"]
        ]
        lines.append(json.dumps(vector, separators=(",", ":"), ensure_ascii=False) + "\n")
    VIEWS.write_bytes(lzma.compress("".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main()
