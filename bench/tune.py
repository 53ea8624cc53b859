"""Fit the weights of the evaluation and of the prior on the engine's own games, and accept them only after a match.

    python bench/tune.py play data.jsonl --games 200        # its own games at fixed nodes, added to the file
    python bench/tune.py fit data.jsonl weights.json        # logistic regression; a softmax for the prior
    python bench/tune.py accept weights.json --pairs 100    # new against old at equal nodes, with an SPRT
    python bench/tune.py install weights.json               # writes kernel/search/weights.cpp; then rebuild

A line of data is a position, the search's score and the game's result, both for the side to move, and the visits of its
moves. The evaluation is fitted to the first two by logistic regression, the prior to the third: a softmax over the
candidates that is as near as possible to the shares of the visits.

Games begin with a few moves drawn from the candidates, and now and then a later move is drawn too, so that they differ
and the data include bad positions. Positions whose result the search has proved are left out: it finds those by itself.
Tables over steps (distances, pieces left) are regularised to be smooth.
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
_DRAW_CHANCE: Final = 1 / 24
"""How often a later move is drawn."""
_DRAW_CANDIDATES: Final = 120
_TABLES: Final = ((1, 16, 4.0), (17, 16, 4.0), (33, 16, 4.0), (49, 16, 4.0), (74, 9, 1.0), (83, 9, 1.0))
"""Where a table over steps begins among the features (kernel/search/evaluate.hpp), how long and how smooth it is."""
_MAX_PLIES: Final = 160
_VARIATIONS: Final = 24
_PRIOR_CANDIDATES: Final = 48
"""How many moves a softmax for the prior is taken over."""
_MAX_PRIOR_SAMPLES: Final = 8000
_PRIOR_PULL: Final = 1e-4


class Sample(NamedTuple):
    """A position with its search score, game result and visits, for the side to move."""

    position: str
    score: float
    result: float
    """1 won, 0 lost, ½ drawn."""
    visits: dict[str, int]
    """How often the search visited which moves."""


# ---------------------------------------------------------------------- playing


def play_game(searcher: Searcher, seed: int, nodes: int, rules: str) -> list[Sample]:
    """Play one game against itself, and return its samples."""
    rng = random.Random(f"tune {seed}")
    start = f"{rules} w"
    game = Game(start)
    opening = rng.randint(*_OPENING)
    seen: list[tuple[Sample, int]] = []
    while game.outcome() is None and len(game.moves) < _MAX_PLIES:
        text = str(game.position)
        drawn = len(game.moves) < opening or rng.random() < _DRAW_CHANCE
        if drawn and not kernel.Position(text).winning_moves():
            move = rng.choice(candidates(text, _DRAW_CANDIDATES))[0]
        else:
            moves = [str(move) for move in game.moves]
            report = searcher.search(start, moves, nodes=nodes, variations=_VARIATIONS, seed=seed)
            move = report["move"]
            if not report["proven"]:
                visits = {best["move"]: best["visits"] for best in report["variations"] if best["visits"] > 0}
                seen.append((Sample(text, report["score"], 0.5, visits), game.position.turn))
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
    """Yield the samples of some files; raises EngineError, which names the line, if one is invalid."""
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
    """Return the targets: the game's result and the search's score, mixed."""
    return np.array([trust * s.result + (1 - trust) * s.score for s in samples], dtype=np.float64)


def sigmoid(x: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -40, 40))))


def loss(inputs: Array, targets: Array, weights: Array) -> float:
    """Return the mean cross-entropy."""
    chance = np.clip(sigmoid(inputs @ weights), 1e-9, 1 - 1e-9)
    return float(-(targets * np.log(chance) + (1 - targets) * np.log(1 - chance)).mean())


def penalty(count: int, ridge: float, smooth: float) -> Array:
    """Return the matrix that penalises large weights, and differences between neighbouring steps of a table."""
    matrix = ridge * np.eye(count)
    for first, length, strength in _TABLES if count > max(first + length for first, length, _ in _TABLES) else ():
        for i in range(first, first + length - 1):
            matrix[i : i + 2, i : i + 2] += smooth * strength * np.array([[1.0, -1.0], [-1.0, 1.0]])
    return matrix


def fit_weights(inputs: Array, targets: Array, regulariser: Array, steps: int = 60) -> Array:
    """Return the weights w of least cross-entropy plus half of w·regulariser·w (Newton)."""
    weights = np.zeros(inputs.shape[1])
    for _ in range(steps):
        chance = sigmoid(inputs @ weights)
        gradient = inputs.T @ (chance - targets) + regulariser @ weights
        curvature = chance * (1 - chance)
        step = np.linalg.solve((inputs * curvature[:, None]).T @ inputs + regulariser, gradient)
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
    """Return the features of the candidates in each sample, and their share of the visits (-1: no move)."""
    rows = []
    for sample in samples:
        moves = list(
            dict.fromkeys([*sample.visits, *[move for move, _ in candidates(sample.position, _PRIOR_CANDIDATES)]])
        )
        rows.append((move_features(sample.position, moves), [sample.visits.get(move, 0) for move in moves]))
    longest = max(len(visits) for _, visits in rows)
    inputs = np.zeros((len(rows), longest, len(rows[0][0][0])))
    aims = np.full((len(rows), longest), -1.0)
    for row, (vectors, visits) in enumerate(rows):
        inputs[row, : len(visits)] = vectors
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
    defaults = default_weights()
    if len(samples) < 200:
        raise EngineError(
            f"{len(samples)} samples are too few to fit {len(defaults.evaluation)} weights: play more games"
        )
    inputs = np.array([features(sample.position) for sample in samples], dtype=np.float64)
    targets = targets_of(samples, trust)
    order = np.random.default_rng(1).permutation(len(samples))
    kept = order[: int(len(order) * hold_out)]
    used = order[len(kept) :]
    start = np.array(defaults.evaluation, dtype=np.float64)
    weights = fit_weights(inputs[used], targets[used], penalty(len(start), ridge, smooth))
    before, after = loss(inputs[kept], targets[kept], start), loss(inputs[kept], targets[kept], weights)
    about = f"{len(samples)} positions, trust {trust}; held-out loss {before:.4f} -> {after:.4f}"
    visited = [sample for sample in samples if len(sample.visits) > 1][:_MAX_PRIOR_SAMPLES]
    prior = np.array(defaults.prior, dtype=np.float64)
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
        save_weights(old, default_weights(), "the kernel's own")  # else it would use its network
        entrants = [
            read_entrant(f"punct @ nodes={nodes} name={name} Weights={path.resolve()}", Pace(nodes=nodes))
            for name, path in (("new", weights), ("old", old))
        ]
        settings = Settings((entrants[0], entrants[1]), pairs, concurrency=concurrency, sprt=Sprt(0.0, elo1))
        match = Match(settings, file)
        asyncio.run(match.run(lambda game: print(f"{match.score.points:g} of {match.score.games}", flush=True)))
    verdict = match.verdict
    print(f"pairs {match.score.pentanomial}, Elo {match.score.estimate}, SPRT {verdict.value}")
    estimate = match.score.estimate
    return verdict is Verdict.ACCEPTED or (verdict is Verdict.OPEN and estimate is not None and estimate.low > 0)


def install(path: Path, source: Path) -> None:
    """Put the numbers into the kernel's source."""
    text = source.read_text(encoding="utf-8")
    tables = ("EvaluationWeights", "evaluation_weights"), ("PriorWeights", "prior_weights")
    for (kind, name), weights in zip(tables, load_weights(path), strict=True):
        numbers = [f"{number:.4g}" for number in weights]
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
    two.add_argument("--ridge", type=float, default=0.5, help="how strongly weights are regulariser small")
    two.add_argument("--smooth", type=float, default=1.0, help="how strongly steps of a table are regulariser together")
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
    arguments = parser.parse_args()
    try:
        match arguments.command:
            case "play":
                play(
                    arguments.data,
                    arguments.games,
                    arguments.nodes,
                    arguments.first,
                    arguments.seconds,
                    arguments.weights,
                )
            case "fit":
                fit(
                    arguments.data,
                    arguments.out,
                    arguments.trust,
                    arguments.ridge,
                    arguments.smooth,
                    arguments.hold_out,
                )
            case "accept":
                good = accept(
                    arguments.weights,
                    arguments.pairs,
                    arguments.nodes,
                    arguments.elo1,
                    arguments.concurrency,
                    arguments.file,
                )
                return 0 if good else 1
            case "install":
                install(arguments.weights, arguments.source)
    except PunctError as error:
        print(f"tune: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
