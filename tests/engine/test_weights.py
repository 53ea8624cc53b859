"""Files of weights: written, read, used, and refused when broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from punct._kernel import default_taste, default_weights, features, turn_features
from punct.engine import Engine, EngineError, Limits
from punct.engine.weights import Numbers, default_numbers, load_numbers, save_numbers
from punct.ugi.engine import OurEngine
from punct.ugi.serving import Conversation


def test_weights_survive_being_written(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    save_numbers(path, default_numbers(), "a test")
    found, usual = load_numbers(path), default_numbers()
    assert found.weights == pytest.approx(usual.weights, abs=1e-5)
    assert found.taste == pytest.approx(usual.taste, abs=1e-5)


def test_every_feature_has_a_weight() -> None:
    assert len(features("standard w")) == len(default_weights())
    assert [len(found) for found in turn_features("standard w", ["Ed5ne", "Tl5s"])] == [len(default_taste())] * 2


def test_weights_are_used() -> None:
    text = "standard w wEd5ne bTl5s"
    plain = Engine(limits=Limits(nodes=1)).play(text)
    zero = Engine(limits=Limits(nodes=1), weights=Numbers([0.0] * len(default_weights()), default_taste())).play(
        "standard w wEd5ne bTl5s"
    )
    assert zero.score == pytest.approx(0.5, abs=0.1)
    assert plain.score != zero.score


GOOD = {"format": "punct weights 1", "weights": default_weights()}


@pytest.mark.parametrize(
    "content, complaint",
    [
        ("", "not JSON"),
        ("[1, 2", "not JSON"),
        ("[]", "format"),
        ('{"format": "other", "weights": []}', "format"),
        (json.dumps({**GOOD, "weights": [1.0]}), "not 1"),
        (json.dumps({**GOOD, "weights": [*default_weights(), 0.0]}), "weights, not"),
        (json.dumps({**GOOD, "weights": ["x", *default_weights()[1:]]}), "weight 0"),
        (json.dumps({**GOOD, "weights": [float("nan"), *default_weights()[1:]]}), "weight 0"),
        (json.dumps({**GOOD, "weights": [1e30, *default_weights()[1:]]}), "weight 0"),
        (json.dumps({**GOOD, "weights": [True, *default_weights()[1:]]}), "weight 0"),
        (json.dumps({**GOOD, "weights": None}), "list of numbers"),
        (json.dumps({**GOOD, "taste": [1]}), "tastes, not 1"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "weights.json"
    path.write_text(content)
    with pytest.raises(EngineError, match=complaint):
        Engine(weights=path)
    said: list[str] = []
    Conversation(OurEngine(), said.append).handle(f"setoption name Weights value {path}")
    assert said and said[0].startswith("info string ")


def test_missing_and_binary_files(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="cannot be read"):
        load_numbers(tmp_path / "none.json")
    with pytest.raises(EngineError, match="cannot be read"):
        load_numbers(tmp_path)
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(EngineError, match="not JSON"):
        load_numbers(binary)
