"""Who solves puzzles without an account is rated by the browser, and as the server would.

What the server makes of lists of tries is kept in a file beside the client's tests, which hold the client to it.
"""

from __future__ import annotations

import json
import random
from datetime import timedelta
from pathlib import Path
from typing import Any

from punct.glicko import Rating, after_inactivity
from punct.server.puzzles.service import INITIAL_RATING, MAX_CHANGE, MIN_RATING, after_try, initial_puzzle_rating

KEPT = Path(__file__).parents[2] / "web" / "tests" / "fixtures" / "puzzle_ratings.json"


def tried(player: Rating, tries: list[list[Any]]) -> list[list[float]]:
    """Return what is believed of somebody after each try: days since the one before, the puzzle's rating, solved."""
    ratings = []
    for days, puzzle, solved in tries:
        opponent = Rating(*initial_puzzle_rating(puzzle)[:3])
        player = after_try(after_inactivity(player, timedelta(days=days)), opponent, solved=solved)
        ratings.append([round(figure, 6) for figure in player])
    return ratings


def scripts() -> list[dict[str, Any]]:
    """Return tries of people of all strengths, with and without pauses."""
    dice = random.Random(13)
    found = []
    strengths = [Rating(strength, dice.choice([350.0, 180.0, 60.0])) for strength in (600, 1000, 1500, 2100, 2600)]
    for begin in (INITIAL_RATING, *strengths):
        tries: list[list[Any]] = [
            [dice.choice([0, 0, 0.5, 3, 400]), dice.randrange(600, 2600, 10), dice.random() < 0.6] for _ in range(30)
        ]
        found.append({"begin": [float(figure) for figure in begin], "tries": tries, "ratings": tried(begin, tries)})
    return found


def test_what_the_clients_tests_know_is_what_the_server_counts() -> None:
    text = json.dumps(scripts()) + "\n"
    if not KEPT.exists() or json.loads(KEPT.read_text(encoding="utf-8")) != json.loads(text):
        KEPT.with_suffix(".now.json").write_text(text, encoding="utf-8")
        raise AssertionError(f"the server counts otherwise now; see {KEPT.stem}.now.json, and put it in its place")


def test_one_try_says_little_of_a_newcomer() -> None:
    hard, easy = Rating(*initial_puzzle_rating(2600.0)[:3]), Rating(*initial_puzzle_rating(630.0)[:3])
    assert after_try(INITIAL_RATING, hard, solved=True).rating == INITIAL_RATING.rating + MAX_CHANGE
    assert after_try(INITIAL_RATING, easy, solved=False).rating == INITIAL_RATING.rating - MAX_CHANGE
    low = INITIAL_RATING
    for _ in range(50):
        low = after_try(low, easy, solved=False)
    assert low.rating == MIN_RATING
