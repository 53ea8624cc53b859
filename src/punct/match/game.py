"""A finished game of a match, and its line in a match file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from punct.errors import shorten
from punct.game import Game
from punct.match.errors import MatchError
from punct.piece import Colour
from punct.ugi.errors import Fault

_MAX_NUMBER: Final = 10**12
"""Bounds numbers of pairs, moves and seconds in a file."""


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """The time a player has used."""

    moves: int = 0
    seconds: float = 0.0
    """In all."""
    longest: float = 0.0
    """On the slowest move."""

    def __add__(self, other: TimeSpent) -> TimeSpent:
        return TimeSpent(self.moves + other.moves, self.seconds + other.seconds, max(self.longest, other.longest))

    @property
    def mean(self) -> float:
        """Seconds per move; 0 before the first."""
        return self.seconds / self.moves if self.moves else 0.0


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game. Players are numbered 0 and 1 in the order of the match."""

    pair: int
    """The number of its opening."""
    white: int
    """Which player had White."""
    start: str
    moves: tuple[str, ...]
    """All moves, the opening's included."""
    result: str
    ending: str
    fault: Fault | None = None
    guilty: int | None = None
    """Which player was at fault, if one was."""
    remark: str = ""
    spent: tuple[TimeSpent, TimeSpent] = (TimeSpent(), TimeSpent())
    """Each player's time, without the opening's moves."""

    @property
    def points(self) -> float:
        """The first player's points."""
        if self.result == "1/2-1/2":
            return 0.5
        return 1.0 if (self.result == "1-0") == (self.white == 0) else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return the game as a line of a match file."""
        return {
            "pair": self.pair,
            "white": self.white,
            "result": self.result,
            "ending": self.ending,
            "fault": None if self.fault is None else self.fault.name,
            "guilty": self.guilty,
            "remark": self.remark,
            "seconds": [round(spent.seconds, 3) for spent in self.spent],
            "thought": [spent.moves for spent in self.spent],
            "longest": [round(spent.longest, 3) for spent in self.spent],
            "start": self.start,
            "moves": " ".join(self.moves),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> FinishedGame:
        """Read a line of a match file; raises MatchError, which says what is wrong with it."""
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
    """Return a value of a line if it is one of these; true and false are not numbers."""
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
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MAX_NUMBER:
        raise MatchError(f"its {name} is {_words(value)}, not a whole number from 0 on")
    return value


def _seconds(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _MAX_NUMBER:
        raise MatchError(f"its {name} is {_words(value)}, not a number of seconds")
    return float(value)


def _words(value: object) -> str:
    return "missing" if value in (..., None) else shorten(value)


def _read_spent(data: dict[str, Any], player: int) -> TimeSpent:
    """Read a player's time; older files have only its sum."""
    moves, longest = data.get("thought", [0, 0]), data.get("longest", [0.0, 0.0])
    values = []
    for name, value in (("thought", moves), ("seconds", data.get("seconds")), ("longest", longest)):
        if not isinstance(value, list) or len(value) != 2:
            raise MatchError(f"its {name} is {_words(value)}, not two numbers")
        values.append(value[player])
    return TimeSpent(_whole("thought", values[0]), _seconds("seconds", values[1]), _seconds("longest", values[2]))
