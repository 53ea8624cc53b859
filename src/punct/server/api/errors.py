"""What the server refuses, and the one shape in which it says so."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from punct.errors import IllegalMoveError, InvalidMoveError, InvalidPositionError, InvalidRecordError, PunctError
from punct.server.api.schemas import ErrorAnswer, ErrorBody
from punct.server.opponents.refusals import BusyError, EngineFailedError
from punct.server.play.refusals import (
    BrokenGameError,
    GameOverError,
    NotPossibleError,
    NotYourTurnError,
    RefusalError,
    StoppingError,
    UnknownGameError,
    UnknownPlyError,
    WrongPlyError,
)
from punct.server.store import StoreBusyError, StoreDamagedError, StoreError
from punct.server.workers.pool import FullError, WorkError

_log = logging.getLogger(__name__)


class TooLargeError(RefusalError):
    """More than the server takes in at once."""


class ForeignOriginError(RefusalError):
    """A page of another site asks in the visitor's name."""


class WorkFailedError(RefusalError):
    """A process that was to do something for the client broke down."""


class ClientGoneError(RefusalError):
    """The client hung up before its answer was ready: nobody will read this."""

    def __init__(self) -> None:
        super().__init__("The question was withdrawn.")


_REFUSALS: Final[Mapping[type[RefusalError], tuple[int, str]]] = {
    UnknownGameError: (404, "unknown_game"),
    UnknownPlyError: (404, "unknown_ply"),
    WrongPlyError: (409, "wrong_ply"),
    NotYourTurnError: (409, "not_your_turn"),
    GameOverError: (409, "game_over"),
    NotPossibleError: (409, "not_possible"),
    TooLargeError: (413, "too_large"),
    ForeignOriginError: (403, "foreign_origin"),
    BusyError: (429, "busy"),
    EngineFailedError: (503, "engine_failed"),
    WorkFailedError: (503, "work_failed"),
    ClientGoneError: (499, "withdrawn"),
    StoppingError: (503, "stopping"),
}
"""By refusal: the status it travels with, and its code."""
_RETRY_SECONDS: Final = 5
_PUNCT_ERRORS: Final[Mapping[type[PunctError], str]] = {
    InvalidMoveError: "invalid_turn",
    InvalidPositionError: "invalid_position",
    InvalidRecordError: "invalid_record",
}
_STORE_ERRORS: Final[Mapping[type[StoreError], str]] = {
    StoreBusyError: "store_busy",
    StoreDamagedError: "store_damaged",
}
_HTTP_ERRORS: Final = {404: "not_found", 405: "method_not_allowed"}

ANSWERS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": ErrorAnswer, "description": description}
    for status, description in {
        403: "A page of another site may not change anything here",
        404: "No such thing",
        409: "Not now: another ply, another player's turn, or the game is over",
        413: "Too large",
        422: "Malformed, or against the rules",
        429: "Too many want this at once; Retry-After says when to ask again",
        503: "The engine, or another process, broke down",
    }.items()
}
"""What every route may answer besides success, for OpenAPI."""


def answer(status: int, code: str, message: str, detail: Mapping[str, object] | None = None) -> JSONResponse:
    """Return an error in its one shape."""
    body = ErrorAnswer(error=ErrorBody(code=code, message=message, detail=dict(detail) if detail else None))
    return JSONResponse(body.model_dump(mode="json"), status_code=status)


def refused(error: RefusalError) -> JSONResponse:
    """Return the answer for a refusal."""
    status, code = _REFUSALS[type(error)]
    found = answer(status, code, error.message, error.detail)
    if isinstance(error, BusyError):
        found.headers["Retry-After"] = str(_RETRY_SECONDS)
    return found


def code_of(error: RefusalError) -> str:
    """Return a refusal's code."""
    return _REFUSALS[type(error)][1]


def unexpected(error: Exception) -> JSONResponse:
    """Return the answer for a fault of ours: what exactly went wrong is for the log alone."""
    _log.error("a request broke down", exc_info=error)
    found = answer(500, "internal", "Something went wrong on the server; nothing is known to have changed.")
    # It leaves outside of everything that adds headers to answers.
    found.headers.update({"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"})
    return found


def rules_error(error: PunctError) -> ErrorBody:
    """Return what the library refuses, in the one shape."""
    if isinstance(error, IllegalMoveError):
        reason = error.reason
        detail: dict[str, object] = {"turn": str(error.move), "reason": reason.name, "section": reason.section}
        return ErrorBody(code="illegal_turn", message=_sentence(reason.sentence), detail=detail)
    return ErrorBody(code=_PUNCT_ERRORS.get(type(error), "invalid"), message=_printable(_sentence(str(error))))


def install(app: FastAPI) -> None:
    """Give the app one handler for each family of errors."""

    @app.exception_handler(RefusalError)
    async def _refused(request: Request, error: RefusalError) -> JSONResponse:
        return refused(error)

    @app.exception_handler(WorkError)
    async def _work(request: Request, error: WorkError) -> JSONResponse:
        return refused(BusyError(str(error)) if isinstance(error, FullError) else WorkFailedError(str(error)))

    @app.exception_handler(PunctError)
    async def _rules(request: Request, error: PunctError) -> JSONResponse:
        body = rules_error(error)
        return answer(422, body.code, body.message, body.detail)

    @app.exception_handler(RequestValidationError)
    async def _malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        return answer(422, "malformed", _first_fault(error.errors()), {"faults": _faults(error.errors())})

    @app.exception_handler(StoreError)
    async def _store(request: Request, error: StoreError) -> JSONResponse:
        _log.error("the store failed", exc_info=error)
        return answer(503, _STORE_ERRORS.get(type(error), "store_failed"), f"{error} Nothing has changed.")

    @app.exception_handler(BrokenGameError)
    async def _broken(request: Request, error: BrokenGameError) -> JSONResponse:
        _log.error("a stored game does not replay", exc_info=error)
        return answer(500, "broken_game", "This game is stored wrongly and cannot be shown; the server is to blame.")

    @app.exception_handler(Exception)
    async def _unexpected(request: Request, error: Exception) -> JSONResponse:
        return unexpected(error)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == 400:  # FastAPI's word for a body that is not even JSON
            return answer(422, "malformed", "The body is not JSON that could be read.")
        found = answer(error.status_code, _HTTP_ERRORS.get(error.status_code, "refused"), str(error.detail))
        found.headers.update(error.headers or {})
        return found


def _faults(errors: Sequence[Any]) -> list[dict[str, object]]:
    """Return where and why, without repeating what was sent: that may be huge or not even text."""
    return [
        {"where": [_printable(str(part))[:80] for part in error["loc"]], "message": _printable(str(error["msg"]))[:300]}
        for error in errors[:20]
    ]


def _first_fault(errors: Sequence[Any]) -> str:
    fault = _faults(errors[:1])[0]
    where = fault["where"]
    assert isinstance(where, list)
    return f"{' → '.join(where)}: {fault['message']}."


def _printable(text: str) -> str:
    """Return the text without lone surrogates, which JSON may carry but UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
