"""What a link to a page shows where it is pasted: a title, a line of text and the picture of a board.

Sites and messengers read these from the page's head. Nobody is logged in there: a preview says what anybody sees who
has the link, and no more.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import quote, urlencode

from punct.puzzles import Goal, Puzzle, shipped
from punct.server.analyses.service import Analyses
from punct.server.auth.sessions import Sessions
from punct.server.challenges.service import Challenges
from punct.server.games.model import StoredGame, engine_name
from punct.server.games.records import RecordReader
from punct.server.games.service import Games
from punct.server.http.rate_limits import PREVIEWS, Limits
from punct.server.http.registry import Services
from punct.server.positions.setup import position_after
from punct.server.ratings.service import Ratings, is_provisional
from punct.server.sized_cache import SizedCache

PREVIEW_SECONDS: Final = 2.0
"""Within which a preview must be there: else the page is sent without one."""
_MAX_CACHE_BYTES: Final = 1024 * 1024
_CARD: Final = "card=true"
_ID: Final = "[A-Za-z0-9_-]"
_EMPTY_BOARD: Final = "standard w"


@dataclass(frozen=True, slots=True)
class Preview:
    """What a link shows."""

    title: str
    description: str
    path: str
    """The path of the page, as it is best linked to."""
    picture: str
    """The path and query of the picture."""
    picture_text: str
    """What the picture shows, for those who do not see it."""
    is_embeddable: bool = False
    """Whether the board may stand in other sites' pages, at the same path below ``/embed``."""


class Previews:
    """Makes previews of games, challenges, analyses, puzzles and players."""

    def __init__(self, services: Services) -> None:
        """Read from a server's services."""
        self._services = services
        self._analyses: SizedCache[str, _Position] = SizedCache(_MAX_CACHE_BYTES, _Position.estimate_bytes)

    async def find(self, path: str, address: str | None) -> Preview | None:
        """Return the preview of a page for a client; None if it has none. Raises what its services raise."""
        for pattern, make in self._pages().items():
            if (match := re.fullmatch(pattern, path)) is not None:
                if self._services.online:
                    await self._services.get(Limits).hit(PREVIEWS, address)
                async with asyncio.timeout(PREVIEW_SECONDS):
                    return await make(match[1])
        return None

    def _pages(self) -> Mapping[str, Callable[[str], Awaitable[Preview | None]]]:
        return {
            rf"/game/({_ID}{{1,32}})(?:/review)?/*": self._game,
            rf"/join/({_ID}{{1,64}})/*": self._challenge,
            rf"/analysis/({_ID}{{1,64}})/*": self._analysis,
            r"/puzzles/([0-9a-z]{6})/*": self._puzzle,
            rf"/player/({_ID}{{1,64}})/*": self._player,
        }

    async def _game(self, game_id: str) -> Preview:
        game = (await self._services.get(Games).get(game_id)).stored
        return Preview(
            title=players(game),
            description=f"{terms(game.rules, game.time, rated=game.rated)}. {state(game)}.",
            path=f"/game/{game_id}",
            picture=_game_picture(game),
            picture_text=f"The board: {state(game)}",
            is_embeddable=True,
        )

    async def _challenge(self, challenge_id: str) -> Preview:
        challenge = await self._services.get(Challenges).get(challenge_id)
        name = challenge.challenger.name or "Somebody"
        offer = terms(challenge.rules, challenge.time, rated=challenge.rated)
        return Preview(
            title=f"{name} invites you to a game of PÜNCT",
            description=f"{offer}. " + ("Open the link to play." if challenge.game_id is None else "It has begun."),
            path=f"/join/{challenge_id}",
            picture=_position_picture(challenge.start or f"{challenge.rules} w"),
            picture_text="The board from which the game begins",
        )

    async def _analysis(self, analysis_id: str) -> Preview:
        stored = await self._services.get(Analyses).get(analysis_id)
        shown = self._analyses.use(analysis_id)
        if shown is None:
            (game,) = await self._services.get(RecordReader).read_games(stored.tree, "text", max_games=1)
            text = str(await asyncio.to_thread(position_after, game.start, game.moves.split()))
            shown = _Position(text, len(game.moves.split()))
            self._analyses.put(analysis_id, shown)
        return Preview(
            title="An analysis of PÜNCT",
            description=f"{_rules_name(shown.text)}, {_count(shown.moves, 'move')} to step through.",
            path=f"/analysis/{analysis_id}",
            picture=_position_picture(shown.text),
            picture_text="The board at the end of the main variation",
            is_embeddable=True,
        )

    async def _puzzle(self, puzzle_id: str) -> Preview | None:
        puzzle = (await asyncio.to_thread(_puzzles)).get(puzzle_id)
        if puzzle is None:
            return None
        side = "White" if puzzle.position.split()[1] == "w" else "Black"
        task = "find the only way not to lose" if puzzle.goal is Goal.HOLD else f"win in {_count(puzzle.turns, 'move')}"
        return Preview(
            title="A PÜNCT puzzle",
            description=f"{_rules_name(puzzle.position)}. {side} to move: {task}.",
            path=f"/puzzles/{puzzle_id}",
            picture=_position_picture(puzzle.position),
            picture_text=f"The board: {side} to move",
            is_embeddable=True,
        )

    async def _player(self, player_id: str) -> Preview:
        player = await self._services.get(Sessions).require_player(player_id)
        ratings = await self._services.get(Ratings).of_player(player_id)
        games, total = await self._services.get(Games).list_by_player(player_id, 0, 1, include_private=False)
        rated = ", ".join(
            f"{rating.pool.replace('-', ' ')} {round(rating.rating)}{'?' if is_provisional(rating) else ''}"
            for rating in ratings
        )
        name = player.name or "A guest"
        return Preview(
            title=f"{name} plays PÜNCT",
            description=f"{f'Ratings: {rated}. ' if rated else ''}{_count(total, 'public game')}.",
            path=f"/player/{player_id}",
            picture=_game_picture(games[0]) if games else _position_picture(_EMPTY_BOARD),
            picture_text=f"The board of the last game: {players(games[0])}" if games else "The empty board",
        )


