"""Fit the evaluation's weights and the prior's on the engine's own games, and accept them by match only.

    python bench/tune.py play data.jsonl --games 200        # its own games at fixed nodes, added to the file
    python bench/tune.py fit data.jsonl weights.json        # logistic regression; a softmax for the prior
    python bench/tune.py accept weights.json --pairs 100    # new against old at equal nodes, with an SPRT
    python bench/tune.py install weights.json               # writes kernel/search/weights.cpp; then rebuild

A line of data is a position, what the search thought of it and how the game ended, both for the side to move, and how
often the search visited which moves. The evaluation is fitted to the first two by logistic regression, the prior to the
third: a softmax over the moves worth a look that comes as near as can be to how the visits were shared out.

Games begin with a few moves drawn from the candidates, and now and then a later move is drawn too, so that they differ
and the evaluation gets to know bad positions. What the search could prove is left out: it sees that by itself. Tables
over steps (distances, pieces left) are held smooth.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from punct import Game, PunctError, kernel
from punct._kernel import Searcher, candidates, features, move_features
from punct.engine.errors import EngineError
from punct.engine.weights import Weights, default_weights, load_weights, save_weights
from punct.match.player import Pace, read_entrant
from punct.match.playing import Match, Settings
from punct.match.statistics import Sprt, Verdict

Array = npt.NDArray[np.float64]

WEIGHTS_SOURCE: Final = Path(__file__).parents[1] / "kernel" / "search" / "weights.cpp"
_OPENING: Final = (3, 8)
_DRAWN: Final = 1 / 24
"""How often a later move is drawn."""
_DRAWN_FROM: Final = 120
_TABLES: Final = ((1, 16, 4.0), (17, 16, 4.0), (33, 16, 4.0), (49, 16, 4.0), (74, 9, 1.0), (83, 9, 1.0))
"""Where a table over steps begins among the features (kernel/search/evaluate.hpp), how long and how smooth it is."""
_MOST_PLIES: Final = 160
_VARIATIONS: Final = 24
_LOOKED_AT: Final = 48
"""How many moves a softmax for the prior is taken over."""
_MOST_FOR_PRIOR: Final = 8000
_PRIOR_PULL: Final = 1e-4


class Sample(NamedTuple):
    """A position with what is known about it, for the side to move."""

    position: str
    score: float
    result: float
    """1 won, 0 lost, ½ drawn."""
    visits: dict[str, int]
    """How often the search visited which moves."""


# ---------------------------------------------------------------------- playing


def play_game(searcher: Searcher, seed: int, nodes: int, rules: str) -> list[Sample]:
    """Play one game against itself, and return its samples."""
    dice = random.Random(f"tune {seed}")
    start = f"{rules} w"
    game = Game(start)
    opening = dice.randint(*_OPENING)
    seen: list[tuple[Sample, int]] = []
    while game.outcome() is None and len(game.moves) < _MOST_PLIES:
        text = str(game.position)
        drawn = len(game.moves) < opening or dice.random() < _DRAWN
        if drawn and not kernel.Position(text).winning_moves():
            move = dice.choice(candidates(text, _DRAWN_FROM))[0]
        else:
            moves = [str(move) for move in game.moves]
            found = searcher.search(start, moves, nodes=nodes, variations=_VARIATIONS, seed=seed)
            move = found["move"]
            if not found["proven"]:
                visits = {best["move"]: best["visits"] for best in found["variations"] if best["visits"] > 0}
                seen.append((Sample(text, found["score"], 0.5, visits), game.position.turn))
        game.push(move)
    outcome = game.outcome()
    winner = None if outcome is None else outcome.winner
    return [sample._replace(result=0.5 if winner is None else float(winner == colour)) for sample, colour in seen]


def play(path: Path, games: int, nodes: int, first: int, seconds: float, weights: Path | None) -> None:
    searcher = Searcher(64)
    if weights is not None:
        searcher.set_weights(*load_weights(weights))
    end = time.monotonic() + seconds
    written = 0
    with path.open("a", encoding="utf-8") as file:
        for seed in range(first, first + games):
            if time.monotonic() > end:
                print(f"time is up before game {seed}")
                break
            for sample in play_game(searcher, seed, nodes, "basic" if seed % 5 == 4 else "standard"):
                file.write(json.dumps(sample._asdict()) + "\n")
                written += 1
            file.flush()
    print(f"{written} positions added to {path}")


# ---------------------------------------------------------------------- fitting


def read_samples(paths: Sequence[Path]) -> Iterator[Sample]:
    """Yield the samples of some files; a broken line is an error that names it."""
    for path in paths:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise EngineError(f"{path} cannot be read: {error.strerror}") from None
        for number, line in enumerate(lines, 1):
            try:
                data = json.loads(line)
                yield Sample(
                    str(data["position"]),
                    float(data["score"]),
                    float(data["result"]),
                    {str(move): int(visits) for move, visits in data["visits"].items()},
                )
            except (ValueError, KeyError, TypeError, AttributeError):
                raise EngineError(f"{path}, line {number}: this is not a sample") from None


def targets_of(samples: Sequence[Sample], trust: float) -> Array:
    """Return what to aim at: the game's result and the search's score, mixed."""
    return np.array([trust * s.result + (1 - trust) * s.score for s in samples], dtype=np.float64)


def sigmoid(x: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -40, 40))))


def loss(inputs: Array, targets: Array, weights: Array) -> float:
    """Return the mean cross-entropy."""
    chance = np.clip(sigmoid(inputs @ weights), 1e-9, 1 - 1e-9)
    return float(-(targets * np.log(chance) + (1 - targets) * np.log(1 - chance)).mean())


def penalty(count: int, ridge: float, smooth: float) -> Array:
    """Return the matrix that holds weights small, and neighbouring steps of a table near each other."""
    matrix = ridge * np.eye(count)
    for first, length, strength in _TABLES if count > max(first + length for first, length, _ in _TABLES) else ():
        for i in range(first, first + length - 1):
            matrix[i : i + 2, i : i + 2] += smooth * strength * np.array([[1.0, -1.0], [-1.0, 1.0]])
    return matrix


def fit_weights(inputs: Array, targets: Array, held: Array, steps: int = 60) -> Array:
    """Return the weights w of least cross-entropy plus half of w·held·w (Newton)."""
    weights = np.zeros(inputs.shape[1])
    for _ in range(steps):
        chance = sigmoid(inputs @ weights)
        gradient = inputs.T @ (chance - targets) + held @ weights
        bend = chance * (1 - chance)
        step = np.linalg.solve((inputs * bend[:, None]).T @ inputs + held, gradient)
        weights = weights - step
        if float(np.abs(step).max()) < 1e-6:
            break
    return weights


def fit_prior(samples: Sequence[Sample], start: Array, pull: float, steps: int = 20) -> tuple[Array, float, float]:
    """Return the prior's weights that come nearest to the visits, and the cross-entropy before and after (Newton)."""
    inputs, aims = moves_of(samples)
    weights = start.copy()
    before = prior_loss(inputs, aims, weights)
    for _ in range(steps):
        priors = priors_of(inputs, aims, weights)
        mean = np.einsum("nk,nkf->nf", priors, inputs)
        gradient = (mean - np.einsum("nk,nkf->nf", aims, inputs)).mean(axis=0) + pull * (weights - start)
        second = np.einsum("nk,nkf,nkg->fg", priors, inputs, inputs, optimize=True) / len(aims)
        hessian = second - mean.T @ mean / len(aims) + (pull + 1e-6) * np.eye(len(weights))
        step = np.linalg.solve(hessian, gradient)
        weights = weights - step
        if float(np.abs(step).max()) < 1e-5:
            break
    return weights, before, prior_loss(inputs, aims, weights)


