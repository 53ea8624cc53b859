"""A game of the engine against itself, and the samples it gives: the same for the same seed and network.

It begins with one to six plies drawn from the candidates, each about as readily as its prior says, flattened; then the
search plays. In its first plies the move is drawn too, in proportion to the visits raised to a power, and later now and
then: so games differ, and the network gets to know positions that good play avoids.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from punct import kernel
from punct._kernel import candidates
from punct.game import Game
from punct.learn.players import is_over, search
from punct.learn.samples import MOST_MOVES, Sample, result_for
from punct.learn.settings import Settings
from punct.outcome import Rules

_OPENING: Final = (1, 6)
"""Plies before the first search."""
_DRAWN_FROM: Final = 120
_FLATTENED: Final = 0.5
"""The power a prior is raised to in the opening."""
_DRAWN_PLIES: Final = 14
"""Up to here every move is drawn by its visits."""
_SHARPENED: Final = 1.3
"""The power visits are raised to."""
_DRAWN_LATER: Final = 1 / 24
"""How often a later move is drawn."""


class Job(NamedTuple):
    """A game to be played."""

    number: int
    settings: Settings


class OwnGame(NamedTuple):
    """A game that was played."""

    number: int
    rules: str
    plies: int
    result: str
    """``1-0``, ``0-1`` or ``1/2-1/2``."""
    samples: list[Sample]


def play_game(job: Job, network: bytes | None) -> OwnGame:
    """Play the game with this number."""
    settings, number = job.settings, job.number
    dice = random.Random(f"learn {settings.seed} {number}")
    is_basic = settings.basic_every and number % settings.basic_every == settings.basic_every - 1
    game = Game(Rules.BASIC if is_basic else Rules.STANDARD)
    _open(game, dice)
    seen: list[tuple[Sample, int]] = []
    while not is_over(game):
        found = search(network, game, settings.nodes, dice.getrandbits(32), MOST_MOVES)
        seen.append((_sample(game, found, number), game.position.turn))
        game.push(_chosen(found, len(game.moves), dice))
    outcome = game.outcome()
    winner = None if outcome is None else outcome.winner
    samples = [sample._replace(result=result_for(winner, colour)) for sample, colour in seen]
    result = "1/2-1/2" if outcome is None else outcome.result()
    return OwnGame(number, str(game.position.rules), len(game.moves), result, samples)


def _open(game: Game, dice: random.Random) -> None:
    """Draw the first plies, as long as nobody could win at once."""
    for _ in range(dice.randint(*_OPENING)):
        text = str(game.position)
        if is_over(game) or kernel.Position(text).winning_moves():
            return
        moves, priors = zip(*candidates(text, _DRAWN_FROM), strict=True)
        game.push(_drawn(moves, [prior**_FLATTENED for prior in priors], dice))


def _sample(game: Game, found: dict[str, Any], number: int) -> Sample:
    """Return what the search has found; how the game ends is not known yet."""
    visited = [] if found["proven"] else [best for best in found["variations"] if best["visits"] > 0][:MOST_MOVES]
    return Sample(
        str(game.position),
        found["score"],
        0.5,
        [best["move"] for best in visited],
        [best["visits"] for best in visited],
        found["proven"],
        len(game.moves),
        number,
    )


def _chosen(found: dict[str, Any], ply: int, dice: random.Random) -> str:
    """Return the move to play: the best, or one drawn by its visits where that may be and nothing is proven."""
    is_drawn = ply < _DRAWN_PLIES or dice.random() < _DRAWN_LATER
    if found["proven"] or not is_drawn:
        return str(found["move"])
    options = [best for best in found["variations"] if best["visits"] > 0 and best["proven"] >= 0]
    if not options:
        return str(found["move"])
    return _drawn([best["move"] for best in options], [best["visits"] ** _SHARPENED for best in options], dice)


def _drawn(moves: Sequence[str], weights: Sequence[float], dice: random.Random) -> str:
    return dice.choices(moves, weights)[0]
