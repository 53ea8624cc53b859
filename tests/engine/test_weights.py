"""Files of weights: written, read and used; invalid files are errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from punct._kernel import default_evaluation_weights, default_prior_weights, features, move_features
from punct.engine import Engine, EngineError, Limits
from punct.engine.weights import default_weights, load_weights, save_weights
from punct.ugi.conversation import Conversation
from punct.ugi.engine import EngineThinker


def test_weights_survive_being_written(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    save_weights(path, default_weights(), "a test")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())  # editors put a byte order mark there
    loaded, defaults = load_weights(path), default_weights()
    assert loaded.evaluation == pytest.approx(defaults.evaluation, abs=1e-5)
    assert loaded.prior == pytest.approx(defaults.prior, abs=1e-5)


def test_every_feature_has_a_weight() -> None:
    assert len(features("standard w")) == len(default_evaluation_weights())
    assert [len(row) for row in move_features("standard w", ["Ed5ne", "Tl5s"])] == [len(default_prior_weights())] * 2


def test_weights_are_used() -> None:
    text = "standard w wEd5ne bTl5s"
    plain = Engine(limits=Limits(nodes=1)).play(text)
    weights = default_weights()._replace(evaluation=[0.0] * len(default_evaluation_weights()))
    zero = Engine(limits=Limits(nodes=1), weights=weights).play(text)
    assert zero.score == pytest.approx(0.5, abs=0.1)
    assert plain.score != zero.score


GOOD = {"format": "punct weights 2", "evaluation": default_evaluation_weights()}


@pytest.mark.parametrize(
    "content, complaint",
    [
        ("", "not JSON"),
        ("[1, 2", "not JSON"),
        ("[]", "format"),
        ('{"format": "other", "evaluation": []}', "format"),
        (json.dumps({**GOOD, "evaluation": [1.0]}), "not 1"),
        (json.dumps({**GOOD, "evaluation": [*default_evaluation_weights(), 0.0]}), "weights, not"),
        (json.dumps({**GOOD, "evaluation": ["x", *default_evaluation_weights()[1:]]}), "weight 0"),
        (json.dumps({**GOOD, "evaluation": [float("nan"), *default_evaluation_weights()[1:]]}), "weight 0"),
        (json.dumps({**GOOD, "evaluation": [1e30, *default_evaluation_weights()[1:]]}), "weight 0"),
        (json.dumps({**GOOD, "evaluation": [10**400, *default_evaluation_weights()[1:]]}), "weight 0"),
        (json.dumps({**GOOD, "evaluation": [True, *default_evaluation_weights()[1:]]}), "weight 0"),
        (json.dumps({**GOOD, "evaluation": None}), "list of numbers"),
        (json.dumps({**GOOD, "prior": [1]}), "prior weights, not 1"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "weights.json"
    path.write_text(content)
    with pytest.raises(EngineError, match=complaint):
        Engine(weights=path)
    lines: list[str] = []
    Conversation(EngineThinker(), lines.append).handle(f"setoption name Weights value {path}")
    assert lines and lines[0].startswith("info string ")


def test_missing_and_binary_files(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="cannot be read"):
        load_weights(tmp_path / "none.json")
    with pytest.raises(EngineError, match="cannot be read"):
        load_weights(tmp_path)
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(EngineError, match="not JSON"):
        load_weights(binary)
