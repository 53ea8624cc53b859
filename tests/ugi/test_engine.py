"""Our engine in a conversation: its dice, its memory, its weights, and the scores it tells."""

from __future__ import annotations

import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest

from punct import Position
from punct.engine.core import Engine
from punct.engine.errors import OutOfMemoryError
from punct.engine.fallback import fallback_move
from punct.engine.weights import default_weights, save_weights
from punct.ugi import engine as ugi_engine
from punct.ugi.conversation import Conversation
from punct.ugi.engine import EngineThinker, centipoints

WON = "basic w wEh1n wEh4n wEh7n wEh10n wCi14n bTa2n bTa5n bTc3n bTd5n bTm9n"
THREATENED = "basic b wEh1n wEh4n wEh7n wEh10n wCi14n bTa2n bTa5n bTc3n bTd5n"
"""White is about to win as in the other."""


def talk(*lines: str, engine: EngineThinker | None = None) -> list[str]:
    """Say these lines, let every search end, and return what was answered."""
    said: list[str] = []
    conversation = Conversation(engine or EngineThinker(), said.append)
    for line in lines:
        conversation.handle(line)
        if line.startswith("go"):
            conversation.finish()
    return said


def moves(said: list[str]) -> list[str]:
    return [line.split()[1] for line in said if line.startswith("bestmove")]


SERIES = ["uginewgame", "position startpos moves Ed5ne Tl5s", "go nodes 60"] * 6
LEVEL = "setoption name Level value 1"


def test_every_game_has_other_dice() -> None:
    assert len(set(moves(talk(LEVEL, *SERIES)))) > 1
    engine, other = EngineThinker(), EngineThinker()
    assert engine.seed != other.seed  # nobody set one
    before = engine.seed
    talk("uginewgame", "isready", "uginewgame", engine=engine)
    assert engine.seed == before  # nothing was played yet
    talk("go nodes 1", "uginewgame", engine=engine)
    assert engine.seed != before


def test_a_seed_makes_a_series_of_games_the_same_again() -> None:
    first, again = (moves(talk(LEVEL, "setoption name Seed value 5", *SERIES)) for _ in range(2))
    assert first == again
    assert len(set(first)) > 1
    other = moves(talk(LEVEL, "setoption name Seed value 6", *SERIES))
    assert other != first


def test_the_first_game_has_just_the_seed_that_was_set() -> None:
    engine = EngineThinker()
    talk("uginewgame", "setoption name Seed value 5", "uginewgame", engine=engine)
    assert engine.seed == 5
    talk("go nodes 1", "uginewgame", engine=engine)
    assert engine.seed != 5
    talk("setoption name Seed value 5", engine=engine)
    assert engine.seed == 5


def test_numbers_fit_into_32_bits() -> None:
    for line in talk("ugi"):
        words = line.split()
        if "max" in words:
            assert int(words[words.index("max") + 1]) < 2**31


def test_weights_are_read_when_they_are_set(tmp_path: Path) -> None:
    """Whatever becomes of the file, readiness and moves are answered."""
    path = tmp_path / "weights.json"
    save_weights(path, default_weights(), "a test")
    said: list[str] = []
    conversation = Conversation(EngineThinker(), said.append)
    conversation.handle(f"setoption name Weights value {path}")
    path.unlink()
    conversation.handle("isready")
    conversation.handle("go nodes 10")
    conversation.finish()
    assert said[0] == "readyok"
    assert said[-1].startswith("bestmove ")
    assert not any(line.startswith("info string") for line in said)
    assert talk(f"setoption name Weights value {path}")[0].startswith("info string ")


class Scarce(Engine):
    """An engine on a machine with 100 MB."""

    def reserve(self) -> int:
        while self.hash_mb > 100:
            self.hash_mb //= 2
        return self.hash_mb


