"""Theft of what is a player's alone: conditional moves, notes, addresses, secret links, relations, invitations.

Each of Anna's private things has a secret word in it. Every route that reads, every page that other sites show or embed
and every live connection is asked for it: by her opponent, by other players, by guests and by nobody, with cookies that
have ended and with tokens of other scopes. Then they compare answers, to learn what exists.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import httpx2 as httpx
import pytest
from tests.server.live_client import connect_to_game, connect_to_lobby
from tests.server.online_client import API, COOKIE, ORIGIN, PASSWORD, PROOF, Browser, api_routes, block_player
from tests.server.system.house import (
    PLANNED,
    SECRET_WORD,
    SECRET_ZONE,
    Belongings,
    House,
    give_belongings,
    new_device,
    refused,
    with_cookie,
)
from tests.server.two_player_games import json_of, play_moves, start_game

from punct.server.db.tables import METADATA
from punct.server.games.service import Games
from punct.server.mail.service import Mail

pytestmark = pytest.mark.usefixtures("nothing_is_stolen")
HARMLESS = {
    *("POST /account", "POST /account/passkey", "POST /account/passkey/options", "POST /session", "POST /me"),
    *("POST /session/passkey", "POST /session/passkey/options", "POST /passkeys", "POST /passkeys/proof/options"),
    *("DELETE /passkeys/{passkey_id}", "POST /account/recovery", "POST /account/reset"),
    *("POST /games", "POST /challenges", "POST /analyses", "POST /records", "POST /records/convert"),
    *("POST /positions/view", "POST /positions/explain", "POST /games/{game_id}/explain"),
    "PUT /games/{game_id}/review",
}
"""Routes that anybody may call, or that have tests of their own: of passkeys, of lost passwords."""
QUERIES = {
    "/picture.{form}": {"position": "standard w"},
    "/animation.{form}": {"position": "standard w", "turns": "Ed5ne"},
    "/explorer": {"position": "standard w"},
    "/players": {"query": "anna"},
}
"""What a route must be asked with."""


def test_every_route_that_changes_something_is_tried(house: House) -> None:
    tried = set()
    for method, path, _ in [*house.every_attempt(), *house.personal()]:
        tried |= {
            f"{method} {route.path.removeprefix(API)}"
            for listed, _, route in api_routes()
            if listed == method and route.path_regex.match(f"{API}{path}")
        }
    changing = {f"{method} {route.path.removeprefix(API)}" for method, _, route in api_routes() if method != "GET"}
    assert tried == changing - HARMLESS and changing >= HARMLESS


def reads(house: House) -> list[str]:
    """Return every path of the server that reads, with what is Anna's in place of its parameters."""
    anna, private, game = house.anna.me()["id"], house.private, house.game["id"]
    values = {
        "game_id": [game],
        "challenge_id": [private.invitation, private.declined],
        "appointment_id": [private.proposed, private.agreed],
        "player_id": [anna],
        "analysis_id": ["x" * 16],
        "token": [base64.urlsafe_b64encode(bytes(16) + f"{anna}:turn".encode()).decode().rstrip("=")],
        "form": ["svg"],
        "ply": ["1"],
        "pool": ["standard-days"],
        "month": ["2026-10"],
    }
    paths = []
    for method, _, route in api_routes():
        if method != "GET" or (house.share > 1 and "{form}" in route.path):  # nobody draws in the cluster
            continue
        filled = [route.path]
        for name in re.findall(r"\{(\w+)\}", route.path):
            filled = [path.replace(f"{{{name}}}", value) for path in filled for value in values[name]]
        query = QUERIES.get(route.path.removeprefix(API))
        paths += [path + (f"?{urlencode(query)}" if query else "") for path in filled]
    pages = [f"/game/{game}", f"/game/{game}/review", f"/player/{anna}", "/settings", "/account", "/games"]
    pages += [f"/join/{challenge}" for challenge in (private.invitation, private.declined)]
    pages += [f"/date/{appointment}" for appointment in (private.proposed, private.agreed)]
    framed = [f"/embed{page}" for page in pages]
    described = [f"/oembed?{urlencode({'url': ORIGIN + page})}" for page in pages]
    feeds = [f"/calendar/{secret}.ics" for secret in (anna, game, SECRET_WORD)]
    links = [f"/unsubscribe/{values['token'][0]}", f"/verify-mail/{anna}"]
    return [*paths, *pages, *framed, *described, *feeds, *links, f"{API}/openapi.json", "/metrics"]


