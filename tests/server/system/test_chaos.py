"""A short form of ``make chaos``: whatever is killed, every acknowledged turn is there, once."""

from __future__ import annotations

import asyncio
import sys
from types import SimpleNamespace
from typing import cast

import pytest
from bench import chaos, departure, strain

from punct.server.games.model import StoredGame


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_nothing_that_was_acknowledged_is_lost() -> None:
    figures = asyncio.run(chaos.run(rounds=6, players=4, seed=7))
    assert figures.faults == 0, str(figures)
    assert len(figures.killed) == 6, str(figures)
    assert figures.heard > 0, str(figures)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork to start several processes by")
def test_nobody_goes_deaf_and_nothing_is_left() -> None:
    figures = strain.run(games=2, turns=3, connections=100)
    assert figures.faults == 0, str(figures)
    assert figures.heard == 2 * 3 * strain.PAGES and figures.connections == 100, str(figures)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork to start several processes by")
def test_nothing_is_left_with_nobody() -> None:
    figures = asyncio.run(departure.run(owners=4))
    assert figures.faults == 0, str(figures)
    assert figures.deleted == figures.logged_in == 2, str(figures)
    assert figures.stored + figures.refused == 4 * departure.IMPORTS, str(figures)


@pytest.mark.parametrize(
    ("owners", "wrong"),
    [
        (["heir"] * departure.GAMES, ""),
        (["heir"] * (departure.GAMES - 1), "torn"),
        ([*["heir"] * (departure.GAMES - 1), "gone"], "nobodys"),
        ([*["heir"] * (departure.GAMES - 1), None], "nobodys"),
        ([*["heir"] * (departure.GAMES - 1), "other"], "strangers"),
        ([], "lost"),
    ],
)
def test_what_is_wrong_with_an_import_is_noticed(owners: list[str | None], wrong: str) -> None:
    figures = departure.Figures()
    imported = departure.Import("one", "heir", stored=True)
    departure.compare([("one", owner) for owner in owners], {"heir", "other"}, [imported], figures)
    assert figures.faults == bool(wrong), str(figures)
    assert not wrong or getattr(figures, wrong) == 1, str(figures)


def test_an_import_that_was_refused_is_not_there() -> None:
    figures = departure.Figures()
    games = [("one", "heir")] * departure.GAMES
    departure.compare(games, {"heir"}, [departure.Import("one", "heir")], figures)
    assert figures.faults == figures.refused_and_there == 1, str(figures)


def game(revision: int, *turns: str) -> dict[str, object]:
    return {"revision": revision, "turns": [{"text": text} for text in turns]}


def test_what_is_told_before_it_is_stored_is_noticed() -> None:
    told = chaos.Told("one", ("", ""))
    assert told.hear(game(1)) and told.hear(game(3, "Ed5ne", "Tl5s")) and told.hear(game(3, "Ed5ne", "Tl5s"))
    assert not told.hear(game(3, "Ed5ne", "Tl6s"))  # another story
    assert not told.hear(game(2, "Ed5ne"))  # the server has forgotten what it told
    stored = SimpleNamespace(revision=3)
    for heard, turns, rightly in (
        ((3, ["Ed5ne", "Tl5s"]), ["Ed5ne", "Tl5s"], True),
        ((2, ["Ed5ne"]), ["Ed5ne", "Tl5s"], True),
        ((3, ["Ed5ne", "Tl5s"]), ["Ed5ne"], False),
        ((2, ["Td5n"]), ["Ed5ne", "Tl5s"], False),
        ((4, ["Ed5ne", "Tl5s"]), ["Ed5ne", "Tl5s"], False),
    ):
        told.heard = heard
        assert chaos.was_heard_rightly(cast(StoredGame, stored), turns, told) is rightly
    told.heard, told.took_back = (2, ["Td5n"]), True
    assert chaos.was_heard_rightly(cast(StoredGame, stored), ["Ed5ne"], told)
