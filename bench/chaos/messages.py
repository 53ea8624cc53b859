"""Comparing days games with what their players did and planned, and with the messages that reached them."""

from __future__ import annotations

import contextlib
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from bench.chaos.correspondents import CorrespondenceLog
from bench.chaos.report import Report
from bench.cluster import Cluster
from bench.plans import fate_of, is_planned
from bench.receiver import Received

from punct.outcome import Ending
from punct.server.db.database import Database, open_database
from punct.server.db.values import to_db_time
from punct.server.games.model import StoredGame, StoredMove
from punct.server.games.store import GameStore

MAX_SENDING_SECONDS: Final = 180.0
"""Until all that is due has been sent, once nothing is killed any more."""
MAX_CLAIM: Final = timedelta(seconds=30)
"""A message that was claimed before is not being sent by anything that lives: its workers would have ended by now."""
MAX_BEHIND: Final = timedelta(seconds=30)
"""A move counts from its arrival, and is stored later if the database is silent: until then others tell of the turn."""


def wait_for_messages(database_url: str, cluster: Cluster, report: Report) -> None:
    """Wait until everybody was told everything. Times that a month would bring are set back instead of waited for."""
    end = time.monotonic() + MAX_SENDING_SECONDS
    with contextlib.closing(open_database(database_url)) as database:
        while _has_messages(database):
            cluster.restart_ended()
            if time.monotonic() > end:
                report.stalled += 1
                return
            _bring_forward(database)
            time.sleep(0.5)


def _has_messages(database: Database) -> bool:
    return bool(
        database.fetch_all("SELECT 1 FROM notices WHERE kind <> 'time' LIMIT 1")
        or database.fetch_all("SELECT 1 FROM deliveries LIMIT 1")
    )


def _bring_forward(database: Database) -> None:
    """Have everything be due now, but reminders, and let the claims of what was killed lapse."""
    now = datetime.now(UTC)
    at, lapsed, past = (to_db_time(each) for each in (now, now - MAX_CLAIM, now - timedelta(hours=1)))

    def change(connection: Any) -> None:
        for statement in (
            f"UPDATE notices SET due = '{at}' WHERE kind <> 'time' AND due > '{at}'",
            f"UPDATE deliveries SET due = '{at}' WHERE due > '{at}'",
            f"UPDATE deliveries SET claimed = '{past}' WHERE claimed < '{lapsed}'",
        ):
            connection.execute(statement)

    database.change(change).result()


def compare_correspondence(
    database_url: str, logs: Sequence[CorrespondenceLog], messages: Sequence[Received], report: Report
) -> None:
    """Compare every days game with its log and its messages."""
    told: defaultdict[tuple[str, str], list[Received]] = defaultdict(list)
    for message in messages:
        told[message.player, message.subject].append(message)
    report.told = len(messages)
    report.repeated = sum(number - 1 for number in Counter((each.player, each.id) for each in messages).values())
    with contextlib.closing(GameStore(open_database(database_url))) as store:
        for log in logs:
            loaded = store.load(log.id)
            if loaded is None:
                report.lost += max(1, len(log.moves))
                continue
            game, moves = loaded
            compare_moves(log, game, moves, report)
            compare_messages(log, game, moves, told, report)
            is_paused = game.clock is not None and any(pause.by is None for pause in game.clock.pauses)
            report.inconsistent += game.outcome is None and is_paused != log.is_paused
            rows = store.database.fetch_all(f"SELECT ply, replies FROM plans WHERE game_id = '{log.id}'")
            # What is planned still waits for the opponent's next move; of an ended game nothing is left.
            report.misplayed += sum(1 for ply, _ in rows if ply > game.ply or game.outcome is not None)


def compare_moves(log: CorrespondenceLog, game: StoredGame, stored: Sequence[StoredMove], report: Report) -> None:
    texts = [move.text for move in stored]
    played = [(move.text, move.played_at) for move in stored]
    for ply, text in log.moves.items():
        report.lost += ply >= len(texts)
        report.changed += ply < len(texts) and texts[ply] != text
    for ply in range(len(texts)):
        if ply not in log.moves and not is_planned([*log.planned, *log.unsure], texts, ply):
            report.misplayed += 1
    is_decided = game.outcome is not None
    for planned in log.planned:
        fate = fate_of(planned, played, is_decided=is_decided)
        report.planned += 1
        report.replied += fate == "played"
        report.plans_lost += fate in ("lost", "late")


def compare_messages(
    log: CorrespondenceLog,
    game: StoredGame,
    moves: Sequence[StoredMove],
    told: dict[tuple[str, str], list[Received]],
    report: Report,
) -> None:
    """Check that everybody was told of what they could not know, once, and of nothing that was over."""
    names = [player.name for player in log.players]
    times = [game.created, *(move.played_at or game.created for move in moves)]
    begun = {message.id for message in told.get((names[0], log.id), ()) if message.kind == "seat"}
    # Unless White had the first move: then the game has begun for both.
    report.untold += not begun and not moves
    report.told_twice += len(begun) > 1
    for ply, begin in enumerate(times):
        is_last = ply == len(times) - 1
        end = datetime.max.replace(tzinfo=UTC) if is_last else times[ply + 1]
        mine = [message for message in told.get((names[ply % 2], log.id), ()) if message.kind == "turn"]
        ids = {message.id for message in mine if begin <= message.written < end}
        report.told_twice += len(ids) > 1 and not log.was_paused
        if is_last and ply and game.outcome is None:
            report.untold += not ids
    for number, name in enumerate(names):
        for message in told.get((name, log.id), ()):
            if message.kind in ("turn", "time") and not _is_true(message, times, number, game.outcome is not None):
                report.told_late += 1
    if game.outcome is not None and game.outcome.reason is not Ending.TIME:
        is_reply = len(times) > 2 and times[-1] == times[-2]  # a planned one, whose owner was away
        loser = names[(len(moves) - 1 if is_reply else len(moves)) % 2]
        ids = {message.id for message in told.get((loser, log.id), ()) if message.kind == "over"}
        report.untold += not ids
        report.told_twice += len(ids) > 1


def _is_true(message: Received, times: Collection[datetime], number: int, is_over: bool) -> bool:
    """Tell whether it was a player's turn when a message was written, or very shortly before."""
    ends = [*list(times)[1:], *([] if is_over else [datetime.max.replace(tzinfo=UTC) - MAX_BEHIND])]
    return any(
        begin <= message.written <= end + MAX_BEHIND
        for ply, (begin, end) in enumerate(zip(times, ends, strict=False))
        if ply % 2 == number
    )
