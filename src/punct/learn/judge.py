"""Whether a new network is better: matches against the best one and against older ones, by paired openings.

Every opening is played with both colours at equal nodes. Against the best a sequential test decides (pentanomial SPRT),
against the older ones the new network must not show to be clearly weaker. Games come back in any order, yet pairs count
in theirs: so the verdict is the same on however many cores, interrupted or not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from punct.game import Game
from punct.learn.players import is_over, search
from punct.learn.settings import Settings
from punct.match.file import MatchFile
from punct.match.openings import opening
from punct.match.standing import Finished, Standing
from punct.match.statistics import Sprt, Verdict
from punct.outcome import Rules

_CUT_SHORT: Final = "length"


class MatchJob(NamedTuple):
    """A game of a match; the new network is player 0."""

    pair: int
    white: int
    """Which player has White."""
    players: tuple[str, str]
    """By name: the new network, and the one it is measured against."""
    settings: Settings


def play_match_game(job: MatchJob, networks: Mapping[str, bytes | None]) -> Finished:
    """Play one game of a match between two of these networks: the same wherever it is played."""
    settings = job.settings
    dice = random.Random(f"judge {settings.seed} {job.pair} {job.white}")
    start = f"{_rules(job.pair, settings)} w"
    game = Game(start)
    for move in opening(settings.seed * 1_000_003 + job.pair, start):
        game.push(move)
    while not is_over(game):
        mover = job.players[job.white if len(game.moves) % 2 == 0 else 1 - job.white]
        game.push(search(networks[mover], game, settings.match_nodes, dice.getrandbits(32))["move"])
    outcome = game.outcome()
    result, ending = ("1/2-1/2", _CUT_SHORT) if outcome is None else (outcome.result(), outcome.reason.value)
    return Finished(job.pair, job.white, start, tuple(map(str, game.moves)), result, ending)


def _rules(pair: int, settings: Settings) -> Rules:
    every = settings.basic_every
    return Rules.BASIC if every and pair % every == every - 1 else Rules.STANDARD


class Contest:
    """A match of a new network against another, kept game by game in a file, from which it goes on.

    With a test it ends as soon as that decides; without one when all pairs are played.
    """

    def __init__(self, path: Path, players: tuple[str, str], settings: Settings, pairs: int, sprt: Sprt | None) -> None:
        """Begin, or go on with what the file knows; MatchError if that is of another match."""
        self.players, self.pairs, self.sprt = players, pairs, sprt
        self._settings = settings
        self.standing = Standing()
        """What counts so far: complete pairs, in their order."""
        self.verdict = Verdict.OPEN
        self._next = 0
        self._games: dict[tuple[int, int], Finished] = {}
        told = {"players": list(players), "nodes": settings.match_nodes, "seed": settings.seed}
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = MatchFile(path, told | {"basic every": settings.basic_every})
        for game in self._file.finished:
            self._take(game)

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be played."""
        return self.verdict is not Verdict.OPEN or self._next >= self.pairs

    def jobs(self) -> Iterator[MatchJob]:
        """Yield the games that are missing, for as long as the match is open."""
        for pair in range(self.pairs):
            for white in (0, 1):
                if self.is_over:
                    return
                if (pair, white) not in self._games:
                    yield MatchJob(pair, white, self.players, self._settings)

    def add(self, game: Finished) -> None:
        """Write down a game, and count it once all before it are there."""
        self._file.append(game)
        self._take(game)

    def _take(self, game: Finished) -> None:
        self._games[game.pair, game.white] = game
        while not self.is_over and all((self._next, white) in self._games for white in (0, 1)):
            for white in (0, 1):
                self.standing.add(self._games[self._next, white])
            self._next += 1
            if self.sprt is not None:
                self.verdict = self.sprt.verdict(self.standing.pentanomial)
