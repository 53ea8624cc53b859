"""Self-play: a game of the engine against itself and its samples, determined by seed and network.

It begins with one to six plies sampled from the candidates by their flattened priors; then the search plays. In the
first plies its move is sampled too, in proportion to a power of the visits, and later now and then: so games differ,
and the network sees positions that good play avoids.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from punct import kernel
from punct._kernel import candidates
from punct.game import Game
from punct.outcome import Rules
from punct.training.players import is_over, search
from punct.training.samples import MAX_MOVES, Sample, result_for
from punct.training.settings import Settings

_OPENING_PLIES: Final = (1, 6)
"""Fewest and most plies before the first search."""
_OPENING_CANDIDATES: Final = 120
_PRIOR_POWER: Final = 0.5
"""The power a prior is raised to in the opening: below 1, so it flattens."""
_SAMPLED_PLIES: Final = 14
"""Up to this ply every move is sampled by its visits."""
_VISIT_POWER: Final = 1.3
"""The power visits are raised to: above 1, so it sharpens."""
_SAMPLED_LATER: Final = 1 / 24
"""The share of later moves that are sampled."""


class SelfPlayJob(NamedTuple):
    """A self-play game to play."""

    number: int
    settings: Settings


class SelfPlayGame(NamedTuple):
    """A self-play game with its samples."""

    number: int
    rules: str
    plies: int
    result: str
    """``1-0``, ``0-1`` or ``1/2-1/2``."""
    samples: list[Sample]


def play_game(job: SelfPlayJob, network: bytes | None) -> SelfPlayGame:
    """Play the game of a job."""
    settings, number = job.settings, job.number
    rng = random.Random(f"learn {settings.seed} {number}")
    is_basic = settings.basic_every and number % settings.basic_every == settings.basic_every - 1
    game = Game(Rules.BASIC if is_basic else Rules.STANDARD)
    _open(game, rng)
    searched: list[tuple[Sample, int]] = []
    while not is_over(game):
        result = search(network, game, settings.nodes, rng.getrandbits(32), MAX_MOVES)
        searched.append((_sample(game, result, number), game.position.turn))
        game.push(_choose(result, len(game.moves), rng))
    outcome = game.outcome()
    winner = None if outcome is None else outcome.winner
    samples = [sample._replace(result=result_for(winner, colour)) for sample, colour in searched]
    score = "1/2-1/2" if outcome is None else outcome.result()
    return SelfPlayGame(number, str(game.position.rules), len(game.moves), score, samples)


def _open(game: Game, rng: random.Random) -> None:
    """Sample the first plies, as long as there is no win at once."""
    for _ in range(rng.randint(*_OPENING_PLIES)):
        text = str(game.position)
        if is_over(game) or kernel.Position(text).winning_moves():
            return
        moves, priors = zip(*candidates(text, _OPENING_CANDIDATES), strict=True)
        game.push(_sample_move(moves, [prior**_PRIOR_POWER for prior in priors], rng))


def _sample(game: Game, result: dict[str, Any], number: int) -> Sample:
    """Return a search's result as a sample; the game's result is filled in when it is over."""
    visited = [] if result["proven"] else [best for best in result["variations"] if best["visits"] > 0][:MAX_MOVES]
    return Sample(
        str(game.position),
        result["score"],
        0.5,
        [best["move"] for best in visited],
        [best["visits"] for best in visited],
        result["proven"],
        len(game.moves),
        number,
    )


def _choose(result: dict[str, Any], ply: int, rng: random.Random) -> str:
    """Return the move to play: the best, or one sampled by its visits where nothing is proven."""
    is_sampled = ply < _SAMPLED_PLIES or rng.random() < _SAMPLED_LATER
    if result["proven"] or not is_sampled:
        return str(result["move"])
    options = [best for best in result["variations"] if best["visits"] > 0 and best["proven"] >= 0]
    if not options:
        return str(result["move"])
    return _sample_move([best["move"] for best in options], [best["visits"] ** _VISIT_POWER for best in options], rng)


def _sample_move(moves: Sequence[str], weights: Sequence[float], rng: random.Random) -> str:
    return rng.choices(moves, weights)[0]
