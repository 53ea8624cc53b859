"""Glicko-2 ratings: a player's strength, its deviation and its volatility.

After Mark Glickman's *Example of the Glicko-2 system* (2013); the short names below are its symbols. Libraries for it
work by rating periods, in which everybody's games are counted together. Here a game counts when it ends, as players
expect, and the deviation grows with the days between: so a fraction of a period can pass.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import timedelta
from typing import Final, NamedTuple

START_RATING: Final = 1500.0
START_DEVIATION: Final = 350.0
START_VOLATILITY: Final = 0.06
MIN_DEVIATION: Final = 40.0
"""The deviation never falls lower, however many games a player has: else the rating would stop moving."""
PROVISIONAL_DEVIATION: Final = 110.0
"""Above this deviation a rating is too uncertain to be ranked."""
PERIOD: Final = timedelta(days=7)
"""The rating period. A deviation of 60 grows to 96 in a year without games."""
_TAU: Final = 0.5
_SCALE: Final = 173.7178
_TOLERANCE: Final = 1e-6


class Rating(NamedTuple):
    """An estimate of a player's strength."""

    rating: float = START_RATING
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY

    @property
    def is_provisional(self) -> bool:
        """Whether it is too uncertain to be ranked."""
        return self.deviation > PROVISIONAL_DEVIATION


def after_inactivity(rating: Rating, elapsed: timedelta) -> Rating:
    """Return a rating after some time without games: the same strength, with a larger deviation.

    >>> round(after_inactivity(Rating(1700, 60), timedelta(days=364)).deviation)
    96
    """
    periods = max(0.0, elapsed / PERIOD)
    deviation = math.sqrt(rating.deviation**2 + (rating.volatility * _SCALE) ** 2 * periods)
    return rating._replace(deviation=min(deviation, START_DEVIATION))


def after_games(rating: Rating, games: Iterable[tuple[Rating, float]]) -> Rating:
    """Return a rating after games, each given by the opponent's rating and the score: 1, ½ or 0.

    The paper's example. There the deviation grows by a period within this step; here ``period`` has grown before:

    >>> others = [Rating(1400, 30), Rating(1550, 100), Rating(1700, 300)]
    >>> period = Rating(1500, math.hypot(200, 0.06 * 173.7178), 0.06)
    >>> after = after_games(period, zip(others, [1, 0, 0]))
    >>> f"{after.rating:.1f} {after.deviation:.2f} {after.volatility:.4f}"
    '1464.1 151.52 0.0600'
    """
    mu, phi, sigma = (rating.rating - START_RATING) / _SCALE, rating.deviation / _SCALE, rating.volatility
    information = improvement = 0.0
    for other, score in games:
        g = 1.0 / math.sqrt(1.0 + 3.0 * (other.deviation / _SCALE / math.pi) ** 2)
        expected = 1.0 / (1.0 + math.exp(-g * (mu - (other.rating - START_RATING) / _SCALE)))
        information += g * g * expected * (1.0 - expected)
        improvement += g * (score - expected)
    if not information:
        return rating
    v = 1.0 / information
    sigma = _volatility(phi, sigma, v, v * improvement)
    phi = 1.0 / math.sqrt(1.0 / phi**2 + information)
    deviation = min(max(phi * _SCALE, MIN_DEVIATION), START_DEVIATION)
    return Rating(rating.rating + phi**2 * improvement * _SCALE, deviation, sigma)


def _volatility(phi: float, sigma: float, v: float, delta: float) -> float:
    """Return the volatility after games (step 5 of the paper, by the Illinois method)."""
    a = math.log(sigma * sigma)

    def f(x: float) -> float:
        e = math.exp(x)
        d = phi * phi + v + e
        return e * (delta * delta - d) / (2.0 * d * d) - (x - a) / (_TAU * _TAU)

    low, high = a, math.log(delta * delta - phi * phi - v) if delta * delta > phi * phi + v else a - _TAU
    while high < a and f(high) < 0:
        high -= _TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _TOLERANCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return math.exp(low / 2.0)