def test_too_large_a_hash_is_halved_with_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ugi_engine, "Engine", Scarce)
    said = talk("setoption name Hash value 1024", "isready", "go nodes 30", "isready")
    assert said[0] == "info string there is no memory for a Hash of 1024 MB; it is 64 MB"
    assert [line for line in said if line.startswith(("readyok", "info string"))][1:] == ["readyok", "readyok"]
    assert "nodes 30" in said[-3]
    # Also when nobody asked whether it is ready.
    said = talk("setoption name Hash value 1024", "go nodes 30")
    assert "nodes 30" in said[-2]


@pytest.mark.skipif(sys.platform != "linux", reason="memory cannot be limited there")
def test_a_hash_beyond_memory_as_a_process() -> None:
    """With 2 GB to be had and 64 GB wanted, it plays as it always does."""
    words = "ugi\nsetoption name Hash value 65536\nisready\nposition startpos moves Ed5ne\ngo nodes 50\n"
    command = f"ulimit -v 2000000; exec {sys.executable} -m punct.ugi"
    found = subprocess.run(["bash", "-c", command], input=words, capture_output=True, text=True)
    lines = found.stdout.splitlines()
    (word,) = (line for line in lines if line.startswith("info string"))
    assert word.startswith("info string there is no memory for a Hash of 65536 MB; it is ")
    assert lines.index(word) < lines.index("readyok")
    assert "nodes 50" in lines[-2]
    assert found.returncode == 0


def test_memory_that_ends_during_a_search_costs_a_repetition_not_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    class Failing(Engine):
        def play(self, *args: Any, **options: Any) -> Any:
            tried.append(self.hash_mb)
            if self.hash_mb > 8:
                raise MemoryError("std::bad_alloc")
            return super().play(*args, **options)

    monkeypatch.setattr(ugi_engine, "Engine", Failing)
    said = talk("setoption name Hash value 32", "go nodes 30", "go nodes 20")
    assert tried == [32, 16, 8, 8]
    assert "nodes 30" in said[2]
    assert not any("failed" in line for line in said)


def test_the_memory_of_a_search_that_failed_is_given_back_first(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[weakref.ref[Engine]] = []
    still_there: list[bool] = []

    class Failing(Engine):
        def __init__(self, *args: Any, **options: Any) -> None:
            still_there.append(any(engine() is not None for engine in made))
            super().__init__(*args, **options)
            made.append(weakref.ref(self))

        def play(self, *args: Any, **options: Any) -> Any:
            if self.hash_mb > 4:
                raise MemoryError("std::bad_alloc")
            return super().play(*args, **options)

    monkeypatch.setattr(ugi_engine, "Engine", Failing)
    talk("setoption name Hash value 16", "go nodes 30")
    assert still_there == [False, False, False]


@pytest.mark.parametrize("fails", ["reserve", "play"])
def test_without_any_memory_it_plays_at_first_sight(monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    """Not the first legal move: one that wins, or does not lose at once; and it says so."""

    class Poor(Engine):
        pass

    def refuse(self: Engine, *args: Any, **options: Any) -> Any:
        raise OutOfMemoryError("there is no memory left for a search")

    monkeypatch.setattr(Poor, fails, refuse)
    monkeypatch.setattr(ugi_engine, "Engine", Poor)
    for position in (WON, THREATENED):
        said = talk("setoption name Hash value 2", f"position fen {position}", "go nodes 30", "isready")
        assert any(line.startswith("info string the search failed") and "no memory" in line for line in said)
        assert said[-1] == "readyok"
        (move,) = moves(said)
        assert move != str(next(iter(Position(position).legal_moves)))
        assert move == str(fallback_move(Position(position)))


def test_a_win_is_told_in_plies() -> None:
    assert "score mate 1 " in talk(f"position fen {WON}", "go nodes 100")[-2]
    in_two = "standard b wEg3s bCh13n wCk7ne bEk12nw wMk15s bLm11n wEn10nw bEp8n bEp11nw wTn10n"
    assert "score mate 3 " in talk(f"position fen {in_two}", "go nodes 400")[-2]


def test_scores_on_the_scale_of_boards() -> None:
    assert centipoints(0.5) == 0
    assert centipoints(10 / 11) == 400
    assert centipoints(1.0) == 2000
    assert centipoints(0.0) == -2000
