"""The lines of a public file: a game each, in the form of a download of one's own games."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

import orjson

from punct.server.dumps.store import DumpedGame
from punct.server.games import presenter
from punct.server.games.model import SeatedPlayer, StoredSeat
from punct.server.http.encoding import encode

Existing = Callable[[Collection[str]], set[str]]
"""Returns which of some players exist."""


def line_of(dumped: DumpedGame) -> bytes:
    """Return a game's line, with the ratings that its players had then."""
    seats = {
        colour: replace(seat, player=seat.player and seat.player._replace(rating=dumped.ratings.get(seat.player.id)))
        for colour, seat in dumped.game.seats.items()
    }
    return encode(presenter.line(replace(dumped.game, seats=seats), dumped.moves)) + b"\n"


def without_deleted(lines: Iterable[bytes], existing: Existing) -> bytes:
    """Return lines without the names of players who do not exist any more. Everything else stays byte by byte."""
    read = [(line, orjson.loads(line)) for line in lines]
    exist = existing({player["id"] for _, game in read for player in _players(game)})
    written = []
    for line, game in read:
        gone = [colour for colour, seat in game["seats"].items() if seat["player"] and not _is_there(seat, exist, game)]
        for colour in gone:
            rating = game["seats"][colour]["player"]["rating"]
            nobody = presenter.seat(StoredSeat(player=SeatedPlayer(game["id"], rating=rating)))
            game["seats"][colour] = nobody
            game["tags"].pop({"w": "White", "b": "Black"}[colour], None)
        written.append(encode(game) + b"\n" if gone else line)
    return b"".join(written)


def _players(game: Any) -> list[Any]:
    return [seat["player"] for seat in game["seats"].values() if seat["player"]]


def _is_there(seat: Any, exist: set[str], game: Any) -> bool:
    """Return whether nothing is to be removed from a seat: its player exists, or was removed before."""
    return seat["player"]["id"] in exist or seat["player"]["id"] == game["id"]
