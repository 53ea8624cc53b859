"""The data model of conditional moves: a tree of moves that the opponent may play, each with one reply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple

from punct.errors import PunctError
from punct.server.errors import RequestError
from punct.server.games.game import PlayedGame
from punct.server.plans.errors import InvalidPlanError

MAX_REPLIES: Final = 200
"""In one plan."""
MAX_DEPTH: Final = 40
"""Replies in one line."""
DropReason = Literal["other", "own", "taken_back", "illegal"]
"""Why a plan was dropped: the opponent played something else; its owner did; moves were taken back; a reply, though
judged before, could not be played."""


class PlannedReply(NamedTuple):
    """A move that the opponent may play, the reply to it, and what may follow."""

    move: str
    reply: str
    then: tuple[PlannedReply, ...] = ()


class Dropped(NamedTuple):
    """What became of a plan that no longer fitted."""

    reason: DropReason
    ply: int
    """Of the move after which it was dropped."""
    move: str | None
    """The move that it did not expect."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The conditional moves of a player in a game. The moves are in the notation of the stored game."""

    ply: int
    """At which the first of its moves is expected."""
    first: str | None = None
    """The owner's own move at that ply, which is not played by itself: the opponent's moves come after it."""
    replies: tuple[PlannedReply, ...] = ()
    dropped: Dropped | None = None
    version: int = 0
    """Grows with every change; 0 if nothing is stored."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to play, and nothing to tell."""
        return not self.replies and self.dropped is None

    def after_own(self, ply: int, move: str) -> Plan:
        """Return the plan after a move of its owner."""
        if self.first == move and self.ply == ply:
            return replace(self, ply=ply + 1, first=None)
        return self.drop(Dropped("own", ply, move))

    def answer(self, ply: int, move: str) -> tuple[str | None, Plan]:
        """Return the reply to a move of the opponent, and the plan after the reply; without a reply it is dropped."""
        if self.ply == ply and self.first is None:
            for planned in self.replies:
                if planned.move == move:
                    return planned.reply, replace(self, ply=ply + 2, replies=planned.then)
        return None, self.drop(Dropped("other", ply, move))

    def drop(self, dropped: Dropped) -> Plan:
        """Return what is left to tell its owner."""
        return Plan(dropped.ply, dropped=dropped, version=self.version)

    def to_stored(self) -> dict[str, Any]:
        """Return the plan as it is stored, without its ply and version."""
        return {
            "first": self.first,
            "replies": _to_lists(self.replies),
            "dropped": None if self.dropped is None else list(self.dropped),
        }

    @classmethod
    def from_stored(cls, ply: int, stored: dict[str, Any], version: int) -> Plan:
        """Return a stored plan."""
        dropped = stored["dropped"]
        return cls(
            ply,
            stored["first"],
            _from_lists(stored["replies"]),
            None if dropped is None else Dropped._make(dropped),
            version,
        )


def check_plan(game: PlayedGame, first: str | None, replies: Iterable[PlannedReply]) -> Plan:
    """Return a plan for a game as it is now, with the moves as games store them; raises InvalidPlanError. Blocks."""
    replies = tuple(replies)
    if sum(1 for _ in _walk(replies)) > MAX_REPLIES:
        raise InvalidPlanError(f"At most {MAX_REPLIES} conditional moves can be kept.", max=MAX_REPLIES)
    ply = game.ply
    if first is not None:
        game, first = _push(game, first, ())
    line = () if first is None else (first,)
    return Plan(ply, first, _check(game, replies, line, 1))


def _check(game: PlayedGame, replies: tuple[PlannedReply, ...], line: tuple[str, ...], depth: int) -> tuple[Any, ...]:
    if replies and depth > MAX_DEPTH:
        raise InvalidPlanError(f"A line may have at most {MAX_DEPTH} replies.", max=MAX_DEPTH)
    checked: dict[str, PlannedReply] = {}
    for planned in replies:
        expected, move = _push(game, planned.move, line)
        if move in checked:
            raise InvalidPlanError(f"There are two replies to {move}.", line=[*line, move])
        answered, reply = _push(expected, planned.reply, (*line, move))
        then = _check(answered, planned.then, (*line, move, reply), depth + 1)
        checked[move] = PlannedReply(move, reply, then)
    return tuple(checked.values())


def _push(game: PlayedGame, text: str, line: tuple[str, ...]) -> tuple[PlayedGame, str]:
    """Return the game after a move, and the move as it is stored; says which move of which line is not legal."""
    try:
        after = game.push(text, game.stored.updated)
    except (PunctError, RequestError) as error:
        raise InvalidPlanError(f"{text} cannot be played: {error}", line=list(line), turn=text) from error
    return after, after.moves[-1].text


def _walk(replies: Iterable[PlannedReply]) -> Iterator[PlannedReply]:
    stack = list(replies)
    while stack:
        planned = stack.pop()
        stack += planned.then
        yield planned


def _to_lists(replies: Iterable[PlannedReply]) -> list[Any]:
    return [[planned.move, planned.reply, _to_lists(planned.then)] for planned in replies]


def _from_lists(stored: Iterable[Any]) -> tuple[PlannedReply, ...]:
    return tuple(PlannedReply(move, reply, _from_lists(then)) for move, reply, then in stored)
