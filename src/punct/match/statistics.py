"""Statistics of a match: Elo with its error, and when to stop (SPRT).

Games are played in pairs, one opening with both colours, and the two games of a pair are not independent. So the pair
is the unit: it scores 0, ½, 1, 1½ or 2 points for the first player, and how often each happened (the *pentanomial*) is
all that is used here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from numbers import Real
from typing import Final

from punct.errors import expect, expect_integer
from punct.match.errors import MatchError

PAIR_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible scores of a pair, per game."""
_TWO_SIDED_95: Final = 1.959963984540054
_MAX_ELO: Final = 4000
"""Beyond it the expected score cannot be distinguished from 1."""
_MIN_ERROR_RATE: Final = 1e-12
_MIN_PAIRS: Final = 5
"""Complete pairs before an error is estimated."""
_PSEUDOCOUNT: Final = 1e-3
"""For pair scores that have not occurred, so that one-sided matches have a likelihood too."""


def elo_of(score: float) -> float:
    """Return the rating difference at which this score per game is expected."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return 0.0 - 400.0 * math.log10(1.0 / score - 1.0)


def score_of(elo: float) -> float:
    """Return the score per game expected from a player rated ``elo`` higher."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rating difference with its 95 % interval, infinite where the games leave it open."""

    elo: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval; infinite while one end is open."""
        return (self.high - self.low) / 2

    @property
    def is_open(self) -> bool:
        """Whether the games say nothing yet: both ends are open."""
        return math.isinf(self.low) and math.isinf(self.high)

    def __str__(self) -> str:
        if self.is_open:
            return "too early to say"
        if math.isinf(self.elo):
            return f"above {self.low:+.0f}" if self.elo > 0 else f"below {self.high:+.0f}"
        if math.isinf(self.low) or math.isinf(self.high):
            low = "-inf" if math.isinf(self.low) else f"{self.low:+.0f}"
            high = "+inf" if math.isinf(self.high) else f"{self.high:+.0f}"
            return f"{self.elo:+.0f} [{low} … {high}]"
        return f"{self.elo:+.0f} ± {self.error:.0f}"


def estimate(pairs: Sequence[int]) -> Estimate | None:
    """Return the rating difference a pentanomial shows (normal approximation), or None before the first pair.

    The variance of very few pairs measures nothing, so their interval is open. Where every pair scored the same the
    variance is zero: then the interval ends at the scores that would give such a run once in twenty.
    """
    count = sum(pairs)
    if not count:
        return None
    mean, variance = moments(pairs)
    run = 0.05 ** (1.0 / count)
    if variance == 0.0 and mean in (0.0, 1.0):
        return Estimate(math.inf, elo_of(run), math.inf) if mean else Estimate(-math.inf, -math.inf, -elo_of(run))
    if count < _MIN_PAIRS:
        return Estimate(elo_of(mean), -math.inf, math.inf)
    # One pair in this number might have scored otherwise, by at most half a point a game.
    spread = _TWO_SIDED_95 * math.sqrt(variance / count) if variance else (1.0 - run) / 2
    return Estimate(elo_of(mean), elo_of(mean - spread), elo_of(mean + spread))


def moments(pairs: Sequence[int]) -> tuple[float, float]:
    """Return the mean score per game and the variance of a pair's score per game."""
    count = sum(pairs)
    mean = sum(n * score for n, score in zip(pairs, PAIR_SCORES, strict=True)) / count
    variance = sum(n * (score - mean) ** 2 for n, score in zip(pairs, PAIR_SCORES, strict=True)) / count
    return mean, variance


def log_likelihood_ratio(pairs: Sequence[int], elo0: float, elo1: float) -> float:
    """Return how much likelier the results are if the first player is ``elo1`` stronger than if only ``elo0``.

    The generalised ratio: each hypothesis fixes the mean score only, and is given the distribution over the five pair
    scores that explains the results best.
    """
    if not sum(pairs):
        return 0.0
    counts = [max(float(n), _PSEUDOCOUNT) for n in pairs]
    under0 = _most_likely(counts, score_of(elo0))
    under1 = _most_likely(counts, score_of(elo1))
    return sum(n * math.log(p1 / p0) for n, p0, p1 in zip(counts, under0, under1, strict=True))


def _most_likely(counts: Sequence[float], mean: float) -> list[float]:
    """Return the maximum-likelihood distribution with that mean.

    With Lagrange's multiplier x it is counts_i / (1 + x (a_i - mean)), where x solves sum counts_i (a_i - mean) /
    (1 + x (a_i - mean)) = 0; the left side falls steadily between the two poles, so bisection finds it.
    """
    total = sum(counts)
    away = [score - mean for score in PAIR_SCORES]
    low, high = -1.0 / away[-1], -1.0 / away[0]
    for _ in range(200):
        x = (low + high) / 2
        if sum(n * a / (1.0 + x * a) for n, a in zip(counts, away, strict=True)) > 0:
            low = x
        else:
            high = x
    x = (low + high) / 2
    return [n / total / (1.0 + x * a) for n, a in zip(counts, away, strict=True)]


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


class Verdict(Enum):
    """The result of a sequential test so far."""

    OPEN = "undecided"
    ACCEPTED = "accepted: the first player is stronger by elo1"
    REJECTED = "rejected: the first player is not stronger than elo0"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test of ``elo1`` against ``elo0``."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The chance to accept although ``elo0`` is true."""
    beta: float = 0.05
    """The chance to reject although ``elo1`` is true."""

    def __post_init__(self) -> None:
        elos = (self.elo0, self.elo1)
        if not all(map(_is_number, elos)) or not -_MAX_ELO <= self.elo0 < self.elo1 <= _MAX_ELO:
            raise MatchError(
                f"an SPRT needs elo0 below elo1, not {self.elo0!r:.40} and {self.elo1!r:.40}; "
                f"both from -{_MAX_ELO} to {_MAX_ELO}"
            )
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not _is_number(chance) or not _MIN_ERROR_RATE <= chance < 0.5:
                raise MatchError(f"an SPRT's {name} lies between 0 and 0.5, not at {chance!r:.40}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which to reject and to accept."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        """Return the log likelihood ratio of these results."""
        expect(pairs, Sequence, "the results of pairs are five counts")
        for count in pairs:
            expect_integer(count, "the results of pairs are five counts")
        if len(pairs) != 5 or min(pairs) < 0:
            raise MatchError("the results of pairs are five counts from 0 on: pairs with 0, ½, 1, 1½ and 2 points")
        return log_likelihood_ratio(pairs, self.elo0, self.elo1)

    def verdict(self, pairs: Sequence[int]) -> Verdict:
        """Return whether these results decide the test."""
        ratio, (low, high) = self.ratio(pairs), self.bounds
        if ratio >= high:
            return Verdict.ACCEPTED
        return Verdict.REJECTED if ratio <= low else Verdict.OPEN
