"""Gatekeeper matches: a new network plays the best one and older ones, to decide whether it is accepted.

Every opening is played with both colours at equal nodes. Against the best a sequential test decides (pentanomial SPRT);
against the older ones the new network must not prove clearly weaker. Games come back in any order, but pairs count in
the order of their openings: so the verdict is the same on any number of cores, interrupted or not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from punct.game import Game
from punct.match.file import MatchFile
from punct.match.game import FinishedGame
from punct.match.openings import opening
from punct.match.score import MatchScore
from punct.match.statistics import Sprt, Verdict
from punct.outcome import Rules
from punct.training.players import is_over, search
from punct.training.settings import Settings

_ENDING_BY_LENGTH: Final = "length"


class MatchJob(NamedTuple):
    """A game of a match; the new network is player 0."""

    pair: int
    white: int
    """Which player has White, 0 or 1."""
    players: tuple[str, str]
    """By name: the new network, and its opponent."""
    settings: Settings


def play_match_game(job: MatchJob, networks: Mapping[str, bytes | None]) -> FinishedGame:
    """Play one game of a match between two of these networks; the same job gives the same game on every machine."""
    settings = job.settings
    rng = random.Random(f"judge {settings.seed} {job.pair} {job.white}")
    start = f"{_rules(job.pair, settings)} w"
    game = Game(start)
    for move in opening(settings.seed * 1_000_003 + job.pair, start):
        game.push(move)
    while not is_over(game):
        mover = job.players[job.white if len(game.moves) % 2 == 0 else 1 - job.white]
        game.push(search(networks[mover], game, settings.match_nodes, rng.getrandbits(32))["move"])
    outcome = game.outcome()
    result, ending = ("1/2-1/2", _ENDING_BY_LENGTH) if outcome is None else (outcome.result(), outcome.reason.value)
    return FinishedGame(job.pair, job.white, start, tuple(map(str, game.moves)), result, ending)


def _rules(pair: int, settings: Settings) -> Rules:
    every = settings.basic_every
    return Rules.BASIC if every and pair % every == every - 1 else Rules.STANDARD


class NetworkMatch:
    """A match of a new network against another, stored game by game in a file, from which it is resumed.

    With a sequential test it ends as soon as that decides; without one when all pairs are played.
    """

    def __init__(self, path: Path, players: tuple[str, str], settings: Settings, pairs: int, sprt: Sprt | None) -> None:
        """Start the match, or resume it from the file; MatchError if that is of another match."""
        self.players, self.pairs, self.sprt = players, pairs, sprt
        self._settings = settings
        self.score = MatchScore()
        """The score of the pairs that count so far: complete ones, in their order."""
        self.verdict = Verdict.OPEN
        self._next = 0
        self._games: dict[tuple[int, int], FinishedGame] = {}
        identity = {
            "players": list(players),
            "nodes": settings.match_nodes,
            "seed": settings.seed,
            "basic every": settings.basic_every,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = MatchFile(path, identity)
        for game in self._file.finished:
            self._count(game)

    @property
    def is_over(self) -> bool:
        """Whether no more games are needed."""
        return self.verdict is not Verdict.OPEN or self._next >= self.pairs

    def jobs(self) -> Iterator[MatchJob]:
        """Yield the missing games, for as long as the match is open."""
        for pair in range(self.pairs):
            for white in (0, 1):
                if self.is_over:
                    return
                if (pair, white) not in self._games:
                    yield MatchJob(pair, white, self.players, self._settings)

    def add(self, game: FinishedGame) -> None:
        """Store a game, and count it once all before it are complete."""
        self._file.append(game)
        self._count(game)

    def _count(self, game: FinishedGame) -> None:
        self._games[game.pair, game.white] = game
        while not self.is_over and all((self._next, white) in self._games for white in (0, 1)):
            for white in (0, 1):
                self.score.add(self._games[self._next, white])
            self._next += 1
            if self.sprt is not None:
                self.verdict = self.sprt.verdict(self.score.pentanomial)
