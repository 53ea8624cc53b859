"""Learning on a real Ray, small and on this machine: whoever is killed, nothing finished is lost."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from tests.cli.running import run

from punct import cluster
from punct.learn.errors import LearnError, needed
from punct.learn.learner import Step, fit_on
from punct.learn.samples import About
from punct.learn.selfplay import Job, OwnGame, play_game
from punct.learn.settings import Settings
from punct.learn.store import Batch, Store

HAS_RAY: Final = importlib.util.find_spec("ray") is not None
pytestmark = [
    pytest.mark.skipif(not HAS_RAY, reason="Ray is not installed: there is none for this Python"),
    pytest.mark.filterwarnings("default"),  # Ray's own
]
SLOW: Final = Settings(nodes=1000)
"""Games long enough: there is time to be killed in."""


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    with cluster.joined(None, "learn", cores=2) as module:
        yield module


def workers(doing: str) -> list[int]:
    """Return the processes of this test's own Ray that do something."""
    parents: dict[int, int] = {}
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(path.name)] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            if (path / "cmdline").read_bytes().startswith(f"ray::{doing}".encode()):
                found.append(int(path.name))
        except OSError:
            continue

    def is_ours(pid: int) -> bool:
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    return [pid for pid in found if is_ours(pid)]


def kill_one(doing: str) -> int:
    """Kill a worker that does something, as soon as there is one."""
    while not (there := workers(doing)):
        time.sleep(0.05)
    os.kill(there[0], signal.SIGKILL)
    return there[0]


def test_a_worker_killed_in_the_middle_loses_its_game_and_no_other(ray: Any) -> None:
    jobs = [Job(number, SLOW) for number in range(6)]
    back: list[OwnGame] = []
    killed = set()
    for game in cluster.spread(ray, play_game, iter(jobs), None):
        back.append(game)
        if len(back) in (1, 3):
            killed.add(kill_one("play_game"))
    assert len(killed) == 2
    assert sorted(back) == [play_game(job, None) for job in jobs]


def slow_fit(tables: Iterable[Any], *, network: Path, checkpoint: Path, told: Any, **rest: Any) -> SimpleNamespace:
    """Stand in for the model's: takes its time, and knows how much it was given."""
    rows = sum(table.num_rows for table in tables)
    for step in range(1, 21):
        told(SimpleNamespace(step=step, steps=20, value_loss=0.5, policy_loss=2.0))
        time.sleep(0.1)
    network.write_bytes(f"network of {rows}".encode())
    checkpoint.write_bytes(b"checkpoint after " + (b"nothing" if rest["start"] is None else rest["start"].read_bytes()))
    losses = dict.fromkeys(("value_loss", "policy_loss", "held_value_loss", "held_policy_loss"), 0.5)
    return SimpleNamespace(**losses, positions=rows)


def test_a_learner_killed_in_the_middle_is_replaced(ray: Any, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    store, few = Store(tmp_path), Settings(nodes=6)
    batches = [Batch(0, 2), Batch(2, 4)]
    for batch in batches:
        games = [play_game(Job(number, few), None) for number in range(batch.first, batch.end)]
        store.add(batch, games, About("linear", 6, 0))
    steps: list[int] = []
    killed: list[int] = []

    def told(step: Step) -> None:
        steps.append(step.step)
        if not killed:
            killed.append(kill_one("Learner"))

    fitted = fit_on(ray, store, batches, b"the best", few, told, slow_fit)
    rows = sum(table.num_rows for table in store.tables(batches))
    assert (fitted.positions, fitted.network) == (rows, f"network of {rows}".encode())
    assert fitted.checkpoint == b"checkpoint after the best"
    assert steps[-20:] == list(range(1, 21)) and len(steps) > 20  # it was begun anew

    damaged = tmp_path / batches[0].name
    damaged.write_bytes(damaged.read_bytes()[:-5])
    with pytest.raises(LearnError, match=batches[0].name):
        fit_on(ray, store, batches, None, few, told, slow_fit)


def refuses(task: int) -> int:
    raise LearnError(f"task {task} makes no sense")


def breaks(task: int) -> int:
    return task // 0


def test_what_work_refuses_is_said_in_its_own_words(ray: Any) -> None:
    # The cluster is joined already: what `joined` makes of an error is looked at by itself.
    with pytest.raises(LearnError, match="task 7 makes no sense") as refused:
        list(cluster.spread(ray, refuses, iter([7])))
    assert isinstance(refused.value, ray.exceptions.RayTaskError)
    assert cluster.last_line(refused.value).endswith("task 7 makes no sense")
    with pytest.raises(ZeroDivisionError):
        list(cluster.spread(ray, breaks, iter([7])))


def test_without_its_libraries_what_to_install_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("pyarrow", "tensorboardX", "ray"):
        with monkeypatch.context() as patched:
            patched.setitem(sys.modules, library, None)  # as Python has it for what cannot be imported
            result = run("learn", "run", tmp_path / library)
            assert result.exit_code == 2
            assert "pip install 'punct[learn]'" in result.output and library.lower() in result.output.lower()
            assert not (tmp_path / library).exists()
    with pytest.raises(LearnError, match="learning needs nothing_such"):
        needed("nothing_such.at_all")


def test_where_there_is_no_cluster_that_is_said(tmp_path: Path) -> None:
    result = run("learn", "run", tmp_path / "mine", "--address", "nowhere")
    assert result.exit_code == 2
    assert "there is no Ray cluster at nowhere" in result.output and "HOST:PORT" in result.output
