"""Conditional moves as players of the benches make them, and what becomes of them."""

from __future__ import annotations

import random
import zlib
from collections.abc import Collection, Sequence
from typing import Any, Final, Literal, NamedTuple

from punct import kernel

CHOICES: Final = 3
"""Every player chooses among so many moves: so plans for two of them often fit."""


class PlannedReply(NamedTuple):
    """A reply that a player has stored."""

    ply: int
    """Of the first move of the line."""
    line: tuple[str, ...]
    """The moves after which it is played: the last one is the opponent's."""
    reply: str


def choices(position: kernel.Position) -> list[str]:
    """Return the moves among which every player chooses: others in each position, so that few games are repeated."""
    moves = sorted(map(str, position.legal_moves))
    return random.Random(zlib.crc32(str(position).encode())).sample(moves, min(CHOICES, len(moves)))


def plan_replies(
    position: kernel.Position, rng: random.Random, ply: int, depth: int = 2, line: tuple[str, ...] = ()
) -> tuple[list[Any], list[PlannedReply]]:
    """Return replies to two moves of the opponent, with what follows each: as JSON, and as a list.

    ``ply`` is that of the first move of the line.
    """
    replies: list[Any] = []
    planned: list[PlannedReply] = []
    for expected in choices(position)[:2]:
        position.push(expected)
        if position.outcome() is None:
            reply = rng.choice(choices(position))
            planned.append(PlannedReply(ply, (*line, expected), reply))
            position.push(reply)
            then: list[Any] = []
            if depth > 1 and position.outcome() is None:
                then, later = plan_replies(position, rng, ply, depth - 1, (*line, expected, reply))
                planned += later
            position.pop()
            replies.append({"turn": expected, "reply": reply, "then": then})
        position.pop()
    return replies, planned


def is_planned(planned: Collection[PlannedReply], moves: Sequence[str], ply: int) -> bool:
    """Tell whether a move is a planned reply to what was played before it."""
    return any(
        each.ply + len(each.line) == ply and tuple(moves[each.ply : ply]) == each.line and moves[ply] == each.reply
        for each in planned
    )


def fate_of(
    planned: PlannedReply, moves: Sequence[tuple[str, object]], *, is_decided: bool
) -> Literal["played", "unused", "lost", "late"]:
    """Return what became of a planned reply in a game, whose moves have the times at which they were played.

    It is played at once where its line was played, unless that ended the game: ``is_decided``. Moves are never taken
    back in these games.
    """
    ply = planned.ply + len(planned.line)
    if tuple(text for text, _ in moves[planned.ply : ply]) != planned.line or (ply == len(moves) and is_decided):
        return "unused"
    if ply >= len(moves) or moves[ply][0] != planned.reply:
        return "lost"
    return "played" if moves[ply][1] == moves[ply - 1][1] else "late"
