"""From the domain to the wire: the one place that makes JSON of games, positions and people.

What is made here is held to the models in ``schemas`` by tests. Making it of plain dictionaries costs a tenth of
making and checking the models each time, and a game is sent after every move to everybody who watches.
"""

from punct.server.api.present.analysis import analysis, analysis_made, opening, review
from punct.server.api.present.board import board, levels
from punct.server.api.present.games import challenge, converted, game_list, games, hint, listed, results, summary, you
from punct.server.api.present.live import (
    PONG_MESSAGE,
    accepted_message,
    current_message,
    error_message,
    gone_message,
    greeting_message,
    lobby,
    lobby_message,
    presence_message,
    probe_message,
    thinking_message,
    you_message,
    yours_message,
)
from punct.server.api.present.people import (
    adoption,
    leaderboard,
    me,
    new_token,
    passkey,
    passkeys,
    player_page,
    rating_curve,
    tokens,
)
from punct.server.api.present.positions import explanation, position
from punct.server.api.present.puzzles import puzzle_ratings, puzzle_skill, puzzle_standing, puzzles_tried
from punct.server.api.present.snapshots import Presenter, Snapshot, conflict
from punct.server.api.present.words import Json, encode

__all__ = [
    "PONG_MESSAGE",
    "Json",
    "Presenter",
    "Snapshot",
    "accepted_message",
    "adoption",
    "analysis",
    "analysis_made",
    "board",
    "challenge",
    "conflict",
    "converted",
    "current_message",
    "encode",
    "error_message",
    "explanation",
    "game_list",
    "games",
    "gone_message",
    "greeting_message",
    "hint",
    "leaderboard",
    "levels",
    "listed",
    "lobby",
    "lobby_message",
    "me",
    "new_token",
    "opening",
    "passkey",
    "passkeys",
    "player_page",
    "position",
    "presence_message",
    "probe_message",
    "puzzle_ratings",
    "puzzle_skill",
    "puzzle_standing",
    "puzzles_tried",
    "rating_curve",
    "results",
    "review",
    "summary",
    "thinking_message",
    "tokens",
    "you",
    "you_message",
    "yours_message",
]