def thieves(house: House) -> Iterator[tuple[str, dict[str, str]]]:
    """Return who tries to read, each with the headers of their requests."""
    yield "nobody", {}
    guest = Browser(house.client)
    guest.post("/me", {"name": "Anna"})
    ended = Browser(house.client)
    ended.post("/session", {"login": "anna", "password": PASSWORD})
    for name, browser in (("a guest", guest), ("the opponent", house.ben), ("another player", house.carl)):
        yield name, browser.headers
    cookie = ended.cookie
    ended.delete("/session")
    yield "a session that has ended", with_cookie(str(cookie))
    for scope in ("play", "challenge"):
        other = house.carl.token(scope)
        yield f"another's token to {scope}", {"authorization": f"Bearer {other['secret']}"}
        house.carl.delete(f"/tokens/{other['id']}")


def leaks(house: House) -> list[str]:
    """Return what must be in no answer."""
    private = house.private
    return [
        *(SECRET_WORD, f'"reply":"{PLANNED[1]}"', SECRET_ZONE),
        *(private.hook, private.hook_secret, private.device, private.alert, private.calendar),
        *(str(house.anna.cookie), house.token["secret"], house.token["id"], house.own["id"]),
    ]


def test_nothing_private_is_read(house: House) -> None:
    secrets = leaks(house)
    for name, headers in thieves(house):
        for path in reads(house):
            answer = house.fetch("GET", path, None, headers)
            assert answer.status_code < 500, (name, path, answer.text[:200])
            text = f"{answer.headers} {answer.text}"
            found = [secret for secret in secrets if secret in text]
            assert not found, (name, path, found)
            if house.game["id"] not in path and name != "the opponent":
                assert house.game["id"] not in text, (name, path)
            private = house.private
            for id_ in (private.invitation, private.declined, private.proposed, private.agreed):
                assert id_ in path or id_ not in text, (name, path)


def test_her_own_tokens_read_no_more_than_their_scope(house: House) -> None:
    """Not even all of them together read notes, addresses or devices, or the settings of messages."""
    private = {"/notebook", "/hooks", "/push/devices", "/account/mail", "/calendar", "/me/notifications"}
    bearer = {"authorization": f"Bearer {house.token['secret']}"}
    for path in reads(house):
        if any(path.endswith(end) for end in private):
            text = house.fetch("GET", path, None, bearer).text
            assert SECRET_WORD not in text and house.private.hook not in text, path
    for scope, shown in (("read", False), ("challenge", False), ("play", True)):
        token = house.anna.token(scope)
        plan = house.request("GET", f"/games/{house.game['id']}/plan", None,
                             {"authorization": f"Bearer {token['secret']}"})  # fmt: skip
        assert (f'"reply":"{PLANNED[1]}"' in plan.text) is shown
        house.anna.delete(f"/tokens/{token['id']}")


def test_other_sites_read_nothing(house: House) -> None:
    """Her browser sends her cookie with their requests: they can read, frame or load no answer."""
    for site in ("cross-site", "same-site"):
        headers = {
            "cookie": f"{COOKIE}={house.anna.cookie}",
            "origin": "https://elsewhere.example",
            "sec-fetch-site": site,
        }
        for path in reads(house):
            answer = house.fetch("GET", path, None, headers)
            assert "access-control-allow-origin" not in answer.headers, path
            if path.startswith("/embed/") or "/picture." in path or "/animation." in path:
                continue  # these stand in other sites, and show the same to everybody
            assert answer.headers["cross-origin-resource-policy"] == "same-origin", path
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"], path
            assert answer.headers["x-frame-options"] == "DENY", path
        for path in ("/me/games", "/me/games/download?format=jsonl"):  # which a link alone would load or save
            assert site == "same-site" or refused(house.request("GET", path, None, headers)), path


def test_pages_show_their_owner_no_more_than_anybody(house: House) -> None:
    """What other sites show of a link, or embed, is the same for all: it could be stored on the way."""
    for path in reads(house):
        if not path.startswith(API):
            one, other = (house.fetch("GET", path, None, headers) for headers in (house.anna.headers, {}))
            assert (one.status_code, one.content) == (other.status_code, other.content), path


