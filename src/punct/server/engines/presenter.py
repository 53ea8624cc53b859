"""JSON of engine levels and hints."""

from __future__ import annotations

from typing import Final

from punct.server.engines.schemas import Level, Levels
from punct.server.games.game import PlayedGame
from punct.server.http.encoding import Json
from punct.server.workers.think import ThinkResult

_DESCRIPTIONS: Final = {
    1: "Builds its own chain and often forgets yours. For children, and for your very first games.",
    2: "Knows all the rules but overlooks threats now and then. For learning how to connect.",
    3: "Watches you a little and sometimes stops you. For the first weeks.",
    4: "Stops most direct threats and rarely gives a win away. For people who play regularly.",
    5: "Takes every win in one turn and hardly ever overlooks yours. You have to make two threats at once.",
    6: "Looks several turns ahead and plans for the centre too. For experienced players.",
    7: "Finds long sequences of threats. Few will beat it.",
    8: "Everything it has, in about a second a turn.",
}


def levels() -> Levels:
    """Return all levels, weakest first."""
    from punct.engine.levels import LEVELS  # loads the search, which the server itself does not need

    return Levels(
        levels=[
            Level(level=level.number, name=level.words, description=_DESCRIPTIONS[level.number]) for level in LEVELS
        ]
    )


def hint(game: PlayedGame, result: ThinkResult) -> Json:
    """Return a move the engine would play."""
    return {
        "ply": game.ply,
        "turn": result.move,
        "chance": result.chance,
        "line": list(result.pv),
        "depth": result.depth,
        "nodes": result.nodes,
    }
