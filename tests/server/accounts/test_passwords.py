"""Passwords at the cost at which real servers hash them; other tests hash at the least cost there is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from punct.server.accounts import passwords
from punct.server.accounts.passwords import MEMORY_KIB, ROUNDS, Passwords  # as they are before tests change them

PASSWORD = "three blue bridges"
COST = "$argon2id$v=19$m=32768,t=3,p=1$"


@pytest.fixture
def real() -> Iterator[Passwords]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(passwords, "ROUNDS", ROUNDS)
        patched.setattr(passwords, "MEMORY_KIB", MEMORY_KIB)
        hashing = Passwords()
    yield hashing
    hashing.close()


def test_a_hash_costs_32_mb_and_three_rounds_and_says_so(real: Passwords) -> None:
    stored = asyncio.run(real.hash(PASSWORD))
    assert stored.startswith(COST) and PASSWORD not in stored
    assert asyncio.run(real.verify(PASSWORD, stored)) == (True, None)
    assert asyncio.run(real.verify("three blue bridge", stored)) == (False, None)
    assert stored != asyncio.run(real.hash(PASSWORD))  # salted


def test_a_hash_of_another_cost_is_renewed_by_the_right_password_alone(real: Passwords) -> None:
    cheap = Passwords()
    try:
        stored = asyncio.run(cheap.hash(PASSWORD))
    finally:
        cheap.close()
    assert not stored.startswith(COST)
    assert asyncio.run(real.verify("three red bridges", stored)) == (False, None)
    is_right, renewed = asyncio.run(real.verify(PASSWORD, stored))
    assert is_right and renewed is not None and renewed.startswith(COST)
    assert asyncio.run(real.verify(PASSWORD, renewed)) == (True, None)


def test_whoever_has_no_password_is_refused(real: Passwords) -> None:
    assert asyncio.run(real.verify(PASSWORD, None)) == (False, None)
    assert asyncio.run(real.verify(PASSWORD, "no hash")) == (False, None)
