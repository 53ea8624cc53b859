"""A game as everybody who watches gets it after each move: written once, and of its next revision only what is new."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from punct.server.api.message import Message, deflated, gzipped, stored
from punct.server.api.present.games import clock, move, offer, summary, thinking_of
from punct.server.api.present.positions import position
from punct.server.api.present.words import encode
from punct.server.api.schemas import ErrorBody
from punct.server.opponents.seats import Thinking
from punct.server.play.game import PlayedGame, PlayedMove
from punct.server.sized_cache import SizedCache

MAX_MEMORY_BYTES: Final = 160 * 1024 * 1024
"""For games as they were last sent: about as many as are set up, so that a turn adds to what is there."""
_MOVE_BYTES: Final = 300
LONG: Final = 200
"""Turns that are written in half a millisecond; real games have 30 to 70."""


class Snapshot:
    """A game as it is sent, at one revision and with its engine in one state; made once, however often it is sent."""

    __slots__ = ("_blocks", "_moves", "_turns", "body", "revision", "seats", "thinking")

    body: bytes
    """JSON."""
    _moves: tuple[PlayedMove, ...]
    _turns: bytes

    def __init__(self, game: PlayedGame, thinking: Thinking, before: Snapshot | None = None) -> None:
        """Make it; if there is one of the revision before, only of what is new."""
        self.revision = game.revision
        self.seats = game.seats
        self.thinking = thinking
        self._blocks: bytes | None = None
        if before is not None and before.shows(game):
            self._moves, self._turns = before._moves, before._turns
            # Only the engine does something else, and that comes last.
            self.body = before.body[: before.body.rindex(_THINKING)] + _last_part(thinking)
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
            "view": position(game.moment()),
            "repetitions": game.repetitions,
            "may_undo": game.may_undo,
            "may_redo": game.may_redo,
            "may_resign": game.may_resign,
            "may_draw": game.may_draw,
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
        """Return about how much memory it takes: its texts, compressed too, and the moves it holds."""
        return 500 + len(self.body) * 3 // 2 + len(self._turns) + _MOVE_BYTES * len(self._moves)

    def shows(self, game: PlayedGame) -> bool:
        """Tell whether it is this revision, with the players as they are called now."""
        return self.revision == game.revision and (self.seats is game.seats or self.seats == game.seats)

    @property
    def blocks(self) -> bytes:
        """The same, compressed: for answers and for live connections."""
        if self._blocks is None:
            self._blocks = deflated(self.body)
        return self._blocks

    @property
    def compressed(self) -> bytes:
        """The same, for whoever takes gzip."""
        return gzipped(self.body, self.blocks)

    @property
    def message(self) -> Message:
        """The same, for live connections; to be made once for all that are told. It knows this, not this it."""
        return _GameMessage.of(self)


class _GameMessage(Message):
    """A game for live connections: compressed, or not, together with the answer that shows it."""

    __slots__ = ("_snapshot",)
    _snapshot: Snapshot

    @classmethod
    def of(cls, snapshot: Snapshot) -> _GameMessage:
        """Return the message of a game."""
        message = cls(f"{_BEFORE}{snapshot.body.decode()}{_AFTER}")
        message._snapshot = snapshot
        return message

    def blocks(self) -> bytes:
        """Return the text compressed."""
        return stored(_BEFORE.encode()) + self._snapshot.blocks + stored(_AFTER.encode())


_BEFORE, _AFTER = '{"type":"game","game":', "}"


class Presenter:
    """Shows games together with what their engines do. Both answers and live connections get them from here."""

    def __init__(self, thinking: Callable[[PlayedGame], Thinking]) -> None:
        """Ask this for what an engine does."""
        self._thinking = thinking
        self._snapshots: SizedCache[str, Snapshot] = SizedCache(MAX_MEMORY_BYTES, Snapshot.estimate_bytes)

    def game(self, game: PlayedGame) -> Snapshot:
        """Return a game as it is sent."""
        thinking = self._thinking(game)
        known = self._snapshots.get(game.id)
        if known is not None and known.thinking == thinking and known.shows(game):
            return known
        return self._keep(game, Snapshot(game, thinking, known))

    async def shown(self, game: PlayedGame) -> Snapshot:
        """Return the same; of a long game that was not sent lately, all turns are written in a thread first."""
        if game.ply > LONG and game.id not in self._snapshots:
            self._keep(game, await asyncio.to_thread(Snapshot, game, self._thinking(game)))
        return self.game(game)

    def _keep(self, game: PlayedGame, snapshot: Snapshot) -> Snapshot:
        known = self._snapshots.get(game.id)
        if known is None or known.revision <= game.revision:  # else somebody shows what is past
            self._snapshots.put(game.id, snapshot)
        return snapshot


def conflict(body: ErrorBody, game: PlayedGame, snapshot: Snapshot) -> bytes:
    """Return the JSON of a refusal together with how the game stands, which was written before."""
    detail = encode({**(body.detail or {}), "ply": game.ply, "revision": game.revision})[:-1]
    told = encode({"code": body.code, "message": body.message})[:-1]
    return b'{"error":%b,"detail":%b,"game":%b}}}' % (told, detail, snapshot.body)


_THINKING: Final = b',"thinking":{'
"""Where the last part of a game begins. It can be nowhere else: in a text the quotes would be escaped."""


def _last_part(thinking: Thinking) -> bytes:
    return b',"thinking":%b}' % encode(thinking_of(thinking))
