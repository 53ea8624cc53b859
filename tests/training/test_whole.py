"""Learning as a person begins it: from games to a verdict with a real network on a real Ray, killed on the way."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from tests.pytorch import NEEDS_TORCH

from punct.training.metrics import read_metrics
from punct.training.players import load_network, name_of
from punct.training.report import Report
from punct.training.run_folder import RunFolder
from punct.training.samples import read_metadata, read_samples

pytestmark = [
    pytest.mark.skipif(
        importlib.util.find_spec("ray") is None, reason="Ray is not installed: there is none for this Python"
    ),
    NEEDS_TORCH,
]
TINY: Final = """
games = 8
nodes = 16
games_a_file = 2
batch = 64
epochs = 1
match_nodes = 8
match_pairs = 4
elo0 = -300
elo1 = 300
"""


def begin(folder: Path, rounds: int) -> subprocess.Popen[str]:
    settings = folder.with_suffix(".toml")
    settings.write_text(TINY)
    words = ("learn", "run", str(folder), "--rounds", str(rounds), "--settings", str(settings), "--jobs", "2")
    return subprocess.Popen(
        [sys.executable, "-c", "from punct.cli import main; main()", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )


def kill_when(running: subprocess.Popen[str], happened: Callable[[], bool], how: int = signal.SIGKILL) -> str:
    """End the driver as soon as something has happened; return what it has complained of."""
    while not happened():
        assert running.poll() is None, running.communicate()
        time.sleep(0.02)
    if how == signal.SIGINT:
        os.killpg(running.pid, how)  # as a terminal does
    else:
        running.send_signal(how)
    return running.communicate()[1]


def test_a_tiny_training_goes_on_after_every_kill(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "mine")

    def files() -> dict[str, int]:
        """Return the files of samples, and when each was written."""
        return {path.name: path.stat().st_mtime_ns for path in folder.samples.glob("[!.]*")}

    complaint = kill_when(begin(folder.path, 2), lambda: bool(files()), signal.SIGINT)
    assert "stopped; the same command resumes it" in complaint and "Traceback" not in complaint
    kept = files()
    kill_when(begin(folder.path, 2), lambda: any("loss/value" in line for line in read_metrics(folder.metrics)))
    kept |= files()
    assert len(kept) == 4  # all games of the first round, or it would not have come to the fit
    with begin(folder.path, 2) as last:
        out, complaint = last.communicate()
    assert last.returncode == 0, complaint
    assert "Traceback" not in complaint
    assert "round 2: " in out and "pairs against the best" in out
    assert kept.items() <= files().items()  # nothing that was finished has been done again

    found = Report.of(folder.path)
    assert [each.number for each in found.state.rounds] == [1, 2]
    for each in found.state.rounds:
        assert each.games == 8 and each.positions > 20
        assert 0.0 < each.losses["held_value_loss"] < 3.0
        assert name_of(load_network(folder.network(each.number))) == each.network
        assert folder.checkpoint(each.number).stat().st_size > 0
        assert sum(each.pairs) >= 1
    tables = [(path, read_samples(path)) for path in sorted(folder.samples.glob("[!.]*"))]
    assert [game for _, table in tables for game in table["game"].unique().to_pylist()] == list(range(16))
    first, second = found.state.rounds
    played = {read_metadata(table, path).network for path, table in tables[4:]}
    assert played == {first.network if first.is_accepted else "linear"} == {second.best}
