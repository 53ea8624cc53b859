"""What a page ought to show, by the rules alone: the moves replayed, and every space compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import punct
from punct import geometry

from ..messages import text
from .sight import Sight

CENTRE = frozenset(geometry.spaces_of(geometry.CENTRE))


@lru_cache(maxsize=512)
def replayed(start: str, moves: tuple[str, ...]) -> punct.Position:
    """Return the position that moves lead to; nobody may change it."""
    position = punct.Position(start)
    for move in moves:
        position.push(move)
    return position


def letter(colour: punct.Colour) -> str:
    return "wb"[colour]


def top_of(position: punct.Position, space: punct.Space) -> str:
    """Return what shows on a space, as it is to be drawn."""
    piece = position.top(space)
    return "" if piece is None else f"{letter(piece.colour)}{piece.level}"


def words_of(position: punct.Position, space: punct.Space, language: str) -> str:
    """Return how what is said of a space begins."""
    piece = position.top(space)
    if piece is None:
        return text("space.centre" if space in CENTRE else "space.empty", language, space=space)
    named = text(
        "piece.named",
        language,
        colour=text(f"colour.{letter(piece.colour)}", language),
        kind=text(f"kind.{piece.kind.value}", language),
    )
    dot = piece.spaces.index(space)
    hangs = position.is_bridge(piece) and space == piece.middle
    key = "space.hanging" if hangs else "space.minor" if dot else "space.punct"
    return text(key, language, space=space, piece=named, level=piece.level)


def board_faults(seen: Sight, position: punct.Position) -> Iterator[str]:
    """Compare every space, as drawn and as said, and the sets."""
    if seen.picture:
        return
    for space in punct.SPACES:
        name = str(space)
        drawn, wanted = seen.spaces.get(name), top_of(position, space)
        if drawn != wanted:
            yield f"{name}: drawn is {drawn or 'nothing'!r}, there is {wanted or 'nothing'!r}"
        elif not seen.labels[name].startswith(words := words_of(position, space, seen.language)):
            yield f"{name}: said is {seen.labels[name]!r}, it is {words!r}"
    for name, count in seen.sets.items():
        colour = punct.Colour("wb".index(name[0]))
        left = position.in_set(colour).get(punct.Kind(name[1]), 0)
        if count != left:
            yield f"the set: {count} of {name} are shown, there are {left}"


def last_faults(seen: Sight, position: punct.Position) -> Iterator[str]:
    """Compare which piece is set off as played last."""
    if seen.picture:
        return
    moves = position.moves
    wanted = str(moves[-1].space) if moves and not seen.in_hand and not position.winning_chain else None
    if seen.recent != wanted:
        yield f"the last move: marked is {seen.recent}, it was {wanted}"


def button_faults(seen: Sight, wanted: Iterable[tuple[str, bool]]) -> Iterator[str]:
    """Compare which buttons can be pressed; those that are not there cannot."""
    for name, may in wanted:
        if seen.buttons.get(name, False) != may:
            yield f"the button {name}: it {'cannot' if may else 'can'} be pressed"
