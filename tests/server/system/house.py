"""A server whose players have everything that others could want to steal, and the requests that would take it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2 as httpx
from starlette.testclient import TestClient
from tests.push_service import PushBrowser
from tests.server.online_client import API, COOKIE, ORIGIN, PASSWORD, PROOF, Browser
from tests.server.two_player_games import ManualClock, json_of, play_moves, start_game

from punct.puzzles import shipped
from punct.server.app import create_app
from punct.server.mail.model import MailConfiguration

TRIED = {"solved": False, "at": "2026-11-17T12:00:00Z", "mode": "strength"}
SECRET_WORD = "kanarie"
"""It is in everything that only its owner may read."""
SECRET_ZONE = "Europe/Vaduz"
PLANNED = ("Td9n", "Ed6ne")
"""What Anna expects, and her reply."""
_PAGE = "<!doctype html><html><head><title>PÜNCT</title></head><body></body></html>"
_EMBED = '<!doctype html><html><head><script type="application/json" id="board"></script></head></html>'
Attempt = tuple[str, str, object]
"""A method, a path, and what is sent."""


@dataclass
class Belongings:
    """What a player has that nobody else may see, change or use."""

    game: str
    hook: str = ""
    hook_secret: str = ""
    device: str = ""
    alert: str = ""
    calendar: str = ""
    """The path of the feed."""
    invitation: str = ""
    """A challenge to Dora alone."""
    declined: str = ""
    """Another one, which she has declined with a word."""
    proposed: str = ""
    """A date proposed to Dora."""
    agreed: str = ""
    """Another one, on which they have agreed."""
    dates: tuple[str, ...] = ()
    """When these two are."""


@dataclass
class House:
    """A server, who is there, and what is theirs."""

    clients: list[TestClient]
    """One for each process."""
    share: int
    """One of so many attempts is made."""
    clock: ManualClock
    anna: Browser
    ben: Browser
    carl: Browser
    dora: Browser
    game: dict[str, Any]
    own: dict[str, Any]
    """A game of Anna's with herself."""
    challenge: str
    token: dict[str, Any]
    private: Belongings
    tried: int = 0
    _first: int = field(default=0, repr=False)

    @property
    def client(self) -> TestClient:
        """Whichever process is to be asked next."""
        return self.clients[self.tried % len(self.clients)]

    def some(self, attempts: Sequence[Attempt]) -> Sequence[Attempt]:
        """Return the share of attempts that is made here: others each time."""
        self._first += 1
        return attempts[self._first % self.share :: self.share]

    def attempts(self) -> Sequence[Attempt]:
        """Return something of everything that would change something of Anna's or Ben's."""
        return self.some(self.every_attempt())

    def every_attempt(self) -> list[Attempt]:
        """Return all of these."""
        game, own, private = f"/games/{self.game['id']}", f"/games/{self.own['id']}", self.private
        move = {"text": "Td9n", "ply": self.game["ply"]}
        plan = {"ply": self.game["ply"], "version": 0, "first": "Td9n", "replies": []}
        return [
            ("POST", f"{game}/turns", move),
            ("POST", f"{game}/resign", {"colour": "w"}),
            ("POST", f"{game}/resign", {"colour": "b"}),
            ("POST", f"{game}/undo", {}),
            ("POST", f"{game}/redo", None),
            ("POST", f"{game}/draw", None),
            ("POST", f"{game}/offers", {"kind": "draw"}),
            ("POST", f"{game}/offers", {"kind": "pause"}),
            ("POST", f"{game}/offers/accept", {"kind": "undo"}),
            ("DELETE", f"{game}/offers", None),
            ("POST", f"{game}/abort", None),
            ("POST", f"{game}/resume", None),
            ("POST", f"{game}/greetings", {"greeting": "hello"}),
            ("POST", f"{game}/hint", None),
            ("PUT", f"{game}/plan", plan),
            ("DELETE", f"{game}/plan", None),
            ("PUT", f"{game}/notebook", {"note": "stolen"}),
            ("DELETE", f"{game}/notebook", None),
            ("DELETE", game, None),
            ("POST", f"{own}/turns", {"text": "Tl10n", "ply": self.own["ply"]}),
            ("POST", f"{own}/undo", {"ply": self.own["ply"]}),
            ("POST", f"{own}/resign", None),
            ("DELETE", own, None),
            ("DELETE", f"/challenges/{self.challenge}", None),
            ("DELETE", f"/challenges/{private.invitation}", None),
            ("POST", f"/challenges/{private.invitation}/accept", None),
            ("POST", f"/challenges/{private.invitation}/decline", {"words": "stolen"}),
            *((method, f"/appointments/{appointment}{end}", body)
              for appointment in (private.proposed, private.agreed)
              for method, end, body in (("POST", "/accept", {"date": private.dates[0]}),
                                        ("POST", "/decline", {"words": "stolen"}),
                                        ("POST", "/cancel", {"words": "stolen"}), ("DELETE", "", None),
                                        ("PUT", "/here", None), ("DELETE", "/here", None))),
            ("DELETE", f"/tokens/{self.token['id']}", None),
            ("DELETE", f"/hooks/{private.hook}", None),
            ("POST", f"/hooks/{private.hook}/test", None),
            ("DELETE", f"/push/devices/{private.device}", None),
            ("POST", f"/push/devices/{private.device}/test", None),
            ("POST", "/mail/verify", {"secret": f"{self.anna.me()['id']}/stolen"}),
            ("POST", "/mail/unsubscribe", {"token": "stolen", "scope": "all"}),
        ]  # fmt: skip

    def personal(self) -> list[Attempt]:
        """Return what only somebody known as Anna could do to her account."""
        ben, carl = self.ben.me()["id"], self.carl.me()["id"]
        date = {"dates": list(self.private.dates), "time": "10+5", "words": "stolen"}
        return [
            ("PATCH", "/me", {"name": "Eve", "settings": {"stolen": True}}),
            ("DELETE", "/me", {"password": PASSWORD}),
            ("DELETE", "/session", None),
            ("DELETE", "/sessions", None),
            ("PUT", "/account/password", {"old": PASSWORD, "new": "stolen stolen"}),
            ("POST", "/tokens", {"name": "stolen", "scopes": ["play"], "password": PASSWORD}),
            ("POST", "/passkeys/options", {"password": PASSWORD}),
            ("POST", "/me/bot", {"password": PASSWORD}),
            ("POST", "/appointments", {"to": carl, **date}),
            ("POST", "/puzzles/tries", {"tries": [{**TRIED, "puzzle": shipped()[0].id}]}),
            ("PUT", "/puzzles/bests", {"best_rush": 99}),
            ("POST", "/admin/adopt", {"secret": "guess"}),
            ("PUT", "/me/handle", {"handle": "stolen"}),
            ("PATCH", "/me/notifications", {"muted": {"push": ["turn"], "hook": ["turn"]}, "language": "pl"}),
            ("PUT", "/me/habits", {"hours": False}),
            ("POST", "/me/vacations", {"days": 30}),
            ("DELETE", "/me/vacations", None),
            ("POST", "/me/seat-alerts", {"rules": "basic"}),
            ("DELETE", f"/me/seat-alerts/{self.private.alert}", None),
            ("PUT", f"/players/{ben}/relation", {"kind": "block"}),
            ("DELETE", f"/players/{ben}/relation", None),
            ("PUT", "/calendar", None),
            ("DELETE", "/calendar", None),
            ("POST", "/hooks", {"url": "https://stolen.punct.org/hook"}),
            ("PUT", "/push/devices", new_device("stolen").subscription),
            ("PUT", "/account/mail", {"address": "stolen@example.org", "password": PASSWORD}),
            ("DELETE", "/account/mail", {"password": PASSWORD}),
            ("POST", "/account/mail/link", None),
        ]

    def request(self, method: str, path: str, body: object, headers: dict[str, str]) -> httpx.Response:
        """Send a request to the API with these headers alone."""
        return self.fetch(method, f"{API}{path}", body, headers)

    def fetch(self, method: str, path: str, body: object, headers: dict[str, str]) -> httpx.Response:
        """Send a request for any path."""
        self.tried += 1
        client = self.client
        answer = client.request(method, path, json=body, headers=headers)
        client.cookies.clear()
        return answer

    def state(self) -> dict[str, Any]:
        """Return all that must stay as it is."""
        game, anna = f"/games/{self.game['id']}", self.anna
        return {
            "game": anna.get(game).json(),
            "own": anna.get(f"/games/{self.own['id']}").json(),
            "challenge": anna.get(f"/challenges/{self.challenge}").json(),
            "invitation": anna.get(f"/challenges/{self.private.invitation}").json(),
            "dates": [anna.get(f"/appointments/{each}").json()
                      for each in (self.private.proposed, self.private.agreed)],
            "alerts": anna.get("/me/seat-alerts").json(),
            "vacations": anna.get("/me/vacations").json(),
            "me": anna.get("/me").json(),
            "ben": self.ben.get("/me").json(),
            "puzzles": anna.get("/puzzles/standing").json(),
            "tokens": [{**token, "used": None} for token in anna.get("/tokens").json()["tokens"]],
            "games": [game["id"] for game in anna.get("/games").json()["games"]],
            **{
                path: json_of(anna.get(path))
                for path in (f"{game}/plan", f"{game}/notebook", "/hooks", "/push/devices", "/account/mail",
                             "/calendar", "/me/relations", "/me/notifications")
            },
            "feed": self.fetch("GET", self.private.calendar, None, {}).text,
        }  # fmt: skip


