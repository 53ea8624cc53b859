"""Theft: whatever strangers, other players and holders of expired or forged credentials try, nothing changes.

Anna plays Ben. Thousands of attempts are generated, always the same ones: every one must be refused, and afterwards the
game, Anna's account, her other games and all that is hers alone are exactly as they were. All of them are tried on one
process with its own file, and a part of them on two that share PostgreSQL and Redis, sometimes asking the one,
sometimes the other.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Iterator
from itertools import islice

import pytest
from itsdangerous import Signer
from starlette.websockets import WebSocketDisconnect
from tests.server.online_client import API, COOKIE, ORIGIN, PASSWORD, Browser
from tests.server.system.house import House, check_is_unauthenticated, refused, with_cookie

LETTERS = string.ascii_letters + string.digits + "-_."
pytestmark = pytest.mark.usefixtures("nothing_is_stolen")


def forged(house: House) -> Iterator[str]:
    """Make up cookies without end: from nothing, from true ones, and signed with keys that are not the server's."""
    chance = random.Random(11)
    assert house.anna.cookie is not None and house.ben.cookie is not None
    true = [house.anna.cookie, house.ben.cookie]
    for cookie in true:
        secret, _, signature = cookie.rpartition(".")
        yield from (cookie[:length] for length in range(len(cookie)))
        yield from (cookie[start:] for start in range(1, len(cookie)))
        yield from (secret, f"{secret}.", f".{signature}", f"{signature}.{secret}", cookie.swapcase(), cookie + cookie)
        yield from (cookie + extra for extra in ("=", ".", "A", "%00", ".a", " x"))
        yield f"{secret}.{true[cookie == true[0]].rpartition('.')[2]}"  # somebody else's signature
        yield from (cookie[:-1] + last for last in LETTERS if last != cookie[-1])  # two of its bits mean nothing
        for key in ("", "secret", "punct", "punct.session", secret, signature):
            for salt in ("punct.session", "", "itsdangerous.Signer"):
                yield Signer(key or "key", salt=salt).sign(secret).decode()
    while True:
        cookie = chance.choice(true)
        kind = chance.randrange(4)
        if kind == 0:  # a few letters changed
            letters = list(cookie)
            for _ in range(chance.randint(1, 4)):
                at = chance.randrange(len(letters))
                letters[at] = chance.choice([letter for letter in LETTERS if letter != letters[at]])
            if (changed := "".join(letters)) not in true:  # changed, and changed back
                yield changed
        elif kind == 1:  # shuffled
            yield "".join(chance.sample(cookie, len(cookie)))
        elif kind == 2:  # out of nothing
            yield "".join(chance.choices(LETTERS, k=chance.randint(1, 150)))
        else:  # another secret, with some signature
            secret = base64.urlsafe_b64encode(chance.randbytes(32)).decode().rstrip("=")
            yield f"{secret}.{cookie.rpartition('.')[2]}"


