"""What a round of learning is made of: numbers with their bounds, from a file in TOML or from options."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, get_type_hints

from punct.errors import shorten
from punct.learn.errors import LearnError
from punct.match.errors import MatchError
from punct.match.statistics import Sprt

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
_KINDS: Final = {bool: "true or false", int: "a whole number", float: "a number"}
"""How what a setting may be is said."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a round is played, fitted and judged."""

    seed: int = 0
    """Other games and other openings for each."""
    games: int = 1000
    """Of its own, in each round."""
    nodes: int = 200
    """For a turn of those."""
    basic_every: int = 6
    """Of so many games one is by the basic rules; 0: none."""
    games_a_file: int = 16
    """Games whose samples are kept in one file."""
    window: int = 40_000
    """So many games, the latest ones, are learned from."""
    anew: bool = True
    """Whether each fit begins from nothing; if not, it goes on from the best network's checkpoint."""
    epochs: int = 4
    """How often each sample is shown in a round."""
    batch: int = 1024
    """Samples for a step."""
    rate: float = 2e-3
    """How far a step goes at most."""
    match_nodes: int = 300
    """For a turn in matches, for both sides."""
    match_pairs: int = 400
    """After so many pairs without a verdict the new network is not accepted."""
    elo0: float = 0.0
    elo1: float = 15.0
    alpha: float = 0.05
    """The chance to accept what is only ``elo0`` better."""
    beta: float = 0.05
    """The chance to refuse what is ``elo1`` better."""
    pool: int = 3
    """How many networks that were accepted before the best must not beat the new one; 0: that is not looked at."""
    pool_pairs: int = 40
    """Pairs against all of them together."""
    pool_margin: float = 50.0
    """Against them it must not show to be weaker by so much Elo."""

    def __post_init__(self) -> None:
        kinds = get_type_hints(type(self))
        for field in fields(self):
            value, kind = getattr(self, field.name), kinds[field.name]
            if not _is_of(kind, value):
                raise LearnError(f"the setting {field.name} is {_KINDS[kind]}, not {shorten(value)}")
            low, high = _BOUNDS.get(field.name, (-math.inf, math.inf))
            if not math.isfinite(value) or not low <= value <= high:
                raise LearnError(f"the setting {field.name} is from {low:g} to {high:g}, not {value:g}")
        try:
            _ = self.sprt
        except MatchError as error:
            raise LearnError(str(error)) from None

    @property
    def sprt(self) -> Sprt:
        """The test by which a network is accepted against the best one."""
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta)

    @property
    def pool_sprt(self) -> Sprt:
        """The test that a network must not fail against older ones."""
        return Sprt(-self.pool_margin, 0.0, self.alpha, self.beta)

    def changed(self, wanted: Mapping[str, Any]) -> Settings:
        """Return settings with some of them changed; LearnError for one that there is not, or out of bounds."""
        known = [field.name for field in fields(self)]
        for name in wanted:
            if name not in known:
                raise LearnError(f"there is no setting {shorten(name)}: there are {', '.join(known)}")
        return replace(self, **wanted)

    def as_dict(self) -> dict[str, int | float]:
        """Return all of them by name."""
        return asdict(self)


def _is_of(kind: type, value: object) -> bool:
    """Tell whether a setting of this kind may be this; Python takes true for a whole number."""
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, (int, float) if kind is float else kind)


def read_settings(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read what a file in TOML changes; LearnError, which names it, if it cannot be read or has another shape."""
    try:
        found = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))  # editors put a mark before it
        Settings().changed(found)
    except OSError as error:
        raise LearnError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LearnError(f"{path} is not TOML: {error}") from None
    except RecursionError:
        raise LearnError(f"{path} is not TOML that anybody would write: it is nested too deep") from None
    except LearnError as error:
        raise LearnError(f"{path}: {error}") from None
    return found


USUAL: Final = Settings()
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
"""The whole circle in minutes on two cores: enough to see it turn, not enough to become strong."""
