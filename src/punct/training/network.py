"""The network in PyTorch, number for number the one that the kernel runs (``kernel/search/network.hpp``), and its file.

It starts as strong as the engine without a network: the evaluation's weights are in a linear path past the hidden
units, the prior's in the bias of the move weights, and everything that is still to be learned adds zero.
"""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from punct import _kernel
from punct.training.dataset import SPACES, Batch

_MAPS: Final = 3
_MAGIC: Final = b"PUNCTNET"
_VERSION: Final = 1
_MAX_FIRST: Final = 2.0
"""Units of the first layer and of the spaces are clamped between 0 and this, those of the second to the next."""
_MAX_SECOND: Final = 4.0
_MAX_INPUT_WEIGHT: Final = 127 / _kernel.NETWORK_ONE
_MAX_WEIGHT: Final = 4.0 - 1 / _kernel.NETWORK_WEIGHT_ONE


class NetworkOutput(NamedTuple):
    """The network's output for some positions."""

    value: torch.Tensor
    """The logarithm of the odds of the side to move."""
    weights: torch.Tensor
    """Positions × features of a move: their weights."""
    maps: torch.Tensor
    """Positions × (dot, PÜNCT, leaving) × spaces."""


class Network(nn.Module):
    """The network that the kernel runs, in a form that can be trained."""

    def __init__(self) -> None:
        super().__init__()
        hidden, second, space_units = _kernel.NETWORK_HIDDEN, _kernel.NETWORK_SECOND, _kernel.NETWORK_SPACE_UNITS
        self.first = nn.EmbeddingBag(_kernel.NETWORK_INPUTS, hidden, mode="sum")
        self.first_bias = nn.Parameter(torch.full((hidden,), 0.2))
        self.spot = nn.Linear(_kernel.NETWORK_SPACE_FEATURES, space_units)  # stored checkpoints name the layers so
        self.second = nn.Linear(hidden + _kernel.NETWORK_HANDCRAFTED, second)
        self.value = nn.Linear(second, 1, bias=False)
        self.value_hand = nn.Linear(_kernel.NETWORK_HANDCRAFTED, 1)
        self.moves = nn.Linear(second, _kernel.NETWORK_MOVE_FEATURES)
        self.maps = nn.Linear(hidden, _MAPS * SPACES)
        self.reading = nn.Linear(second, _MAPS * space_units)
        nn.init.normal_(self.first.weight, 0.0, 0.05)
        nn.init.normal_(self.spot.weight, 0.0, 0.25)
        for layer in (self.value, self.moves, self.maps, self.reading):
            nn.init.zeros_(layer.weight)
        with torch.no_grad():
            self.value_hand.weight[0] = torch.tensor(_kernel.default_evaluation_weights())
            self.value_hand.bias.zero_()
            self.moves.bias.copy_(torch.tensor(_kernel.default_prior_weights()))
            self.maps.bias.zero_()
        nn.init.normal_(self.reading.bias, 0.0, 0.02)

    def forward(self, batch: Batch) -> NetworkOutput:
        """Evaluate the positions of a batch."""
        first = (self.first(batch.inputs, batch.first_input) + self.first_bias).clamp(0.0, _MAX_FIRST)
        second = self.second(torch.cat([first, batch.hand], 1)).clamp(0.0, _MAX_SECOND)
        value = (self.value(second) + self.value_hand(batch.hand)).squeeze(1)
        space_units = self.spot(batch.space_features).clamp(0.0, _MAX_FIRST)
        reading = self.reading(second).view(len(value), _MAPS, -1)
        space_maps = torch.bmm(reading, space_units.transpose(1, 2))[:, :, batch.order]
        return NetworkOutput(value, self.moves(second), self.maps(first).view(-1, _MAPS, SPACES) + space_maps)

    def clamp_weights(self) -> None:
        """Clamp all weights to the range of the kernel's integers."""
        with torch.no_grad():
            self.first.weight.clamp_(-_MAX_INPUT_WEIGHT, _MAX_INPUT_WEIGHT)
            for layer in (self.spot, self.second, self.value, self.value_hand, self.moves, self.maps, self.reading):
                layer.weight.clamp_(-_MAX_WEIGHT, _MAX_WEIGHT)

    def export(self) -> bytes:
        """Return the file that the kernel reads: weights rounded to integers."""
        one, weight_one, second_one = (
            _kernel.NETWORK_ONE, _kernel.NETWORK_WEIGHT_ONE, _kernel.NETWORK_SECOND_ONE
        )  # fmt: skip
        hidden = _kernel.NETWORK_HIDDEN
        parts = [
            _to_integers(self.first.weight, one, "<i1"),
            _to_integers(self.first_bias, one, "<i2"),
            _to_integers(self.second.weight[:, :hidden], weight_one, "<i2"),
            _to_integers(self.second.weight[:, hidden:], weight_one, "<i2"),
            _to_integers(self.second.bias, one * weight_one, "<i4"),
            _to_integers(self.value.weight, weight_one, "<i2"),
            _to_integers(self.value_hand.weight, weight_one, "<i2"),
            _to_integers(self.value_hand.bias, one * weight_one, "<i4"),
            _to_integers(self.moves.weight, weight_one, "<i2"),
            _to_integers(self.moves.bias, second_one * weight_one, "<i4"),
            _to_integers(self.maps.weight, weight_one, "<i2"),
            _to_integers(self.maps.bias, one * weight_one, "<i4"),
            _to_integers(self.spot.weight.T, one, "<i2"),
            _to_integers(self.spot.bias, one, "<i2"),
            _to_integers(self.reading.weight, weight_one, "<i2"),
            _to_integers(self.reading.bias, second_one * weight_one, "<i4"),
        ]
        content = _MAGIC + struct.pack("<I", _VERSION) + b"".join(parts)
        return content + struct.pack("<Q", _kernel.network_checksum(content))


def move_scores(output: NetworkOutput, batch: Batch) -> torch.Tensor:
    """Return every move's score, computed as in the kernel."""
    maps = nn.functional.pad(output.maps, (0, 1))  # space 211 means none, and scores 0
    dot, punct, leaving = (maps[:, i] for i in range(_MAPS))
    position = batch.move_of[:, None]
    score = (batch.features * output.weights[batch.move_of]).sum(1)
    return (
        score
        + dot[position, batch.landing].sum(1)
        + punct[position[:, 0], batch.landing[:, 0]]
        + leaving[position, batch.leaving].sum(1)
    )


def _to_integers(numbers: torch.Tensor, scale: int, kind: str) -> bytes:
    largest = {"<i1": 127, "<i2": 4 * _kernel.NETWORK_WEIGHT_ONE, "<i4": 1 << 27}[kind]
    scaled: npt.NDArray[np.float64] = numbers.detach().double().numpy() * scale
    return np.clip(np.rint(scaled), -largest, largest).astype(kind).tobytes(order="C")
