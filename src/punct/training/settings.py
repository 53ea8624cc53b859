"""Settings of training rounds, with their bounds: from a TOML file or from options."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final, get_type_hints

from punct.errors import shorten
from punct.match.errors import MatchError
from punct.match.statistics import Sprt
from punct.paths import PathLike, read_path
from punct.training.errors import TrainingError

_BOUNDS: Final[dict[str, tuple[float, float]]] = {
    "seed": (0, 2**31 - 1),
    "games": (1, 10_000_000),
    "nodes": (1, 1_000_000),
    "basic_every": (0, 1_000_000),
    "games_a_file": (1, 10_000),
    "window": (1, 100_000_000),
    "epochs": (1, 1000),
    "batch": (1, 1_000_000),
    "rate": (1e-8, 1.0),
    "match_nodes": (1, 1_000_000),
    "match_pairs": (1, 1_000_000),
    "pool": (0, 100),
    "pool_pairs": (1, 1_000_000),
    "pool_margin": (1.0, 1000.0),
}
_TYPE_NAMES: Final = {bool: "true or false", int: "a whole number", float: "a number"}
"""Types of settings, in error messages."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a round is played, fitted and judged."""

    seed: int = 0
    """Another seed gives other games and openings."""
    games: int = 1000
    """Self-play games of each round."""
    nodes: int = 200
    """Nodes for a move of self-play."""
    basic_every: int = 6
    """One game in this many is by the basic rules; 0: none."""
    games_a_file: int = 16
    """Games whose samples are stored in one file."""
    window: int = 40_000
    """Train on this many games, the latest ones."""
    anew: bool = True
    """Whether each fit starts from scratch; if not, it continues from the best network's checkpoint."""
    epochs: int = 4
    """Passes over the samples in a round."""
    batch: int = 1024
    """Samples per step."""
    rate: float = 2e-3
    """The highest learning rate."""
    match_nodes: int = 300
    """Nodes for a move in matches, for both sides."""
    match_pairs: int = 400
    """After this many pairs without a verdict the new network is not accepted."""
    elo0: float = 0.0
    elo1: float = 15.0
    alpha: float = 0.05
    """The chance to accept a network that is only ``elo0`` better."""
    beta: float = 0.05
    """The chance to reject a network that is ``elo1`` better."""
    pool: int = 3
    """How many networks accepted before the best one play the new one, and must not beat it; 0: none."""
    pool_pairs: int = 40
    """Pairs against all of them together."""
    pool_margin: float = 50.0
    """Against them the new network must not prove weaker by this much Elo."""

    def __post_init__(self) -> None:
        kinds = get_type_hints(type(self))
        for field in fields(self):
            value, kind = getattr(self, field.name), kinds[field.name]
            if not _is_of_type(kind, value):
                raise TrainingError(f"the setting {field.name} is {_TYPE_NAMES[kind]}, not {shorten(value)}")
            low, high = _BOUNDS.get(field.name, (-math.inf, math.inf))
            if not math.isfinite(value) or not low <= value <= high:
                raise TrainingError(f"the setting {field.name} is from {low:g} to {high:g}, not {value:g}")
        try:
            _ = self.sprt
        except MatchError as error:
            raise TrainingError(str(error)) from None

    @property
    def sprt(self) -> Sprt:
        """The test by which a network is accepted against the best one."""
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta)

    @property
    def pool_sprt(self) -> Sprt:
        """The test that a network must not fail against older ones."""
        return Sprt(-self.pool_margin, 0.0, self.alpha, self.beta)

    def with_changes(self, changes: Mapping[str, Any]) -> Settings:
        """Return settings with some of them changed; TrainingError for an unknown name or a value out of bounds."""
        names = [field.name for field in fields(self)]
        for name in changes:
            if name not in names:
                raise TrainingError(f"there is no setting {shorten(name)}: there are {', '.join(names)}")
        return replace(self, **changes)

    def as_dict(self) -> dict[str, int | float]:
        """Return all settings by name."""
        return asdict(self)


def _is_of_type(kind: type, value: object) -> bool:
    """Return whether a setting of this type may have this value; in Python true is a whole number too."""
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, (int, float) if kind is float else kind)


def read_settings(path: PathLike) -> dict[str, Any]:
    """Read changes of settings from a TOML file; TrainingError, which names it, if it is invalid."""
    try:
        changes = tomllib.loads(read_path(path).read_text(encoding="utf-8-sig"))  # editors write a byte order mark
        Settings().with_changes(changes)
    except OSError as error:
        raise TrainingError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TrainingError(f"{path} is not TOML: {error}") from None
    except RecursionError:
        raise TrainingError(f"{path} is not TOML: it is nested too deeply") from None
    except TrainingError as error:
        raise TrainingError(f"{path}: {error}") from None
    return changes


DEFAULTS: Final = Settings()
DEMO: Final = Settings(
    games=400,
    nodes=80,
    games_a_file=8,
    window=1600,
    epochs=2,
    batch=256,
    match_nodes=80,
    match_pairs=100,
    elo0=-20.0,
    elo1=80.0,
    alpha=0.1,
    beta=0.1,
    pool=1,
    pool_pairs=12,
    pool_margin=200.0,
)
"""A whole cycle in minutes on two cores: enough to see it work, not enough to become strong."""
