"""The score of a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from punct.errors import expect, expect_integer
from punct.match.game import FinishedGame, TimeSpent
from punct.match.statistics import Estimate, estimate
from punct.ugi.errors import Fault


class MatchScore:
    """The sum of the finished games, for the first player."""

    def __init__(self, finished: Iterable[FinishedGame] = ()) -> None:
        self._points: dict[int, dict[int, float]] = {}
        self.wins = self.draws = self.losses = 0
        self.faults: tuple[Counter[Fault], Counter[Fault]] = (Counter(), Counter())
        self.endings: Counter[str] = Counter()
        self.spent: tuple[TimeSpent, TimeSpent] = (TimeSpent(), TimeSpent())
        """How long each player has thought."""
        self.remarks: tuple[str, str] = ("", "")
        """The remark about each player's last fault."""
        for game in expect(finished, Iterable, "finished games are several of FinishedGame"):
            self.add(game)

    def __repr__(self) -> str:
        elo = "" if self.estimate is None else f", Elo {self.estimate}"
        return f"<MatchScore +{self.wins} ={self.draws} -{self.losses}{elo}>"

    def add(self, game: FinishedGame) -> None:
        """Count one more game."""
        expect(game, FinishedGame, "a score counts a FinishedGame")
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
        """Return whether this game of this pair is finished."""
        expect_integer(pair, "a pair is counted from 0")
        return expect_integer(white, "who is White is 0 or 1") in self._points.get(pair, {})

    @property
    def games(self) -> int:
        """How many games are finished."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The first player's points."""
        return self.wins + self.draws / 2

    @property
    def pentanomial(self) -> tuple[int, ...]:
        """How often a complete pair scored 0, ½, 1, 1½ and 2 points for the first player."""
        counts = [0] * 5
        for points in self._points.values():
            if len(points) == 2:
                counts[round(2 * sum(points.values()))] += 1
        return tuple(counts)

    @property
    def estimate(self) -> Estimate | None:
        """The rating difference the complete pairs show."""
        return estimate(self.pentanomial)
