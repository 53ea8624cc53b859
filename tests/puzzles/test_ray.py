"""Puzzles found on a Ray cluster: a real one, small, on this machine."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import pytest
from tests.cli.running import shell

from punct.cluster import ClusterError
from punct.puzzles import shipped
from punct.puzzles.games import PlayedGame
from punct.puzzles.mining import Job, by_processes, by_ray, mine

HAS_RAY: Final = importlib.util.find_spec("ray") is not None
NEEDS_RAY: Final = pytest.mark.skipif(not HAS_RAY, reason="Ray is not installed: there is none for this Python")
LOOPBACK: Final = "127.0.0.2"
"""Ray takes 127.0.0.1 for the machine's own address, which others can reach."""
JOBS: Final = tuple(
    Job(number, 0, PlayedGame(puzzle.position, puzzle.solution))
    for number, puzzle in enumerate(islice((puzzle for puzzle in shipped() if puzzle.turns == 2), 2))
)
"""The last turns of two games."""


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind((LOOPBACK, 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Start a cluster of one node, and end it afterwards; give its address, and the one for clients."""
    port, client, *workers = free_ports(8)
    folder = Path("/tmp") / f"punct-ray-{port}"  # sockets have short names
    options = {
        "port": port,
        "ray-client-server-port": client,
        "worker-port-list": ",".join(map(str, workers)),
        "node-ip-address": LOOPBACK,
        "num-cpus": 1,
        "include-dashboard": "false",
        "object-store-memory": 80_000_000,
        "temp-dir": folder,
    }
    words = [f"--{name}={value}" for name, value in options.items()]
    with (tmp_path / "log").open("wb") as log:
        node = subprocess.Popen(
            [Path(sys.executable).with_name("ray"), "start", "--head", "--block", "--disable-usage-stats", *words],
            stdout=log,
            stderr=log,
            env={**os.environ, "RAY_raylet_start_wait_time_s": "240"},  # on a busy machine
        )
    try:
        while True:
            assert node.poll() is None, (tmp_path / "log").read_text("utf-8", "replace")
            with socket.socket() as knock:
                if knock.connect_ex((LOOPBACK, port)) == 0 and b"Next steps" in (tmp_path / "log").read_bytes():
                    break
            time.sleep(0.2)
        yield f"{LOOPBACK}:{port}", f"ray://{LOOPBACK}:{client}"
    finally:
        node.terminate()
        node.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


@NEEDS_RAY
@pytest.mark.filterwarnings("default")  # Ray's own
def test_a_cluster_finds_what_processes_find(cluster: tuple[str, str]) -> None:
    near = sorted(by_processes(mine, iter(JOBS), 1))
    assert any(mined.puzzles for mined in near)
    for address in cluster:
        assert sorted(by_ray(mine, iter(JOBS), address)) == near


@NEEDS_RAY
def test_where_there_is_no_cluster_that_is_said_at_once(tmp_path: Path) -> None:
    [port] = free_ports(1)
    for address in (f"{LOOPBACK}:{port}", f"ray://{LOOPBACK}:{port}"):
        result = shell("puzzles", "make", tmp_path / "mine.puzzles", "--address", address)
        assert result.returncode == 2
        assert f"there is no Ray cluster at {address}" in result.stderr
    with pytest.raises(ClusterError, match="HOST:PORT"):
        next(by_ray(mine, iter(JOBS), "nowhere"))


def test_without_ray_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)  # as Python has it for what cannot be imported
    with pytest.raises(ClusterError, match=r"pip install 'punct\[ray\]'"):
        next(by_ray(mine, iter(JOBS), "auto"))
