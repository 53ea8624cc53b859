"""Games of a match that are over, and how the match stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from punct.game import Game
from punct.match.statistics import Estimate, estimate
from punct.piece import Colour
from punct.ugi.errors import Fault


@dataclass(frozen=True, slots=True)
class Spent:
    """The time a player has thought."""

    turns: int = 0
    seconds: float = 0.0
    """All of it together."""
    longest: float = 0.0
    """On the turn that took longest."""

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.turns + other.turns, self.seconds + other.seconds, max(self.longest, other.longest))

    @property
    def mean(self) -> float:
        """Seconds per turn; 0 before the first."""
        return self.seconds / self.turns if self.turns else 0.0


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that is over. Players are numbered 0 and 1 as the match names them."""

    pair: int
    """Which opening."""
    white: int
    """Which player had White."""
    start: str
    moves: tuple[str, ...]
    """All turns, the opening's included."""
    result: str
    ending: str
    fault: Fault | None = None
    guilty: int | None = None
    """Who broke down, if somebody did."""
    remark: str = ""
    spent: tuple[Spent, Spent] = (Spent(), Spent())
    """What each player thought, the opening's turns not counted."""

    @property
    def points(self) -> float:
        """What the first player scored."""
        if self.result == "1/2-1/2":
            return 0.5
        return 1.0 if (self.result == "1-0") == (self.white == 0) else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return it as a match file holds it."""
        return {
            "pair": self.pair,
            "white": self.white,
            "result": self.result,
            "ending": self.ending,
            "fault": None if self.fault is None else self.fault.name,
            "guilty": self.guilty,
            "remark": self.remark,
            "seconds": [round(spent.seconds, 3) for spent in self.spent],
            "thought": [spent.turns for spent in self.spent],
            "longest": [round(spent.longest, 3) for spent in self.spent],
            "start": self.start,
            "moves": " ".join(self.moves),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Finished:
        """Read it back; raises KeyError, TypeError or ValueError if it is not one."""
        finished = cls(
            int(data["pair"]),
            int(data["white"]),
            str(data["start"]),
            tuple(str(data["moves"]).split()),
            str(data["result"]),
            str(data["ending"]),
            None if data["fault"] is None else Fault[data["fault"]],
            None if data["guilty"] is None else int(data["guilty"]),
            str(data["remark"]),
            (_read_spent(data, 0), _read_spent(data, 1)),
        )
        if finished.white not in (0, 1) or finished.result not in ("1-0", "0-1", "1/2-1/2"):
            raise ValueError("no such player or result")
        return finished

    def as_game(self, names: tuple[str, str]) -> Game:
        """Return the game with its tags, for a record."""
        tags = {"Event": f"{names[0]} - {names[1]}", "Round": f"{self.pair + 1}.{1 + self.white}"}
        tags |= {"White": names[self.white], "Black": names[1 - self.white]}
        game = Game(self.start, tags)
        for move in self.moves:
            game.push(move)
        if game.outcome() is None:
            if self.result == "1/2-1/2":
                game.agree_draw()
            else:
                loser = Colour.BLACK if self.result == "1-0" else Colour.WHITE
                timed_out = self.fault is Fault.TIMEOUT
                game.lose_on_time(loser) if timed_out else game.resign(loser)
        if self.remark:
            game.comment = self.remark
        return game


def _read_spent(data: dict[str, Any], player: int) -> Spent:
    """Read a player's time; older files know nothing but its sum."""
    turns, longest = data.get("thought", (0, 0)), data.get("longest", (0.0, 0.0))
    return Spent(int(turns[player]), float(data["seconds"][player]), float(longest[player]))


class Standing:
    """What the finished games add up to, for the first player."""

    def __init__(self, finished: Iterable[Finished] = ()) -> None:
        self._points: dict[int, dict[int, float]] = {}
        self.wins = self.draws = self.losses = 0
        self.faults: tuple[Counter[Fault], Counter[Fault]] = (Counter(), Counter())
        self.endings: Counter[str] = Counter()
        self.spent: tuple[Spent, Spent] = (Spent(), Spent())
        """How long each player has thought."""
        self.remarks: tuple[str, str] = ("", "")
        """What was seen when each player last broke down."""
        for game in finished:
            self.add(game)

    def add(self, game: Finished) -> None:
        """Count one more game."""
        self._points.setdefault(game.pair, {})[game.white] = game.points
        self.wins += game.points == 1.0
        self.draws += game.points == 0.5
        self.losses += game.points == 0.0
        self.endings[game.ending] += 1
        if game.fault is not None and game.guilty is not None:
            self.faults[game.guilty][game.fault] += 1
            first, second = self.remarks
            self.remarks = (game.remark, second) if game.guilty == 0 else (first, game.remark)
        self.spent = (self.spent[0] + game.spent[0], self.spent[1] + game.spent[1])

    def has(self, pair: int, white: int) -> bool:
        """Tell whether this game of this pair is over."""
        return white in self._points.get(pair, {})

    @property
    def games(self) -> int:
        """How many games are over."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """What the first player has scored."""
        return self.wins + self.draws / 2

    @property
    def pentanomial(self) -> tuple[int, ...]:
        """How often a complete pair brought the first player 0, ½, 1, 1½ and 2 points."""
        counts = [0] * 5
        for points in self._points.values():
            if len(points) == 2:
                counts[round(2 * sum(points.values()))] += 1
        return tuple(counts)

    @property
    def estimate(self) -> Estimate | None:
        """The rating difference the complete pairs show."""
        return estimate(self.pentanomial)