def test_live_connections_send_nothing_private(house: House) -> None:
    """Neither to spectators nor to the opponent nor to the lobby, while plans, notes and invitations change."""
    gil, private = player_with_everything(house, "gil")
    path = f"/games/{private.game}"
    plan, notebook = json_of(gil.get(f"{path}/plan")), json_of(gil.get(f"{path}/notebook"))
    carl, ben = (Browser(house.clients[0], browser.cookie) for browser in (house.carl, house.ben))
    received: list[str] = []
    with (
        connect_to_game(ben, {"id": private.game}) as spectator,
        connect_to_game(carl, {"id": private.game}) as opponent,
        connect_to_lobby(ben) as lobby,
    ):
        for _ in range(2):
            plan = json_of(
                gil.send("PUT", f"{path}/plan", {name: plan[name] for name in ("ply", "version", "replies")})
            )
            stored = {name: notebook[name] for name in ("version", "note", "tree")}
            notebook = json_of(gil.send("PUT", f"{path}/notebook", stored))
        json_of(carl.post(f"{path}/offers", {"kind": "draw"}))
        json_of(gil.delete(f"{path}/offers"))
        json_of(gil.post("/challenges", {"to": house.dora.me()["id"], "time": "3d"}), 201)
        for socket in (spectator, opponent):
            offers: list[object] = []
            while len(offers) < 2 or offers[-1] is not None:  # made, and declined
                message = socket.receive_json()
                received.append(str(message))
                if message["type"] == "game" and (not offers or message["game"]["offer"] != offers[-1]):
                    offers.append(message["game"]["offer"])
        challenge = json_of(carl.post("/challenges", {"listed": True}), 201)["id"]
        while challenge not in (message := str(lobby.receive_json())):
            received.append(message)
        carl.delete(f"/challenges/{challenge}")
    for secret in (SECRET_WORD, "replies", PLANNED[1] + "'", private.invitation):
        assert not [message for message in received if secret in message], secret
    gil.delete("/me", {"password": PASSWORD})


def test_opponents_change_only_their_own(house: House) -> None:
    """Routes that name the game, not its player: they are the caller's, whoever else has something there."""
    path = f"/games/{house.game['id']}"
    assert house.ben.get(f"{path}/plan").json()["replies"] == []
    assert house.ben.get(f"{path}/notebook").json() == {"game": house.game["id"], "version": 0, "note": "", "tree": ""}
    json_of(house.ben.send("PUT", f"{path}/notebook", {"note": "mine"}))
    assert house.ben.delete(f"{path}/plan").status_code == 200
    assert house.ben.delete(f"{path}/notebook").status_code == 204
    assert house.ben.delete(f"/me/seat-alerts/{house.private.alert}").status_code == 204
    assert house.carl.delete(f"/me/seat-alerts/{house.private.alert}").status_code == 204
    assert house.carl.delete(f"/players/{house.anna.me()['id']}/relation").status_code == 204


def signed_for_nobody(player_id: str) -> str:
    return base64.urlsafe_b64encode(b"0123456789abcdef" + f"{player_id}:turn".encode()).decode().rstrip("=")


