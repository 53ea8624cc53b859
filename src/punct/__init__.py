"""The game of PÜNCT: exact rules for the basic and the standard game, text forms, records and pictures."""

from importlib import import_module
from typing import TYPE_CHECKING

from punct.contract import PositionLike
from punct.errors import (
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidRecordError,
    PunctError,
    WrongTypeError,
)
from punct.game import Game
from punct.geometry import SPACES, Heading, Space
from punct.legal import LegalMoves
from punct.move import Move
from punct.outcome import Ending, Outcome, Rules
from punct.piece import Colour, Kind, Piece
from punct.position import Position
from punct.reason import Reason
from punct.refusal import Refusal
from punct.symmetry import SYMMETRIES, Symmetry

if TYPE_CHECKING:
    from punct import analysis, engine, kernel, match, picture, records, ugi
else:

    def __getattr__(name: str) -> object:
        """Load the other rooms when they are first asked for: who only wants the rules does not wait for them."""
        if name in ("analysis", "engine", "kernel", "match", "picture", "records", "ugi"):
            return import_module(f"punct.{name}")
        raise AttributeError(f"module 'punct' has no attribute {name!r}")


__all__ = [
    "SPACES",
    "SYMMETRIES",
    "Colour",
    "Ending",
    "Game",
    "Heading",
    "IllegalMoveError",
    "InvalidMoveError",
    "InvalidPositionError",
    "InvalidRecordError",
    "Kind",
    "LegalMoves",
    "Move",
    "Outcome",
    "Piece",
    "Position",
    "PositionLike",
    "PunctError",
    "Reason",
    "Refusal",
    "Rules",
    "Space",
    "Symmetry",
    "WrongTypeError",
    "analysis",
    "engine",
    "kernel",
    "match",
    "picture",
    "records",
    "ugi",
]
