"""JSON of the lobby."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from punct.server.appointments.model import StoredAppointment
from punct.server.appointments.presenter import own_appointments
from punct.server.auth.actor import Actor
from punct.server.challenges.model import StoredChallenge
from punct.server.challenges.presenter import challenge, own_challenges
from punct.server.games.model import StoredGame
from punct.server.games.presenter import list_entry, summary
from punct.server.http.encoding import Json, encode


def accepted_message(challenge_id: str, game_id: str) -> str:
    """Return the message that a challenge was accepted, for the challenger."""
    return encode({"type": "accepted", "challenge": challenge_id, "game": game_id}).decode()


def lobby(challenges: Iterable[StoredChallenge], running: Iterable[StoredGame], players: int) -> Json:
    """Return the open challenges, the games to watch, and how many are connected."""
    return {
        "challenges": [challenge(each) for each in challenges],
        "running": [summary(game) for game in running],
        "players": players,
    }


def lobby_message(content: Json) -> str:
    """Return the lobby as a live message."""
    return encode({"type": "lobby", **content}).decode()


def challenges_message(received: Iterable[StoredChallenge], sent: Iterable[StoredChallenge]) -> str:
    """Return the challenges to a player, and the player's own, as a live message."""
    return encode({"type": "challenges", **own_challenges(received, sent)}).decode()


def appointments_message(appointments: Iterable[StoredAppointment], now: datetime) -> str:
    """Return a player's appointments as a live message."""
    return encode({"type": "appointments", **own_appointments(appointments, now)}).decode()


def yours_message(games: Iterable[StoredGame], actor: Actor) -> str:
    """Return a player's games that are not over, as a live message."""
    return encode({"type": "yours", "games": [list_entry(game, actor) for game in games]}).decode()
