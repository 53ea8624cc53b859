"""Training on a real Ray, small and on this machine: whoever is killed, nothing finished is lost."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from tests.cli.running import run
from tests.polling import wait_until
from tests.pytorch import NEEDS_TORCH

from punct import ray_jobs
from punct.training.errors import TrainingError, import_optional
from punct.training.fit_worker import fit_on_ray
from punct.training.progress import FitProgress
from punct.training.replay_buffer import ReplayBuffer, Shard
from punct.training.samples import SampleMetadata
from punct.training.selfplay import SelfPlayGame, SelfPlayJob, play_game
from punct.training.settings import Settings

HAS_RAY: Final = importlib.util.find_spec("ray") is not None
pytestmark = [
    pytest.mark.skipif(not HAS_RAY, reason="Ray is not installed: there is none for this Python"),
    pytest.mark.filterwarnings("default"),  # Ray's own
]
FEW: Final = Settings(nodes=6)


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    with ray_jobs.connect(None, "training", cores=2) as module:
        yield module


def hang_once(note: Path) -> None:
    """Note this process and hang until it is killed; not a second time."""
    if not note.exists():
        note.write_text(str(os.getpid()))
        threading.Event().wait()


def kill_hanging(note: Path) -> int:
    """Kill the process that hangs, as soon as there is one."""
    wait_until(lambda: note.exists() and note.read_text())
    pid = int(note.read_text())
    os.kill(pid, signal.SIGKILL)
    return pid


def play_or_hang(job: SelfPlayJob, folder: Path) -> SelfPlayGame:
    """Play a game; every third of them only by a process after the first."""
    if job.number % 3 == 1:
        hang_once(folder / str(job.number))
    return play_game(job, None)


def test_a_worker_killed_in_the_middle_loses_its_game_and_no_other(ray: Any, tmp_path: Path) -> None:
    jobs = [SelfPlayJob(number, FEW) for number in range(6)]
    with ThreadPoolExecutor() as beside:
        killed = [beside.submit(kill_hanging, tmp_path / str(number)) for number in (1, 4)]
        back = list(ray_jobs.run_jobs(ray, play_or_hang, iter(jobs), tmp_path))
    assert len({pid.result() for pid in killed}) == 2
    assert sorted(back) == [play_game(job, None) for job in jobs]


def number_of(task: int) -> int:
    return task


def test_a_caller_may_leave_while_jobs_are_ending() -> None:
    """As a match does when it is decided, and a run at Ctrl-C; Ray aborts a program that cancels a job at that moment.

    An abort would end the whole run of tests, so this is a program of its own.
    """
    leave = (
        "from itertools import count, islice\n"
        "from punct import ray_jobs\n"
        "from tests.training.test_ray import number_of\n"
        "with ray_jobs.connect(None, 'training', cores=2) as ray:\n"
        "    for turn in range(300):\n"
        "        jobs = ray_jobs.run_jobs(ray, number_of, count())\n"
        "        assert len(list(islice(jobs, 1 + turn % 5))) == 1 + turn % 5\n"
        "        jobs.close()\n"
        "    print('left', flush=True)\n"
    )
    root = Path(__file__).parents[2]
    left = subprocess.run([sys.executable, "-c", leave], cwd=root, capture_output=True, text=True, check=False)
    assert left.returncode == 0 and left.stdout == "left\n", left.stderr


def hanging_fit(
    note: Path, tables: Iterable[Any], *, network: Path, checkpoint: Path, on_progress: Any, **rest: Any
) -> SimpleNamespace:
    """Stand in for the model's: hangs once after its first step, and knows how much it was given."""
    rows = sum(table.num_rows for table in tables)
    for step in range(1, 21):
        on_progress(SimpleNamespace(step=step, steps=20, value_loss=0.5, policy_loss=2.0))
        hang_once(note)
    network.write_bytes(f"network of {rows}".encode())
    checkpoint.write_bytes(b"checkpoint after " + (b"nothing" if rest["start"] is None else rest["start"].read_bytes()))
    losses = dict.fromkeys(("value_loss", "policy_loss", "held_value_loss", "held_policy_loss"), 0.5)
    return SimpleNamespace(**losses, positions=rows)


@NEEDS_TORCH
def test_a_fit_worker_killed_in_the_middle_is_replaced(ray: Any, tmp_path: Path) -> None:
    buffer, note = ReplayBuffer(tmp_path / "samples"), tmp_path / "hanging"
    fit = partial(hanging_fit, note)
    shards = [Shard(0, 2), Shard(2, 4)]
    for shard in shards:
        games = [play_game(SelfPlayJob(number, FEW), None) for number in range(shard.first, shard.end)]
        buffer.add(shard, games, SampleMetadata("linear", 6, 0))
    steps: list[int] = []
    killed: list[int] = []

    def on_progress(progress: FitProgress) -> None:
        steps.append(progress.step)
        if not killed:
            killed.append(kill_hanging(note))

    fitted = fit_on_ray(ray, buffer, shards, b"the best", FEW, on_progress, fit)
    rows = sum(table.num_rows for table in buffer.tables(shards))
    assert (fitted.positions, fitted.network) == (rows, f"network of {rows}".encode())
    assert fitted.checkpoint == b"checkpoint after the best"
    assert steps == [1, *range(1, 21)]  # it was started again

    damaged = buffer.folder / shards[0].name
    damaged.write_bytes(damaged.read_bytes()[:-5])
    with pytest.raises(TrainingError, match=shards[0].name):
        fit_on_ray(ray, buffer, shards, None, FEW, on_progress, fit)


def refuses(task: int) -> int:
    raise TrainingError(f"task {task} makes no sense")


def breaks(task: int) -> int:
    return task // 0


def test_what_work_refuses_is_said_in_its_own_words(ray: Any) -> None:
    # The cluster is connected already: what `connect` makes of an error is looked at by itself.
    with pytest.raises(TrainingError, match="task 7 makes no sense") as refused:
        list(ray_jobs.run_jobs(ray, refuses, iter([7])))
    assert isinstance(refused.value, ray.exceptions.RayTaskError)
    assert ray_jobs.last_line(refused.value).endswith("task 7 makes no sense")
    with pytest.raises(ZeroDivisionError):
        list(ray_jobs.run_jobs(ray, breaks, iter([7])))


@pytest.mark.parametrize("library", ["pyarrow", "tensorboardX", "torch", pytest.param("ray", marks=NEEDS_TORCH)])
def test_without_one_of_its_libraries_what_to_install_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)  # as Python has it for what cannot be imported
    result = run("learn", "run", tmp_path / "mine")
    assert result.exit_code == 2
    assert "pip install 'punct[training]'" in result.output and f"needs {library}".lower() in result.output.lower()
    assert not (tmp_path / "mine").exists()


def test_a_library_of_no_extra_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match="nothing_such"):  # no extra has that
        import_optional("nothing_such.at_all")


def test_where_there_is_no_cluster_that_is_said(tmp_path: Path) -> None:
    result = run("learn", "run", tmp_path / "mine", "--address", "nowhere")
    assert result.exit_code == 2
    assert "there is no Ray cluster at nowhere" in result.output and "HOST:PORT" in result.output
