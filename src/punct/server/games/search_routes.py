"""Routes for all games of a player: search, and download as one file."""

from __future__ import annotations

import base64
import binascii
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.responses import StreamingResponse

from punct.server.auth.identity import actor_of
from punct.server.auth.routing import ApiRoute, limited, token_scope
from punct.server.games import presenter, schemas
from punct.server.games.model import StoredGame, StoredMove
from punct.server.games.parameters import MAX_PAGE_SIZE
from punct.server.games.search import GameSearch, images_of_opening, record_writer
from punct.server.games.search_store import GameFilter, Opponents, Place, Result, Speed
from punct.server.http.encoding import encode
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import DOWNLOADS, GAME_SEARCHES
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.http.schemas import RulesWord
from punct.server.http.security import SAME_SITE_ONLY

router = APIRouter(prefix="/api/v1", tags=["games"], route_class=ApiRoute, dependencies=SAME_SITE_ONLY)

DownloadFormat = Literal["text", "sgf", "jsonl"]
_MEDIA_TYPES: dict[DownloadFormat, str] = {
    "text": "text/plain; charset=utf-8",
    "sgf": "text/plain; charset=utf-8",
    "jsonl": "application/jsonl",
}
_SUFFIXES: dict[DownloadFormat, str] = {"text": "punct", "sgf": "sgf", "jsonl": "jsonl"}
_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The games, newest first",
        "content": {kind: {"schema": {"type": "string"}} for kind in ("text/plain", "application/jsonl")},
    }
}
_MAX_MOVES = 100_000
Moves = Annotated[int | None, Query(ge=0, le=_MAX_MOVES)]


def _game_filter(
    opponent: Annotated[str | None, Query(min_length=1, max_length=60, description="A part of the name")] = None,
    opponent_id: Annotated[str | None, Query(pattern="^[A-Za-z0-9_-]{1,64}$", description="A player's id")] = None,
    against: Annotated[Opponents | None, Query()] = None,
    level: Annotated[int | None, Query(ge=1, le=100, description="The computer's level")] = None,
    result: Annotated[Result | None, Query(description="From your side")] = None,
    rules: Annotated[RulesWord | None, Query()] = None,
    speed: Annotated[Speed | None, Query()] = None,
    rated: Annotated[bool | None, Query()] = None,
    min_moves: Moves = None,
    max_moves: Moves = None,
    since: Annotated[date | None, Query(description="Begun on this day (UTC) or later")] = None,
    until: Annotated[date | None, Query(description="Begun on this day (UTC) or earlier")] = None,
    opening: Annotated[
        str | None,
        Query(
            max_length=200,
            description="The first moves from the empty board, or the same turned or mirrored",
            examples=["Ed5ne Tl10n"],
        ),
    ] = None,
) -> GameFilter:
    return GameFilter(
        opponent=opponent,
        opponent_id=opponent_id,
        against=against,
        level=level,
        result=result,
        rules=rules,
        speed=speed,
        rated=rated,
        min_moves=min_moves,
        max_moves=max_moves,
        since=None if since is None else _midnight(since),
        until=None if until is None or until == date.max else _midnight(until + timedelta(days=1)),
        openings=images_of_opening(opening, rules) if opening and opening.strip() else (),
    )


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


GameFilterQuery = Annotated[GameFilter, Depends(_game_filter)]


def _read_place(
    after: Annotated[
        str | None, Query(pattern="^[A-Za-z0-9_=-]{1,120}$", description="`next` of the page before")
    ] = None,
) -> Place | None:
    """Return the place of a page; None for the first. A text that no page has had begins at the first, too."""
    try:
        if after is not None:
            created, _, game_id = base64.urlsafe_b64decode(after).decode().partition(" ")
            return Place(datetime.fromisoformat(created).astimezone(UTC), game_id)
    except (ValueError, OverflowError, binascii.Error):
        pass
    return None


def _write_place(place: Place | None) -> str | None:
    if place is None:
        return None
    return base64.urlsafe_b64encode(f"{place.created.isoformat()} {place.game_id}".encode()).decode()


@router.get("/me/games", response_model=schemas.FoundGames, responses=error_responses(403, 422, 429))
@limited(GAME_SEARCHES)
@token_scope("read")
async def search_games(
    request: Request,
    wanted: GameFilterQuery,
    after: Annotated[Place | None, Depends(_read_place)],
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE_SIZE)] = 20,
) -> Response:
    """Search your own games, the last begun first; at home all games. What changes meanwhile shifts no page."""
    actor = await actor_of(request)
    games, place, total = await services_of(request).get(GameSearch).find(actor, wanted, after, limit)
    return json_response(
        {
            "games": [presenter.list_entry(game, actor) for game in games],
            "total": total,
            "next": _write_place(place),
        }
    )


@router.get(
    "/me/games/download",
    response_class=Response,
    responses={**_FILE, **error_responses(403, 422, 429)},
)
@limited(DOWNLOADS)
@token_scope("read")
async def download_games(request: Request, wanted: GameFilterQuery, format: DownloadFormat = "text") -> Response:
    """Download your own games as one file, or those that a search finds; at home all games.

    Each game is as it is when its part of the file is written; a game begun after the download is not in it.
    """
    actor = await actor_of(request)
    write = _json_line if format == "jsonl" else record_writer(format)
    parts = services_of(request).get(GameSearch).download(actor, wanted, write)
    disposition = f'attachment; filename="punct-games.{_SUFFIXES[format]}"'
    return StreamingResponse(
        parts,
        media_type=_MEDIA_TYPES[format],
        headers={"Content-Disposition": disposition, "Cache-Control": "no-store"},
    )


def _json_line(game: StoredGame, moves: list[StoredMove]) -> bytes:
    return encode(presenter.line(game, moves)) + b"\n"
