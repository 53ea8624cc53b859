"""A short form of ``make month``, and what its account and that of ``make chaos`` detect."""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from bench.chaos.correspondents import CorrespondenceLog, Correspondent
from bench.chaos.messages import compare_messages, compare_moves
from bench.chaos.report import Report
from bench.http import Client
from bench.month.__main__ import Month
from bench.month.account import Account
from bench.month.players import MonthPlayer, Site
from bench.plans import PlannedReply, fate_of, is_planned
from bench.receiver import Received

from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.games.model import StoredGame, StoredMove

BEGIN = datetime(2027, 3, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_every_move_and_message_of_two_days_is_accounted_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = argparse.Namespace(days=2, games=6, players=4, seed=3)
    assert asyncio.run(Month(options, tmp_path).simulate()), capsys.readouterr().out


MOVES = [("a", 1), ("b", 2), ("c", 2), ("d", 3)]


@pytest.mark.parametrize(
    ("planned", "fate"),
    [
        (PlannedReply(1, ("b",), "c"), "played"),
        (PlannedReply(1, ("x",), "c"), "unused"),
        (PlannedReply(0, ("b",), "c"), "unused"),
        (PlannedReply(1, ("b",), "x"), "lost"),
        (PlannedReply(3, ("d",), "x"), "lost"),
        (PlannedReply(2, ("c",), "d"), "late"),
        (PlannedReply(0, ("a", "b", "c"), "d"), "late"),
        (PlannedReply(4, ("e",), "f"), "unused"),
    ],
)
def test_what_becomes_of_a_plan(planned: PlannedReply, fate: str) -> None:
    assert fate_of(planned, MOVES, is_decided=False) == fate


def test_moves_are_explained_by_plans_for_what_was_played_before() -> None:
    texts = [text for text, _ in MOVES]
    assert is_planned([PlannedReply(0, ("x",), "b"), PlannedReply(1, ("b",), "c")], texts, 2)
    for wrong in (PlannedReply(1, ("x",), "c"), PlannedReply(1, ("b",), "x"), PlannedReply(0, ("b",), "c")):
        assert not is_planned([wrong], texts, 2)


def test_a_plan_ends_with_the_game() -> None:
    assert fate_of(PlannedReply(3, ("d",), "x"), MOVES, is_decided=True) == "unused"


def message(player: int, kind: str, hours: float, message_id: str = "1", moment: float = 0.0) -> Received:
    at = BEGIN + hours * HOUR
    return Received(str(player), kind, "game", message_id, at, at, moment)


TOLD = [
    message(0, "seat", 0.5, "s"),
    message(1, "turn", 1.5, "t1"),
    message(0, "turn", 10.5, "t2"),
    message(1, "turn", 20.5, "t3"),
    message(1, "time", 70.0, "r"),
    message(0, "over", 92.0, "o1"),
    message(1, "over", 92.0, "o2"),
]
"""White's move after one hour, Black's after ten, White's after twenty; then Black loses on time."""


def account(
    messages: list[Received], kills: tuple[float, ...] = (), away: tuple[float, float] | None = (15, 200)
) -> Account:
    """Return the account of one game."""
    site = Site(Client("127.0.0.1:1"))
    site.games["game"] = (0, 1)
    players = [MonthPlayer(number, 0, random.Random(number)) for number in range(2)]
    players[0].played = {("game", 0): "a", ("game", 2): "c"}
    players[1].played = {("game", 1): "b"}
    players[1].away = None if away is None else (BEGIN + away[0] * HOUR, BEGIN + away[1] * HOUR)
    turns = [
        {"text": text, "at": (BEGIN + hours * HOUR).isoformat()} for text, hours in (("a", 1), ("b", 10), ("c", 20))
    ]
    final: dict[str, Any] = {
        "id": "game",
        "turns": turns,
        "time": "3d",
        "outcome": {"reason": "time", "winner": "w"},
        "updated": (BEGIN + 92 * HOUR).isoformat(),
    }
    made = Account(site, players, messages, kills, BEGIN, BEGIN + 200 * HOUR)
    made.add_game("game", final)
    return made


def test_a_game_that_is_accounted_for_has_no_faults() -> None:
    assert account(TOLD).faults == {}


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        ([each for each in TOLD if each.id != "t2"], "untold: turns that lasted"),
        ([each for each in TOLD if each.id != "s"], "untold: games that have begun"),
        ([each for each in TOLD if each.id != "o1"], "untold: ends of games"),
        ([each for each in TOLD if each.id != "r"], "games lost without a message, or without a reminder"),
        ([*TOLD, message(1, "time", 91.0, "r2")], "messages: two about one turn (time)"),
        ([*TOLD, message(0, "turn", 11.0, "t4")], "messages: two about one turn (turn)"),
        ([*TOLD, message(0, "turn", 25.0, "t4")], "messages about a turn that was over"),
        ([*TOLD, message(1, "turn", 10.8, "t1", 3.0)], "messages that came twice, though nothing was killed"),
        ([*TOLD, message(0, "over", 93.0, "o3")], "messages: about an end too many"),
    ],
)
def test_the_account_detects_wrong_messages(messages: list[Received], fault: str) -> None:
    assert any(name.startswith(fault) for name in account(messages).faults), account(messages).faults


