"""The opponent: an engine at eight levels, for programs that wait and for programs that do not."""

from punct.engine.asynchronous import AsyncEngine
from punct.engine.core import Engine, Watcher
from punct.engine.errors import EngineError, GameOverError
from punct.engine.levels import LEVELS, Level
from punct.engine.limits import Limits
from punct.engine.variations import Found, Played, Variation

__all__ = [
    "LEVELS",
    "AsyncEngine",
    "Engine",
    "EngineError",
    "Found",
    "GameOverError",
    "Level",
    "Limits",
    "Played",
    "Variation",
    "Watcher",
]
