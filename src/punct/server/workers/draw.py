"""Drawing a position or a game, in a worker: the renderer holds its whole process for as long as a picture takes."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Final, Literal

from punct import picture
from punct.position import Position
from punct.server.workers.process import Bounds, Tell

Form = Literal["svg", "png"]
BOUNDS: Final = Bounds(seconds=30.0, memory_mb=512, gives_way=True)
"""The largest picture takes some two seconds."""
ANIMATION_BOUNDS: Final = Bounds(seconds=90.0, memory_mb=768, gives_way=True)
"""A game of fifty turns takes some five seconds, the longest animation half a minute."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A picture to draw; equal ones look the same. ``turn``, if any, is played on the position first, and shown."""

    form: Form
    position: str
    turn: str | None = None
    theme: str = "light"
    size: int = 720
    flipped: bool = False
    coordinates: bool = True
    sets: bool = False

    def run(self, tell: Tell, cancel: threading.Event) -> bytes:
        """Draw it."""
        position = Position(self.position)
        options: picture.Options = {
            "theme": self.theme,
            "size": self.size,
            "flipped": self.flipped,
            "coordinates": self.coordinates,
            "sets": self.sets,
            "last_move": None if self.turn is None else position.push(self.turn),
        }
        return picture.svg(position, **options).encode() if self.form == "svg" else picture.png(position, **options)


@dataclass(frozen=True, slots=True)
class Animate:
    """An animation to draw; equal ones look the same. It ends with the last of the turns, and begins at a ply."""

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

    def run(self, tell: Tell, cancel: threading.Event) -> bytes:
        """Draw it, frame by frame, for as long as somebody wants it."""
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
            told=lambda _: not cancel.is_set(),
        )
