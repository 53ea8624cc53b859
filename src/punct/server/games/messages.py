"""The texts of messages on live connections."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from punct.piece import Colour
from punct.server.games.engine_status import Thinking
from punct.server.games.events import RemovalReason
from punct.server.games.game import PlayedGame
from punct.server.games.model import StoredGame
from punct.server.games.presenter import seats, thinking_of, you
from punct.server.games.rights import Rights
from punct.server.http.encoding import COLOUR_LETTERS, encode
from punct.server.workers.think import ThinkProgress


def thinking_message(game: PlayedGame, thinking: Thinking, progress: ThinkProgress | None) -> str:
    """Return the message about an engine's state and progress."""
    return encode(
        {
            "type": "thinking",
            "revision": game.revision,
            "thinking": thinking_of(thinking),
            "ply": game.ply,
            "colour": COLOUR_LETTERS[game.turn],
            "depth": progress and progress.depth,
            "nodes": progress and progress.nodes,
            "chance": progress and progress.chance,
            "line": list(progress.pv) if progress else [],
            "progress": progress.done if progress else 0.0,
        }
    ).decode()


def you_message(rights: Rights, now: datetime) -> str:
    """Return the message about a player's rights in a game."""
    return encode({"type": "you", **you(rights, now)}).decode()


def current_message(game: StoredGame) -> str:
    """Return the message that a client has the current revision, with the seats: players may have new names."""
    return encode({"type": "current", "revision": game.revision, "seats": seats(game)}).decode()


def presence_message(players: Collection[Colour], spectators: int) -> str:
    """Return the message about who is connected to a game."""
    return encode(
        {
            "type": "presence",
            "w": Colour.WHITE in players,
            "b": Colour.BLACK in players,
            "watchers": spectators,
        }
    ).decode()


def greeting_message(by: Colour, greeting: str) -> str:
    """Return the message with a player's greeting."""
    return encode({"type": "greeting", "by": COLOUR_LETTERS[by], "greeting": greeting}).decode()


def gone_message(reason: RemovalReason) -> str:
    """Return the message that a game was removed."""
    return f'{{"type":"gone","reason":"{reason}"}}'