def new_device(name: str) -> PushBrowser:
    """Return a browser at a push service that is never called."""
    return PushBrowser("https://updates.push.services.mozilla.com", name)


def give_belongings(owner: Browser, other: Browser, game: dict[str, Any], clock: ManualClock) -> Belongings:
    """Give an account holder something of everything that is private, each with the secret word in it.

    In the game it is the opponent's turn, and ``other`` is an account holder who is invited to games.
    """
    game_id, theirs = game["id"], Belongings(game["id"])
    replies = [{"turn": PLANNED[0], "reply": PLANNED[1], "then": []}]
    json_of(owner.send("PUT", f"/games/{game_id}/plan", {"ply": game["ply"], "version": 0, "replies": replies}))
    tree = f"1. Ed5ne {{{SECRET_WORD}}} (1. Td5n) *"
    json_of(owner.send("PUT", f"/games/{game_id}/notebook", {"note": f"a {SECRET_WORD}", "tree": tree}))
    hook = json_of(owner.post("/hooks", {"url": f"https://{SECRET_WORD}.punct.org/{SECRET_WORD}"}), 201)
    theirs.hook, theirs.hook_secret = hook["id"], hook["secret"]
    device = new_device(f"{SECRET_WORD}-{game_id}")
    theirs.device = json_of(owner.send("PUT", "/push/devices", device.subscription, user_agent="Firefox/1"))["id"]
    theirs.alert = json_of(owner.post("/me/seat-alerts", {"rules": "basic"}), 201)["id"]
    theirs.calendar = json_of(owner.send("PUT", "/calendar"))["path"]
    json_of(owner.send("PUT", "/account/mail", {"address": f"{SECRET_WORD}@example.org", **PROOF}))
    begins = (clock() + timedelta(days=7)).isoformat()
    json_of(owner.post("/me/vacations", {"begins": begins, "days": 3}), 201)
    json_of(owner.send("PUT", f"/players/{other.me()['id']}/relation", {"kind": "follow"}))
    json_of(owner.send("PATCH", "/me/notifications", {"muted": {"push": ["over"]}, "zone": SECRET_ZONE}))
    json_of(owner.send("PATCH", "/me", {"settings": {SECRET_WORD: True}}))
    to_other = {"to": other.me()["id"], "time": "3d"}
    theirs.invitation = json_of(owner.post("/challenges", to_other), 201)["id"]
    theirs.declined = json_of(owner.post("/challenges", to_other), 201)["id"]
    json_of(other.post(f"/challenges/{theirs.declined}/decline", {"words": SECRET_WORD}))
    hours = len(json_of(other.get("/me/appointments"))["appointments"])  # nobody is at two games at a time
    first = clock().replace(second=0, microsecond=0) + timedelta(days=3, hours=hours)
    theirs.dates = (first.isoformat(), (first + timedelta(days=1)).isoformat())
    date = {"to": other.me()["id"], "time": "10+5", "words": SECRET_WORD, "zone": SECRET_ZONE}
    theirs.proposed, theirs.agreed = (
        json_of(owner.post("/appointments", {**date, "dates": [when]}), 201)["id"] for when in theirs.dates
    )
    json_of(other.post(f"/appointments/{theirs.agreed}/accept", {"date": theirs.dates[1]}))
    return theirs


