"""Games in the browser are changed as the server changes games.

What the server makes of a list of wishes is kept in a file beside the client's tests, which hold the client to it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from punct.server.app import create_app

KEPT = Path(__file__).parents[2] / "web" / "tests" / "fixtures" / "wishes.json"
AROUND = "d5-d8ne l10-l13n d8-d5ne l13-l10n"
PERSON, ENGINE = {"type": "person"}, {"type": "engine", "level": 2}
WON = "Co13ne Cj16n Cm9ne Ce10ne Ep15n Mn11nw Mj6ne Ed8sw Mp12sw Mc5s Eg2ne Eg12ne Te1n"  # a short one, won by White


def play(*turns: str) -> list[list[str]]:
    return [["play", turn] for line in turns for turn in line.split()]


SCRIPTS: list[dict[str, Any]] = [
    {
        "what": "two at one screen: back, again, another way, and every end",
        "new": {"rules": "basic", "seats": {"w": {"type": "person", "name": "Anna"}, "b": PERSON}},
        "wishes": [
            ["undo"],
            *play("Ed5ne", "Tl10n", "d5-d8n"),
            ["undo"],
            ["undo"],
            ["redo"],
            *play("d5-d8n"),  # the same again: what was taken back goes on from there
            ["redo"],
            ["undo"],
            *play("Tl4n"),
            ["redo"],
            *play("Tl4n", "nonsense"),
            ["resign", "b"],
            ["resign", "w"],
            *play("Cc5n"),
            ["undo"],
            ["draw"],
            ["redo"],
            ["undo"],
            *play("Cc6n"),
        ],
    },
    {
        "what": "the third time is a draw, which can be taken back",
        "new": {"rules": "standard", "seats": {"w": PERSON, "b": PERSON}},
        "wishes": [*play("Ed5ne Tl10n", AROUND, AROUND), *play("d5-d8ne"), ["undo"], ["redo"], ["draw"]],
    },
    {
        "what": "against the computer: back to the person's turn, and again with its answer",
        "new": {"record": "Ed5ne Tl10n d5-d8n l10-l13n", "seats": {"w": PERSON, "b": ENGINE}},
        "wishes": [
            ["undo"],
            ["undo"],
            ["undo"],
            ["redo"],
            ["redo"],
            ["redo"],
            ["draw"],
            ["resign", "b"],
            ["resign", "w"],
            ["undo"],
        ],
    },
    {
        "what": "the computer has begun",
        "new": {"record": "Ed5ne Tl10n d5-d8n", "seats": {"w": ENGINE, "b": PERSON}},
        "wishes": [["undo"], ["undo"], ["redo"], ["undo"], ["resign", "b"]],
    },
    {
        "what": "a chain that is taken back",
        "new": {"record": WON, "seats": {"w": PERSON, "b": ENGINE}},
        "wishes": [*play("Td5n"), ["resign", "w"], ["undo"], ["redo"]],
    },
    {
        "what": "from a position, Black to move",
        "new": {
            "position": "standard b wTd5s wTd7n wEk4n wEk10ne bTl14n bMn9n",
            "seats": {"w": PERSON, "b": PERSON},
        },
        "wishes": [*play("l14-l12n", "Ed5n"), ["undo"], ["undo"], ["undo"], ["redo"]],
    },
]


def shown(game: dict[str, Any]) -> dict[str, Any]:
    """Return what of a game does not depend on where and when it is played; views have a test of their own."""
    view = game["view"]
    return {
        **{key: game[key] for key in ("rules", "seats", "ply", "turn", "result", "outcome", "revision", "start")},
        **{key: game[key] for key in ("repetitions", "may_undo", "may_redo", "may_resign", "may_draw")},
        "turns": [{key: value for key, value in turn.items() if key != "at"} for turn in game["turns"]],
        "view": {
            **{key: view[key] for key in ("ply", "text", "turn", "outcome", "result", "chain", "threats")},
            "legal": view["legal"]["count"],
        },
    }


def wished(client: TestClient, game: dict[str, Any], wish: list[str]) -> dict[str, Any]:
    """Return what the server makes of a wish: the game after it, or why not."""
    kind, *words = wish
    body: dict[str, Any] = {"ply": game["ply"]}
    if kind == "play":
        path, body["text"] = "turns", words[0]
    else:
        path = kind
        body = {"colour": words[0]} if kind == "resign" else {} if kind == "draw" else body
    answer = client.post(f"/api/v1/games/{game['id']}/{path}", json=body).json()
    assert isinstance(answer, dict)
    return answer


def test_what_the_clients_tests_know_is_what_the_server_does(tmp_path: Path) -> None:
    told = []
    with TestClient(create_app(tmp_path, workers=1)) as client:
        for script in SCRIPTS:
            game = client.post("/api/v1/games", json=script["new"]).json()
            begun, steps = shown(game), []
            for wish in script["wishes"]:
                answer = wished(client, game, wish)
                if "error" in answer:
                    steps.append({"wish": wish, "refused": answer["error"]["code"]})
                else:
                    game = answer
                    steps.append({"wish": wish, "game": shown(game)})
            told.append({"what": script["what"], "begun": begun, "steps": steps})
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n"
    if not KEPT.exists() or json.loads(KEPT.read_text(encoding="utf-8")) != json.loads(text):
        KEPT.with_suffix(".now.json").write_text(text, encoding="utf-8")
        raise AssertionError(f"the server does otherwise now; see {KEPT.stem}.now.json, and put it in its place")
