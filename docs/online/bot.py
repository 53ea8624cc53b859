"""Offer a game and play it: python bot.py SERVER TOKEN."""

import json
import sys
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import connect

from punct import kernel

API, SENT = f"{sys.argv[1]}/api/v1", {"Authorization": f"Bearer {sys.argv[2]}", "Content-Type": "application/json"}


def post(path: str, body: dict[str, Any]) -> None:
    """Send a request to the server."""
    urlopen(Request(API + path, json.dumps(body).encode(), SENT)).close()


with connect(f"ws{API[4:]}/lobby/live", additional_headers=SENT) as lobby:
    post("/challenges", {"rules": "basic", "colour": "w", "time": "none", "rated": False, "listed": True})
    print("waiting for somebody", flush=True)
    game = next(news["game"] for news in map(json.loads, lobby) if news["type"] == "accepted")
with connect(f"ws{API[4:]}/games/{game}/live", additional_headers=SENT) as live:
    for now in (news["game"] for news in map(json.loads, live) if news["type"] == "game"):
        if now["outcome"]:
            print(now["result"])
            break
        if now["turn"] == "w":
            ((best, _),) = kernel.Position(now["view"]["text"]).score_moves(1)
            post(f"/games/{game}/turns", {"text": str(best), "ply": now["ply"]})
