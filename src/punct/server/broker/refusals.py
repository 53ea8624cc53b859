"""What the library refuses, as it travels between machines in plain JSON: whoever asked is told the same as at home."""

from __future__ import annotations

from typing import Any, Final

from punct.errors import IllegalMoveError, InvalidMoveError, InvalidPositionError, PunctError
from punct.move import Move
from punct.reason import Reason

_KINDS: Final[dict[str, type[PunctError]]] = {
    kind.__name__: kind for kind in (InvalidMoveError, InvalidPositionError, PunctError)
}
"""Those that the work may meet which travels, but for turns that are not legal."""


def packed(error: PunctError) -> dict[str, Any]:
    """Return a refusal as it travels."""
    if isinstance(error, IllegalMoveError):
        return {"move": str(error.move), "reason": error.reason.name, "position": error.position}
    kind = next(kind for kind in type(error).__mro__ if kind.__name__ in _KINDS)
    return {"kind": kind.__name__, "message": str(error), "code": error.code, "token": error.token}


def unpacked(told: dict[str, Any]) -> PunctError:
    """Return a refusal that has come from another machine."""
    if "move" in told:
        return IllegalMoveError(Move.parse(told["move"]), Reason[told["reason"]], told["position"])
    error = _KINDS[told["kind"]](told["message"])
    error.code, error.token = told["code"], told["token"]
    return error
