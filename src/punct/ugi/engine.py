"""The engine over UGI: its options, its memory, and its seeds."""

from __future__ import annotations

import math
import random
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any, Final

from punct.engine.core import MAX_HASH_MB, MAX_THREADS, Engine
from punct.engine.levels import STRONGEST
from punct.engine.limits import Limits
from punct.engine.network import Network, load_network
from punct.engine.variations import PlayResult, SearchResult, Variation
from punct.engine.weights import Weights, load_weights
from punct.game import Game
from punct.ugi.conversation import Writer
from punct.ugi.options import LARGEST_NUMBER, Option
from punct.ugi.serving import serve

_QUIET_SECONDS: Final = 0.05
"""A search prints no information before this time, except at its end: short searches stay terse."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of the options."""

    threads: int = 1
    level: int = STRONGEST
    seed: int = 0
    """0: not set, so every game has a random seed."""
    hash: int = 256
    network: Network | None = None
    """None: the engine's own."""
    ponder: bool = False
    weights: Weights | None = None
    """Instead of a network."""


_DEFAULTS: Final = Settings()
_OPTIONS: Final = (
    Option("Threads", "spin", str(_DEFAULTS.threads), 1, MAX_THREADS),
    Option("Level", "spin", str(_DEFAULTS.level), 1, STRONGEST),
    Option("Seed", "spin", str(_DEFAULTS.seed), 0, LARGEST_NUMBER),
    Option("Hash", "spin", str(_DEFAULTS.hash), 1, MAX_HASH_MB),
    Option("Network", "string"),
    Option("Ponder", "check", "false"),
    Option("Weights", "string"),
)


class EngineThinker:
    """The engine as a conversation's thinker."""

    name: str = f"punct {version('punct')}"
    author: str = "the authors of punct"
    options: Sequence[Option] = _OPTIONS

    def __init__(self) -> None:
        """Set the default options; memory is allocated when it is needed."""
        self.settings = _DEFAULTS
        self._engine: Engine | None = None
        self._engine_settings: tuple[Settings, int] | None = None
        self._game_number = 0
        self._has_searched = False
        self._random_seed = secrets.randbelow(LARGEST_NUMBER)

    @property
    def seed(self) -> int:
        """The seed of this game.

        If the option Seed is set it is the first game's seed, and later games' seeds are derived from it, so that a
        series of games can be repeated. Otherwise it is random.
        """
        base = self.settings.seed or self._random_seed
        if self._game_number == 0:
            return base
        return random.Random(f"{base} game {self._game_number}").randint(1, LARGEST_NUMBER)

    def set_option(self, name: str, value: str) -> None:
        """Change an option; a file is read at once."""
        changes: dict[str, Any]
        if name == "Network":
            changes = {"network": load_network(value) if value else None}
        elif name == "Weights":
            changes = {"weights": load_weights(value) if value else None}
        elif name == "Ponder":
            changes = {"ponder": value == "true"}
        else:
            changes = {name.lower(): int(value)}
        self.settings = replace(self.settings, **changes)
        if name == "Seed":
            self._game_number, self._has_searched = 0, False

    def get_ready(self, write: Writer) -> None:
        """Allocate the memory that Hash asks for, or as much as there is."""
        self._ready(write)

    def new_game(self) -> None:
        """Clear the search tree, and take another seed if this one was used."""
        self._engine = None
        if self._has_searched:
            self._game_number += 1
            self._has_searched = False

    def think(self, game: Game, limits: Limits, write: Writer, cancel: threading.Event) -> str:
        """Search, reporting progress; if memory runs out, again with less of it.

        Raises MemoryError if there is none at all, with the engine's memory freed.
        """
        self._has_searched = True
        last_depth = 0

        def watch(progress: SearchResult) -> None:
            nonlocal last_depth
            if progress.seconds >= _QUIET_SECONDS and progress.depth > last_depth:
                last_depth = progress.depth
                write(_info(progress, progress.best))

        while True:
            try:
                played = self._ready(write).play(game, limits, watch=watch, cancel=cancel)
            except MemoryError:
                hash_mb = 0 if self._engine is None else self._engine.hash_mb
                self._engine = None
                if hash_mb <= 1:
                    raise
            else:
                write(_info(played, played))
                return str(played.move)
            self._make(hash_mb // 2, write)  # not earlier: the error's traceback holds the old memory

    def ponder(self, game: Game, limits: Limits, cancel: threading.Event) -> None:
        """Search on the opponent's time, if Ponder is on; only searches by time at full strength can use it."""
        settings, engine = self.settings, self._engine
        by_time = limits.movetime is not None and limits.nodes is None and limits.depth is None
        if settings.ponder and settings.level == STRONGEST and by_time and engine is not None:
            engine.ponder(game, cancel=cancel)

    def hurry(self) -> None:
        """Stop the current search at once."""
        if self._engine is not None:
            self._engine.stop()

    def _ready(self, write: Writer) -> Engine:
        if self._engine is None or self._engine_settings != (self.settings, self.seed):
            return self._make(self.settings.hash, write)
        return self._engine

    def _make(self, hash_mb: int, write: Writer) -> Engine:
        """Make an engine and allocate its memory, or as much as the machine has."""
        self._engine = None  # first free the old one's memory
        settings, seed = self.settings, self.seed
        engine = Engine(
            settings.level,
            seed=seed,
            threads=settings.threads,
            hash_mb=hash_mb,
            network=settings.network,
            weights=settings.weights,
        )
        reserved = engine.reserve()
        if reserved < settings.hash * 3 // 4:  # it was halved; a little is always missing, as it holds whole nodes
            write(f"info string there is no memory for a Hash of {settings.hash} MB; it is {reserved} MB")
        self._engine, self._engine_settings = engine, (settings, seed)
        return engine


def main() -> None:
    """Speak UGI on standard input and output."""
    serve(EngineThinker())


def _info(result: SearchResult | PlayResult, best: Variation | PlayResult) -> str:
    value = (
        f"mate {best.proven}" if best.proven else f"cp {centipoints(best.score)}"
    )  # in plies, as the protocol has it
    speed = round(result.nodes / result.seconds) if result.seconds > 0 else 0
    time = round(1000 * result.seconds)
    pv = " ".join(map(str, best.pv))
    return f"info depth {result.depth} score {value} nodes {result.nodes} nps {speed} time {time} pv {pv}"


def centipoints(chance: float) -> int:
    """Return a winning chance on the scale that boards expect: 0 is even, 100 is 64 %, 200 is 76 %, at most ±2000."""
    chance = min(max(chance, 1e-5), 1 - 1e-5)
    return max(-2000, min(2000, round(400 * math.log10(chance / (1 - chance)))))
