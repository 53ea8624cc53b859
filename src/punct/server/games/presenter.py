"""The JSON of games and of their parts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from punct.piece import Colour
from punct.server.auth.actor import Actor
from punct.server.games.engine_status import Thinking
from punct.server.games.game import PlayedMove
from punct.server.games.model import SeatedPlayer, StoredGame, StoredMove, StoredOffer, StoredSeat, Tally
from punct.server.games.rights import Rights, is_turn_of
from punct.server.http.encoding import COLOUR_LETTERS, KIND_LETTERS, Json, format_time, outcome_of, result_of


def summary(game: StoredGame) -> Json:
    """Return the JSON of a game without its moves."""
    return {
        "id": game.id,
        "rules": game.rules,
        "seats": seats(game),
        "ply": game.ply,
        "turn": COLOUR_LETTERS[game.turn],
        "result": result_of(game.outcome),
        "outcome": outcome_of(game.outcome),
        "created": format_time(game.created),
        "updated": format_time(game.updated),
        "time": game.time,
        "rated": game.rated,
        "uncounted": game.uncounted,
        "listed": game.listed,
        "pauses": pauses(game),
    }


def line(game: StoredGame, moves: Iterable[StoredMove]) -> Json:
    """Return the JSON of a game with its moves, as a line of a file of games has it."""
    turns: list[Json] = [
        {"text": move.text, "at": format_time(move.played_at), "comment": move.comment} for move in moves
    ]
    return {**summary(game), "start": game.start, "tags": dict(game.tags), "turns": turns}


def seats(game: StoredGame) -> Json:
    """Return the JSON of both seats."""
    return {"w": seat(game.seats[Colour.WHITE]), "b": seat(game.seats[Colour.BLACK])}


def list_entry(game: StoredGame, actor: Actor) -> Json:
    """Return the JSON of a game in an actor's list."""
    deadline = None if game.outcome is not None or game.clock is None else game.clock.deadline
    return {**summary(game), "your_turn": is_turn_of(game, actor), "deadline": format_time(deadline)}


def seat(seat: StoredSeat) -> Json:
    """Return the JSON of a seat."""
    return {
        "type": seat.kind,
        "name": seat.display_name,
        "level": seat.level,
        "player": None if seat.player is None else player(seat.player),
    }


def player(seated: SeatedPlayer) -> Json:
    """Return the JSON of a player, as others see them."""
    return {
        "id": seated.id,
        "name": seated.name,
        "handle": seated.handle,
        "kind": seated.kind,
        "rating": seated.rating,
    }


def you(rights: Rights, now: datetime) -> Json:
    """Return the JSON of an actor's rights in a game."""
    return {
        "seats": [COLOUR_LETTERS[colour] for colour in rights.seats],
        "owner": rights.is_owner,
        "may": {
            "undo": rights.is_sole_player,
            "delete": rights.can_delete,
            "hint": rights.is_sole_player,
            "offer": rights.can_offer,
        },
        "now": format_time(now),
    }


def clock(game: StoredGame) -> Json | None:
    """Return the JSON of a game's clock; None without a time control."""
    stored = game.clock
    if stored is None:
        return None
    return {
        "w": stored.left_w,
        "b": stored.left_b,
        "ticking": None if stored.running_since is None else COLOUR_LETTERS[game.turn],
        "at": format_time(stored.running_since),
        "deadline": format_time(stored.deadline),
    }


def pauses(game: StoredGame) -> list[Json]:
    """Return the JSON of the reasons why a game's clock stands."""
    return [
        {"by": None if pause.by is None else COLOUR_LETTERS[pause.by], "until": format_time(pause.until)}
        for pause in (() if game.clock is None else game.clock.pauses)
    ]


def offer(stored: StoredOffer | None) -> Json | None:
    """Return the JSON of an offer, if there is one."""
    return None if stored is None else {"kind": stored.kind, "by": COLOUR_LETTERS[stored.by]}


def move(ply: int, played: PlayedMove) -> Json:
    """Return the JSON of a move."""
    return {
        "ply": ply,
        "text": played.text,
        "colour": COLOUR_LETTERS[played.colour],
        "kind": KIND_LETTERS[played.kind],
        "manner": played.manner,
        "level": played.level,
        "at": format_time(played.played_at),
        "comment": played.comment,
    }


def thinking_of(thinking: Thinking) -> Json:
    """Return the JSON of what an engine does."""
    return {
        "state": thinking.state,
        "colour": None if thinking.colour is None else COLOUR_LETTERS[thinking.colour],
        "level": thinking.level,
        "since": format_time(thinking.since),
        "message": thinking.message,
        "code": thinking.code,
    }


def imported_games(games: Iterable[StoredGame]) -> Json:
    """Return the JSON of imported games."""
    return {"games": [summary(game) for game in games]}


def converted_record(text: str) -> Json:
    """Return the JSON of a converted record."""
    return {"text": text}


def game_list(games: Iterable[Json], total: int, offset: int, limit: int) -> Json:
    """Return the JSON of a page of games."""
    return {"games": list(games), "total": total, "offset": offset, "limit": limit}


def results(tallies: Iterable[Tally]) -> Json:
    """Return the JSON of how persons scored against each level."""
    return {"results": [tally._asdict() for tally in tallies]}
