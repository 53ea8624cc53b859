"""The game of PÜNCT: exact rules for the basic and the standard game, text forms, records and pictures."""

from punct.lazy import loading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from punct import analysis, engine, env, kernel, match, picture, puzzles, records, ugi
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
    from punct.version import __version__
else:
    __getattr__, __dir__ = loading(
        __name__,
        globals(),
        {
            "analysis": "",
            "contract": "PositionLike",
            "engine": "",
            "env": "",
            "errors": (
                "IllegalMoveError InvalidMoveError InvalidPositionError InvalidRecordError PunctError WrongTypeError"
            ),
            "game": "Game",
            "geometry": "SPACES Heading Space",
            "kernel": "",
            "legal": "LegalMoves",
            "match": "",
            "move": "Move",
            "outcome": "Ending Outcome Rules",
            "picture": "",
            "piece": "Colour Kind Piece",
            "position": "Position",
            "puzzles": "",
            "reason": "Reason",
            "records": "",
            "refusal": "Refusal",
            "symmetry": "SYMMETRIES Symmetry",
            "ugi": "",
            "version": "__version__",
        },
    )


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
    "__version__",
    "analysis",
    "engine",
    "env",
    "kernel",
    "match",
    "picture",
    "puzzles",
    "records",
    "ugi",
]
