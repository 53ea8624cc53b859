"""Shared analyses, under ids that cannot be guessed, and reviews of finished games."""

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
from punct.server.analyses.errors import InvalidReviewError, UnknownAnalysisError, UnknownReviewError
from punct.server.analyses.store import AnalysisStore, StoredAnalysis
from punct.server.auth.actor import Actor
from punct.server.clock import Now, utc_now
from punct.server.db.idempotency import DuplicateRequestError, IdempotencyKey
from punct.server.games.errors import NotPossibleError, NotYourSeatError, UnknownGameError
from punct.server.games.game import PlayedGame
from punct.server.games.idempotency import previous_result
from punct.server.games.rights import rights_of
from punct.server.games.service import Games

ANALYSIS_RETENTION: Final = timedelta(days=180)
"""How long an analysis is stored after it was last requested."""
_SEEN_PRECISION: Final = timedelta(days=1)
"""How exactly the time of the last request is stored: not every request writes."""


class ReviewedMove(NamedTuple):
    """A move of a game, evaluated by an engine: see ``punct.analysis.Remark``."""

    turn: str
    chance: float
    """White's winning chance after it."""
    given_away: float
    proven: int
    judgement: str | None
    best: tuple[str, ...]
    """The best variation from the same position, whether or not it begins with the move itself."""


@dataclass(frozen=True, slots=True)
class Review:
    """An engine's evaluation of a finished game, move by move."""

    engine: str
    """Its name."""
    nodes: int
    """Nodes searched for each move."""
    start: float
    """White's winning chance before the first move."""
    moves: tuple[ReviewedMove, ...]

    def given_away(self, colour: Colour, first: Colour) -> list[float]:
        """Return how much winning chance each move of a player gave away."""
        return [move.given_away for ply, move in enumerate(self.moves) if (ply % 2 == 0) == (colour is first)]


class Analyses:
    """All analyses and reviews of this server."""

    def __init__(self, store: AnalysisStore, games: Games, now: Now = utc_now) -> None:
        """Use a store; reviews are of these games."""
        self._store, self._games, self._now = store, games, now

    async def share(self, tree: str, key: IdempotencyKey | None = None) -> str:
        """Store an analysis; return its id. A repeated idempotency key returns the id of the first request."""
        now = self._now()
        try:
            return await asyncio.wrap_future(self._store.share(tree, now, now - ANALYSIS_RETENTION, key))
        except DuplicateRequestError as error:
            return previous_result(error.result, key, "analysis")

    async def get(self, analysis_id: str) -> StoredAnalysis:
        """Return an analysis, and extend its retention."""
        analysis = await asyncio.to_thread(self._store.get, analysis_id)
        now = self._now()
        if analysis is None or analysis.seen < now - ANALYSIS_RETENTION:
            raise UnknownAnalysisError
        if analysis.seen <= now - _SEEN_PRECISION:
            await asyncio.wrap_future(self._store.touch(analysis_id, now))
            return analysis._replace(seen=now)
        return analysis

    async def store_review(self, game_id: str, review: Review, actor: Actor) -> tuple[PlayedGame, datetime]:
        """Store the review of a finished game, in place of any other. Only its players and its owner may."""
        game, now = await self._games.get(game_id), self._now()
        rights = rights_of(game.stored, actor)
        if not rights.seats and not rights.is_owner:
            raise NotYourSeatError
        if game.outcome is None:
            raise NotPossibleError("The game is not over: a review is of a finished one.")

        def store() -> Future[bool]:
            check_review(game, review)
            return self._store.store_review(game_id, moves_hash(game), _to_json(review), now)

        if not await asyncio.wrap_future(await asyncio.to_thread(store)):
            raise UnknownGameError
        return game, now

    async def review(self, game_id: str) -> tuple[PlayedGame, Review, datetime]:
        """Return a game with its review; UnknownReviewError if the game's moves have changed since."""
        game = await self._games.get(game_id)

        def read() -> tuple[Review, datetime]:
            stored = self._store.review(game_id)
            if stored is None or stored.moves != moves_hash(game):
                raise UnknownReviewError
            return _from_json(stored.review), stored.updated

        return game, *await asyncio.to_thread(read)


def _to_json(review: Review) -> dict[str, Any]:
    """Return a review as it is stored."""
    moves = [list(move) for move in review.moves]
    return {"engine": review.engine, "nodes": review.nodes, "start": review.start, "turns": moves}


def _from_json(stored: Mapping[str, Any]) -> Review:
    """Return a review from what is stored."""
    moves = tuple(ReviewedMove._make((*values[:-1], tuple(values[-1]))) for values in stored["turns"])
    return Review(stored["engine"], stored["nodes"], stored["start"], moves)


def moves_hash(game: PlayedGame) -> str:
    """Return a hash of a game's moves: a review is valid as long as it stays the same."""
    content = " ".join((game.stored.start, *(move.text for move in game.moves)))
    return blake2b(content.encode(), digest_size=16).hexdigest()


def check_review(game: PlayedGame, review: Review) -> None:
    """Raise InvalidReviewError if the moves are not the game's, or a best variation is illegal. Blocks for a while."""
    if len(review.moves) != game.ply:
        raise InvalidReviewError(
            f"The game has {game.ply} turns, the review {len(review.moves)}.", turns=len(review.moves), ply=game.ply
        )
    position = game.position(0)
    for ply, (reviewed, played) in enumerate(zip(review.moves, game.moves, strict=True)):
        if reviewed.turn != played.text:
            raise InvalidReviewError(f"At ply {ply} {played.text} was played, not {reviewed.turn}.", ply=ply)
        legal = _push_legal(position, reviewed.best)
        if legal < len(reviewed.best):
            raise InvalidReviewError(f"At ply {ply}, {reviewed.best[legal]} cannot be played.", ply=ply)
        for _ in range(legal):
            position.pop()
        position.push(played.text)


def _push_legal(position: kernel.Position, moves: Sequence[str]) -> int:
    """Play moves as far as they are legal; return how many."""
    for count, move in enumerate(moves):
        try:
            position.push(move)
        except PunctError:
            return count
    return len(moves)
