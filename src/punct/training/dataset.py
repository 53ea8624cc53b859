"""The data set of a fit: samples as arrays, encoded by the kernel, and random batches of them.

The board has twelve symmetries. A position and its images are worth the same, so each batch is rotated or mirrored at
random.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from punct import _kernel

if TYPE_CHECKING:
    import pyarrow as pa

SPACES: Final = 211
SYMMETRIES: Final = 12
_FIRST_MIRRORED: Final = 6
"""From this symmetry on L and R are swapped."""
_ENCODED_AT_ONCE: Final = 8192
"""Positions that one call of the kernel encodes."""
_L_AND_R: Final = _kernel.NETWORK_MOVE_FEATURES - 2
"""From here on: the features of a move that adds an L or an R, which mirroring swaps."""
_Part = dict[str, npt.NDArray[Any]]
_SPACE_FEATURE_BYTES: Final = -(-_kernel.NETWORK_SPACE_FEATURES // 8)


class Batch(NamedTuple):
    """Some positions as the network's input, and the outputs it should learn."""

    inputs: torch.Tensor
    """The active inputs of all positions, one after the other."""
    first_input: torch.Tensor
    """Where each position's inputs begin."""
    hand: torch.Tensor
    space_features: torch.Tensor
    """Positions × spaces × features, 0 or 1, in the order of the board before the symmetry."""
    order: torch.Tensor
    """By space, the space it was before the symmetry."""
    move_of: torch.Tensor
    """The position that each move belongs to."""
    features: torch.Tensor
    landing: torch.Tensor
    """Moves × 3 spaces, the PÜNCT's first."""
    leaving: torch.Tensor
    """Moves × 3 spaces; 211: none."""
    visited: torch.Tensor
    """Each move's share of the visits of its position: the policy's target."""
    chance: torch.Tensor
    """The winning chance of the side to move: the value's target."""


class Dataset:
    """All samples of a fit, in memory."""

    def __init__(self, tables: Iterable[pa.Table], *, trust: float, others: int) -> None:
        """Encode every position by the kernel.

        ``trust``: the weight of a game's result against the search's score. ``others``: how many unvisited moves, those
        with the highest priors, are added to the visited ones.
        """
        parts = [_encode([], [], [], others)]
        chances, games = [np.zeros(0, np.float32)], [np.zeros(0, np.int64)]
        for table in tables:
            score, result = (table[name].to_numpy() for name in ("score", "result"))
            chances.append((trust * result + (1.0 - trust) * score).astype(np.float32))
            games.append(table["game"].to_numpy())
            for part in table.to_batches(_ENCODED_AT_ONCE):
                position, moves, visits = (part[name].to_pylist() for name in ("position", "moves", "visits"))
                parts.append(_encode(position, moves, visits, others))
        self.chance = torch.from_numpy(np.concatenate(chances))
        self.game: npt.NDArray[np.int64] = np.concatenate(games)
        self._inputs, self._first_input = _join(parts, "inputs"), _starts(parts, "first_input")
        self._hand = _join(parts, "handcrafted").reshape(-1, _kernel.NETWORK_HANDCRAFTED)
        self._space_features: npt.NDArray[np.uint8] = (
            _join(parts, "space_features").reshape(-1, SPACES, _SPACE_FEATURE_BYTES).numpy()
        )
        self._features = _join(parts, "features").reshape(-1, _kernel.NETWORK_MOVE_FEATURES)
        self._spaces = _join(parts, "spaces").reshape(-1, 6)
        self._visits, self._first_move = _join(parts, "visits"), _starts(parts, "first_move")
        images = _kernel.network_symmetries()
        self._input_images = torch.from_numpy(images["inputs"].reshape(SYMMETRIES, -1).astype(np.int64))
        self._space_images = torch.from_numpy(images["spaces"].reshape(SYMMETRIES, -1).astype(np.int64))

    def __len__(self) -> int:
        return len(self.chance)

    def split(self, held_out: float, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the training samples and the validation samples, which are those of a share of the games."""
        games = np.random.default_rng(seed).permutation(np.unique(self.game))
        is_held_out = np.isin(self.game, games[: round(held_out * len(games))])
        return torch.from_numpy(np.flatnonzero(~is_held_out)), torch.from_numpy(np.flatnonzero(is_held_out))

    def batch(self, samples: torch.Tensor, symmetry: int = 0) -> Batch:
        """Return these samples as a batch, transformed by a symmetry."""
        inputs, _, first_input = _gather(self._first_input, samples)
        moves, move_of, _ = _gather(self._first_move, samples)
        features = self._features[moves].float()
        if symmetry >= _FIRST_MIRRORED:
            features = torch.cat([features[:, :_L_AND_R], features[:, _L_AND_R:].flip(1)], 1)
        image = self._space_images[symmetry]
        spaces = image[self._spaces[moves].long()]
        bits = np.unpackbits(
            self._space_features[samples.numpy()], axis=2, count=_kernel.NETWORK_SPACE_FEATURES, bitorder="little"
        )
        return Batch(
            self._input_images[symmetry][self._inputs[inputs].long()],
            first_input,
            self._hand[samples].float() / _kernel.NETWORK_ONE,
            torch.from_numpy(bits).float(),
            torch.argsort(image[:SPACES]),
            move_of,
            features,
            spaces[:, :3],
            spaces[:, 3:],
            self._visits[moves],
            self.chance[samples],
        )

    def batches(self, samples: torch.Tensor, size: int, rng: np.random.Generator) -> Iterator[Batch]:
        """Yield all samples once in random order, each batch in a random symmetry; an incomplete batch is left out."""
        order = torch.from_numpy(rng.permutation(samples.numpy()))
        for part in torch.split(order, size):
            if len(part) == size or len(order) < size:
                yield self.batch(part, int(rng.integers(SYMMETRIES)))


def _encode(positions: list[str], moves: list[list[str]], visits: list[list[int]], others: int) -> _Part:
    """Return the kernel's arrays for some positions; features, the largest, in half precision."""
    part: _Part = _kernel.network_training_data(positions, moves, visits, others)
    part["features"] = part["features"].astype(np.float16)
    return part


def _join(parts: Sequence[_Part], name: str) -> torch.Tensor:
    """Concatenate one array of all parts, removing it there: millions of positions must not be in memory twice."""
    return torch.from_numpy(np.concatenate([part.pop(name) for part in parts]))


def _starts(parts: Sequence[_Part], name: str) -> torch.Tensor:
    """Return the offset of each position's numbers in the concatenated parts, and the end of the last."""
    lengths = np.concatenate([np.diff(part[name]) for part in parts])
    return torch.from_numpy(np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)]))


def _gather(starts: torch.Tensor, samples: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the indices of all numbers of some samples, the sample each belongs to, and each sample's first."""
    begin = starts[samples]
    lengths = starts[samples + 1] - begin
    first = torch.cumsum(lengths, 0) - lengths
    owner = torch.repeat_interleave(torch.arange(len(samples)), lengths)
    return torch.arange(len(owner)) - first[owner] + begin[owner], owner, first
