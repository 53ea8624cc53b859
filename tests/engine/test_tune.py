"""Tuning: fits recover known weights, and damaged data are errors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from bench import tune

from punct import Position
from punct._kernel import Searcher, candidates
from punct.engine.errors import EngineError
from punct.engine.weights import default_weights, load_weights, save_weights


def test_logistic_regression_finds_the_weights_behind_the_data() -> None:
    rng = np.random.default_rng(5)
    truth = np.array([1.5, -0.7, 0.0, 2.0])
    inputs = rng.normal(size=(4000, 4))
    targets = (rng.random(4000) < tune.sigmoid(inputs @ truth)).astype(np.float64)
    fitted = tune.fit_weights(inputs, targets, np.zeros((4, 4)))
    assert fitted == pytest.approx(truth, abs=0.15)
    assert tune.loss(inputs, targets, fitted) < tune.loss(inputs, targets, np.zeros(4))


def test_the_ridge_keeps_weights_small_and_tables_stay_smooth() -> None:
    rng = np.random.default_rng(6)
    count = len(default_weights().evaluation)
    inputs = rng.normal(size=(300, count))
    targets = (rng.random(300) < 0.5).astype(np.float64)

    def roughness(held: np.ndarray) -> float:
        return float(np.abs(np.diff(tune.fit_weights(inputs, targets, held)[1:17])).sum())

    free, smooth = tune.penalty(count, 0.5, 0.0), tune.penalty(count, 0.5, 50.0)
    assert np.array_equal(smooth, smooth.T)
    assert roughness(smooth) < 0.3 * roughness(free)
    held = tune.fit_weights(inputs, targets, tune.penalty(count, 1e6, 0.0))
    assert float(np.abs(held).max()) < 1e-3


def test_the_prior_moves_towards_what_was_visited() -> None:
    """With most visits on the move of the lowest prior, the fitted prior is higher for it."""
    position = "standard w wEd5ne bTl5s"
    moves = [move for move, _ in candidates(position, 10)]
    sample = tune.Sample(position, 0.5, 1.0, {moves[-1]: 9, moves[0]: 1})
    start = np.array(default_weights().prior)
    _, before, after = tune.fit_prior([sample] * 3, start, pull=0.01)
    assert after < before


def test_own_games_are_legal_samples() -> None:
    samples = tune.play_game(Searcher(8), 3, 12, "standard")
    assert len(samples) > 8
    assert {sample.result for sample in samples} <= {0.0, 0.5, 1.0}
    for sample in samples:
        position = Position(sample.position)
        assert 0.0 <= sample.score <= 1.0
        assert all(position.explain(move) is None for move in sample.visits)


def test_targets_mix_result_and_score() -> None:
    samples = [tune.Sample("", 0.2, 1.0, {}), tune.Sample("", 0.2, 0.0, {})]
    assert tune.targets_of(samples, 0.25).tolist() == pytest.approx([0.4, 0.15])


@pytest.mark.parametrize(
    "line", ["{", "[]", "{}", '{"position": "standard w", "score": "high", "result": 1, "visits": {}}', "null"]
)
def test_broken_data_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "data.jsonl"
    good = json.dumps(tune.Sample("standard w", 0.5, 1.0, {"Ed5ne": 3})._asdict())
    path.write_text(f"{good}\n{line}\n")
    with pytest.raises(EngineError, match="line 2"):
        list(tune.read_samples([path]))
    with pytest.raises(EngineError, match="too few"):
        path.write_text(f"{good}\n")
        tune.fit([path], tmp_path / "out.json", 0.5, 0.5, 1.0, 0.1)
    assert not (tmp_path / "out.json").exists()


def test_install_replaces_both_tables(tmp_path: Path) -> None:
    source, path = tmp_path / "weights.cpp", tmp_path / "weights.json"
    source.write_text(tune.WEIGHTS_SOURCE.read_text())
    defaults = default_weights()
    save_weights(path, defaults._replace(prior=[0.125] * len(defaults.prior)), "a test")
    tune.install(path, source)
    text = source.read_text()
    assert text.count("0.125f") == len(defaults.prior)
    assert text.count("default_evaluation_weights = {") == text.count("default_prior_weights = {") == 1
    assert load_weights(path).prior[0] == 0.125
    source.write_text("nothing here")
    with pytest.raises(EngineError, match="does not hold"):
        tune.install(path, source)
