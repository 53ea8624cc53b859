"""The view of legal turns, and counts of ways to play on."""

from __future__ import annotations

from pathlib import Path

import pytest

from punct import Move, Position, PunctError
from punct.legal import may_play
from punct.perft import divide, perft

PERFT = Path(__file__).resolve().parent / "perft"


def perft_entries(*names: str) -> list[tuple[str, int, int]]:
    found = []
    for name in names:
        for line in (PERFT / f"{name}.perft").read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                text, depth, count = line.split(";")
                found.append((text, int(depth), int(count)))
    return found


def test_the_view_is_a_lazy_set() -> None:
    position = Position()
    moves = position.legal_moves
    assert len(moves) == len(list(moves)) == len(set(moves)) == 4986
    assert moves
    assert Move.parse("Ed5ne") in moves
    assert Move.parse("Ti9n") not in moves
    assert next(iter(moves)).is_add
    assert repr(moves) == "<4986 legal moves of 'standard w'>"
    assert not moves ^ set(moves)
    assert moves & {Move.parse("Ed5ne"), Move.parse("Ti9n")} == {Move.parse("Ed5ne")}
    assert isinstance(moves - set(), set)


def test_the_view_knows_texts_and_nothing_else() -> None:
    moves: object = Position("standard w wCd5n").legal_moves
    assert isinstance(moves, type(Position().legal_moves))
    for text in ("Ed8ne", "d5-d5ne", "d5-d5sw", "Cd5-d6n"):
        assert moves.__contains__(text)
    for other in ("Ti9n", "d5-d5s", "Td5-d6n", "nonsense", "", None, 7, ("Ed5ne",)):
        assert not moves.__contains__(other)


def test_the_view_follows_the_position() -> None:
    position = Position()
    moves = position.legal_moves
    position.push("Ed5ne")
    assert Move.parse("Ed5ne") not in moves
    assert set(moves) == set(Position("standard b wEd5ne").legal_moves)
    position.pop()
    assert Move.parse("Ed5ne") in moves


def test_pushing_and_popping_while_listing() -> None:
    position = Position("standard w wCd5n bTl5n wEd8n")
    expected = list(position.legal_moves)
    seen = []
    for move in position.legal_moves:
        position.push(move)
        seen.append(position.pop())
    assert seen == expected


def test_the_order_depends_on_the_position_alone() -> None:
    played = Position()
    for text in ("Ed5ne", "Tl5n", "Te10n", "Tm10n", "d5-d8n", "l5-l8n"):
        played.push(text)
    assert list(played.legal_moves) == list(Position(str(played)).legal_moves)


def test_somebody_may_always_play_from_the_start() -> None:
    assert may_play(Position("basic w"))
    assert may_play(Position("standard b"))


def test_the_perft_files_are_varied() -> None:
    for rules in ("standard", "basic"):
        entries = perft_entries(rules)
        assert all(text.startswith(rules) for text, _, _ in entries)
        for depth in (1, 2):
            assert len({text for text, at, _ in entries if at == depth}) >= 15


@pytest.mark.parametrize(
    ("text", "depth", "count"), [entry for entry in perft_entries("standard", "basic", "deep") if entry[1] <= 2]
)
def test_perft(text: str, depth: int, count: int) -> None:
    """Tens of millions of turns, as at depth 3, are for faster implementations."""
    assert perft(Position(text), depth) == count


def test_perft_divides_by_the_first_turn() -> None:
    position = Position("standard w bLb4n wTf14se bLh12s")
    counts = divide(position, 2)
    assert set(counts) == set(position.legal_moves)
    assert sum(counts.values()) == perft(position, 2)
    assert str(position) == "standard w bLb4n wTf14se bLh12s"
    assert perft(position, 0) == 1
    assert set(divide(position, 1).values()) == {1}
    for depth in (-1, True, 1.0, "1", None):
        with pytest.raises(PunctError, match="a depth counts moves"):
            perft(position, depth)  # type: ignore[arg-type]
        with pytest.raises(PunctError, match="divided from depth 1 on"):
            divide(position, depth)  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [perft, divide])
def test_perft_needs_a_depth(count: object) -> None:
    assert callable(count)
    with pytest.raises(PunctError, match="not -1"):
        count(Position(), -1)