@dataclass(frozen=True, slots=True)
class _Position:
    """The last position of a shared analysis, which never changes."""

    text: str
    moves: int
    """How many led to it."""

    def estimate_bytes(self) -> int:
        return 300 + len(self.text)


def players(game: StoredGame) -> str:
    """Return the names of both players, White's first."""
    names = []
    for colour, seat in game.seats.items():
        level = engine_name(seat.level or 0) if seat.kind == "engine" else None
        names.append(seat.display_name or level or str(colour).capitalize())
    return " – ".join(names)


def terms(rules: str, time: str | None, *, rated: bool) -> str:
    """Return what kind of game it is."""
    words = [f"{rules.capitalize()} game"]
    if time is not None:
        days = re.fullmatch("([0-9]+)d", time)
        words.append(time if days is None else f"{_count(int(days[1]), 'day')} for each move")
    return ", ".join([*words, "rated"] if rated else words)


def state(game: StoredGame) -> str:
    """Return how a game stands or has ended."""
    if game.outcome is not None:
        return f"{str(game.outcome).capitalize()} after {_count(game.ply, 'move')}"
    return f"{str(game.turn).capitalize()} to move after {_count(game.ply, 'move')}"


def _game_picture(game: StoredGame) -> str:
    # With its revision, so that nobody shows the picture of an earlier one.
    return f"/api/v1/games/{quote(game.id)}/picture.png?{_CARD}&ply={game.ply}"


def _position_picture(position: str) -> str:
    return f"/api/v1/picture.png?{urlencode({'position': position})}&{_CARD}"


def _rules_name(position: str) -> str:
    return f"{position.split(maxsplit=1)[0].capitalize()} game"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


@cache
def _puzzles() -> Mapping[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in shipped()}
