"""Events of challenges."""

from __future__ import annotations

from dataclasses import dataclass

from punct.server.challenges.model import StoredChallenge


@dataclass(frozen=True, slots=True)
class ChallengeChanged:
    """A challenge was created, withdrawn or accepted."""

    challenge: StoredChallenge
