"""Play a game against the computer on a server, whenever the live connection says that it is your turn."""

import asyncio
import json
import sys
from typing import Any

import httpx2
import websockets

from punct import kernel


async def play(server: str, level: int) -> dict[str, Any]:
    """Play a game as White, each time the move with the best static score, and return the finished game."""
    async with httpx2.AsyncClient(base_url=f"{server}/api/v1") as http:
        begun = await http.post("/games", json={"rules": "basic", "seats": {"b": {"type": "engine", "level": level}}})
        address = f"/games/{begun.raise_for_status().json()['id']}"
        async with websockets.connect(f"ws{server.removeprefix('http')}/api/v1{address}/live") as live:
            while True:  # the game comes at once, then every change; other tasks may run meanwhile
                game: dict[str, Any] | None = json.loads(await live.recv()).get("game")
                if game and game["outcome"]:
                    return game
                if game and game["turn"] == "w":
                    ((best, _),) = kernel.Position(game["view"]["text"]).score_moves(1)
                    await http.post(f"{address}/turns", json={"text": str(best), "ply": game["ply"]})


ended = asyncio.run(play(sys.argv[1], int(sys.argv[2])))
print(f"{ended['outcome']['reason']}, {ended['result']} after {ended['ply']} moves")