def test_answers_do_not_tell_what_exists(house: House) -> None:
    """For each request two answers: about something that is there, and about something that is not. They are alike."""
    anna, private, unknown = house.anna.me()["id"], house.private, "x" * 16
    cases: list[tuple[str, str, str, object, object]] = [
        ("POST", "/account/recovery", "/account/recovery", {"login": "anna"}, {"login": "nobody-is-this"}),
        ("POST", "/account/recovery", "/account/recovery",
         {"login": f"{SECRET_WORD}@example.org"}, {"login": "unknown@example.org"}),
        ("POST", "/session", "/session", {"login": "anna", "password": "wrong wrong"},
         {"login": "nobody-is-this", "password": "wrong wrong"}),
        ("POST", "/account/reset", "/account/reset", {"link": f"{anna}/wrong", "password": PASSWORD},
         {"link": f"{unknown}/wrong", "password": PASSWORD}),
        ("POST", "/mail/verify", "/mail/verify", {"secret": f"{anna}/wrong"}, {"secret": f"{unknown}/wrong"}),
        ("POST", "/mail/unsubscribe", "/mail/unsubscribe", {"token": signed_for_nobody(anna)},
         {"token": signed_for_nobody(unknown)}),
        *((method, f"/hooks/{private.hook}{end}", f"/hooks/{unknown}{end}", None, None)
          for method, end in (("DELETE", ""), ("POST", "/test"))),
        *((method, f"/push/devices/{private.device}{end}", f"/push/devices/{'0' * 64}{end}", None, None)
          for method, end in (("DELETE", ""), ("POST", "/test"))),
        ("DELETE", f"/me/seat-alerts/{private.alert}", f"/me/seat-alerts/{unknown}", None, None),
        *((method, f"/challenges/{private.invitation}{end}", f"/challenges/{unknown}{end}", body, body)
          for method, end, body in (("GET", "", None), ("GET", "/qr.svg", None), ("DELETE", "", None),
                                    ("POST", "/accept", None), ("POST", "/decline", {"words": "no"}))),
        *((method, f"/appointments/{appointment}{end}", f"/appointments/{unknown}{end}", body, body)
          for appointment in (private.proposed, private.agreed)
          for method, end, body in (("GET", "", None), ("GET", "/calendar.ics", None), ("DELETE", "", None),
                                    ("POST", "/accept", {"date": private.dates[0]}),
                                    ("POST", "/decline", None), ("POST", "/cancel", None),
                                    ("PUT", "/here", None), ("DELETE", "/here", None))),
        *(("POST", "/appointments", "/appointments", {**date, "replaces": private.proposed},
           {**date, "replaces": unknown}) for date in [{"to": anna, "time": "10+5", "dates": list(private.dates)}]),
        ("DELETE", f"/tokens/{house.token['id']}", f"/tokens/{'0' * 64}", None, None),
        ("GET", f"/mail/subscriptions/{signed_for_nobody(anna)}", f"/mail/subscriptions/{signed_for_nobody(unknown)}",
         None, None),
    ]  # fmt: skip
    for method, one_path, other_path, one_body, other_body in cases:
        for who in (house.carl.headers, {"origin": ORIGIN}):
            one = house.request(method, one_path, one_body, who)
            other = house.request(method, other_path, other_body, who)
            assert looks(one) == looks(other), (method, one_path)


def test_an_address_that_others_have_is_taken_like_any_other(house: House) -> None:
    answers = []
    for address in (f"{SECRET_WORD}@example.org", "unknown@example.org"):
        answer = house.carl.send("PUT", "/account/mail", {"address": address, **PROOF})
        answers.append((answer.status_code, {**answer.json(), "address": None}))
    assert answers[0] == answers[1] and answers[0][0] == 200
    assert house.carl.delete("/account/mail", PROOF).status_code == 204


def test_a_block_cannot_be_told_from_other_reasons(house: House) -> None:
    """Whom another player has blocked sees what everybody sees whom nobody may challenge."""
    eve, guest, blocked = Browser(house.clients[0]), Browser(house.clients[0]), Browser(house.clients[0])
    json_of(eve.post("/account", {"login": "eve-is-blocked", "password": PASSWORD}), 201)
    json_of(blocked.post("/account", {"login": "blocked-by-all", "password": PASSWORD}), 201)
    guest.post("/me", {"name": "Guest"})
    block_player(blocked)
    json_of(house.carl.send("PUT", f"/players/{eve.me()['id']}/relation", {"kind": "block"}))
    answers = [looks(eve.post("/challenges", {"to": other.me()["id"]})) for other in (house.carl, guest, blocked)]
    assert answers[0] == answers[1] == answers[2]
    assert eve.get(f"/players/{house.carl.me()['id']}/relation").json() == {"kind": None}
    house.carl.delete(f"/players/{eve.me()['id']}/relation")


def looks(answer: httpx.Response) -> tuple[Any, ...]:
    """Return what the client can compare of an answer."""
    names = {name for name in answer.headers if name != "set-cookie"}
    return answer.status_code, names, re.sub(r'"id":"[^"]*"', "", answer.text)


def player_with_everything(house: House, login: str) -> tuple[Browser, Belongings]:
    """Return an account holder with something of everything, in a game with Carl, and what it is."""
    client = house.clients[0]
    player, carl = Browser(client), Browser(client, house.carl.cookie)
    json_of(player.post("/account", {"login": login, "password": PASSWORD}), 201)
    game = start_game(player, carl, time="3d")
    game = play_moves(game, (player, "Ed5ne"), (carl, "Tl10n"), (player, "Tl5n"))
    return player, give_belongings(player, Browser(client, house.dora.cookie), game, house.clock)