def moves_of(samples: Sequence[Sample]) -> tuple[Array, Array]:
    """Return the features of the moves worth a look in each sample, and their part of the visits (-1: no move)."""
    rows = []
    for sample in samples:
        moves = list(dict.fromkeys([*sample.visits, *[move for move, _ in candidates(sample.position, _LOOKED_AT)]]))
        rows.append((move_features(sample.position, moves), [sample.visits.get(move, 0) for move in moves]))
    longest = max(len(visits) for _, visits in rows)
    inputs = np.zeros((len(rows), longest, len(rows[0][0][0])))
    aims = np.full((len(rows), longest), -1.0)
    for row, (found, visits) in enumerate(rows):
        inputs[row, : len(visits)] = found
        aims[row, : len(visits)] = np.array(visits) / sum(visits)
    return inputs, aims


def priors_of(inputs: Array, aims: Array, weights: Array) -> Array:
    """Return the priors that weights give: a softmax over the moves that are there."""
    score = np.where(aims >= 0, inputs @ weights, -np.inf)
    weight = np.exp(score - score.max(axis=1, keepdims=True))
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def prior_loss(inputs: Array, aims: Array, weights: Array) -> float:
    """Return the mean cross-entropy of the visits under the priors that weights give."""
    priors = np.clip(priors_of(inputs, aims, weights), 1e-12, 1.0)
    return float(-(np.clip(aims, 0, 1) * np.log(priors)).sum(axis=1).mean())


