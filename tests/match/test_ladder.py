"""The frozen ladder plays as it did on the day it was frozen: a rating against it means the same next year.

``ladder.jsonl`` holds what its players answered then, in games of their own and in positions with a win, a threat, high
stacks, and few pieces left. It is never made anew.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from bench.ladder import players

from punct import _kernel

HERE: Final = Path(__file__).parent
LADDER: Final = HERE.parents[1] / "bench" / "ladder"


class Played(NamedTuple):
    """What a player once answered, ply by ply, to itself."""

    player: str
    seed: int
    start: str
    moves: list[str]


def _read(line: str) -> Played:
    found: dict[str, Any] = json.loads(line)
    return Played(found["player"], found["seed"], found["start"], found["moves"].split())


GAMES: Final = [_read(line) for line in (HERE / "ladder.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("player", players.PLAYERS)
def test_it_answers_as_it_always_did(player: str) -> None:
    asked, expected = ["ugi"], []
    for game in (game for game in GAMES if game.player == player):
        asked.append(f"setoption name Seed value {game.seed}")
        for ply, move in enumerate(game.moves):
            asked += [f"position fen {game.start} moves {' '.join(game.moves[:ply])}".removesuffix(" moves "), "go"]
            expected.append(f"bestmove {move}")
    command = [sys.executable, str(LADDER), player]
    done = subprocess.run(command, input="\n".join(asked), capture_output=True, text=True, check=True)
    assert [line for line in done.stdout.splitlines() if line.startswith("bestmove")] == expected
    assert len(expected) > 15


@pytest.mark.parametrize("player", players.PLAYERS)
def test_the_order_in_which_the_kernel_lists_turns_is_no_matter(player: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(player)
    numbers, wins = _kernel.Track.numbers, _kernel.wins

    def shuffled(turns: list[int]) -> list[int]:
        return dice.sample(turns, len(turns))

    monkeypatch.setattr(_kernel.Track, "numbers", lambda track: shuffled(numbers(track)))
    monkeypatch.setattr(players, "wins", lambda track, colour: shuffled(wins(track, colour)))
    for game in (game for game in GAMES if game.player == player):
        position = players.set_up(["fen", *game.start.split()], "standard")
        for move in game.moves[:3]:
            turn = players.PLAYERS[player](position, random.Random(f"{game.seed} {position}"))
            assert _kernel.move_text(turn) == move
            position.track.push(turn)
