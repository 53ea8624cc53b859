"""The game of PÜNCT: exact rules for the basic and the standard game, text forms, records and pictures."""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from punct import analysis, engine, kernel, match, picture, records, ugi
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
else:
    _ROOMS = ("analysis", "engine", "kernel", "match", "picture", "records", "ugi")
    _NAMES = {
        "contract": "PositionLike",
        "errors": "IllegalMoveError InvalidMoveError InvalidPositionError InvalidRecordError PunctError WrongTypeError",
        "game": "Game",
        "geometry": "SPACES Heading Space",
        "legal": "LegalMoves",
        "move": "Move",
        "outcome": "Ending Outcome Rules",
        "piece": "Colour Kind Piece",
        "position": "Position",
        "reason": "Reason",
        "refusal": "Refusal",
        "symmetry": "SYMMETRIES Symmetry",
    }
    _HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}

    def __getattr__(name: str) -> object:
        """Load what is first asked for: a command that only prints a version does not wait for the rules."""
        if name in _HOMES:
            found = globals()[name] = getattr(import_module(f"punct.{_HOMES[name]}"), name)
            return found
        if name in _ROOMS:
            return import_module(f"punct.{name}")
        raise AttributeError(f"module 'punct' has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


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
