"""Errors of HTTP, and the one JSON shape of all error responses."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from punct.errors import IllegalMoveError, InvalidMoveError, InvalidPositionError, InvalidRecordError, PunctError
from punct.server.db.errors import StoreBusyError, StoreDamagedError, StoreError
from punct.server.errors import RETRY_SECONDS, BrokenGameError, RequestError
from punct.server.http.schemas import ErrorAnswer, ErrorBody
from punct.server.workers.pool import JobError, QueueFullError

_log = logging.getLogger(__name__)


class TooLargeError(RequestError, status=413, code="too_large"):
    """The body is larger than the route accepts."""


class NotHttpError(RequestError, status=400, code="malformed"):
    """The bytes received are no valid HTTP request."""

    def __init__(self, message: str = "This is not HTTP as it should be.") -> None:
        super().__init__(message)


class BadPathError(RequestError, status=404, code="not_found"):
    """The path has a control character in it, which different parsers may read differently."""

    def __init__(self) -> None:
        super().__init__("There is nothing here: the path has a control character in it, as %0A; leave it out.")


class TooSlowError(RequestError, status=408, code="too_slow"):
    """The request has not arrived in time."""

    def __init__(self) -> None:
        super().__init__("The request took too long to arrive.")


class ForeignOriginError(RequestError, status=403, code="foreign_origin"):
    """A page of another site makes the request in the user's name."""


class NotJsonError(RequestError, status=415, code="not_json"):
    """The body is not declared as JSON."""

    def __init__(self) -> None:
        super().__init__("Send JSON, and say so: Content-Type: application/json.")


class TooManyError(RequestError, status=429, code="too_many"):
    """The request exceeds a rate limit."""

    def __init__(self, free_at: float) -> None:
        """Refuse until a time, in seconds of the epoch."""
        self.retry_after = max(1, math.ceil(free_at - time.time()))
        super().__init__("That was too often in a short time; try again in a while.", seconds=self.retry_after)


class ClientGoneError(RequestError, status=499, code="withdrawn"):
    """The client has disconnected before its response was ready, and will not read this one either."""

    def __init__(self) -> None:
        super().__init__("The question was withdrawn.")


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


ERROR_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": ErrorAnswer, "description": description}
    for status, description in {
        401: "Nobody known: no session, a wrong password, a token that is not valid",
        403: "Not yours to do; or a page of another site, which may not change anything here",
        404: "No such thing",
        409: "Not now: another ply, another player's turn, or the game is over",
        413: "Too large",
        415: "Not JSON, or not said to be",
        422: "Malformed, or against the rules",
        429: "Too many want this at once; Retry-After says when to ask again",
        503: "The engine, or another process, broke down",
    }.items()
}
"""The error responses that routes may send, for OpenAPI."""


def describe_error(error: Exception) -> tuple[int, ErrorBody]:
    """Return the status and the body for any error; details that clients need not know are logged."""
    match error:
        case RequestError():
            return error.status, ErrorBody(code=error.code, message=error.message, detail=error.detail)
        case PunctError():
            return 422, rules_error(error)
        case QueueFullError():
            return 429, ErrorBody(code="busy", message=str(error))
        case JobError():
            return 503, ErrorBody(code="work_failed", message=str(error))
        case StoreError():
            _log.error("the store failed", exc_info=error)
            code = next((code for kind, code in _STORE_ERRORS.items() if isinstance(error, kind)), "store_failed")
            consequence = " Nothing has changed." if error.is_rolled_back else ""
            return 503, ErrorBody(code=code, message=f"{error}{consequence}")
        case BrokenGameError():
            _log.error("a stored game does not replay", exc_info=error)
            message = "This game is stored wrongly and cannot be shown; the server is to blame."
            return 500, ErrorBody(code="broken_game", message=message)
        case _:
            _log.error("a request failed", exc_info=error)
            message = "Something went wrong on the server; nothing is known to have changed."
            return 500, ErrorBody(code="internal", message=message)


def error_response(error: Exception) -> JSONResponse:
    """Return the response for any error."""
    status, body = describe_error(error)
    response = _response(status, body)
    retry_after = error.retry_after if isinstance(error, RequestError) else RETRY_SECONDS if status == 429 else None
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    if isinstance(error, TooSlowError):
        response.headers["Connection"] = "close"
    return response


def rules_error(error: PunctError) -> ErrorBody:
    """Return the body for an error of the rules library."""
    if isinstance(error, IllegalMoveError):
        reason = error.reason
        detail: dict[str, object] = {"turn": str(error.move), "reason": reason.name, "section": reason.section}
        return ErrorBody(code="illegal_turn", message=_sentence(reason.sentence), detail=detail)
    code = _PUNCT_ERRORS.get(type(error), "invalid")
    return ErrorBody(code=code, message=_printable(_sentence(str(error))), detail=_fault_detail(error))


def _fault_detail(error: PunctError) -> dict[str, object] | None:
    """Return what is wrong with a text, and where, for clients that show messages of their own."""
    detail: dict[str, object] = {}
    if error.code is not None:
        detail |= {"fault": error.code, "token": _printable(error.token or "")}
    if isinstance(error, InvalidRecordError):
        game = None if error.game_index is None else error.game_index + 1
        detail |= {"line": error.line, "game": game, "reason": error.reason and error.reason.name}
    return detail or None


def install(app: FastAPI) -> None:
    """Give the app a handler for each family of errors. SecurityMiddleware responds to all others."""

    async def handle(request: Request, error: Exception) -> JSONResponse:
        return error_response(error)

    for family in (RequestError, PunctError, JobError, StoreError, BrokenGameError):
        app.add_exception_handler(family, handle)

    @app.exception_handler(RequestValidationError)
    async def _malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        faults = _faults(error.errors())
        where, message = faults[0]["where"], faults[0]["message"]
        assert isinstance(where, list)
        text = f"{' → '.join(where)}: {message}."
        return _response(422, ErrorBody(code="malformed", message=text, detail={"faults": faults}))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == 400:  # what FastAPI raises for a body that is not even JSON
            return _response(422, ErrorBody(code="malformed", message="The body is not JSON that could be read."))
        code = _HTTP_ERRORS.get(error.status_code, "refused")
        response = _response(error.status_code, ErrorBody(code=code, message=str(error.detail)))
        response.headers.update(error.headers or {})
        return response


def _response(status: int, body: ErrorBody) -> JSONResponse:
    return JSONResponse(ErrorAnswer(error=body).model_dump(mode="json"), status_code=status)


def _faults(errors: Sequence[Any]) -> list[dict[str, object]]:
    """Return the place and message of each fault, without the value that was sent: that may be huge, or not text."""
    return [
        {"where": [_printable(str(part))[:80] for part in error["loc"]], "message": _printable(str(error["msg"]))[:300]}
        for error in errors[:20]
    ]


def _printable(text: str) -> str:
    """Return the text without lone surrogates, which JSON may carry but UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the error responses that a route may send, for OpenAPI."""
    return {status: ERROR_RESPONSES[status] for status in statuses}
