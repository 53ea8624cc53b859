"""A folder of learning: where everything lies, and what was decided, in one file that is always whole.

Only decisions are written down there, round by round. How far the round under way has come is seen from its files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO

from punct.learn.errors import LearnError
from punct.learn.players import LINEAR
from punct.learn.samples import write_whole
from punct.learn.settings import Settings
from punct.match.statistics import Estimate, estimate

_FORMAT: Final = 1
_BEFORE: Final = {"anew": False}
"""How it was before there were these settings: a round that has begun goes on as it was."""
Pentanomial = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """A round that is over."""

    number: int
    """Counted from 1."""
    end: int
    """How many games were played when it ended, in all rounds."""
    network: str
    """The name of what was fitted."""
    best: str
    """What it was measured against."""
    is_accepted: bool
    why: str
    """In words."""
    pairs: Pentanomial
    """How often a pair brought the new network 0, ½, 1, 1½ and 2 points against the best."""
    pool: Mapping[str, Pentanomial] = field(default_factory=dict)
    """The same against older ones, by name."""
    games: int = 0
    white: int = 0
    """Of its own games, those that White has won."""
    drawn: int = 0
    plies: float = 0.0
    """A game's length, on average."""
    positions: int = 0
    """Samples that were learned from."""
    steps: int = 0
    """Steps of the fit, in all rounds."""
    losses: Mapping[str, float] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    """How long playing, fitting and judging took, as far as one go did them."""

    @property
    def estimate(self) -> Estimate | None:
        """Elo of the new network against the best."""
        return estimate(self.pairs)


@dataclass(frozen=True, slots=True)
class State:
    """What a folder knows: how the round under way began, and the rounds that are over."""

    settings: Settings
    rounds: tuple[Round, ...] = ()
    start: str = LINEAR
    """The name of the first best."""

    @property
    def number(self) -> int:
        """The round under way."""
        return len(self.rounds) + 1

    @property
    def first(self) -> int:
        """The number of its first game."""
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
        """The names of what was the best before, the latest first; before what it began with, the linear weights."""
        begun = [LINEAR] if self.start == LINEAR else [LINEAR, self.start]
        return [*begun, *(each.network for each in self.accepted)][-2::-1]

    def number_of(self, network: str) -> int:
        """Return in which round an accepted network was made; 0 for the one it began with."""
        return next((each.number for each in self.accepted if each.network == network), 0)


class Folder:
    """Where learning is kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.state_file = path / "state.json"
        self.samples = path / "samples"
        self.metrics = path / "metrics.jsonl"
        self.tensorboard = path / "tensorboard"

    def round(self, number: int) -> Path:
        """Return where a round's checkpoint, network and matches lie."""
        return self.path / "rounds" / f"{number:04}"

    def network(self, number: int) -> Path:
        """Return the file of the network that a round has made; of round 0 the one it began with, if it did."""
        return self.round(number) / "network.bin"

    def checkpoint(self, number: int) -> Path:
        """Return what a fit goes on from."""
        return self.round(number) / "checkpoint.pt"

    def fit(self, number: int) -> Path:
        """Return the file that says how a fit went: written last, so where it is the others are."""
        return self.round(number) / "fit.json"

    def match(self, number: int, other: str) -> Path:
        """Return the file of a match against another network."""
        return self.round(number) / f"match-{other}.jsonl"

    def load(self) -> State | None:
        """Return what was decided so far; None if nothing has begun. LearnError if the folder is something else."""
        if not self.path.is_dir():
            if self.path.exists():
                raise LearnError(f"{self.path} is not a folder")
            return None
        if not self.state_file.exists():
            if any(self.path.glob("[!.]*")):
                raise LearnError(f"{self.path} holds something else: there is no {self.state_file.name} in it")
            return None
        data = self.read_json(self.state_file)
        form = data.get("learning")
        if form != _FORMAT:
            raise LearnError(f"{self.state_file} is of format {form!r}; this version reads format {_FORMAT}")
        try:
            rounds = tuple(_read_round(each) for each in data["rounds"])
            settings = Settings().changed(_BEFORE | data["settings"])
            start = data.get("start", LINEAR)  # there was no other once
            if not isinstance(start, str):
                raise TypeError("what it began with has no name")
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise LearnError(f"{self.state_file} is damaged: {error}") from None
        if [each.number for each in rounds] != list(range(1, len(rounds) + 1)):
            raise LearnError(f"{self.state_file} is damaged: its rounds are not in order")
        return State(settings, rounds, start)

    def save(self, state: State) -> None:
        """Write down what was decided."""
        data = {
            "learning": _FORMAT,
            "start": state.start,
            "settings": state.settings.as_dict(),
            "rounds": [asdict(each) for each in state.rounds],
        }
        write_json(self.state_file, data)

    def read_json(self, path: Path) -> dict[str, Any]:
        """Read an object of JSON; LearnError, which names the file, if there is none."""
        try:
            data = json.loads(path.read_bytes())
        except OSError as error:
            raise LearnError(f"{path} cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError):
            raise LearnError(f"{path} is damaged: it is not JSON") from None
        if not isinstance(data, dict):
            raise LearnError(f"{path} is damaged: it is no object of JSON")
        return data

    def lock(self) -> TextIO:
        """Keep others out for as long as the file returned is open; LearnError if somebody else is at work here."""
        self.path.mkdir(parents=True, exist_ok=True)
        file = (self.path / ".lock").open("w")
        try:
            import fcntl  # not on Windows, where nobody is kept out
        except ImportError:
            return file
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise LearnError(f"somebody else is learning in {self.path}") from None
        return file


def write_json(path: Path, data: object) -> None:
    """Write a file of JSON, whole or not at all."""
    write_whole(path, (json.dumps(data, indent=1) + "\n").encode())


def _read_round(data: dict[str, Any]) -> Round:
    found = Round(
        **{
            **data,
            "pairs": _counts(data["pairs"]),
            "pool": {str(name): _counts(counts) for name, counts in data["pool"].items()},
        }
    )
    counts = (found.number, found.end, found.games, found.white, found.drawn, found.positions, found.steps)
    figures = (found.plies, *found.losses.values(), *found.seconds.values())
    if (
        not isinstance(found.is_accepted, bool)
        or not all(isinstance(count, int) and count >= 0 for count in counts)
        or not all(isinstance(figure, (int, float)) for figure in figures)
    ):
        raise ValueError("a round makes no sense")
    return found


def _counts(numbers: Any) -> Pentanomial:
    counts = tuple(int(number) for number in numbers)
    if len(counts) != 5 or min(counts) < 0:
        raise ValueError("pairs bring 0, ½, 1, 1½ or 2 points")
    return counts