def fit(paths: Sequence[Path], out: Path, trust: float, ridge: float, smooth: float, hold_out: float) -> None:
    samples = list(read_samples(paths))
    usual = default_weights()
    if len(samples) < 200:
        raise EngineError(f"{len(samples)} samples are too few to fit {len(usual.evaluation)} weights: play more games")
    inputs = np.array([features(sample.position) for sample in samples], dtype=np.float64)
    targets = targets_of(samples, trust)
    order = np.random.default_rng(1).permutation(len(samples))
    kept = order[: int(len(order) * hold_out)]
    used = order[len(kept) :]
    start = np.array(usual.evaluation, dtype=np.float64)
    weights = fit_weights(inputs[used], targets[used], penalty(len(start), ridge, smooth))
    before, after = loss(inputs[kept], targets[kept], start), loss(inputs[kept], targets[kept], weights)
    about = f"{len(samples)} positions, trust {trust}; held-out loss {before:.4f} -> {after:.4f}"
    visited = [sample for sample in samples if len(sample.visits) > 1][:_MOST_FOR_PRIOR]
    prior = np.array(usual.prior, dtype=np.float64)
    if visited:
        prior, prior_before, prior_after = fit_prior(visited, prior, _PRIOR_PULL)
        about += f"; prior from {len(visited)} positions, cross-entropy {prior_before:.4f} -> {prior_after:.4f}"
    save_weights(out, Weights(weights.tolist(), prior.tolist()), about)
    print(f"{about}\nwritten to {out}; accept it by match: python bench/tune.py accept {out}")


# ---------------------------------------------------------------------- accepting


def accept(weights: Path, pairs: int, nodes: int, elo1: float, concurrency: int, file: Path | None) -> bool:
    import asyncio

    load_weights(weights)  # a broken file is an error now, not a lost match
    with TemporaryDirectory() as folder:
        old = Path(folder) / "old.json"
        save_weights(old, default_weights(), "the kernel's own")  # or it would play by its network
        entrants = [
            read_entrant(f"punct @ nodes={nodes} name={name} Weights={path.resolve()}", Pace(nodes=nodes))
            for name, path in (("new", weights), ("old", old))
        ]
        settings = Settings((entrants[0], entrants[1]), pairs, concurrency=concurrency, sprt=Sprt(0.0, elo1))
        match = Match(settings, file)
        asyncio.run(match.run(lambda game: print(f"{match.standing.points:g} of {match.standing.games}", flush=True)))
    verdict = match.verdict
    print(f"pairs {match.standing.pentanomial}, Elo {match.standing.estimate}, SPRT {verdict.value}")
    estimate = match.standing.estimate
    return verdict is Verdict.ACCEPTED or (verdict is Verdict.OPEN and estimate is not None and estimate.low > 0)


def install(path: Path, source: Path) -> None:
    """Put the numbers into the kernel's source."""
    text = source.read_text(encoding="utf-8")
    tables = ("EvaluationWeights", "evaluation_weights"), ("PriorWeights", "prior_weights")
    for (kind, name), found in zip(tables, load_weights(path), strict=True):
        numbers = [f"{number:.4g}" for number in found]
        numbers = [number if "." in number or "e" in number else f"{number}.0" for number in numbers]
        rows = [", ".join(f"{number}f" for number in numbers[i : i + 10]) for i in range(0, len(numbers), 10)]
        table = f"const {kind} default_{name} = {{\n    " + ",\n    ".join(rows) + "};"
        text, count = re.subn(rf"const {kind} default_{name} = \{{.*?\}};", table, text, flags=re.DOTALL)
        if count != 1:
            raise EngineError(f"{source} does not hold one table default_{name}")
    source.write_text(text, encoding="utf-8")
    print(f"written to {source}; rebuild the kernel")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("play", help="play its own games")
    one.add_argument("data", type=Path)
    one.add_argument("--games", type=int, default=200)
    one.add_argument("--nodes", type=int, default=150)
    one.add_argument("--first", type=int, default=0, help="the first game's number: other numbers, other games")
    one.add_argument("--seconds", type=float, default=3600.0)
    one.add_argument("--weights", type=Path, help="play with these instead of the kernel's own")
    two = commands.add_parser("fit", help="fit weights to games")
    two.add_argument("data", type=Path, nargs="+")
    two.add_argument("out", type=Path)
    two.add_argument("--trust", type=float, default=0.7, help="how much the result counts against the search's score")
    two.add_argument("--ridge", type=float, default=0.5, help="how strongly weights are held small")
    two.add_argument("--smooth", type=float, default=1.0, help="how strongly steps of a table are held together")
    two.add_argument("--hold-out", type=float, default=0.1)
    three = commands.add_parser("accept", help="play new weights against the kernel's own")
    three.add_argument("weights", type=Path)
    three.add_argument("--pairs", type=int, default=100)
    three.add_argument("--nodes", type=int, default=300)
    three.add_argument("--elo1", type=float, default=30.0)
    three.add_argument("--concurrency", type=int, default=1)
    three.add_argument("--file", type=Path)
    four = commands.add_parser("install", help="write weights into the kernel's source")
    four.add_argument("weights", type=Path)
    four.add_argument("--source", type=Path, default=WEIGHTS_SOURCE)
    given = parser.parse_args()
    try:
        match given.command:
            case "play":
                play(given.data, given.games, given.nodes, given.first, given.seconds, given.weights)
            case "fit":
                fit(given.data, given.out, given.trust, given.ridge, given.smooth, given.hold_out)
            case "accept":
                good = accept(given.weights, given.pairs, given.nodes, given.elo1, given.concurrency, given.file)
                return 0 if good else 1
            case "install":
                install(given.weights, given.source)
    except PunctError as error:
        print(f"tune: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
