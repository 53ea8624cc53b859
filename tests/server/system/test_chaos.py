"""A short form of ``make chaos``: whatever is killed, every acknowledged move is there, once."""

from __future__ import annotations

import asyncio
import sys
from types import SimpleNamespace
from typing import cast

import pytest
from bench import departure, strain
from bench.chaos.checks import last_message_is_stored
from bench.chaos.report import GameLog
from bench.chaos.run import run as run_chaos

from punct.server.games.model import StoredGame


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_acknowledged_moves_survive_kills() -> None:
    report = asyncio.run(run_chaos(rounds=6, players=4, seed=7))
    assert report.faults == 0, str(report)
    assert len(report.injected) == 6, str(report)
    assert report.received > 0, str(report)
    assert report.correspondence > 0 and report.told > 0, str(report)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork to start several processes by")
def test_reloaded_pages_receive_every_move_and_leak_nothing() -> None:
    report = strain.run(games=2, moves=3, connections=100)
    assert report.faults == 0, str(report)
    assert report.received == 2 * 3 * strain.PAGES_PER_GAME and report.connections == 100, str(report)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork to start several processes by")
def test_imports_of_owners_who_leave_keep_an_owner() -> None:
    report = asyncio.run(departure.run(owners=4))
    assert report.faults == 0, str(report)
    assert report.deleted == report.logged_in == 2, str(report)
    assert report.stored + report.refused == 4 * departure.IMPORTS_PER_OWNER, str(report)


@pytest.mark.parametrize(
    ("owners", "wrong"),
    [
        (["heir"] * departure.GAMES_PER_IMPORT, ""),
        (["heir"] * (departure.GAMES_PER_IMPORT - 1), "torn"),
        ([*["heir"] * (departure.GAMES_PER_IMPORT - 1), "gone"], "without_owner"),
        ([*["heir"] * (departure.GAMES_PER_IMPORT - 1), None], "without_owner"),
        ([*["heir"] * (departure.GAMES_PER_IMPORT - 1), "other"], "with_wrong_owner"),
        ([], "lost"),
    ],
)
def test_the_comparison_detects_wrong_imports(owners: list[str | None], wrong: str) -> None:
    report = departure.Report()
    imported = departure.Import("one", "heir", stored=True)
    departure.compare([("one", owner) for owner in owners], {"heir", "other"}, [imported], report)
    assert report.faults == bool(wrong), str(report)
    assert not wrong or getattr(report, wrong) == 1, str(report)


def test_the_comparison_detects_a_refused_import_that_is_stored() -> None:
    report = departure.Report()
    games = [("one", "heir")] * departure.GAMES_PER_IMPORT
    departure.compare(games, {"heir"}, [departure.Import("one", "heir")], report)
    assert report.faults == report.refused_but_stored == 1, str(report)


def game(revision: int, *turns: str) -> dict[str, object]:
    return {"revision": revision, "turns": [{"text": text} for text in turns]}


def test_the_comparison_detects_messages_sent_before_storing() -> None:
    log = GameLog("one", ("", ""))
    assert log.receive(game(1)) and log.receive(game(3, "Ed5ne", "Tl5s")) and log.receive(game(3, "Ed5ne", "Tl5s"))
    assert not log.receive(game(3, "Ed5ne", "Tl6s"))  # another move at the same revision
    assert not log.receive(game(2, "Ed5ne"))  # the server has forgotten what it sent
    stored = SimpleNamespace(revision=3)
    for last_message, moves, is_stored in (
        ((3, ["Ed5ne", "Tl5s"]), ["Ed5ne", "Tl5s"], True),
        ((2, ["Ed5ne"]), ["Ed5ne", "Tl5s"], True),
        ((3, ["Ed5ne", "Tl5s"]), ["Ed5ne"], False),
        ((2, ["Td5n"]), ["Ed5ne", "Tl5s"], False),
        ((4, ["Ed5ne", "Tl5s"]), ["Ed5ne", "Tl5s"], False),
    ):
        log.last_message = last_message
        assert last_message_is_stored(cast(StoredGame, stored), moves, log) is is_stored
    log.last_message, log.may_have_undone = (2, ["Td5n"]), True
    assert last_message_is_stored(cast(StoredGame, stored), ["Ed5ne"], log)
