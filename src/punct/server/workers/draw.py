"""Jobs that draw a position or animate a game: the renderer blocks its process until the picture is done."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Final, Literal

from punct import picture
from punct.position import Position
from punct.server.workers.process import ReportProgress, WorkerLimits

Form = Literal["svg", "png"]
LIMITS: Final = WorkerLimits(seconds=30.0, memory_mb=512, is_low_priority=True)
"""The largest picture takes about two seconds."""
ANIMATION_LIMITS: Final = WorkerLimits(seconds=90.0, memory_mb=768, is_low_priority=True)
"""A game of fifty moves takes about five seconds, the longest animation half a minute."""


@dataclass(frozen=True, slots=True)
class DrawJob:
    """Draws a position; equal jobs give equal pictures. ``turn``, if any, is a move to play first, and to show."""

    form: Form
    position: str
    turn: str | None = None
    theme: str = "light"
    size: int = 720
    flipped: bool = False
    coordinates: bool = True
    sets: bool = False
    ratio: float | None = None

    def run(self, report: ReportProgress, cancel: threading.Event) -> bytes:
        """Return the picture."""
        position = Position(self.position)
        options: picture.Options = {
            "theme": self.theme,
            "size": self.size,
            "flipped": self.flipped,
            "coordinates": self.coordinates,
            "sets": self.sets,
            "ratio": self.ratio,
            "last_move": None if self.turn is None else position.push(self.turn),
        }
        return picture.svg(position, **options).encode() if self.form == "svg" else picture.png(position, **options)


@dataclass(frozen=True, slots=True)
class AnimateJob:
    """Draws an animation; equal jobs give equal ones. It begins at the ply ``first`` and ends with the last move."""

    form: picture.AnimationFormat
    position: str
    turns: tuple[str, ...]
    first: int = 0
    delay: float = 1.0
    theme: str = "light"
    size: int = 360
    flipped: bool = False
    coordinates: bool = True
    sets: bool = False

    def run(self, report: ReportProgress, cancel: threading.Event) -> bytes:
        """Return the animation, drawn frame by frame until cancelled."""
        return picture.animate(
            self.position,
            self.turns,
            self.form,
            first=self.first,
            delay=self.delay,
            end_delay=max(self.delay, 3.0),
            theme=self.theme,
            size=self.size,
            flipped=self.flipped,
            coordinates=self.coordinates,
            sets=self.sets,
            on_progress=lambda _: not cancel.is_set(),
        )
