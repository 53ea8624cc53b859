"""Games of a match that are over, and how the match stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from punct.errors import shorten
from punct.game import Game
from punct.match.errors import MatchError
from punct.match.statistics import Estimate, estimate
from punct.piece import Colour
from punct.ugi.errors import Fault

_MOST: Final = 10**12
"""Greater numbers of pairs, turns or seconds make no sense."""


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
        """Read it back; raises MatchError, which says what is wrong with it."""
        fault = _one_of("fault", data, (None, *Fault.__members__))
        guilty = _one_of("guilty", data, (None, 0, 1))
        if (fault is None) != (guilty is None):
            raise MatchError(f"its fault is {shorten(fault)}, but guilty is {shorten(guilty)}")
        return cls(
            _whole("pair", data.get("pair")),
            _one_of("white", data, (0, 1)),
            _text("start", data),
            tuple(_text("moves", data).split()),
            _one_of("result", data, ("1-0", "0-1", "1/2-1/2")),
            _text("ending", data),
            None if fault is None else Fault[fault],
            guilty,
            _text("remark", data),
            (_read_spent(data, 0), _read_spent(data, 1)),
        )

    def as_game(self, names: tuple[str, str]) -> Game:
        """Return the game with its tags, for a record."""
        game = Game(self.start, tags_of(names, self.pair, self.white))
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


def tags_of(names: tuple[str, str], pair: int, white: int) -> dict[str, str]:
    """Return the tags of a game: who plays whom, and which game of the match it is."""
    tags = {"Event": f"{names[0]} - {names[1]}", "Round": f"{pair + 1}.{1 + white}"}
    return tags | {"White": names[white], "Black": names[1 - white]}


def _one_of(name: str, data: dict[str, Any], choices: tuple[Any, ...]) -> Any:
    """Return what a line says of something, if it is one of these; true and false are no numbers."""
    value = data.get(name, ...)
    if isinstance(value, (bool, float)) or value not in choices:
        words = ", ".join("null" if choice is None else str(choice) for choice in choices)
        raise MatchError(f"its {name} is {_words(value)}, not one of {words}")
    return value


def _text(name: str, data: dict[str, Any]) -> str:
    value = data.get(name, ...)
    if not isinstance(value, str):
        raise MatchError(f"its {name} is {_words(value)}, not a text")
    return value


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST:
        raise MatchError(f"its {name} is {_words(value)}, not a whole number from 0 on")
    return value


def _seconds(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _MOST:
        raise MatchError(f"its {name} is {_words(value)}, not a number of seconds")
    return float(value)


def _words(value: object) -> str:
    return "missing" if value in (..., None) else shorten(value)


def _read_spent(data: dict[str, Any], player: int) -> Spent:
    """Read a player's time; older files know nothing but its sum."""
    turns, longest = data.get("thought", [0, 0]), data.get("longest", [0.0, 0.0])
    found = []
    for name, value in (("thought", turns), ("seconds", data.get("seconds")), ("longest", longest)):
        if not isinstance(value, list) or len(value) != 2:
            raise MatchError(f"its {name} is {_words(value)}, not two numbers")
        found.append(value[player])
    return Spent(_whole("thought", found[0]), _seconds("seconds", found[1]), _seconds("longest", found[2]))


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
