"""What the server refuses, and the one shape in which it says so."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from punct.errors import IllegalMoveError, InvalidMoveError, InvalidPositionError, InvalidRecordError, PunctError
from punct.server.api.schemas import ErrorAnswer, ErrorBody
from punct.server.workers.pool import FullError, WorkError

_log = logging.getLogger(__name__)


class RefusalError(Exception):
    """A request that cannot be granted; nothing has changed."""

    status: ClassVar[int]
    code: ClassVar[str]
    headers: ClassVar[Mapping[str, str]] = {}

    def __init__(self, message: str, **detail: object) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail or None


class UnknownGameError(RefusalError):
    """No game has this id."""

    status, code = 404, "unknown_game"

    def __init__(self) -> None:
        super().__init__("There is no such game; perhaps it was deleted.")


class UnknownPlyError(RefusalError):
    """The game has not come so far."""

    status, code = 404, "unknown_ply"


class WrongPlyError(RefusalError):
    """The client speaks of another position than the one on the board."""

    status, code = 409, "wrong_ply"


class NotYourTurnError(RefusalError):
    """An engine is to move."""

    status, code = 409, "not_your_turn"


class GameOverError(RefusalError):
    """The game has ended."""

    status, code = 409, "game_over"


class NotPossibleError(RefusalError):
    """Something this game does not offer now."""

    status, code = 409, "not_possible"


class TooLargeError(RefusalError):
    """More than the server takes in at once."""

    status, code = 413, "too_large"


class ForeignOriginError(RefusalError):
    """A page of another site asks in the visitor's name."""

    status, code = 403, "foreign_origin"


class BusyError(RefusalError):
    """Too many want the same at once."""

    status, code = 429, "busy"
    headers: ClassVar[Mapping[str, str]] = {"Retry-After": "5"}


class EngineFailedError(RefusalError):
    """The engine broke down."""

    status, code = 503, "engine_failed"


class WorkFailedError(RefusalError):
    """A process that was to do something for the client broke down."""

    status, code = 503, "work_failed"


class ClientGoneError(RefusalError):
    """The client hung up before its answer was ready: nobody will read this."""

    status, code = 499, "withdrawn"

    def __init__(self) -> None:
        super().__init__("The question was withdrawn.")


_PUNCT_ERRORS: Final[Mapping[type[PunctError], str]] = {
    InvalidMoveError: "invalid_turn",
    InvalidPositionError: "invalid_position",
    InvalidRecordError: "invalid_record",
}
_STORE_FAILED: Final = "the store failed; the server's log says more"
_STORE_FAILURES: Final[Mapping[str, str]] = {
    "SQLITE_BUSY": "another program holds the store; try again in a while",
    "SQLITE_LOCKED": "another program holds the store; try again in a while",
    "SQLITE_FULL": "the disk is full",
    "SQLITE_IOERR": "the disk does not answer as it should",
    "SQLITE_READONLY": "the store may not be written to",
    "SQLITE_CANTOPEN": "the store's file cannot be opened",
    "SQLITE_CORRUPT": "the store's file is damaged; whoever runs this server must put a copy in its place",
    "SQLITE_NOTADB": "the store's file is damaged; whoever runs this server must put a copy in its place",
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
    found = answer(error.status, error.code, error.message, error.detail)
    found.headers.update(error.headers)
    return found


def rules_error(error: PunctError) -> ErrorBody:
    """Return what the library refuses, in the one shape."""
    if isinstance(error, IllegalMoveError):
        reason = error.reason
        detail: dict[str, object] = {"turn": str(error.move), "reason": reason.name, "section": reason.section}
        return ErrorBody(code="illegal_turn", message=_sentence(reason.sentence), detail=detail)
    return ErrorBody(code=_PUNCT_ERRORS.get(type(error), "invalid"), message=_printable(_sentence(str(error))))


def store_failure(error: SQLAlchemyError) -> str:
    """Say in plain words, without the store's own, what hinders it; those go to the log."""
    _log.error("the store failed", exc_info=error)
    found = getattr(error, "orig", None)
    name = str(getattr(found, "sqlite_errorname", ""))
    return next((words for prefix, words in _STORE_FAILURES.items() if name.startswith(prefix)), _STORE_FAILED)


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

    @app.exception_handler(SQLAlchemyError)
    async def _store(request: Request, error: SQLAlchemyError) -> JSONResponse:
        return answer(503, "store_failed", f"{_sentence(store_failure(error))} Nothing has changed.")

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
