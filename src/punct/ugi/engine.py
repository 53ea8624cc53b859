"""Our engine in UGI conversations: its options, its memory, and its dice."""

from __future__ import annotations

import math
import random
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from punct.engine.core import LARGEST_HASH, MOST_THREADS, Engine
from punct.engine.levels import STRONGEST
from punct.engine.limits import Limits
from punct.engine.network import Network, load_network
from punct.engine.variations import Found, Played, Variation
from punct.engine.weights import Weights, load_weights
from punct.game import Game
from punct.ugi.options import LARGEST_NUMBER, Option
from punct.ugi.serving import Writer, serve

_QUIET: Final = 0.05
"""No information is printed before a search has run so many seconds, except at its end: small searches stay terse."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What ``setoption`` can change."""

    threads: int = 1
    level: int = STRONGEST
    seed: int = 0
    """0: none was set, so every game has dice of its own."""
    hash: int = 256
    network: Network | None = None
    """None: the engine's own."""
    ponder: bool = False
    weights: Weights | None = None
    """Instead of a network."""


_DEFAULTS: Final = Settings()
_OPTIONS: Final = (
    Option("Threads", "spin", str(_DEFAULTS.threads), 1, MOST_THREADS),
    Option("Level", "spin", str(_DEFAULTS.level), 1, STRONGEST),
    Option("Seed", "spin", str(_DEFAULTS.seed), 0, LARGEST_NUMBER),
    Option("Hash", "spin", str(_DEFAULTS.hash), 1, LARGEST_HASH),
    Option("Network", "string"),
    Option("Ponder", "check", "false"),
    Option("Weights", "string"),
)


class OurEngine:
    """The engine as a conversation's thinker."""

    name: str = f"punct {version('punct')}"
    author: str = "the authors of punct"
    options: Sequence[Option] = _OPTIONS

    def __init__(self) -> None:
        """Take the default options; memory is taken when it is needed."""
        self.settings = _DEFAULTS
        self._engine: Engine | None = None
        self._made_for: tuple[Settings, int] | None = None
        self._game_number = 0
        self._has_thought = False
        self._dice = secrets.randbelow(LARGEST_NUMBER)

    @property
    def seed(self) -> int:
        """The dice of this game.

        With an option Seed the first game has just those, and the games after it others that follow from it, so that a
        series of games is the same whenever it is played again. Without one nobody knows.
        """
        base = self.settings.seed or self._dice
        if self._game_number == 0:
            return base
        return random.Random(f"{base} game {self._game_number}").randint(1, LARGEST_NUMBER)

    def set_option(self, name: str, value: str) -> None:
        """Change an option; a file is read now, whatever becomes of it later."""
        changed: dict[str, Any]
        if name == "Network":
            changed = {"network": load_network(Path(value)) if value else None}
        elif name == "Weights":
            changed = {"weights": load_weights(Path(value)) if value else None}
        elif name == "Ponder":
            changed = {"ponder": value == "true"}
        else:
            changed = {name.lower(): int(value)}
        self.settings = replace(self.settings, **changed)
        if name == "Seed":
            self._game_number, self._has_thought = 0, False

    def get_ready(self, tell: Writer) -> None:
        """Take the memory that Hash asks for, or as much of it as there is."""
        self._ready(tell)

    def new_game(self) -> None:
        """Forget what was learned, and take other dice if a game was played with these."""
        self._engine = None
        if self._has_thought:
            self._game_number += 1
            self._has_thought = False

    def think(self, game: Game, limits: Limits, tell: Writer, cancel: threading.Event) -> str:
        """Search, telling now and then what was found; without the memory for it, again with less.

        Raises MemoryError where there is none at all; what it had is then given back.
        """
        self._has_thought = True
        last_depth = 0

        def watch(found: Found) -> None:
            nonlocal last_depth
            if found.seconds >= _QUIET and found.depth > last_depth:
                last_depth = found.depth
                tell(_info(found, found.best))

        while True:
            try:
                played = self._ready(tell).play(game, limits, watch=watch, cancel=cancel)
            except MemoryError:
                had = 0 if self._engine is None else self._engine.hash_mb
                self._engine = None
                if had <= 1:
                    raise
            else:
                tell(_info(played, played))
                return str(played.move)
            self._make(had // 2, tell)  # not earlier: the error itself holds on to what the search had

    def ponder(self, game: Game, limits: Limits, cancel: threading.Event) -> None:
        """Go on while the opponent thinks, if Ponder is on; only searches by time at full strength can use it."""
        settings, engine = self.settings, self._engine
        by_time = limits.movetime is not None and limits.nodes is None and limits.depth is None
        if settings.ponder and settings.level == STRONGEST and by_time and engine is not None:
            engine.ponder(game, cancel=cancel)

    def hurry(self) -> None:
        """End the search under way without waiting for its next look around."""
        if self._engine is not None:
            self._engine.stop()

    def _ready(self, tell: Writer) -> Engine:
        if self._engine is None or self._made_for != (self.settings, self.seed):
            return self._make(self.settings.hash, tell)
        return self._engine

    def _make(self, hash_mb: int, tell: Writer) -> Engine:
        """Make an engine and take its memory, so much or what the machine has of it."""
        self._engine = None  # first give back what the old one has
        settings, seed = self.settings, self.seed
        engine = Engine(
            settings.level,
            seed=seed,
            threads=settings.threads,
            hash_mb=hash_mb,
            network=settings.network,
            weights=settings.weights,
        )
        had = engine.reserve()
        if had < settings.hash * 3 // 4:  # it was halved; a little is always missing, as it holds whole nodes
            tell(f"info string there is no memory for a Hash of {settings.hash} MB; it is {had} MB")
        self._engine, self._made_for = engine, (settings, seed)
        return engine


def main() -> None:
    """Talk UGI on standard input and output."""
    serve(OurEngine())


def _info(found: Found | Played, best: Variation | Played) -> str:
    value = (
        f"mate {best.proven}" if best.proven else f"cp {centipoints(best.score)}"
    )  # in plies, as the protocol has it
    speed = round(found.nodes / found.seconds) if found.seconds > 0 else 0
    time = round(1000 * found.seconds)
    pv = " ".join(map(str, best.pv))
    return f"info depth {found.depth} score {value} nodes {found.nodes} nps {speed} time {time} pv {pv}"


def centipoints(chance: float) -> int:
    """Return a winning chance on the scale boards expect: 0 is even, 100 is 64 %, 200 is 76 %, at most ±2000."""
    chance = min(max(chance, 1e-5), 1 - 1e-5)
    return max(-2000, min(2000, round(400 * math.log10(chance / (1 - chance)))))
