"""Guests who play games over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from typing import Any, Final

from bench.chaos.caller import MAX_WAIT_SECONDS, RETRY_SECONDS, Caller, RefusedError
from bench.chaos.report import GameLog, Report
from bench.http import LiveConnection

from punct import kernel

MAX_PLIES: Final = 60
ENGINE_SHARE: Final = 0.25
TWO_PLAYER_SHARE: Final = 0.4
RIVAL_SHARE: Final = 0.15
"""How often two try to play the same ply."""
OFFER_SHARE: Final = 0.15
"""How often something is offered before a move."""
INITIAL_MILLISECONDS: Final = {"60+15": 60 * 60_000, "3d": 3 * 86_400_000}
"""By time control, what each side begins with."""
INCREMENT_MILLISECONDS: Final = 15_000
ABANDONED_TIME_CONTROL: Final = "1+0"
ABANDONED_SECONDS: Final = 60.0
"""The clock of a game that its players abandon."""


class Players:
    """Play games until told to stop."""

    def __init__(self, host: str, caller: Caller, report: Report, stopping: asyncio.Event) -> None:
        self._host, self._caller, self._report, self._stopping = host, caller, report, stopping
        self.logs: list[GameLog] = []

    async def play(self, seed: int) -> None:
        """Play one game after another."""
        rng = random.Random(seed)
        while not self._stopping.is_set():
            try:
                await self._play_game(rng)
            except TimeoutError:
                self._report.gave_up += 1

    async def _play_game(self, rng: random.Random) -> None:
        log = await self._start_game(rng)
        self.logs.append(log)
        self._report.games += 1
        listening = asyncio.create_task(self._listen(log))
        try:
            await self._play_moves(log, rng)
        finally:
            listening.cancel()
            await asyncio.wait([listening])

    async def _listen(self, log: GameLog) -> None:
        """Keep a live connection to a game, connecting again whenever it ends, until cancelled."""

        def receive(connection: LiveConnection, message: bytes) -> None:
            if message.startswith(b'{"type":"game"'):
                self._report.received += 1
                self._report.not_stored += not log.receive(json.loads(message)["game"])

        path = f"/api/v1/games/{log.id}/live"
        while True:
            with contextlib.suppress(OSError):
                connection = await LiveConnection.open(self._host, path, log.cookie_of(0), receive, preview_bytes=0)
                try:
                    await connection.closed.wait()
                finally:
                    connection.close()
            await asyncio.sleep(RETRY_SECONDS)

    async def _play_moves(self, log: GameLog, rng: random.Random) -> None:
        """Play a game to its end, or until everything stops."""
        position = kernel.Position()
        moves: list[str] = []
        while len(moves) < MAX_PLIES and position.outcome() is None and not self._stopping.is_set():
            if log.has_engine and len(moves) % 2:
                moves = await self._wait_for_engine(log, len(moves))
                log.moves.update(enumerate(moves))
                position = _position_after(moves)
                continue
            if log.time_control is not None and rng.random() < OFFER_SHARE:
                moves = await self._offer(log, moves, rng)
                if log.is_drawn:
                    return
                position = _position_after(moves)
            legal = sorted(map(str, position.legal_moves))
            text = rng.choice(legal)
            rival = rng.choice(legal) if rng.random() < RIVAL_SHARE else None
            text = await self._play_ply(log, len(moves), text, rival)
            moves.append(text)
            position.push(text)
            if log.time_control == ABANDONED_TIME_CONTROL and len(moves) == 2:
                log.abandoned_at = time.monotonic()
                return

    async def _start_game(self, rng: random.Random) -> GameLog:
        """Have guests start a game: one who plays both sides or against the computer, or two."""
        kind = rng.random()
        first = await self._caller.create_guest()
        if kind >= TWO_PLAYER_SHARE:
            has_engine = kind >= 1 - ENGINE_SHARE
            seats: dict[str, Any] = {"w": {}, "b": {"type": "engine", "level": 1} if has_engine else {}}
            game = await self._caller.request_json("POST", "/games", {"seats": seats}, first)
            return GameLog(game["id"], (first, first), has_engine)
        second = await self._caller.create_guest()
        control = rng.choice([*INITIAL_MILLISECONDS, ABANDONED_TIME_CONTROL])
        challenge = await self._caller.request_json("POST", "/challenges", {"colour": "w", "time": control}, first)
        game = await self._caller.request_json("POST", f"/challenges/{challenge['id']}/accept", {}, second)
        return GameLog(game["id"], (first, second), time_control=control)

    async def _offer(self, log: GameLog, moves: list[str], rng: random.Random) -> list[str]:
        """Have the one to move offer something, and the other reply, or not; return the moves of the game after it."""
        mover, other = log.cookie_of(len(moves)), log.cookie_of(len(moves) + 1)
        kind = rng.choice(["draw", "undo"])
        try:
            await self._caller.request_json("POST", f"/games/{log.id}/offers", {"kind": kind}, mover)
        except RefusedError:  # there is nothing yet to take back
            return moves
        log.offer = kind
        self._report.offers += 1
        replies = ["decline", "accept", "ignore"] if kind == "undo" else ["decline", "ignore", "ignore", "accept"]
        match rng.choice(replies):
            case "decline":
                await self._caller.request_json("DELETE", f"/games/{log.id}/offers", None, other)
                log.offer = None
            case "accept":
                log.may_have_undone = log.may_have_undone or kind == "undo"
                game = await self._caller.request_json("POST", f"/games/{log.id}/offers/accept", {"kind": kind}, other)
                log.offer = None
                log.is_drawn = kind == "draw"
                for ply in range(game["ply"], len(moves)):
                    log.moves.pop(ply, None)
                return moves[: game["ply"]]
        return moves

    async def _play_ply(self, log: GameLog, ply: int, text: str, rival: str | None) -> str:
        """Play a move, perhaps while a rival plays another one; return which was played."""

        async def play(text: str) -> str | None:
            move = {"text": text, "ply": ply}
            try:
                await self._caller.request_json("POST", f"/games/{log.id}/turns", move, log.cookie_of(ply))
            except RefusedError:
                self._report.refused += 1
                return None
            return text

        rivals = {text} if rival is None else {text, rival}
        played = [text for text in await asyncio.gather(*map(play, rivals)) if text is not None]
        if len(played) == 2:
            self._report.both_won += 1
        if not played:
            raise TimeoutError("each was told that the other was first")
        log.moves[ply] = played[0]
        log.offer = None  # whatever was offered: the game has gone on
        self._report.acknowledged += 1
        return played[0]

    async def _wait_for_engine(self, log: GameLog, ply: int) -> list[str]:
        """Wait for the computer's move; return all moves."""
        end = time.monotonic() + MAX_WAIT_SECONDS
        while time.monotonic() < end:
            game = await self._caller.request_json("GET", f"/games/{log.id}", None, log.cookie_of(ply))
            if game["ply"] > ply or game["outcome"] is not None:
                return [move["text"] for move in game["turns"]]
            await asyncio.sleep(RETRY_SECONDS)
        raise TimeoutError


def _position_after(moves: list[str]) -> kernel.Position:
    position = kernel.Position()
    for text in moves:
        position.push(text)
    return position
