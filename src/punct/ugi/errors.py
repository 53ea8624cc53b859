"""Faults of programs that speak UGI."""

from __future__ import annotations

from enum import Enum

from punct.errors import PunctError


class Fault(Enum):
    """How a program failed."""

    CRASH = "crashed"
    TIMEOUT = "did not answer in time"
    NONSENSE = "answered with nonsense"
    ILLEGAL = "played an illegal move"

    def __str__(self) -> str:
        return self.value


class ProgramFaultError(PunctError):
    """A program failed; ``fault`` says how, the message gives details."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault = fault


class OptionError(PunctError):
    """An option that a program does not have, or a value it does not take."""