def test_the_account_detects_games_that_nobody_should_have_lost() -> None:
    assert "games lost by somebody who looked twice a day" in account(TOLD, away=None).faults
    assert account([*TOLD, message(1, "turn", 9.0, "t1", 8.0)], kills=(6.0,)).faults == {}


def log_of(**changes: Any) -> CorrespondenceLog:
    pair = (Correspondent("0", ""), Correspondent("1", ""))
    return CorrespondenceLog("game", pair, {0: "a", 1: "b", 2: "c"}, **changes)


def stored_game(outcome: Outcome | None = None) -> StoredGame:
    game: Any = StoredGame.__new__(StoredGame)
    for name, value in {"created": BEGIN, "outcome": outcome, "clock": None}.items():
        object.__setattr__(game, name, value)
    stored: StoredGame = game
    return stored


PLAYED = [StoredMove(text, BEGIN + hours * HOUR) for text, hours in (("a", 1), ("b", 10), ("c", 20))]


def test_chaos_detects_lost_and_misplayed_plans() -> None:
    report = Report()
    compare_moves(log_of(planned=[PlannedReply(0, ("a",), "b")]), stored_game(), PLAYED, report)
    assert report.plans_lost == 1  # it was played nine hours later
    for log, moves, count in (
        (log_of(planned=[PlannedReply(2, ("c",), "d")]), PLAYED, "plans_lost"),
        (log_of(), [*PLAYED, StoredMove("x", BEGIN + 30 * HOUR)], "misplayed"),
        (log_of(), PLAYED[:2], "lost"),
    ):
        report = Report()
        compare_moves(log, stored_game(), moves, report)
        assert getattr(report, count) == 1 and report.faults == 1, str(report)


@pytest.mark.parametrize(
    ("messages", "count"),
    [
        (TOLD[:4], None),
        (TOLD[:3], "untold"),
        ([*TOLD[:4], message(1, "turn", 21.0, "t4")], "told_twice"),
        ([*TOLD[:4], message(0, "turn", 21.0, "t4")], "told_late"),
    ],
)
def test_chaos_detects_wrong_messages(messages: list[Received], count: str | None) -> None:
    report, told = Report(), dict[tuple[str, str], list[Received]]()
    for each in messages:
        told.setdefault((each.player, each.subject), []).append(each)
    compare_messages(log_of(), stored_game(), PLAYED, told, report)
    assert report.faults == (count is not None) and (count is None or getattr(report, count) == 1), str(report)


def test_chaos_detects_an_end_that_nobody_told_of() -> None:
    report = Report()
    told = {("1", "game"): [message(1, "turn", 1.5, "t1")], ("0", "game"): [message(0, "seat", 0.5, "s")]}
    compare_messages(log_of(), stored_game(Outcome(Colour.WHITE, Ending.CONNECTION)), PLAYED, told, report)
    assert report.untold == 1, str(report)
