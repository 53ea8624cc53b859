"""Comparing what is stored with what players and live connections were told."""

from __future__ import annotations

import contextlib
import time
from typing import Final

from bench.chaos.players import ABANDONED_SECONDS, INCREMENT_MILLISECONDS, INITIAL_MILLISECONDS
from bench.chaos.report import GameLog, Report
from bench.cluster import Cluster

from punct import Game
from punct.outcome import Ending
from punct.server.db.database import open_database
from punct.server.games.game import PlayedGame
from punct.server.games.model import StoredGame, StoredMove
from punct.server.games.store import GameStore

MAX_DECISION_SECONDS: Final = 120.0
"""After its time was up, until an abandoned game is decided: a server that was away gives back the time for which
nobody could play."""


def wait_for_decisions(database_url: str, logs: list[GameLog], cluster: Cluster, report: Report) -> None:
    """Wait until the clock has decided every game that was abandoned for so long that it must have."""
    with contextlib.closing(GameStore(open_database(database_url))) as store:
        for log in logs:
            if log.abandoned_at is None or log.abandoned_at + ABANDONED_SECONDS > time.monotonic():
                continue
            while (loaded := store.load(log.id)) is None or loaded[0].outcome is None:
                cluster.restart_ended()
                if time.monotonic() > log.abandoned_at + ABANDONED_SECONDS + MAX_DECISION_SECONDS:
                    report.inconsistent += 1
                    break
                time.sleep(0.1)
            else:
                report.decided_by_clock += 1


def matches_log(stored: StoredGame, log: GameLog) -> bool:
    """Tell whether a game's offer, result and clock are what its players know."""
    ending = None if stored.outcome is None else stored.outcome.reason
    if log.is_drawn != (ending is Ending.AGREEMENT) or (ending is Ending.TIME and log.abandoned_at is None):
        return False
    if ending is None and (stored.offer.kind if stored.offer else None) != log.offer:
        return False
    clock = stored.clock
    if log.time_control is None or clock is None:
        return log.time_control is None and clock is None
    if ending is not None:
        return clock.running_since is None
    if log.time_control == "3d":
        return clock.running_since is not None and clock.left_w == clock.left_b == INITIAL_MILLISECONDS["3d"]
    if (clock.running_since is not None) != (stored.ply >= 2):
        return False
    initial = INITIAL_MILLISECONDS.get(log.time_control, int(ABANDONED_SECONDS * 1000))
    return all(0 < left <= initial + INCREMENT_MILLISECONDS * stored.ply for left in (clock.left_w, clock.left_b))


def last_message_is_stored(stored: StoredGame, moves: list[str], log: GameLog) -> bool:
    """Tell whether the game that was last sent to the live connection is stored: nothing is sent before that."""
    if log.last_message is None:
        return True
    revision, sent = log.last_message
    if stored.revision > revision and log.may_have_undone:
        return True  # perhaps it was taken back since
    return stored.revision >= revision and moves[: len(sent)] == sent


def compare(database_url: str, logs: list[GameLog], report: Report) -> None:
    """Compare every game with its log, and replay it by the rules."""
    with contextlib.closing(GameStore(open_database(database_url))) as store:
        for log in logs:
            loaded = store.load(log.id)
            if loaded is None:
                report.lost += max(1, len(log.moves))
                continue
            game, stored_moves = loaded
            moves = [move.text for move in stored_moves]
            report.inconsistent += not matches_log(game, log)
            report.not_stored += not last_message_is_stored(game, moves, log)
            for ply, text in log.moves.items():
                if ply >= len(moves):
                    report.lost += 1
                elif moves[ply] != text:
                    report.changed += 1
            counts = store.database.fetch_all(
                "SELECT count(*), count(DISTINCT ply) FROM turns WHERE game_id = " + repr(log.id)
            )
            if counts != [(len(moves), len(moves))] or game.ply != len(moves):
                report.changed += 1
            report.illegal += not _is_legal(loaded[0], stored_moves)


def _is_legal(stored: StoredGame, moves: list[StoredMove]) -> bool:
    try:
        PlayedGame.replay(stored, moves)
        game = Game()
        for move in moves:
            game.push(move.text)
    except Exception:
        return False
    return True