def test_a_deleted_account_leaves_nothing(house: House) -> None:
    """Neither in any table nor behind any secret address that it had."""
    client = house.clients[0]
    services = client.app.state.services  # type: ignore[attr-defined]
    fay, private = player_with_everything(house, "fay")
    fay_id, cookie = fay.me()["id"], str(fay.cookie)
    token = fay.token("read", "play", "challenge")["secret"]
    unsubscribe = services.get(Mail)._signer.sign(fay_id, "turn", f"{SECRET_WORD}@example.org")
    assert house.fetch("GET", private.calendar, None, {}).status_code == 200
    assert fay.delete("/me", {"password": PASSWORD}).status_code == 204
    assert found_in_tables(services, fay_id) == {}
    assert SECRET_WORD not in str(found_in_tables(services, SECRET_WORD, without=house.anna.me()["id"]))
    assert house.fetch("GET", private.calendar, None, {}).status_code == 404
    assert refused(house.request("POST", "/mail/unsubscribe", {"token": unsubscribe}, {"origin": ORIGIN}))
    assert refused(house.request("GET", f"/mail/subscriptions/{unsubscribe}", None, {}))
    assert refused(house.request("GET", "/me/challenges", None, with_cookie(cookie)))
    assert house.request("GET", f"/games/{private.game}/plan", None, with_cookie(cookie)).status_code == 401
    for path in ("/me", f"/games/{private.game}/plan"):
        assert house.request("GET", path, None, {"authorization": f"Bearer {token}"}).status_code == 401
    for browser in (house.dora, house.carl):
        for challenge in (private.invitation, private.declined):
            assert browser.get(f"/challenges/{challenge}").status_code == 404
        for appointment in (private.proposed, private.agreed):
            assert browser.get(f"/appointments/{appointment}").status_code == 404
    assert SECRET_WORD not in house.carl.get(f"/games/{private.game}").text


def test_a_guest_who_becomes_an_account_keeps_nothing_behind(house: House) -> None:
    """What was the guest's is the account's, and the guest's cookie opens nothing of it."""
    client = house.clients[0]
    services = client.app.state.services  # type: ignore[attr-defined]
    guest, carl, ida = Browser(client), Browser(client, house.carl.cookie), Browser(client)
    json_of(ida.post("/account", {"login": "ida", "password": PASSWORD}), 201)
    ida.delete("/session")
    guest.post("/me", {"name": "Guest"})
    guest_id, cookie = guest.me()["id"], str(guest.cookie)
    game = start_game(guest, carl, time="3d")
    game = play_moves(game, (guest, "Ed5ne"), (carl, "Tl10n"), (guest, "Tl5n"))
    plan, notebook = f"/games/{game['id']}/plan", f"/games/{game['id']}/notebook"
    replies = [{"turn": PLANNED[0], "reply": PLANNED[1], "then": []}]
    json_of(guest.send("PUT", plan, {"ply": game["ply"], "version": 0, "replies": replies}))
    json_of(guest.send("PUT", notebook, {"note": SECRET_WORD}))
    json_of(guest.send("PUT", "/push/devices", new_device("of-a-guest").subscription))
    json_of(guest.post("/me/seat-alerts", {"rules": "basic"}), 201)
    json_of(guest.send("PUT", f"/players/{carl.me()['id']}/relation", {"kind": "follow"}))
    json_of(guest.post("/session", {"login": "ida", "password": PASSWORD}))
    account = guest
    assert account.me()["id"] != guest_id and found_in_tables(services, guest_id) == {}
    assert account.get(notebook).json()["note"] == SECRET_WORD and account.get(plan).json()["replies"] == replies
    assert len(account.get("/push/devices").json()["devices"]) == 1
    for path in (plan, notebook, "/push/devices", "/me/relations", "/me/seat-alerts"):
        assert house.request("GET", path, None, with_cookie(cookie)).status_code == 401, path
    account.delete("/me", {"password": PASSWORD})


def found_in_tables(services: Any, text: str, without: str = "") -> dict[str, str]:
    """Return the rows of all tables with a text in them, by table; not those with another text."""
    database, found = services.get(Games)._store.database, {}
    for table in METADATA.sorted_tables:
        for row in database.fetch_all(f"SELECT * FROM {table.name}"):
            if text in str(row) and (not without or without not in str(row)):
                found[table.name] = str(row)
    return found
