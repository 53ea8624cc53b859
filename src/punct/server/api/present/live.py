"""Messages, as live connections get them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final

from punct.piece import Colour
from punct.server.api.present.games import challenge, listed, seats, summary, thinking_of, you
from punct.server.api.present.words import LETTERS, Json, encode, time
from punct.server.opponents.seats import Thinking
from punct.server.play.actor import Actor
from punct.server.play.game import PlayedGame
from punct.server.play.games import Gone
from punct.server.play.rights import Rights
from punct.server.store import StoredChallenge, StoredGame
from punct.server.workers.think import Progress


def thinking_message(game: PlayedGame, thinking: Thinking, progress: Progress | None) -> str:
    """Return what an engine does, as live connections get it."""
    return encode(
        {
            "type": "thinking",
            "revision": game.revision,
            "thinking": thinking_of(thinking),
            "ply": game.ply,
            "colour": LETTERS[game.turn],
            "depth": progress and progress.depth,
            "nodes": progress and progress.nodes,
            "chance": progress and progress.chance,
            "line": list(progress.pv) if progress else [],
            "progress": progress.done if progress else 0.0,
        }
    ).decode()


def you_message(rights: Rights, now: datetime) -> str:
    """Return what somebody is in a game, as their live connection gets it."""
    return encode({"type": "you", **you(rights, now)}).decode()


def current_message(game: StoredGame) -> str:
    """Return that a client has what there is, as live connections get it: but players may go by other names now."""
    return encode({"type": "current", "revision": game.revision, "seats": seats(game)}).decode()


def presence_message(players: Collection[Colour], watchers: int) -> str:
    """Return who is at the board, as live connections get it."""
    return encode(
        {
            "type": "presence",
            "w": Colour.WHITE in players,
            "b": Colour.BLACK in players,
            "watchers": watchers,
        }
    ).decode()


def probe_message(number: int, now: datetime) -> str:
    """Return a probe, as live connections get it."""
    return encode({"type": "probe", "n": number, "now": time(now)}).decode()


def accepted_message(challenge_id: str, game_id: str) -> str:
    """Return that somebody has accepted, as the challenger's connections in the lobby get it."""
    return encode({"type": "accepted", "challenge": challenge_id, "game": game_id}).decode()


def greeting_message(by: Colour, greeting: str) -> str:
    """Return a friendly word, as live connections get it."""
    return encode({"type": "greeting", "by": LETTERS[by], "greeting": greeting}).decode()


def gone_message(reason: Gone) -> str:
    """Return that there is no game any more, as live connections get it."""
    return f'{{"type":"gone","reason":"{reason}"}}'


PONG_MESSAGE: Final = '{"type":"pong"}'


def error_message(code: str, message: str) -> str:
    """Return what could not be understood, as live connections get it."""
    return encode({"type": "error", "error": {"code": code, "message": message, "detail": None}}).decode()


# ---------------------------------------------------------------------- in the lobby


def lobby(challenges: Iterable[StoredChallenge], running: Iterable[StoredGame], players: int) -> Json:
    """Return who wants to play, what can be watched, and how many are here."""
    return {
        "challenges": [challenge(found) for found in challenges],
        "running": [summary(game) for game in running],
        "players": players,
    }


def lobby_message(content: Json) -> str:
    """Return the same, as live connections get it."""
    return encode({"type": "lobby", **content}).decode()


def yours_message(games: Iterable[StoredGame], actor: Actor) -> str:
    """Return a player's games that are not over, as their connections in the lobby get it."""
    return encode({"type": "yours", "games": [listed(game, actor) for game in games]}).decode()
