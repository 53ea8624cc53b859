"""What the server refuses, and the one shape in which it says so."""

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
from punct.server.api.schemas import ErrorAnswer, ErrorBody
from punct.server.opponents.refusals import BusyError, EngineFailedError
from punct.server.people.refusals import (
    BadLinkError,
    BadPasskeyError,
    BadTokenError,
    BlockedError,
    HasAccountError,
    InvalidLoginError,
    InvalidNameError,
    LastWayInError,
    LoginTakenError,
    NoAccountError,
    NotInScopeError,
    NotOfferedError,
    PasskeyNeededError,
    PasswordsBusyError,
    StrangerError,
    TooLateError,
    UnknownPlayerError,
    UnknownPuzzleError,
    UnknownTokenError,
    WeakPasswordError,
    WrongPasswordError,
)
from punct.server.play.clock import InvalidTimeError
from punct.server.play.refusals import (
    BrokenGameError,
    ForgottenError,
    GameOverError,
    InvalidReviewError,
    NoMoreGamesError,
    NotPossibleError,
    NotYourSeatError,
    NotYourTurnError,
    StoppingError,
    TakenChallengeError,
    UnknownAnalysisError,
    UnknownChallengeError,
    UnknownGameError,
    UnknownPlyError,
    UnknownReviewError,
    WrongPlyError,
)
from punct.server.refusal import KeyReusedError, RefusalError
from punct.server.store import StoreBusyError, StoreDamagedError, StoreError, UncertainError
from punct.server.workers.pool import FullError, WorkError

_log = logging.getLogger(__name__)


class TooLargeError(RefusalError):
    """More than the server takes in at once."""


class NotHttpError(RefusalError):
    """What came over the line is no request."""

    def __init__(self, message: str = "This is not HTTP as it should be.") -> None:
        super().__init__(message)


class BadPathError(RefusalError):
    """An address that no client of ours writes, and that different readers may read differently."""

    def __init__(self) -> None:
        super().__init__("There is nothing here: the path has a control character in it, as %0A; leave it out.")


class TooSlowError(RefusalError):
    """The request does not arrive."""

    def __init__(self) -> None:
        super().__init__("The request took too long to arrive.")


class ForeignOriginError(RefusalError):
    """A page of another site asks in the visitor's name."""


class NotJsonError(RefusalError):
    """A body of another kind than JSON."""

    def __init__(self) -> None:
        super().__init__("Send JSON, and say so: Content-Type: application/json.")


class TooManyError(RefusalError):
    """Somebody asks for something too often."""

    def __init__(self, free_at: float) -> None:
        """Refuse until a time, in seconds of the epoch."""
        self.seconds = max(1, math.ceil(free_at - time.time()))
        super().__init__("That was too often in a short time; try again in a while.", seconds=self.seconds)


class ClientGoneError(RefusalError):
    """The client hung up before its answer was ready: nobody will read this."""

    def __init__(self) -> None:
        super().__init__("The question was withdrawn.")


