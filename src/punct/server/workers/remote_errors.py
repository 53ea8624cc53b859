"""JSON for the library's errors between machines: the client gets the same error as from a local worker."""

from __future__ import annotations

from typing import Any, Final

from punct.errors import IllegalMoveError, InvalidMoveError, InvalidPositionError, PunctError
from punct.move import Move
from punct.reason import Reason
from punct.server.workers.outbound import PostError, RefusedAddressError

_CLASSES: Final[dict[str, type[PunctError]]] = {
    cls.__name__: cls for cls in (InvalidMoveError, InvalidPositionError, PostError, RefusedAddressError, PunctError)
}
"""The errors that remote jobs may raise, except for IllegalMoveError."""


def pack_error(error: PunctError) -> dict[str, Any]:
    """Return the JSON of an error."""
    if isinstance(error, IllegalMoveError):
        return {"move": str(error.move), "reason": error.reason.name, "position": error.position}
    cls = next(cls for cls in type(error).__mro__ if cls.__name__ in _CLASSES)
    return {"kind": cls.__name__, "message": str(error), "code": error.code, "token": error.token}


def unpack_error(packed: dict[str, Any]) -> PunctError:
    """Return the error of such JSON."""
    if "move" in packed:
        return IllegalMoveError(Move.parse(packed["move"]), Reason[packed["reason"]], packed["position"])
    error = _CLASSES[packed["kind"]](packed["message"])
    error.code, error.token = packed["code"], packed["token"]
    return error
