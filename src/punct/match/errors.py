"""What a match refuses, and what a player in it can do wrong."""

from __future__ import annotations

from enum import Enum

from punct.errors import PunctError


class MatchError(PunctError):
    """A match that cannot be set up or continued: players that do not start, a match file of another match."""


class Fault(Enum):
    """What loses a game without being beaten on the board."""

    CRASH = "crashed"
    TIMEOUT = "did not answer in time"
    NONSENSE = "answered with nonsense"
    ILLEGAL = "played an illegal turn"

    def __str__(self) -> str:
        return self.value


class PlayerFaultError(PunctError):
    """A player in a match broke down; ``fault`` says how, the message what was seen."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault = fault
