"""The JSON of games, written once for all clients, and the responses made of it.

For the next revision of a game only the new parts are written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import orjson
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from punct.kernel.view import view_json
from punct.server.db.errors import StoreError
from punct.server.errors import BrokenGameError
from punct.server.games.engine_status import Thinking
from punct.server.games.errors import GameConflictError, UnknownGameError
from punct.server.games.game import PlayedGame, PlayedMove
from punct.server.games.presenter import clock, move, offer, summary, thinking_of
from punct.server.games.service import Games
from punct.server.http.compression import (
    MIN_COMPRESSED_BYTES,
    accepts_gzip,
    compressed_response,
    deflate,
    gzip_of_blocks,
    stored_block,
)
from punct.server.http.encoding import encode
from punct.server.http.errors import describe_error, error_response
from punct.server.http.registry import services_of
from punct.server.http.responses import JSON
from punct.server.live.frames import Message
from punct.server.sized_cache import SizedCache

MAX_MEMORY_BYTES: Final = 160 * 1024 * 1024
"""For snapshots: about as many as there are games in memory, so that a move only adds to the last snapshot."""
_MOVE_BYTES: Final = 300
LONG_GAME_PLIES: Final = 200
"""This many moves are written in half a millisecond; real games have 30 to 70."""


class Snapshot:
    """The JSON of a game at one revision, with its engine in one state. It is made once, however often it is sent."""

    __slots__ = ("_blocks", "_moves", "_turns", "body", "revision", "seats", "thinking")

    body: bytes
    """JSON."""
    _moves: tuple[PlayedMove, ...]
    _turns: bytes

    def __init__(self, game: PlayedGame, thinking: Thinking, before: Snapshot | None = None) -> None:
        """Write the JSON; if there is a snapshot of the revision before, only the new parts."""
        self.revision = game.revision
        self.seats = game.seats
        self.thinking = thinking
        self._blocks: bytes | None = None
        if before is not None and before.matches(game):
            self._moves, self._turns = before._moves, before._turns
            # Only the state of the engine differs, which comes last.
            self.body = before.body[: before.body.rindex(_THINKING_FIELD)] + _last_part(thinking)
            return
        self._moves = game.moves
        if before is not None and game.moves == before._moves:
            self._turns = before._turns
        elif before is not None and game.moves and game.moves[:-1] == before._moves:
            last = encode(move(game.ply - 1, game.moves[-1]))
            self._turns = b"%b,%b" % (before._turns, last) if before._turns else last
        else:
            self._turns = encode([move(ply, played) for ply, played in enumerate(game.moves)])[1:-1]
        first = {**summary(game.stored), "revision": game.revision, "start": game.stored.start}
        rest = {
            "view": orjson.Fragment(view_json(*game.state())),
            "repetitions": game.repetitions,
            "may_undo": game.can_undo,
            "may_redo": game.can_redo,
            "may_resign": game.can_resign,
            "may_draw": game.can_draw,
            "clock": clock(game.stored),
            "offer": offer(game.stored.offer),
            "next": game.stored.next_id,
        }
        self.body = b'%b,"turns":[%b],%b%b' % (
            encode(first)[:-1],
            self._turns,
            encode(rest)[1:-1],
            _last_part(thinking),
        )

    def estimate_bytes(self) -> int:
        """Estimate the memory in use: for the texts, also compressed, and for the moves."""
        return 500 + len(self.body) * 3 // 2 + len(self._turns) + _MOVE_BYTES * len(self._moves)

    def matches(self, game: PlayedGame) -> bool:
        """Return whether it shows this revision of the game, with the current names and ratings."""
        return self.revision == game.revision and (self.seats is game.seats or self.seats == game.seats)

    @property
    def blocks(self) -> bytes:
        """The body as DEFLATE blocks, for responses and for live connections."""
        if self._blocks is None:
            self._blocks = deflate(self.body)
        return self._blocks

    @property
    def compressed(self) -> bytes:
        """The body compressed by gzip."""
        return gzip_of_blocks(self.body, self.blocks)

    @property
    def message(self) -> Message:
        """A new message with the body for live connections; make it once for all subscribers.

        The message refers to the snapshot and not the snapshot to the message, which would be a reference cycle.
        """
        return _GameMessage.of(self)


class _GameMessage(Message):
    """A game for live connections. It shares the compressed body with responses."""

    __slots__ = ("_snapshot",)
    _snapshot: Snapshot

    @classmethod
    def of(cls, snapshot: Snapshot) -> _GameMessage:
        """Return the message with a snapshot."""
        message = cls(f"{_MESSAGE_HEAD}{snapshot.body.decode()}{_MESSAGE_TAIL}")
        message._snapshot = snapshot
        return message

    def blocks(self) -> bytes:
        """Return the message as DEFLATE blocks."""
        return stored_block(_MESSAGE_HEAD.encode()) + self._snapshot.blocks + stored_block(_MESSAGE_TAIL.encode())


_MESSAGE_HEAD, _MESSAGE_TAIL = '{"type":"game","game":', "}"


class SnapshotCache:
    """Makes and caches the snapshots of games, for responses and for live connections."""

    def __init__(self, thinking: Callable[[PlayedGame], Thinking]) -> None:
        """Begin empty; ``thinking`` returns what the engine of a game does."""
        self._thinking = thinking
        self._snapshots: SizedCache[str, Snapshot] = SizedCache(MAX_MEMORY_BYTES, Snapshot.estimate_bytes)

    def get(self, game: PlayedGame) -> Snapshot:
        """Return the snapshot of a game."""
        thinking = self._thinking(game)
        cached = self._snapshots.get(game.id)
        if cached is not None and cached.thinking == thinking and cached.matches(game):
            return cached
        return self._put(game, Snapshot(game, thinking, cached))

    async def get_async(self, game: PlayedGame) -> Snapshot:
        """Return the snapshot of a game; all moves of a long game that is not cached are written in a thread."""
        if game.ply > LONG_GAME_PLIES and game.id not in self._snapshots:
            self._put(game, await asyncio.to_thread(Snapshot, game, self._thinking(game)))
        return self.get(game)

    def _put(self, game: PlayedGame, snapshot: Snapshot) -> Snapshot:
        cached = self._snapshots.get(game.id)
        if cached is None or cached.revision <= game.revision:  # else an older revision was requested
            self._snapshots.put(game.id, snapshot)
        return snapshot


_THINKING_FIELD: Final = b',"thinking":{'
"""Where the last part of a game's JSON begins. It cannot occur inside a string, where quotes are escaped."""


