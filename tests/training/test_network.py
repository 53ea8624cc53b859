"""The network: what PyTorch trains is what the kernel runs, number for number, from every side of the board."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from bench.kernel import SIGNATURE_POSITIONS
from tests.pytorch import HAS_TORCH, NEEDS_TORCH

from punct import _kernel, kernel
from punct.training.errors import TrainingError
from punct.training.progress import FitProgress

if HAS_TORCH:  # without it these tests are still collected, and so counted
    import torch

    from punct.training.dataset import SPACES, SYMMETRIES, Dataset
    from punct.training.fitting import FitSettings, fit, losses
    from punct.training.network import Network, move_scores

    torch.set_num_threads(1)  # as small as this is, threads would only wait for each other

pytestmark = NEEDS_TORCH
ONE, WEIGHT_ONE, SECOND_ONE = _kernel.NETWORK_ONE, _kernel.NETWORK_WEIGHT_ONE, _kernel.NETWORK_SECOND_ONE
HIDDEN, SECOND, SPOT_UNITS = _kernel.NETWORK_HIDDEN, _kernel.NETWORK_SECOND, _kernel.NETWORK_SPACE_UNITS
Array = npt.NDArray[Any]
WAYS = 26
"""The spots from here on tell of ways (kernel/search/space_features.hpp)."""


def positions() -> list[str]:
    """Positions of all sorts: with stacks and bridges, of both games, with either side to move."""
    texts = [text for text in SIGNATURE_POSITIONS if kernel.Position(text).outcome() is None]
    for seed, start in enumerate(("standard w", "basic w", "standard w", "basic w")):
        position = kernel.Position(start)
        for _ in range(8):
            position.play_random(seed, 5, raised=40, bridge=50, moved=20)
            if position.outcome() is None:
                texts.append(str(position))
    return texts


def shaken(seed: int = 1) -> Network:
    """A network in which every weight is at work."""
    torch.manual_seed(seed)
    network = Network()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    network.clamp_weights()
    return network


def table_of(texts: list[str], moves: int = 12) -> pa.Table:
    """Samples of these positions, with visits to the best moves at first sight."""
    visited = [[move for move, _ in _kernel.candidates(text, moves)] for text in texts]
    return pa.table(
        {
            "position": texts,
            "score": pa.array([0.25 + 0.5 * (i % 2) for i in range(len(texts))], pa.float32()),
            "result": pa.array([float(i % 2) for i in range(len(texts))], pa.float32()),
            "moves": visited,
            "visits": [list(range(len(row), 0, -1)) for row in visited],
            "proven": pa.array([0] * len(texts), pa.int16()),
            "ply": pa.array([4] * len(texts), pa.int16()),
            "game": pa.array([i // 2 for i in range(len(texts))], pa.int64()),
        }
    )


class InWholeNumbers:
    """The network's file, read and run a second time in plain whole numbers."""

    def __init__(self, content: bytes) -> None:
        self.left = content[12:-8]
        inputs, hand, features = _kernel.NETWORK_INPUTS, _kernel.NETWORK_HANDCRAFTED, _kernel.NETWORK_MOVE_FEATURES
        self.first, self.first_bias = self.take("<i1", inputs, HIDDEN), self.take("<i2", HIDDEN)
        self.second, self.second_hand = self.take("<i2", SECOND, HIDDEN), self.take("<i2", SECOND, hand)
        self.second_bias = self.take("<i4", SECOND)
        self.value, self.value_hand, self.value_bias = (
            self.take("<i2", SECOND), self.take("<i2", hand), self.take("<i4", 1)
        )  # fmt: skip
        self.moves, self.moves_bias = self.take("<i2", features, SECOND), self.take("<i4", features)
        self.maps, self.maps_bias = self.take("<i2", 3 * SPACES, HIDDEN), self.take("<i4", 3 * SPACES)
        self.spot, self.spot_bias = (
            self.take("<i2", _kernel.NETWORK_SPACE_FEATURES, SPOT_UNITS),
            self.take("<i2", SPOT_UNITS),
        )
        self.reading = self.take("<i2", 3 * SPOT_UNITS, SECOND)
        self.reading_bias = self.take("<i4", 3 * SPOT_UNITS)
        assert not self.left

    def take(self, kind: str, *shape: int) -> Array:
        size = np.dtype(kind).itemsize * math.prod(shape)
        found, self.left = np.frombuffer(self.left[:size], kind), self.left[size:]
        return found.reshape(shape).astype(np.int64)

    def ask(self, text: str) -> tuple[float, list[float], list[float]]:
        seen = _kernel.network_training_data([text], [[]], [[]], 0)
        hand = seen["handcrafted"].astype(np.int64)
        first = (self.first_bias + self.first[seen["inputs"]].sum(axis=0)).clip(0, 2 * ONE)
        sums = self.second @ first + self.second_hand @ hand + self.second_bias
        second = (sums // (ONE * WEIGHT_ONE // SECOND_ONE)).clip(0, 4 * SECOND_ONE)
        deep, plain = self.value @ second, self.value_hand @ hand + self.value_bias[0]
        low, high = np.float32(ONE * WEIGHT_ONE), np.float32(SECOND_ONE * WEIGHT_ONE)
        value = np.float32(deep) / high + np.float32(plain) / low
        weights = (self.moves @ second + self.moves_bias).astype(np.float32) / high
        bits = np.unpackbits(
            seen["space_features"].reshape(SPACES, -1), axis=1, count=_kernel.NETWORK_SPACE_FEATURES, bitorder="little"
        ).astype(np.int64)
        spots = (bits @ self.spot + self.spot_bias).clip(0, 2 * ONE)
        sums = self.reading @ second + self.reading_bias
        reading = (np.sign(sums) * (abs(sums) // SECOND_ONE)).clip(-4 * WEIGHT_ONE, 4 * WEIGHT_ONE)
        from_spots = reading.reshape(3, -1) @ spots.T
        maps = (self.maps @ first + self.maps_bias + from_spots.ravel()).astype(np.float32) / low
        return float(value), weights.tolist(), maps.tolist()


def test_the_kernel_reckons_as_plain_whole_numbers_do() -> None:
    content = shaken().export()
    network, plain = _kernel.Network(content), InWholeNumbers(content)
    for text in positions():
        assert network.evaluate(text) == plain.ask(text), text


def test_the_kernel_says_what_pytorch_says() -> None:
    model = shaken()
    network = _kernel.Network(model.export())
    texts = positions()
    dataset = Dataset([table_of(texts)], trust=0.5, others=8)
    with torch.no_grad():
        said = model(dataset.batch(torch.arange(len(texts))))
    for row, text in enumerate(texts):
        value, weights, maps = network.evaluate(text)
        # The numbers are rounded, the first layer's most: about a hundred of them make a sum.
        assert value == pytest.approx(float(said.value[row]), abs=0.3)
        assert weights == pytest.approx(said.weights[row].tolist(), abs=0.3)
        assert np.abs(np.array(maps) - said.maps[row].numpy().ravel()).mean() < 0.1


def test_a_new_network_says_what_the_weights_say() -> None:
    network = _kernel.Network(Network().export())
    for text in positions():
        plain = float(np.dot(_kernel.features(text), _kernel.default_evaluation_weights()))
        assert network.evaluate(text)[0] == pytest.approx(plain, abs=0.05)
        assert network.evaluate(text)[1] == pytest.approx(_kernel.default_prior_weights(), abs=1e-3)


def test_moves_are_scored_as_the_kernel_scores_them() -> None:
    """The priors that a search begins with are the softmax of what is trained."""
    model = shaken()
    text = next(text for text in positions() if _kernel.defences(text) is None)
    moves = [move for move, _ in _kernel.candidates(text, 40)]
    table = table_of([text], 40)
    dataset = Dataset([table], trust=0.5, others=0)
    batch = dataset.batch(torch.tensor([0]))
    with torch.no_grad():
        scores = move_scores(model(batch), batch)
    found = _kernel.candidates(text, 5000, _kernel.Network(model.export()))
    by_move = {move: math.log(prior) for move, prior in found if prior > 0}
    both = [(by_move[move], float(score)) for move, score in zip(moves, scores, strict=True) if move in by_move]
    assert len(both) > 20
    differences = [one - other for one, other in both]  # softmax leaves a constant open
    assert np.ptp(differences) < 0.6


def test_a_turned_position_is_worth_as_much_to_a_turned_network() -> None:
    """What one side of the board teaches, all learn: inputs, spaces and features of moves are turned together."""
    texts = positions()
    dataset = Dataset([table_of(texts)], trust=0.5, others=8)
    for symmetry in range(SYMMETRIES):
        turned = [str(kernel.Position(text).transformed(symmetry)) for text in texts]
        seen = _kernel.network_training_data(turned, [[]] * len(texts), [[]] * len(texts), 0)
        batch = dataset.batch(torch.arange(len(texts)), symmetry)
        starts = [*seen["first_input"]]
        ends = [*batch.first_input.tolist(), len(batch.inputs)]
        for row in range(len(texts)):
            inputs = sorted(batch.inputs[ends[row] : ends[row + 1]].tolist())
            assert inputs == sorted(seen["inputs"][starts[row] : starts[row + 1]].tolist())
        spots = np.unpackbits(
            seen["space_features"].reshape(len(texts), SPACES, -1),
            axis=2,
            count=_kernel.NETWORK_SPACE_FEATURES,
            bitorder="little",
        )
        mine = batch.space_features[:, batch.order].numpy()
        # Pairs of sides that are as near as each other have no order of their own, and a way has two ends to count its
        # spaces abreast from: of the ways only whose dots are joined to how many sides is the same from everywhere.
        assert (mine[..., :WAYS] == spots[..., :WAYS]).all()
        joined = [
            found[..., WAYS:].reshape(len(texts), SPACES, 2, 3, -1)[..., -1].sum(axis=3) for found in (mine, spots)
        ]
        assert (joined[0] == joined[1]).all()
        steps = slice(0, 65)  # how far it is on the nearest and the second pair of sides
        assert (batch.hand.numpy()[:, steps] * ONE == seen["handcrafted"].reshape(len(texts), -1)[:, steps]).all()


def test_a_fit_learns_what_it_is_shown(tmp_path: Path) -> None:
    texts = positions()
    settings = FitSettings(epochs=30, batch=8, rate=1e-2, seed=3, others=8, held_out=0.2)
    steps: list[FitProgress] = []
    paths = {"checkpoint": tmp_path / "one.pt", "network": tmp_path / "one.network"}
    report = fit([table_of(texts)], start=None, settings=settings, on_progress=steps.append, **paths)
    assert steps[-1].step == steps[-1].steps == len(steps)
    assert report.value_loss < steps[0].value_loss and report.policy_loss < steps[0].policy_loss - 0.05
    _kernel.Network(paths["network"].read_bytes())
    more = {"checkpoint": tmp_path / "two.pt", "network": tmp_path / "two.network"}
    again = FitSettings(epochs=1, batch=16, rate=1e-6, seed=3, others=8, held_out=0.2)
    went_on = fit([table_of(texts)], start=paths["checkpoint"], settings=again, on_progress=lambda step: None, **more)
    assert went_on.policy_loss == pytest.approx(report.policy_loss, abs=0.2)


def test_a_fit_from_nothing_knows_nothing_of_the_last_one(tmp_path: Path) -> None:
    texts = positions()
    settings = FitSettings(epochs=1, batch=16, others=8)
    made = []
    for table in (table_of(texts), table_of(texts[:10]), table_of(texts)):
        paths = {"checkpoint": tmp_path / "one.pt", "network": tmp_path / "one.network"}  # the last one's lie there
        fit([table], start=None, settings=settings, on_progress=lambda step: None, **paths)
        made.append(paths["network"].read_bytes())
    assert made[0] == made[2] != made[1]


def test_nothing_to_learn_from_is_said(tmp_path: Path) -> None:
    paths = {"checkpoint": tmp_path / "one.pt", "network": tmp_path / "one.network"}
    with pytest.raises(TrainingError, match="no samples"):
        fit([], start=None, settings=FitSettings(), on_progress=lambda step: None, **paths)
    (tmp_path / "bad.pt").write_bytes(b"nonsense")
    with pytest.raises(TrainingError, match=r"bad\.pt is not a checkpoint"):
        fit([], start=tmp_path / "bad.pt", settings=FitSettings(), on_progress=lambda step: None, **paths)
    assert not list(tmp_path.glob("one.*"))


def test_positions_without_visits_teach_their_value_alone() -> None:
    texts = positions()[:4]
    table = table_of(texts, 0)
    dataset = Dataset([table], trust=1.0, others=8)
    value, policy = losses(Network(), dataset.batch(torch.arange(4)))
    assert policy.item() == 0.0 and value.item() > 0.0
