"""Any UGI program as an engine: what it answers, and what it does wrong."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from punct import Game, Position, Rules, WrongTypeError, kernel
from punct.contract import Start
from punct.engine import GameOverError, Limits
from punct.ugi import Fault, OptionError, ProgramFaultError, UgiEngine, UgiProgram

FAULTY = Path(__file__).parents[1] / "match" / "faulty.py"
OURS = [sys.executable, "-m", "punct.ugi"]
OVER = "basic b wEh1n wEh4n wEh7n wEh10n wCi14n wTj16n"


def test_a_game_with_it() -> None:
    game = Game()
    with UgiEngine.open(OURS, options={"Level": "2", "hash": "16", "Seed": "3"}) as engine:
        assert {option.name for option in engine.program.options} >= {"Level", "Hash", "Seed", "Rules"}
        for limits in (Limits(nodes=10), Limits(movetime=0.05), Limits(depth=1), None):
            game.push(engine.play(game, limits))
        engine.new_game()
        Position("basic w").push(engine.play("basic w", Limits(nodes=5)))
        starts: list[Start] = ["standard b wEd5ne", Position("standard b wEd5ne"), kernel.Position("standard b wEd5ne")]
        for start in (*starts, Rules.BASIC):
            Position(start).push(engine.play(start, Limits(nodes=5)))
        for wrong in (100, 0, "depth 3", {"nodes": 5}):
            with pytest.raises(WrongTypeError, match="limits are given as Limits"):
                engine.play("basic", wrong)  # type: ignore[arg-type]
        with pytest.raises(GameOverError, match="the game is over"):
            engine.play(OVER)
    assert not engine.program.is_running


def test_commands_as_a_shell_writes_them() -> None:
    with UgiEngine.open(f"'{sys.executable}' -m punct.ugi") as engine:
        assert engine.program.command == tuple(OURS)


def test_what_it_does_not_have() -> None:
    with pytest.raises(OptionError, match="there is no option 'Colour'; there are Threads, Level"):
        UgiEngine.open(OURS, options={"Colour": "blue"})
    with pytest.raises(ProgramFaultError, match="cannot be started"):
        UgiEngine.open("/no/such/program")
    with pytest.raises(ProgramFaultError, match=r"did not send ugiok within 0\.2 s"):
        UgiEngine.open([sys.executable, str(FAULTY), "deaf"], timeout=0.2)


@pytest.mark.parametrize(
    ("how", "fault"),
    [("crash", Fault.CRASH), ("illegal", Fault.ILLEGAL), ("nonsense", Fault.ILLEGAL), ("mute", Fault.NONSENSE)],
)
def test_what_it_does_wrong(how: str, fault: Fault) -> None:
    with UgiEngine.open([sys.executable, str(FAULTY), how]) as engine:
        process = engine.program._process
        assert process is not None
        with pytest.raises(ProgramFaultError) as caught:
            engine.play("standard w")
        assert caught.value.fault is fault
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


def test_a_program_that_hangs_is_not_waited_for() -> None:
    async def hang() -> int:
        program = UgiProgram([sys.executable, str(FAULTY), "hang"])
        await program.start()
        process = program._process
        assert process is not None
        with pytest.raises(ProgramFaultError, match=r"did not send bestmove within 0\.1 s") as caught:
            await program.move("standard w", (), "", 0.1)
        assert caught.value.fault is Fault.TIMEOUT
        await program.close()
        return process.pid

    with pytest.raises(ProcessLookupError):
        os.kill(asyncio.run(hang()), 0)
