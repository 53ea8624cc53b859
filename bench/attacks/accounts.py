"""Attacks on accounts: secrets guessed, owners locked out, and an old password used while it is changed."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from bench.attacks.harness import Attack, Server, run_punct
from bench.attacks.person import PASSWORD, Person, new_person

from punct.server.http.rate_limits import BAD_TOKENS, LOGIN_FROM_ADDRESS, LOGINS

NEW, STOLEN = "four red bridges", "five green bridges"
ROUNDS: Final = 8
"""Of changing a password while others use the old one."""
TOKEN: Final[dict[str, object]] = {"name": "stolen", "scopes": ["play"]}

Guess = Callable[[str, str], tuple[str, str, dict[str, object]]]
"""From a login and a password to a request that tries it."""
GUESSES: Final[tuple[Guess, ...]] = (
    lambda login, tried: ("POST", "/session", {"login": login, "password": tried}),
    lambda login, tried: ("POST", "/tokens", {**TOKEN, "password": tried}),
    lambda login, tried: ("PUT", "/account/password", {"old": tried, "new": STOLEN}),
    lambda login, tried: ("DELETE", "/me", {"password": tried}),
    lambda login, tried: ("POST", "/me/bot", {"password": tried}),
    lambda login, tried: ("POST", "/passkeys/options", {"password": tried}),
    lambda login, tried: ("DELETE", "/passkeys/nobodys", {"password": tried}),
)


def most(rate: str | None) -> int:
    """Return how often a rate lets somebody try."""
    return int(str(rate).partition("/")[0])


def password_guesses(server: Server, attack: Attack) -> None:
    """A password guessed in an open browser, by every route that asks for it alone, and by all of them in turn."""
    allowed = most(LOGIN_FROM_ADDRESS.player)
    for guesses in (*((guess,) for guess in GUESSES), GUESSES):
        eve = new_person(server)
        login = eve.sign_up()
        tried = 0
        for number, guess in zip(range(2 * allowed), itertools.cycle(guesses), strict=False):
            status, body = eve.send(*guess(login, f"guess number {number}"))
            attack.record(status, body, allowed=(401, 429))
            tried += status == 401
        if tried > allowed:
            attack.add_fault(f"{tried} passwords tried by {[guess(login, '')[1] for guess in guesses]}")
        attack.record(*eve.log_in(login), allowed=(429,))  # nor is it found out by who goes on
    attack.require(401, 429)


def secret_guesses(server: Server, attack: Attack) -> None:
    """Secrets of links, one that sets a password and one that makes an administrator, and tokens, one after another."""

    def reset(eve: Person, secret: str) -> tuple[int, bytes]:
        return eve.send("POST", "/account/reset", {"secret": secret, "password": NEW})

    def adopt(eve: Person, secret: str) -> tuple[int, bytes]:
        return eve.send("POST", "/admin/adopt", {"secret": secret})

    def use(eve: Person, secret: str) -> tuple[int, bytes]:
        return eve.send("GET", "/me", Authorization=f"Bearer punct_{secret}")

    for guess, wrong, allowed in (
        (reset, 403, most(LOGINS.address)),
        (adopt, 403, most(LOGINS.address)),
        (use, 401, most(BAD_TOKENS.address)),
    ):
        eve = new_person(server)
        eve.sign_up()
        answers = [guess(eve, f"{number:043}") for number in range(2 * allowed)]
        for response in answers:
            attack.record(*response, allowed=(wrong, 429))
        if (tried := sum(status == wrong for status, _ in answers)) > allowed:
            attack.add_fault(f"{tried} secrets tried, {allowed} allowed")
    attack.require(401, 403, 429)


def locking_out(server: Server, attack: Attack) -> None:
    """As many wrong passwords as may be tried from elsewhere, and more: the owner logs in all the same."""
    for _ in range(3):
        anna, eve = new_person(server), new_person(server)
        login = anna.sign_up()
        for number in range(most(LOGIN_FROM_ADDRESS.player) + 5):
            attack.record(*eve.log_in(login, f"guess number {number}"), allowed=(401, 429))
        phone = Person(server, anna.address)
        attack.record(*phone.log_in(login), allowed=(200,))
        attack.record(*phone.send("POST", "/tokens", {**TOKEN, "password": PASSWORD}), allowed=(201,))
    attack.require(401, 429)


def outlived_password(server: Server, attack: Attack) -> None:
    """Whoever knows a password uses it while its owner changes it, or sets it anew by a link: nothing of it stays."""
    before = 0
    for number in range(ROUNDS):
        anna, eve, thieves = new_person(server), new_person(server), [new_person(server) for _ in range(6)]
        login = anna.sign_up()
        attack.record(*eve.log_in(login), allowed=(200,))
        by_link = number % 2 == 1
        if by_link:
            wanted: dict[str, object] = {"secret": _reset_secret(server, login), "password": NEW}
            change = ("POST", "/account/reset", wanted)
            theft: tuple[str, str, dict[str, object]] = ("POST", "/tokens", {**TOKEN, "password": PASSWORD})
        else:
            change = ("PUT", "/account/password", {"old": PASSWORD, "new": NEW})
            theft = ("PUT", "/account/password", {"old": PASSWORD, "new": STOLEN})
        with ThreadPoolExecutor(len(thieves) + 2) as threads:
            early = [threads.submit(thief.log_in, login) for thief in thieves[:3]]
            changing = threads.submit(anna.send, *change)
            stealing = threads.submit(eve.send, *theft)
            late = [threads.submit(thief.log_in, login) for thief in thieves[3:]]
        logins = [done.result() for done in (*early, *late)]
        for response in logins:
            attack.record(*response, allowed=(200, 401))
        before += sum(status == 200 for status, _ in logins)
        attack.record(*changing.result(), allowed=(200,) if by_link else (200, 401))
        attack.record(*stealing.result(), allowed=(201, 401) if by_link else (200, 401))
        _see_who_is_left(attack, login, anna, eve, thieves, changing.result()[0] == 200, stealing.result())
    attack.remark = f"{before} of {ROUNDS * 6} logins were in time, and ended with the password"
    attack.require(200)


def _reset_secret(server: Server, login: str) -> str:
    printed = run_punct("admin", "reset-password", login, "--data", str(server.folder))
    assert printed.returncode == 0, printed.stderr
    return printed.stdout.split("/reset#")[1].split()[0]


def _see_who_is_left(
    attack: Attack, login: str, anna: Person, eve: Person, thieves: list[Person], changed: bool, stolen: tuple[int, Any]
) -> None:
    """See that whoever has changed the password is in, and nobody else: of two at once, one."""
    status, body = stolen
    if changed and status == 200:
        attack.add_fault("one password was changed twice")
    owner, other = (anna, eve) if changed else (eve, anna)
    if owner.me() is None:
        attack.add_fault("whoever has changed the password is not known")
    if any(person.me() is not None for person in (other, *thieves)):
        attack.add_fault("a login outlived the password")
    if status == 201:
        attack.record(*other.send("GET", "/me", Authorization=f"Bearer {json.loads(body)['secret']}"), allowed=(401,))
    attack.record(*new_person(anna.server).log_in(login), allowed=(401,))
    attack.record(*new_person(anna.server).log_in(login, NEW if changed else STOLEN), allowed=(200,))


ATTACKS: Final = [password_guesses, secret_guesses, locking_out, outlived_password]
