"""Samples as the network is shown them: arrays made by the kernel, and batches of them seen from any side.

The board has twelve symmetries. A position and its images are worth the same, so each batch is turned or mirrored
anew.
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
_MIRRORED: Final = 6
"""From here on the symmetries swap L and R."""
_LESSON: Final = 8192
"""Positions the kernel is asked about at a time."""
_ALIKE_BELOW: Final = _kernel.NETWORK_MOVE_FEATURES - 2
"""The features of a move that adds an L or an R are the last two."""
_Part = dict[str, npt.NDArray[Any]]
_SPOT_BYTES: Final = -(-_kernel.NETWORK_SPOTS // 8)


class Batch(NamedTuple):
    """Some positions, as the network takes them, and what it should say of them."""

    inputs: torch.Tensor
    """Those present, of all positions, and where each position's begin."""
    first_input: torch.Tensor
    hand: torch.Tensor
    spots: torch.Tensor
    """Positions × spaces × spots, 0 or 1, in the order of the untouched board."""
    order: torch.Tensor
    """The untouched space that each space was."""
    move_of: torch.Tensor
    """The position that each move belongs to."""
    features: torch.Tensor
    landing: torch.Tensor
    """Moves × 3 spaces, the PÜNCT's first."""
    leaving: torch.Tensor
    """Moves × 3 spaces; 211: none."""
    visited: torch.Tensor
    """Each move's part of the visits of its position."""
    chance: torch.Tensor
    """What the position is worth to the side to move."""


class Lesson:
    """All samples to learn from, in memory."""

    def __init__(self, tables: Iterable[pa.Table], *, trust: float, others: int) -> None:
        """Have the kernel look at every position.

        ``trust``: how much a game's result counts against the search's score. ``others``: how many moves that deserve a
        look at first sight stand beside those that were visited.
        """
        parts = [_looked_at([], [], [], others)]
        chances, games = [np.zeros(0, np.float32)], [np.zeros(0, np.int64)]
        for table in tables:
            score, result = (table[name].to_numpy() for name in ("score", "result"))
            chances.append((trust * result + (1.0 - trust) * score).astype(np.float32))
            games.append(table["game"].to_numpy())
            for part in table.to_batches(_LESSON):
                position, moves, visits = (part[name].to_pylist() for name in ("position", "moves", "visits"))
                parts.append(_looked_at(position, moves, visits, others))
        self.chance = torch.from_numpy(np.concatenate(chances))
        self.game: npt.NDArray[np.int64] = np.concatenate(games)
        self._inputs, self._first_input = _joined(parts, "inputs"), _starts(parts, "first_input")
        self._hand = _joined(parts, "hand").reshape(-1, _kernel.NETWORK_HAND)
        self._spots: npt.NDArray[np.uint8] = _joined(parts, "spots").reshape(-1, SPACES, _SPOT_BYTES).numpy()
        self._features = _joined(parts, "features").reshape(-1, _kernel.NETWORK_MOVE_FEATURES)
        self._spaces = _joined(parts, "spaces").reshape(-1, 6)
        self._visits, self._first_move = _joined(parts, "visits"), _starts(parts, "first_move")
        images = _kernel.network_images()
        self._input_images = torch.from_numpy(images["inputs"].reshape(SYMMETRIES, -1).astype(np.int64))
        self._space_images = torch.from_numpy(images["spaces"].reshape(SYMMETRIES, -1).astype(np.int64))

    def __len__(self) -> int:
        return len(self.chance)

    def parted(self, held: float, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the samples to learn from, and those of some games that are kept out to see what was learned."""
        games = np.random.default_rng(seed).permutation(np.unique(self.game))
        kept = np.isin(self.game, games[: round(held * len(games))])
        return torch.from_numpy(np.flatnonzero(~kept)), torch.from_numpy(np.flatnonzero(kept))

    def batch(self, samples: torch.Tensor, symmetry: int = 0) -> Batch:
        """Return these samples, as one would see them from elsewhere."""
        present, _, first_input = _gathered(self._first_input, samples)
        moves, move_of, _ = _gathered(self._first_move, samples)
        features = self._features[moves].float()
        if symmetry >= _MIRRORED:
            features = torch.cat([features[:, :_ALIKE_BELOW], features[:, _ALIKE_BELOW:].flip(1)], 1)
        image = self._space_images[symmetry]
        spaces = image[self._spaces[moves].long()]
        bits = np.unpackbits(self._spots[samples.numpy()], axis=2, count=_kernel.NETWORK_SPOTS, bitorder="little")
        return Batch(
            self._input_images[symmetry][self._inputs[present].long()],
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

    def batches(self, samples: torch.Tensor, size: int, dice: np.random.Generator) -> Iterator[Batch]:
        """Yield all of them once, in any order, each batch seen from another side; the last few may be left out."""
        order = torch.from_numpy(dice.permutation(samples.numpy()))
        for chosen in torch.split(order, size):
            if len(chosen) == size or len(order) < size:
                yield self.batch(chosen, int(dice.integers(SYMMETRIES)))


def _looked_at(positions: list[str], moves: list[list[str]], visits: list[list[int]], others: int) -> _Part:
    """Return what the kernel sees in some positions, the features, which are most of it, in half the bytes."""
    part: _Part = _kernel.network_lesson(positions, moves, visits, others)
    part["features"] = part["features"].astype(np.float16)
    return part


def _joined(parts: Sequence[_Part], name: str) -> torch.Tensor:
    """Return some numbers of all parts, and take them out there: millions of positions are not to be kept twice."""
    return torch.from_numpy(np.concatenate([part.pop(name) for part in parts]))


def _starts(parts: Sequence[_Part], name: str) -> torch.Tensor:
    """Return where the numbers of each position begin, and the last end, all parts laid side by side."""
    lengths = np.concatenate([np.diff(part[name]) for part in parts])
    return torch.from_numpy(np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)]))


def _gathered(starts: torch.Tensor, samples: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return where all the numbers of some samples lie, to which of them each belongs, and where each one's begin."""
    begin = starts[samples]
    lengths = starts[samples + 1] - begin
    first = torch.cumsum(lengths, 0) - lengths
    owner = torch.repeat_interleave(torch.arange(len(samples)), lengths)
    return torch.arange(len(owner)) - first[owner] + begin[owner], owner, first
