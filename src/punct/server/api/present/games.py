"""Games in lists and one by one, what belongs to them, and challenges, which become games."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from punct.piece import Colour
from punct.server.api.present.words import KINDS, LETTERS, Json, outcome_of, result_of, time
from punct.server.opponents.seats import Thinking
from punct.server.play.actor import Actor
from punct.server.play.game import PlayedGame, PlayedMove
from punct.server.play.rights import Rights, is_your_turn
from punct.server.store import SeatedPlayer, StoredChallenge, StoredGame, StoredOffer, StoredSeat, Tally
from punct.server.workers.think import Thought


def summary(game: StoredGame) -> Json:
    """Return a game as lists show it."""
    return {
        "id": game.id,
        "rules": game.rules,
        "seats": seats(game),
        "ply": game.ply,
        "turn": LETTERS[game.turn],
        "result": result_of(game.outcome),
        "outcome": outcome_of(game.outcome),
        "created": time(game.created),
        "updated": time(game.updated),
        "time": game.time,
        "rated": game.rated,
        "uncounted": game.uncounted,
        "listed": game.listed,
    }


def seats(game: StoredGame) -> Json:
    """Return who plays a game."""
    return {"w": _seat(game.seats[Colour.WHITE]), "b": _seat(game.seats[Colour.BLACK])}


def listed(game: StoredGame, actor: Actor) -> Json:
    """Return a game as somebody's list shows it."""
    return {**summary(game), "your_turn": is_your_turn(game, actor)}


def _seat(seat: StoredSeat) -> Json:
    return {
        "type": seat.kind,
        "name": seat.shown,
        "level": seat.level,
        "player": None if seat.player is None else player(seat.player),
    }


def player(seated: SeatedPlayer) -> Json:
    """Return a player as others see them."""
    return {"id": seated.id, "name": seated.name, "kind": seated.kind, "rating": seated.rating}


def you(rights: Rights, now: datetime) -> Json:
    """Return what somebody is in a game."""
    return {
        "seats": [LETTERS[colour] for colour in rights.seats],
        "owner": rights.owner,
        "may": {
            "undo": rights.alone,
            "delete": rights.delete,
            "hint": rights.alone,
            "offer": rights.offer,
        },
        "now": time(now),
    }


def challenge(found: StoredChallenge) -> Json:
    """Return a challenge."""
    return {
        "id": found.id,
        "link": f"/join/{found.id}",
        "challenger": player(found.challenger),
        "rules": found.rules,
        "position": found.start,
        "colour": None if found.colour is None else LETTERS[found.colour],
        "time": found.time or "none",
        "rated": found.rated,
        "listed": found.listed,
        "created": time(found.created),
        "expires": time(found.expires),
        "game": found.game_id,
    }


def clock(game: StoredGame) -> Json | None:
    """Return both players' time, if it counts."""
    found = game.clock
    if found is None:
        return None
    return {
        "w": found.left_w,
        "b": found.left_b,
        "ticking": None if found.ticking is None else LETTERS[game.turn],
        "at": time(found.ticking),
        "deadline": time(found.deadline),
    }


def offer(found: StoredOffer | None) -> Json | None:
    """Return what is offered, if anything is."""
    return None if found is None else {"kind": found.kind, "by": LETTERS[found.by]}


def move(ply: int, played: PlayedMove) -> Json:
    """Return a move of a game."""
    return {
        "ply": ply,
        "text": played.text,
        "colour": LETTERS[played.colour],
        "kind": KINDS[played.kind],
        "manner": played.manner,
        "level": played.level,
        "at": time(played.played),
        "comment": played.comment,
    }


def thinking_of(thinking: Thinking) -> Json:
    """Return what an engine does."""
    return {
        "state": thinking.state,
        "colour": None if thinking.colour is None else LETTERS[thinking.colour],
        "level": thinking.level,
        "since": time(thinking.since),
        "message": thinking.message,
        "code": thinking.code,
    }


def games(found: Iterable[StoredGame]) -> Json:
    """Return games that were taken in."""
    return {"games": [summary(game) for game in found]}


def converted(record: str) -> Json:
    """Return a record in the format that was wanted."""
    return {"text": record}


def game_list(games: Iterable[Json], total: int, offset: int, limit: int) -> Json:
    """Return a page of games."""
    return {"games": list(games), "total": total, "offset": offset, "limit": limit}


def results(tallies: Iterable[Tally]) -> Json:
    """Return how persons fared against each level."""
    return {"results": [tally._asdict() for tally in tallies]}


def hint(game: PlayedGame, thought: Thought) -> Json:
    """Return a turn the engine would play."""
    return {
        "ply": game.ply,
        "turn": thought.move,
        "chance": thought.chance,
        "line": list(thought.pv),
        "depth": thought.depth,
        "nodes": thought.nodes,
    }