_REFUSALS: Final[Mapping[type[RefusalError], tuple[int, str]]] = {
    UnknownGameError: (404, "unknown_game"),
    UnknownPlyError: (404, "unknown_ply"),
    WrongPlyError: (409, "wrong_ply"),
    NotYourTurnError: (409, "not_your_turn"),
    NotYourSeatError: (403, "not_your_seat"),
    ForgottenError: (401, "stranger"),
    NoMoreGamesError: (409, "no_room"),
    UnknownChallengeError: (404, "unknown_challenge"),
    TakenChallengeError: (409, "taken"),
    UnknownAnalysisError: (404, "unknown_analysis"),
    UnknownReviewError: (404, "unknown_review"),
    InvalidReviewError: (422, "invalid_review"),
    KeyReusedError: (422, "key_reused"),
    InvalidTimeError: (422, "invalid_time"),
    GameOverError: (409, "game_over"),
    NotPossibleError: (409, "not_possible"),
    NotHttpError: (400, "malformed"),
    BadPathError: (404, "not_found"),
    TooSlowError: (408, "too_slow"),
    TooLargeError: (413, "too_large"),
    ForeignOriginError: (403, "foreign_origin"),
    NotJsonError: (415, "not_json"),
    TooManyError: (429, "too_many"),
    BusyError: (429, "busy"),
    PasswordsBusyError: (503, "busy"),
    EngineFailedError: (503, "engine_failed"),
    ClientGoneError: (499, "withdrawn"),
    StoppingError: (503, "stopping"),
    InvalidNameError: (422, "invalid_name"),
    InvalidLoginError: (422, "invalid_login"),
    WeakPasswordError: (422, "weak_password"),
    LoginTakenError: (409, "login_taken"),
    WrongPasswordError: (401, "wrong_password"),
    HasAccountError: (409, "has_account"),
    NoAccountError: (403, "no_account"),
    StrangerError: (401, "stranger"),
    BlockedError: (403, "blocked"),
    BadPasskeyError: (401, "bad_passkey"),
    PasskeyNeededError: (401, "passkey_needed"),
    LastWayInError: (409, "last_way_in"),
    BadTokenError: (401, "bad_token"),
    NotInScopeError: (403, "not_in_scope"),
    UnknownPlayerError: (404, "unknown_player"),
    UnknownTokenError: (404, "unknown_token"),
    UnknownPuzzleError: (422, "unknown_puzzle"),
    TooLateError: (409, "too_late"),
    BadLinkError: (403, "bad_link"),
    NotOfferedError: (409, "not_offered"),
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
"""What every route may answer besides success, for OpenAPI."""


def told(error: Exception) -> tuple[int, ErrorBody]:
    """Return the status and the words for anything that went wrong; what strangers need not know goes to the log."""
    match error:
        case RefusalError():
            status, code = _REFUSALS[type(error)]
            return status, ErrorBody(code=code, message=error.message, detail=error.detail)
        case PunctError():
            return 422, rules_error(error)
        case FullError():
            return 429, ErrorBody(code="busy", message=str(error))
        case WorkError():
            return 503, ErrorBody(code="work_failed", message=str(error))
        case StoreError():
            _log.error("the store failed", exc_info=error)
            code = next((code for kind, code in _STORE_ERRORS.items() if isinstance(error, kind)), "store_failed")
            changed = "" if isinstance(error, UncertainError) else " Nothing has changed."
            return 503, ErrorBody(code=code, message=f"{error}{changed}")
        case BrokenGameError():
            _log.error("a stored game does not replay", exc_info=error)
            blame = "This game is stored wrongly and cannot be shown; the server is to blame."
            return 500, ErrorBody(code="broken_game", message=blame)
        case _:
            _log.error("a request broke down", exc_info=error)
            words = "Something went wrong on the server; nothing is known to have changed."
            return 500, ErrorBody(code="internal", message=words)


def refused(error: Exception) -> JSONResponse:
    """Return the answer for anything that went wrong."""
    status, body = told(error)
    found = _answer(status, body)
    if status == 429 or isinstance(error, PasswordsBusyError):
        found.headers["Retry-After"] = str(error.seconds if isinstance(error, TooManyError) else _RETRY_SECONDS)
    if isinstance(error, TooSlowError):
        found.headers["Connection"] = "close"
    return found


def rules_error(error: PunctError) -> ErrorBody:
    """Return what the library refuses, in the one shape."""
    if isinstance(error, IllegalMoveError):
        reason = error.reason
        detail: dict[str, object] = {"turn": str(error.move), "reason": reason.name, "section": reason.section}
        return ErrorBody(code="illegal_turn", message=_sentence(reason.sentence), detail=detail)
    code = _PUNCT_ERRORS.get(type(error), "invalid")
    return ErrorBody(code=code, message=_printable(_sentence(str(error))), detail=_whereabouts(error))


def _whereabouts(error: PunctError) -> dict[str, object] | None:
    """Return what is wrong with a text, and where, for clients that say it in words of their own."""
    found: dict[str, object] = {}
    if error.code is not None:
        found |= {"fault": error.code, "token": _printable(error.token or "")}
    if isinstance(error, InvalidRecordError):
        game = None if error.game_index is None else error.game_index + 1
        found |= {"line": error.line, "game": game, "reason": error.reason and error.reason.name}
    return found or None


def install(app: FastAPI) -> None:
    """Give the app one handler for each family of errors. What belongs to none is the guard's to answer."""

    async def handle(request: Request, error: Exception) -> JSONResponse:
        return refused(error)

    for family in (RefusalError, PunctError, WorkError, StoreError, BrokenGameError):
        app.add_exception_handler(family, handle)

    @app.exception_handler(RequestValidationError)
    async def _malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        faults = _faults(error.errors())
        where, message = faults[0]["where"], faults[0]["message"]
        assert isinstance(where, list)
        words = f"{' → '.join(where)}: {message}."
        return _answer(422, ErrorBody(code="malformed", message=words, detail={"faults": faults}))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == 400:  # FastAPI's word for a body that is not even JSON
            return _answer(422, ErrorBody(code="malformed", message="The body is not JSON that could be read."))
        code = _HTTP_ERRORS.get(error.status_code, "refused")
        found = _answer(error.status_code, ErrorBody(code=code, message=str(error.detail)))
        found.headers.update(error.headers or {})
        return found


def _answer(status: int, body: ErrorBody) -> JSONResponse:
    return JSONResponse(ErrorAnswer(error=body).model_dump(mode="json"), status_code=status)


def _faults(errors: Sequence[Any]) -> list[dict[str, object]]:
    """Return where and why, without repeating what was sent: that may be huge or not even text."""
    return [
        {"where": [_printable(str(part))[:80] for part in error["loc"]], "message": _printable(str(error["msg"]))[:300]}
        for error in errors[:20]
    ]


def _printable(text: str) -> str:
    """Return the text without lone surrogates, which JSON may carry but UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