@contextmanager
def run_house(stores: Sequence[Path | str], broker_url: str | None, web: Path, share: int) -> Iterator[House]:
    """Run a server of a process for each store, which are all one; ``web`` is an empty folder."""
    (web / "index.html").write_text(_PAGE)
    (web / "embed.html").write_text(_EMBED)
    clock = ManualClock()
    mail = MailConfiguration("smtp://127.0.0.1:9", "PÜNCT <punct@example.org>", "https://punct.example.org")
    apps = [
        create_app(store, workers=1 if broker_url is None else None, online=True, broker_url=broker_url, now=clock,
                   mail=mail, web=web)
        for store in stores
    ]  # fmt: skip
    with ExitStack() as stack:
        clients = [stack.enter_context(TestClient(app)) for app in apps]
        client = clients[0]
        anna, ben, carl, dora = (Browser(client) for _ in range(4))
        for browser, login in ((anna, "anna"), (carl, "carl"), (dora, "dora")):
            assert browser.post("/account", {"login": login, "password": PASSWORD}).status_code == 201
        ben.post("/me", {"name": "Ben"})
        game = start_game(anna, ben)
        game = play_moves(game, (anna, "Ed5ne"), (ben, "Tl10n"), (anna, "Tl5n"))
        own = anna.post("/games", {}).json()
        own = play_moves(own, (anna, "Ed5ne"))
        challenge = anna.post("/challenges", {}).json()["id"]
        private = give_belongings(anna, dora, game, clock)
        token = anna.token("read", "challenge", "play")
        yield House(clients, share, clock, anna, ben, carl, dora, game, own, challenge, token, private)
        answer = Browser(client).post("/session", {"login": "anna", "password": PASSWORD})
        assert answer.json()["player"] == anna.me()  # nor has she another password


def refused(answer: httpx.Response) -> bool:
    """Tell whether an answer is an error of the client's."""
    return 400 <= answer.status_code < 500 and set(answer.json()) == {"error"}


def with_cookie(value: str) -> dict[str, str]:
    """Return the headers of a browser with a session's cookie."""
    return {"origin": ORIGIN, "cookie": f"{COOKIE}={value}"}


def check_is_unauthenticated(house: House, headers: dict[str, str]) -> None:
    """Check that whoever sends this is not Anna, nor Ben, nor in any seat."""
    answer = house.request("GET", "/me", None, headers)
    assert (answer.status_code, answer.json()["player"]) == (200, None), headers
    you = house.request("GET", f"/games/{house.game['id']}/you", None, headers).json()
    assert you["seats"] == [] and you["owner"] is False
