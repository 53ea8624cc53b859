"""The board, positions and masks as clients get them."""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from typing import Any

import pytest
from starlette.testclient import TestClient

from punct import SPACES, Kind, Position
from punct.geometry import Space
from punct.piece import footprint


def unpack(mask: str) -> list[Space]:
    """Return the spaces of a mask, as a client finds them."""
    assert len(mask) == 36
    flags = b64decode(mask, validate=True)
    return [space for number, space in enumerate(SPACES) if flags[number // 8] >> number % 8 & 1]


def test_the_board_lists_every_placement(client: TestClient) -> None:
    board = client.get("/api/v1/board").json()
    assert [space["name"] for space in board["spaces"]] == [space.name for space in SPACES]
    assert len(board["centre"]) == 19
    assert [[len(side) for side in pair] for pair in board["sides"]] == [[7, 7]] * 3
    at = {(space["column"], space["row"]): space["name"] for space in board["spaces"]}
    for kind in Kind:
        shape = board["kinds"][kind.value]
        assert shape["count"] == kind.count
        assert shape["headings"] == [str(heading) for heading in kind.headings]
        for heading in kind.headings:
            for space in SPACES:
                told = [
                    at.get((space.column + dot["column"], space.row + dot["row"]))
                    for dot in shape["dots"][str(heading)]
                ]
                real = footprint(kind, space, heading)
                assert (None if None in told else told) == (real and [dot.name for dot in real])


def view(client: TestClient, position: str, *turns: str) -> dict[str, object]:
    answer = client.post("/api/v1/positions/view", json={"position": position, "turns": turns})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert isinstance(found, dict)
    return found


def legal_turns(view: dict[str, object]) -> set[str]:
    """Read the legal turns as a client does."""
    legal = view["legal"]
    assert isinstance(legal, dict)
    adds = {
        f"{kind}{space}{heading}"
        for kind, headings in legal["adds"].items()
        for heading, mask in headings.items()
        for space in unpack(mask)
    }
    moves = {
        f"{origin}-{space}{heading}"
        for origin, headings in legal["moves"].items()
        for heading, mask in headings.items()
        for space in unpack(mask)
    }
    return adds | moves


@pytest.mark.parametrize("text", ["standard w", "basic w", "standard b wTb9ne wTf5s bTl5n wCl13se"])
def test_a_view_lists_every_legal_move(client: TestClient, text: str) -> None:
    found = view(client, text)
    position = Position(text)
    assert legal_turns(found) == {str(move) for move in position.legal_moves}
    legal = found["legal"]
    assert isinstance(legal, dict) and legal["count"] == len(position.legal_moves)


def test_a_view_shows_pieces_blockers_and_the_last_move(client: TestClient) -> None:
    # White's straight piece jumps onto two dots of its own triangle and one of Black's.
    found = view(client, "standard w wEd5n wTd9n bTe9se bTd11n", "d5-d9n")
    pieces = found["pieces"]
    assert isinstance(pieces, list)
    by_id = {piece["id"]: piece for piece in pieces}
    assert [piece["level"] for piece in pieces] == sorted(piece["level"] for piece in pieces)
    last = found["last"]
    assert isinstance(last, dict)
    moved = by_id["wE1"]
    assert last["piece"] == "wE1" and moved["level"] == 2 and moved["free"]
    assert last["path"][0] == "d5" and last["path"][-1] == moved["space"] == last["space"]
    assert last["manner"] == "jump"
    assert [covered["piece"] for covered in last["covered"]] == ["wT1", "wT1", "bT1"]
    assert sorted(last["emptied"]) == ["d5", "d6", "d7"]
    for covered in last["covered"]:
        below = by_id[covered["piece"]]
        assert not below["free"]
        assert {"space": covered["space"], "piece": "wE1"} in below["blocked_by"]
    assert found["text"] == "standard b wTd9n bTd11n bTe9se wEd9n"


def test_pieces_keep_their_ids(client: TestClient) -> None:
    found = view(client, "standard w", "Td5n", "Tk5n", "Tb5n", "k5-l5n", "d5-d6n")
    pieces = found["pieces"]
    assert isinstance(pieces, list)
    assert {piece["id"]: piece["space"] for piece in pieces} == {"wT1": "d6", "wT2": "b5", "bT1": "l5"}


def test_malformed_positions_are_refused(client: TestClient) -> None:
    answer = client.post("/api/v1/positions/view", json={"position": "standard w wTz9n"})
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "invalid_position"
    answer = client.post("/api/v1/positions/view", json={"position": "standard w", "turns": ["Ti9n"]})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["detail"]["reason"]) == (422, "illegal_turn", "ADDED_IN_CENTRE")
    answer = client.post("/api/v1/positions/view", content=b"{", headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "malformed")


def test_a_move_in_any_position_is_explained(client: TestClient) -> None:
    def explained(text: str, position: str = "standard w", turns: tuple[str, ...] = ()) -> tuple[bool, str | None]:
        wanted = {"position": position, "turns": list(turns), "text": text}
        answer = client.post("/api/v1/positions/explain", json=wanted)
        assert answer.status_code == 200
        return answer.json()["legal"], answer.json()["reason"]

    assert explained("Td4n") == (True, None)
    assert explained("Ti9n") == (False, "ADDED_IN_CENTRE")
    assert explained("Td4n", turns=("Td4n",)) == (False, "SPACE_TAKEN")
    assert explained("k11-k11n", "standard w bTi9n wEk11se wTg8n bEi9ne") == (False, "COVERED")
    assert explained("what?") == (False, "UNREADABLE")
    answer = client.post("/api/v1/positions/explain", json={"position": "standard w wTz9n", "text": "Td4n"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid_position")


def test_a_space_is_explained_with_every_heading(client: TestClient) -> None:
    def tapped(text: str, position: str) -> dict[str, Any]:
        wanted = {"position": position, "text": text, "any_heading": True}
        answer = client.post("/api/v1/positions/explain", json=wanted)
        assert answer.status_code == 200
        found = answer.json()
        assert isinstance(found, dict)
        return found

    # One reason for all: the opponent's piece below the PÜNCT, whatever the heading.
    found = tapped("d5-d8", "standard w wTd5n bTd8n")
    assert (found["legal"], found["reason"], found["spaces"]) == (False, "PUNCT_ON_OPPONENT", ["d8"])
    assert [judged["heading"] for judged in found["headings"]] == ["n", "ne", "se", "s", "sw", "nw"]
    # Several: the one that forbids most, and everything that is in the way of any.
    found = tapped("d5-a5", "standard w wEd5ne wTa5ne")
    counts = Counter(judged["reason"] for judged in found["headings"])
    assert counts == {"ENDS_NOT_LEVEL": 4, "MOVED_OFF_BOARD": 2}
    assert (found["reason"], found["spaces"]) == ("ENDS_NOT_LEVEL", ["a7", "c7", "c5", "a3"])
    # A straight piece with its PÜNCT in the centre has three headings, from the set and on the board.
    for text in ("Cf8", "b4-f8"):
        found = tapped(text, "standard w wCb4n bTf8n")
        assert [judged["heading"] for judged in found["headings"]] == ["n", "ne", "se"]
    # Legal with one heading is legal; the others still say why.
    found = tapped("Ta2", "standard w")
    assert (found["legal"], found["turn"], found["reason"], found["spaces"]) == (True, None, None, [])
    assert {judged["reason"] for judged in found["headings"]} == {None, "OFF_BOARD"}
    # Nothing to choose from, and no tap at all.
    assert tapped("d5-d8", "standard w")["reason"] == "NO_PIECE"
    assert tapped("Td5n", "standard w")["reason"] == "UNREADABLE"
    assert tapped("Td5n", "standard w")["headings"] == []
