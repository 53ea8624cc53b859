"""What is kept of looking at games: analyses under addresses nobody can guess, and reviews of finished games."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from punct import kernel
from punct.errors import PunctError
from punct.piece import Colour
from punct.server.play.actor import Actor
from punct.server.play.clock import Now, utc_now
from punct.server.play.game import PlayedGame
from punct.server.play.games import Games
from punct.server.play.keys import made_before
from punct.server.play.refusals import (
    InvalidReviewError,
    NotPossibleError,
    NotYourSeatError,
    UnknownAnalysisError,
    UnknownGameError,
    UnknownReviewError,
)
from punct.server.play.rights import rights_of
from punct.server.store import AnalysisStore, RepeatedError, RequestKey, StoredAnalysis

KEPT: Final = timedelta(days=180)
"""So long after somebody last asked for it an analysis is kept."""
_SEEN: Final = timedelta(days=1)
"""How exactly it is known when somebody last did."""


class ReviewedTurn(NamedTuple):
    """A turn of a game, as an engine sees it: see ``punct.analysis.Remark``."""

    turn: str
    chance: float
    """White's, after it."""
    given_away: float
    proven: int
    judgement: str | None
    best: tuple[str, ...]
    """The better variation, or what was best anyway; it begins where the turn did."""


@dataclass(frozen=True, slots=True)
class Review:
    """A finished game looked at turn by turn."""

    engine: str
    """Who looked."""
    nodes: int
    """How many positions it looked at for each turn."""
    start: float
    """White's chance before the first turn."""
    turns: tuple[ReviewedTurn, ...]

    def given_away(self, colour: Colour, first: Colour) -> list[float]:
        """Return how much chance a player's turns gave away."""
        return [turn.given_away for ply, turn in enumerate(self.turns) if (ply % 2 == 0) == (colour is first)]


class Analyses:
    """All analyses and reviews of this server."""

    def __init__(self, store: AnalysisStore, games: Games, now: Now = utc_now) -> None:
        """Take over a store, for these games."""
        self._store, self._games, self._now = store, games, now

    async def share(self, tree: str, request: RequestKey | None = None) -> str:
        """Keep an analysis; return its id. Asked again with the same key, it is the one that was kept."""
        now = self._now()
        try:
            return await asyncio.wrap_future(self._store.share(tree, now, now - KEPT, request))
        except RepeatedError as repeated:
            return made_before(repeated.made, request, "analysis")

    async def shared(self, analysis_id: str) -> StoredAnalysis:
        """Return an analysis."""
        found = await asyncio.to_thread(self._store.shared, analysis_id)
        now = self._now()
        if found is None or found.seen < now - KEPT:
            raise UnknownAnalysisError
        if found.seen <= now - _SEEN:
            await asyncio.wrap_future(self._store.see(analysis_id, now))
            return found._replace(seen=now)
        return found

    async def keep_review(self, game_id: str, review: Review, actor: Actor) -> tuple[PlayedGame, datetime]:
        """Keep the review of a game that is over, for whoever looks at it next; by who played it."""
        game, now = await self._games.get(game_id), self._now()
        rights = rights_of(game.stored, actor)
        if not rights.seats and not rights.owner:
            raise NotYourSeatError
        if game.outcome is None:
            raise NotPossibleError("The game is not over: a review is of a finished one.")

        def keep() -> Future[bool]:
            check(game, review)
            return self._store.keep_review(game_id, moves_of(game), _written(review), now)

        if not await asyncio.wrap_future(await asyncio.to_thread(keep)):
            raise UnknownGameError
        return game, now

    async def review(self, game_id: str) -> tuple[PlayedGame, Review, datetime]:
        """Return a game with its review: one of the moves it still has."""
        game = await self._games.get(game_id)

        def read() -> tuple[Review, datetime]:
            found = self._store.review(game_id)
            if found is None or found.moves != moves_of(game):
                raise UnknownReviewError
            return _read(found.review), found.updated

        return game, *await asyncio.to_thread(read)


def _written(review: Review) -> dict[str, Any]:
    """Return a review as it is stored."""
    turns = [list(turn) for turn in review.turns]
    return {"engine": review.engine, "nodes": review.nodes, "start": review.start, "turns": turns}


def _read(stored: Mapping[str, Any]) -> Review:
    """Return a review that was stored."""
    turns = tuple(ReviewedTurn._make((*told[:-1], tuple(told[-1]))) for told in stored["turns"])
    return Review(stored["engine"], stored["nodes"], stored["start"], turns)


def moves_of(game: PlayedGame) -> str:
    """Return by what it is told whether a game is still the one that was reviewed."""
    content = " ".join((game.stored.start, *(move.text for move in game.moves)))
    return blake2b(content.encode(), digest_size=16).hexdigest()


def check(game: PlayedGame, review: Review) -> None:
    """Refuse a review that is not this game's, or whose better variations cannot be played. Takes a while."""
    if len(review.turns) != game.ply:
        raise InvalidReviewError(
            f"The game has {game.ply} turns, the review {len(review.turns)}.", turns=len(review.turns), ply=game.ply
        )
    position = game.position(0)
    for ply, (told, played) in enumerate(zip(review.turns, game.moves, strict=True)):
        if told.turn != played.text:
            raise InvalidReviewError(f"At ply {ply} {played.text} was played, not {told.turn}.", ply=ply)
        pushed = _push(position, told.best)
        if pushed < len(told.best):
            raise InvalidReviewError(f"At ply {ply}, {told.best[pushed]} cannot be played.", ply=ply)
        for _ in range(pushed):
            position.pop()
        position.push(played.text)


def _push(position: kernel.Position, moves: Sequence[str]) -> int:
    """Play moves as far as they are legal; return how many."""
    for count, move in enumerate(moves):
        try:
            position.push(move)
        except PunctError:
            return count
    return len(moves)
