"""Groups, reach, distances, symmetries and random games, compared with simple implementations."""

from __future__ import annotations

import heapq

import pytest
from hypothesis import given, settings
from tests import random_play

from punct import SPACES, Colour, Position, PunctError, Rules, Space, _kernel, kernel
from punct.geometry import SIDES, spaces_of
from punct.symmetry import SYMMETRIES

EDGES = tuple(
    frozenset(spaces_of(mask)) for near, far in (SIDES[0], SIDES[1], (SIDES[2][1], SIDES[2][0])) for mask in (near, far)
)
"""The kernel's six sides: columns a and q, rows 1 and 17, then j2–p8 and b10–h16."""


def joined(start: Space, among: set[Space]) -> frozenset[Space]:
    group, stack = {start}, [start]
    while stack:
        for space in stack.pop().neighbours:
            if space in among and space not in group:
                group.add(space)
                stack.append(space)
    return frozenset(group)


@given(random_play.positions)
@settings(max_examples=40)
def test_groups_and_reach(slow: Position) -> None:
    fast = kernel.Position(str(slow))
    for colour in Colour:
        shown = set(spaces_of(slow.shown(colour)))
        groups = fast.groups(colour)
        assert {frozenset(group.spaces) for group in groups} == {joined(space, shown) for space in shown}
        for group in groups:
            assert group.sides == {side for side, edge in enumerate(EDGES) if edge & set(group.spaces)}
        for space, sides in zip(SPACES, _kernel.reach(fast.track, colour), strict=True):
            with_dot = joined(space, shown | {space})
            assert {side for side in range(6) if sides >> side & 1} == {
                side for side, edge in enumerate(EDGES) if edge & with_dot
            }


def cost(position: Position, colour: Colour, space: Space) -> int:
    top = position.top(space)
    if top is None:
        return 2 if space.in_centre and position.rules is Rules.STANDARD else 1
    return 0 if top.colour is colour else min(3 + top.level - 1, 5)


def cheapest(position: Position, colour: Colour, edge: frozenset[Space]) -> dict[Space, int]:
    costs = {space: cost(position, colour, space) for space in SPACES}
    settled: dict[Space, int] = {}
    queue = [(costs[space], space.bit, space) for space in edge]
    heapq.heapify(queue)
    while queue:
        so_far, _, space = heapq.heappop(queue)
        if space not in settled:
            settled[space] = so_far
            for neighbour in space.neighbours:
                heapq.heappush(queue, (so_far + costs[neighbour], neighbour.bit, neighbour))
    return settled


@given(random_play.positions)
@settings(max_examples=25)
def test_distances(slow: Position) -> None:
    fast = kernel.Position(str(slow))
    for colour in Colour:
        for pair in range(3):
            distances = fast.distances(colour, pair)
            first, second = EDGES[2 * pair], EDGES[2 * pair + 1]
            assert distances.from_first == cheapest(slow, colour, first)
            assert distances.from_second == cheapest(slow, colour, second)
            assert distances.shortest == min(distances.from_first[space] for space in second)
        joined_up = min(fast.distances(colour, pair).shortest for pair in range(3)) == 0
        assert joined_up == bool(slow.chain(colour))


@given(random_play.positions)
@settings(max_examples=25)
def test_symmetries(slow: Position) -> None:
    fast = kernel.Position(str(slow))
    moves = list(zip(fast.track.numbers(), fast.legal_moves, strict=True))
    for number, symmetry in enumerate(SYMMETRIES):
        image = fast.transformed(number)
        assert image == symmetry.position(slow)
        assert image.result() == fast.result()
        assert image.transformed(SYMMETRIES.index(symmetry.inverse)) == fast
        for packed, move in moves[::97]:
            assert kernel.Move(packed).transformed(number).unpacked == symmetry.move(move, slow)


@pytest.mark.parametrize("wrong", [-1, 12, 1 << 20])
def test_there_are_twelve_symmetries_and_three_pairs(wrong: int) -> None:
    position = kernel.Position()
    with pytest.raises(PunctError):
        position.transformed(wrong)
    with pytest.raises(PunctError):
        position.distances(Colour.WHITE, wrong)


def test_random_play_is_decided_by_the_seed() -> None:
    one, two, three = kernel.Position(), kernel.Position(), kernel.Position()
    assert one.play_random(7, 50, raised=30) == two.play_random(7, 50, raised=30)
    assert one == two
    three.play_random(8, 50, raised=30)
    assert one != three
    assert len(one.moves) == 50


def test_random_moves_are_legal_and_of_every_sort() -> None:
    slow = Position("basic w")
    fast = kernel.Position("basic w")
    seen = set()
    for move in fast.play_random(3, 400, raised=20, moved=40):
        if move.is_add:
            seen.add("add")
        else:
            seen.add("rotation" if move.is_rotation else "move")
        slow.push(move)
        piece = slow.top(move.space)
        assert piece is not None
        seen.add("bridge" if slow.is_bridge(piece) else "jump" if piece.level > 1 else "ground")
    assert seen == {"add", "rotation", "move", "bridge", "jump", "ground"}


def test_whole_games_inside_the_kernel() -> None:
    position = kernel.Position()
    games = kernel.random_games(position, 50, seed=1)
    assert games.white_wins + games.black_wins + games.draws == 50
    assert games.unfinished == 0
    assert games.turns > 50 * 35
    assert games == kernel.random_games(position, 50, seed=1)
    assert games != kernel.random_games(position, 50, seed=2)
    assert kernel.random_games(position, 5, seed=1, most=10) == (0, 0, 0, 5, 50)
    assert position == kernel.Position()
    with pytest.raises(PunctError):
        kernel.random_games(position, -1, seed=1)
