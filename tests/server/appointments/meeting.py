"""Two account holders on a server whose time a test advances, and what they arrange."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from starlette.testclient import TestClient
from tests.server.online_client import Browser, create_account
from tests.server.two_player_games import ManualClock, json_of

from punct.server.games.service import Games


class Meeting:
    """A server with two account holders, Anna who proposes and Ben who answers."""

    def __init__(self, client: TestClient, clock: ManualClock) -> None:
        self.client, self.clock = client, clock
        self.logins: dict[str, str] = {}
        self.anna, self.ben = self.account("Anna"), self.account("Ben")

    def account(self, name: str) -> Browser:
        """Return a new account holder."""
        browser, self.logins[name] = create_account(lambda: Browser(self.client), name=name)
        return browser

    def date(self, **ahead: float) -> str:
        """Return a time some way ahead, in whole minutes."""
        return text_of((self.clock() + timedelta(**ahead)).replace(second=0))

    def propose(self, **terms: Any) -> dict[str, Any]:
        """Have Anna propose a date to Ben: in a day, unless told otherwise."""
        return json_of(self.anna.post("/appointments", self.proposal(**terms)), 201)

    def proposal(self, **terms: Any) -> dict[str, Any]:
        return {"to": self.ben.me()["id"], "time": "10+5", "dates": [self.date(days=1)], **terms}

    def agree(self, **terms: Any) -> dict[str, Any]:
        """Have Ben accept the first date of what Anna proposes."""
        proposed = self.propose(**terms)
        return json_of(self.ben.post(f"/appointments/{proposed['id']}/accept", {"date": proposed["dates"][0]}))

    def go_to(self, appointment: dict[str, Any], **after: float) -> None:
        """Let time pass until the date of an appointment, or some time after it, or before."""
        self.clock.time = datetime.fromisoformat(appointment["date"]) + timedelta(**after)

    def own(self, browser: Browser) -> list[tuple[str, str]]:
        """Return what a player sees in their list: ids and states."""
        listed = json_of(browser.get("/me/appointments"))["appointments"]
        return [(each["id"], each["state"]) for each in listed]

    def games(self) -> int:
        """Return how many games there are."""
        games: Games = self.client.app.state.services.get(Games)  # type: ignore[attr-defined]
        with games._store.database.read_transaction() as connection:
            (count,) = connection.execute("SELECT count(*) FROM games").fetchone()
        return int(count)


def text_of(time: datetime) -> str:
    """Return a time as the API writes it."""
    return time.isoformat().replace("+00:00", "Z")