def test_forged_and_truncated_cookies_are_refused(house: House) -> None:
    attempts = [*house.attempts(), *house.personal()[2:4]]
    for number, cookie in enumerate(islice(forged(house), 0, 1400, house.share)):
        if any(letter in cookie for letter in ";, ") or not cookie.isascii():
            continue
        check_is_unauthenticated(house, with_cookie(cookie))
        if number % 3 == 0:
            answer = house.request(*attempts[number // 3 % len(attempts)], with_cookie(cookie))
            assert refused(answer), (cookie, answer.text)
    assert house.tried > 2800 / house.share - 10


def test_spectators_and_other_players_cannot_play(house: House) -> None:
    stranger, eve = Browser(house.client), Browser(house.client)
    eve.post("/me", {"name": "Anna"})  # a name proves nothing
    for thief in (house.carl, eve):
        for method, path, body in house.attempts():
            assert refused(thief.send(method, path, body)), path
    for method, path, body in house.attempts():
        assert refused(house.request(method, path, body, {})), path  # as a program without any proof
        assert refused(stranger.send(method, path, body)), path
        stranger.cookie = None
    for method, path, body in house.personal():
        if path != "/me" or method != "DELETE":
            assert refused(house.request(method, path, body, {"origin": ORIGIN})), path


def test_a_player_cannot_play_for_the_opponent(house: House) -> None:
    """Anna is at the board and it is Ben's turn: nothing that she is in the game lets her move for him."""
    game = f"/games/{house.game['id']}"
    assert refused(house.anna.post(f"{game}/turns", {"text": "Tl10n", "ply": house.game["ply"]}))
    assert refused(house.anna.post(f"{game}/resign", {"colour": "b"}))
    assert refused(house.ben.post(f"{game}/resign", {"colour": "w"}))
    assert refused(house.anna.post(f"{game}/undo"))
    assert refused(house.anna.delete(game)) and refused(house.ben.delete(game))
    assert refused(house.anna.post(f"{game}/draw"))
    assert refused(house.anna.post(f"{game}/offers/accept", {"kind": "draw"}))
    assert refused(house.anna.post(f"/challenges/{house.challenge}/accept"))


def test_cookies_of_ended_sessions_are_refused(house: House) -> None:
    """Copies of cookies that were true: after a log-out, a new password, an account made, an account deleted."""
    stale: list[str] = []

    def keep(browser: Browser) -> None:
        assert browser.cookie is not None
        stale.append(browser.cookie)

    phone = Browser(house.client)
    for _ in range(3):
        phone.post("/session", {"login": "anna", "password": PASSWORD})
        keep(phone)
        phone.delete("/session")
    eve = Browser(house.client)
    eve.post("/me")
    keep(eve)
    eve.post("/account", {"login": "eve-of-thieves", "password": PASSWORD})
    keep(eve)
    eve.send("PUT", "/account/password", {"old": PASSWORD, "new": "four red bridges"})
    keep(eve)
    eve.delete("/sessions")
    eve.post("/session", {"login": "eve-of-thieves", "password": "four red bridges"})
    keep(eve)
    eve.delete("/me", {"password": "four red bridges"})
    for cookie in stale:
        check_is_unauthenticated(house, with_cookie(cookie))
        for method, path, body in [*house.attempts(), *house.personal()[2:]]:
            assert refused(house.request(method, path, body, with_cookie(cookie))), path


def test_expired_cookies_and_tokens_are_refused(house: House) -> None:
    phone = Browser(house.client)
    phone.post("/session", {"login": "carl", "password": PASSWORD})
    token = phone.token("read", "challenge", "play", days=1)
    bearer = {"authorization": f"Bearer {token['secret']}"}
    assert house.request("GET", "/me", None, bearer).status_code == 200
    house.clock.advance(days=1, seconds=1)
    assert house.request("GET", "/me", None, bearer).status_code == 401
    house.anna.post("/me"), house.ben.post("/me"), house.carl.post("/me")  # their sessions are renewed
    cookie = phone.cookie
    assert cookie is not None
    house.clock.advance(days=364, hours=12)
    check_is_unauthenticated(house, with_cookie(cookie))
    for method, path, body in [*house.attempts(), *house.personal()[2:]]:
        assert refused(house.request(method, path, body, with_cookie(cookie))), path
        assert house.request(method, path, body, bearer).status_code in (401, 403)
    house.carl.delete(f"/tokens/{token['id']}")


def tokens(house: House) -> Iterator[str]:
    """Make up tokens without end."""
    chance = random.Random(12)
    true = house.token["secret"]
    yield from (true[:length] for length in range(len(true)))
    yield from (true[start:] for start in range(1, len(true)))
    yield from (
        house.token["id"],
        true.upper(),
        true + "=",
        f"punct_{house.token['id']}",
        "punct_",
        "null",
        "undefined",
    )
    assert house.anna.cookie is not None
    yield house.anna.cookie
    while True:
        letters = list(true)
        for _ in range(chance.randint(1, 5)):
            at = chance.randrange(len(letters))
            letters[at] = chance.choice([letter for letter in LETTERS if letter != true[at]])  # never back again
        yield "".join(letters) if chance.random() < 0.7 else "punct_" + "".join(chance.choices(LETTERS, k=43))


def test_forged_tokens_are_refused(house: House) -> None:
    attempts = [*house.attempts(), *house.personal()]
    for number, token in enumerate(islice(tokens(house), 0, 700, house.share)):
        method, path, body = attempts[number % len(attempts)]
        answer = house.request(method, path, body, {"authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "bad_token"), token


def test_secrets_in_the_wrong_header_are_refused(house: House) -> None:
    for headers in (
        {"authorization": "Basic YW5uYTpwYXNzd29yZA=="},
        {"authorization": house.token["secret"]},
        {"x-api-key": house.token["secret"]},
        {"cookie": f"{COOKIE}={house.token['secret']}", "origin": ORIGIN},
        {"x-forwarded-user": "anna", "x-remote-user": "anna", "x-forwarded-for": "127.0.0.1"},
    ):
        check_is_unauthenticated(house, headers)
        for method, path, body in house.attempts():
            assert refused(house.request(method, path, body, headers)), path
    answer = house.client.get(f"{API}/me?token={house.token['secret']}&{COOKIE}={house.anna.cookie}")
    assert answer.json()["player"] is None


def test_a_token_is_limited_to_its_scopes(house: House) -> None:
    """Not even Anna's own, least of all about her account; and a token of Ben's kind plays no seat of hers."""
    bearer = {"authorization": f"Bearer {house.token['secret']}"}
    for method, path, body in [*house.personal(), ("DELETE", f"/games/{house.own['id']}", None)]:
        if path.startswith("/appointments"):
            continue  # it may arrange games
        answer = house.request(method, path, body, bearer)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not_in_scope"), path
    for scopes in (["read"], ["challenge"], ["read", "challenge"]):
        weak = house.anna.token(*scopes)
        for method, path, body in house.attempts():
            if not path.startswith(("/challenges", "/appointments")):
                answer = house.request(method, path, body, {"authorization": f"Bearer {weak['secret']}"})
                assert answer.status_code == 403, (path, answer.text)
        house.anna.delete(f"/tokens/{weak['id']}")
    other = house.carl.token("read", "challenge", "play")
    for method, path, body in house.attempts():
        assert refused(house.request(method, path, body, {"authorization": f"Bearer {other['secret']}"})), path


def test_private_games_need_a_token_with_the_read_scope(house: House) -> None:
    """Neither in the list of one's games nor by way of one's page; of the lobby, see test_lobby.py."""
    page = f"/players/{house.anna.me()['id']}/games"
    private = {game["id"] for game in house.anna.get(page).json()["games"]}
    assert private == {house.game["id"]}
    for scopes in (["play"], ["challenge"], ["play", "challenge"], ["read"]):
        token, reads = house.anna.token(*scopes), "read" in scopes
        bearer = {"authorization": f"Bearer {token['secret']}"}
        assert house.request("GET", "/games", None, bearer).status_code == (200 if reads else 403)
        shown = house.request("GET", page, None, bearer).json()["games"]
        assert {game["id"] for game in shown} == (private if reads else set())
        house.anna.delete(f"/tokens/{token['id']}")


ORIGINS = [
    "https://elsewhere.example",
    "http://testserver.elsewhere.example",
    "http://elsewhere.testserver",
    "http://testserver:81",
    "http://testserver@elsewhere.example",
    "http://testserverx",
    "http://xtestserver",
    "http://TESTSERVER.",
    "http://[::1]",
    "null",
    "",
    "file://",
    "testserver",
    "//testserver",
    "http://testserver/",
    "http://testserver#",
    "data:",
    "http://testserver http://elsewhere.example",
]


@pytest.mark.parametrize("origin", ORIGINS)
def test_requests_of_other_origins_are_refused(house: House, origin: str) -> None:
    headers = {**with_cookie(str(house.anna.cookie)), "origin": origin}
    for method, path, body in [*house.attempts(), *house.personal()]:
        answer = house.request(method, path, body, headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign_origin"), path
    with (
        pytest.raises(WebSocketDisconnect),
        house.client.websocket_connect(f"{API}/games/{house.game['id']}/live", headers=headers),
    ):
        pass


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "", None])
def test_a_cookie_without_an_origin_is_refused(house: House, site: str | None) -> None:
    headers = {"cookie": f"{COOKIE}={house.anna.cookie}", **({} if site is None else {"sec-fetch-site": site})}
    for method, path, body in [*house.attempts(), *house.personal()]:
        answer = house.request(method, path, body, headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign_origin"), path
    with (
        pytest.raises(WebSocketDisconnect),
        house.client.websocket_connect(f"{API}/games/{house.game['id']}/live", headers=headers),
    ):
        pass


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_form_posts_are_refused(house: House, kind: str) -> None:
    """What a form on any page can send: never JSON that says so."""
    for path, body in (("/me", b'{"name": "Eve"}'), (f"/games/{house.game['id']}/resign", b'{"colour": "w"}')):
        headers = {**with_cookie(str(house.anna.cookie)), "content-type": kind}
        answer = house.client.post(f"{API}{path}", content=body, headers=headers)
        house.client.cookies.clear()
        assert (answer.status_code, answer.json()["error"]["code"]) == (415, "not_json")


def test_of_several_cookies_the_last_must_be_valid(house: House) -> None:
    """A page of a neighbouring name could add a cookie of its own: it is that page's, or nobody's, never Anna's."""
    eve = Browser(house.client)
    eve.post("/me")
    for first, second in ((eve.cookie, "forged"), ("forged", eve.cookie), ("", "")):
        headers = {"origin": ORIGIN, "cookie": f"{COOKIE}={first}; {COOKIE}={second}"}
        found = house.request("GET", "/me", None, headers).json()["player"]
        assert found is None or found == eve.me()


def test_secrets_are_not_revealed_logged_or_stored(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """Neither in what the server says nor in its log; and the store has hashes only."""
    for path in ("/me", "/tokens", f"/players/{house.anna.me()['id']}", f"/games/{house.game['id']}"):
        text = house.anna.get(path).text
        for secret in (str(house.anna.cookie), house.token["secret"], PASSWORD, "argon2"):
            assert secret not in text
    assert house.token["secret"] not in caplog.text and PASSWORD not in caplog.text


def test_the_adoption_secret_cannot_be_guessed(house: House) -> None:
    chance = random.Random(13)
    for _ in range(15):
        secret = base64.urlsafe_b64encode(chance.randbytes(24)).decode()
        assert refused(house.carl.post("/admin/adopt", {"secret": secret}))
    assert house.carl.me()["kind"] == "person"
