"""What can go wrong, as one small family of exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self, TypeVar

if TYPE_CHECKING:
    from punct.move import Move
    from punct.reason import Reason

T = TypeVar("T")
_MAX_TOKEN_LENGTH: Final = 40
"""Characters of the input that errors repeat."""


class PunctError(ValueError):
    """Anything this library refuses. Its message is written for the person who gave the input.

    Programs that say it in words of their own find in ``code`` what is wrong with a text, such as ``space``, and in
    ``token`` the word it is wrong with; both are None where the message is all there is to tell.
    """

    code: str | None = None
    token: str | None = None

    def about(self, code: str, token: object) -> Self:
        """Note what is wrong, and with which word; return the error itself."""
        self.code, self.token = code, str(token)[:_MAX_TOKEN_LENGTH]
        return self


class WrongTypeError(PunctError, TypeError):
    """Something of a kind that makes no sense here, such as a number for a position; the message says what to give."""


class InvalidMoveError(PunctError):
    """A text that is not a move in any position, such as ``Zd5ne`` or ``d5-z9``."""


class InvalidPositionError(PunctError):
    """A text that could not be a position."""


class InvalidRecordError(PunctError):
    """A game record that cannot be read or does not replay legally.

    ``line`` is where in the record, counted from 1, and ``game_index`` in which of its games, counted from 0; None
    where that cannot be said.
    """

    def __init__(self, message: str, *, line: int | None = None, game_index: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.game_index = game_index

        self.reason: Reason | None = None
        """The rule a move of the record breaks, if that is what is wrong."""

    def because(self, problem: object, token: object) -> InvalidRecordError:
        """Note what is wrong with a word, as far as the reason tells; return the error itself."""
        cause = problem if isinstance(problem, PunctError) else None
        if isinstance(cause, IllegalMoveError):
            self.reason = cause.reason
        self.about((cause and cause.code) or "word", (cause and cause.token) or token)
        return self

    def in_game(self, index: int) -> InvalidRecordError:
        """Return the error as one of this game; from the second on, the message says which (counted from 1)."""
        message = f"game {index + 1}, {self}" if index else str(self)
        error = InvalidRecordError(message, line=self.line, game_index=index)
        error.code, error.token, error.reason = self.code, self.token, self.reason
        return error


class IllegalMoveError(PunctError):
    """A sensible move that the rules do not allow here. ``reason`` names the rule broken."""

    def __init__(self, move: Move, reason: Reason, position: str) -> None:
        super().__init__(f"{move}: {reason.sentence} (rule {reason.section}; position: {position})")
        self.move = move
        self.reason = reason
        self.position = position

    def __reduce__(self) -> tuple[type[IllegalMoveError], tuple[Move, Reason, str]]:
        return type(self), (self.move, self.reason, self.position)


def expect(value: object, kind: type[T], what: str) -> T:
    """Return a value of this type; raises WrongTypeError for any other. ``what`` says what to give instead.

    >>> expect("d5", str, "a space is a text")
    'd5'
    >>> expect(5, str, "a space is a text")
    Traceback (most recent call last):
    punct.errors.WrongTypeError: a space is a text, not int
    """
    if not isinstance(value, kind):
        raise WrongTypeError(f"{what}, not {type(value).__name__}")
    return value


def expect_integer(value: object, what: str) -> int:
    """Return an integer; raises WrongTypeError for anything else, truth values included."""
    if isinstance(value, bool):
        raise WrongTypeError(f"{what}, not bool")
    return expect(value, int, what)


def expect_callable(value: object, what: str) -> None:
    """Raise WrongTypeError if a value can neither be called nor is None."""
    if value is not None and not callable(value):
        raise WrongTypeError(f"{what}, or None, not {type(value).__name__}")


def shorten(token: object, limit: int = 40) -> str:
    """Quote a token for an error message, cutting hostile sizes."""
    text = str(token)
    return repr(text) if len(text) <= limit else f"{text[:limit]!r}… ({len(text)} characters)"
