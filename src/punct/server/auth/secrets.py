"""Secrets: random, and stored as hashes only."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

_SECRET_BYTES: Final = 32


def new_secret() -> str:
    """Return a new secret."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def hash_secret(secret: str) -> str:
    """Return the hash by which the store knows a secret. Secrets are long and random: nothing slower is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()