def _last_part(thinking: Thinking) -> bytes:
    return b',"thinking":%b}' % encode(thinking_of(thinking))


async def game_response(request: Request, game: PlayedGame, status: int = 200) -> Response:
    """Return a response with a game and what its engine does."""
    snapshot = await services_of(request).get(SnapshotCache).get_async(game)
    body = snapshot.body
    compressed = snapshot.compressed if len(body) >= MIN_COMPRESSED_BYTES and accepts_gzip(request) else None
    headers = {"Location": f"/api/v1/games/{game.id}"} if status == 201 else {}
    return compressed_response(request, body, compressed, JSON, status, headers)


async def conflict_response(request: Request, error: GameConflictError) -> Response:
    """Return a response to a conflict, with the game as it now is, so that the client need not fetch it next."""
    game_id = request.path_params.get("game_id")
    if game_id is None:
        return error_response(error)  # it concerns no single game
    services = services_of(request)
    try:
        game = await services.get(Games).get(game_id)
    except (UnknownGameError, BrokenGameError, StoreError):
        return error_response(error)
    snapshot = await services.get(SnapshotCache).get_async(game)
    status, body = describe_error(error)
    head = encode({"code": body.code, "message": body.message})[:-1]
    detail = encode({**(body.detail or {}), "ply": game.ply, "revision": game.revision})[:-1]
    content = b'{"error":%b,"detail":%b,"game":%b}}}' % (head, detail, snapshot.body)
    return Response(content, status, media_type=JSON)


def install(app: FastAPI) -> None:
    """Add the exception handler that puts the game into conflict responses."""
    app.exception_handler(GameConflictError)(conflict_response)
