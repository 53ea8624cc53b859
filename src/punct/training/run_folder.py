"""The folder of a training run: the paths of its files, and its state, in one file that is replaced atomically.

The state holds decisions only, round by round. The progress of the current round follows from its files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO

from punct.match.statistics import Estimate, estimate
from punct.training.errors import TrainingError
from punct.training.players import LINEAR
from punct.training.samples import write_atomically
from punct.training.settings import Settings

_FORMAT: Final = 1
_FORMER_DEFAULTS: Final = {"anew": False}
"""Defaults from before these settings existed: a round that has begun continues with them."""
Pentanomial = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round."""

    number: int
    """Counted from 1."""
    end: int
    """How many games had been played when it ended, in all rounds."""
    network: str
    """The name of the new network."""
    best: str
    """The name of the best network it played."""
    is_accepted: bool
    why: str
    """The reason for the decision, in words."""
    pairs: Pentanomial
    """How often a pair scored 0, ½, 1, 1½ and 2 points for the new network against the best."""
    pool: Mapping[str, Pentanomial] = field(default_factory=dict)
    """The same against older networks, by name."""
    games: int = 0
    white: int = 0
    """Self-play games won by White."""
    drawn: int = 0
    plies: float = 0.0
    """The mean length of a game."""
    positions: int = 0
    """Samples of the fit."""
    steps: int = 0
    """Steps of the fit, in all rounds."""
    losses: Mapping[str, float] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    """How long playing, fitting and judging took, in the process that finished each."""

    @property
    def estimate(self) -> Estimate | None:
        """Elo of the new network against the best."""
        return estimate(self.pairs)


@dataclass(frozen=True, slots=True)
class State:
    """The state of a run: the settings of the current round, and the finished rounds."""

    settings: Settings
    rounds: tuple[Round, ...] = ()
    start: str = LINEAR
    """The name of the network the run started with."""

    @property
    def number(self) -> int:
        """The number of the current round."""
        return len(self.rounds) + 1

    @property
    def first(self) -> int:
        """The number of the current round's first game."""
        return self.rounds[-1].end if self.rounds else 0

    @property
    def accepted(self) -> list[Round]:
        """The rounds whose networks were accepted."""
        return [each for each in self.rounds if each.is_accepted]

    @property
    def best(self) -> str:
        """The name of the best network."""
        return self.accepted[-1].network if self.accepted else self.start

    @property
    def pool(self) -> list[str]:
        """The names of the former best networks, the latest first; the oldest are the linear weights."""
        first = [LINEAR] if self.start == LINEAR else [LINEAR, self.start]
        return [*first, *(each.network for each in self.accepted)][-2::-1]

    def number_of(self, network: str) -> int:
        """Return the round that made an accepted network; 0 for the one the run started with."""
        return next((each.number for each in self.accepted if each.network == network), 0)


class RunFolder:
    """The paths and files of a training run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.state_file = path / "state.json"
        self.samples = path / "samples"
        self.metrics = path / "metrics.jsonl"
        self.tensorboard = path / "tensorboard"

    def round(self, number: int) -> Path:
        """Return the folder of a round's checkpoint, network and matches."""
        return self.path / "rounds" / f"{number:04}"

    def network(self, number: int) -> Path:
        """Return the file of a round's network; of round 0 that of the network the run started with, if any."""
        return self.round(number) / "network.bin"

    def checkpoint(self, number: int) -> Path:
        """Return the file of a round's checkpoint."""
        return self.round(number) / "checkpoint.pt"

    def fit(self, number: int) -> Path:
        """Return the file of a fit's report: it is written last, so if it exists the others do too."""
        return self.round(number) / "fit.json"

    def match(self, number: int, other: str) -> Path:
        """Return the file of a match against another network."""
        return self.round(number) / f"match-{other}.jsonl"

    def load(self) -> State | None:
        """Read the state; None if the run has not begun. TrainingError if the folder is something else."""
        if not self.path.is_dir():
            if self.path.exists():
                raise TrainingError(f"{self.path} is not a folder")
            return None
        if not self.state_file.exists():
            if any(self.path.glob("[!.]*")):
                raise TrainingError(f"{self.path} holds something else: there is no {self.state_file.name} in it")
            return None
        data = self.read_json(self.state_file)
        form = data.get("learning")
        if form != _FORMAT:
            raise TrainingError(f"{self.state_file} is of format {form!r}; this version reads format {_FORMAT}")
        try:
            rounds = tuple(_read_round(each) for each in data["rounds"])
            settings = Settings().with_changes(_FORMER_DEFAULTS | data["settings"])
            start = data.get("start", LINEAR)  # older versions had no other
            if not isinstance(start, str):
                raise TypeError("what it began with has no name")
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise TrainingError(f"{self.state_file} is damaged: {error}") from None
        if [each.number for each in rounds] != list(range(1, len(rounds) + 1)):
            raise TrainingError(f"{self.state_file} is damaged: its rounds are not in order")
        return State(settings, rounds, start)

    def save(self, state: State) -> None:
        """Write the state."""
        data = {
            "learning": _FORMAT,
            "start": state.start,
            "settings": state.settings.as_dict(),
            "rounds": [asdict(each) for each in state.rounds],
        }
        write_json(self.state_file, data)

    def read_json(self, path: Path) -> dict[str, Any]:
        """Read a JSON object; TrainingError, which names the file, if it is not one."""
        try:
            data = json.loads(path.read_bytes())
        except OSError as error:
            raise TrainingError(f"{path} cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError):
            raise TrainingError(f"{path} is damaged: it is not JSON") from None
        if not isinstance(data, dict):
            raise TrainingError(f"{path} is damaged: it is no object of JSON")
        return data

    def lock(self) -> TextIO:
        """Lock the folder until the returned file is closed; TrainingError if another process has locked it."""
        self.path.mkdir(parents=True, exist_ok=True)
        file = (self.path / ".lock").open("w")
        try:
            import fcntl  # not on Windows, where nothing is locked
        except ImportError:
            return file
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise TrainingError(f"another process is training in {self.path}") from None
        return file


def write_json(path: Path, data: object) -> None:
    """Write a JSON file atomically."""
    write_atomically(path, (json.dumps(data, indent=1) + "\n").encode())


def _read_round(data: dict[str, Any]) -> Round:
    result = Round(
        **{
            **data,
            "pairs": _counts(data["pairs"]),
            "pool": {str(name): _counts(counts) for name, counts in data["pool"].items()},
        }
    )
    counts = (result.number, result.end, result.games, result.white, result.drawn, result.positions, result.steps)
    figures = (result.plies, *result.losses.values(), *result.seconds.values())
    if (
        not isinstance(result.is_accepted, bool)
        or not all(isinstance(count, int) and count >= 0 for count in counts)
        or not all(isinstance(figure, (int, float)) for figure in figures)
    ):
        raise ValueError("a round makes no sense")
    return result


def _counts(numbers: Any) -> Pentanomial:
    counts = tuple(int(number) for number in numbers)
    if len(counts) != 5 or min(counts) < 0:
        raise ValueError("pairs score 0, ½, 1, 1½ or 2 points")
    return counts
