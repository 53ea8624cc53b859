"""The engine: a computer opponent at eight levels, for synchronous and asyncio programs."""

from punct.engine.asynchronous import AsyncEngine
from punct.engine.core import Engine, ProgressCallback
from punct.engine.errors import EngineError, GameOverError
from punct.engine.levels import LEVELS, Level
from punct.engine.limits import Limits
from punct.engine.variations import PlayResult, SearchResult, Variation

__all__ = [
    "LEVELS",
    "AsyncEngine",
    "Engine",
    "EngineError",
    "GameOverError",
    "Level",
    "Limits",
    "PlayResult",
    "ProgressCallback",
    "SearchResult",
    "Variation",
]
