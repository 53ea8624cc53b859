"""Puzzles found on a Ray cluster: a real one, small, on this machine."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from itertools import islice
from pathlib import Path
from typing import Final
from unittest import mock

import pytest
from tests.cli.running import shell
from tests.databases import free_port

from punct.extras import MissingExtraError
from punct.puzzles import shipped
from punct.puzzles.games import PlayedGame
from punct.puzzles.mining import Job, by_processes, by_ray, mine
from punct.ray_jobs import ClusterError, connect, run_jobs

HAS_RAY: Final = importlib.util.find_spec("ray") is not None
NEEDS_RAY: Final = pytest.mark.skipif(not HAS_RAY, reason="Ray is not installed: there is none for this Python")
LOOPBACK: Final = "127.0.0.2"
"""Ray takes 127.0.0.1 for the machine's own address, which others can reach."""
PATIENCE: Final = {
    "RAY_raylet_start_wait_time_s": "240",
    "RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S": "240",
    "GRPC_ENABLE_FORK_SUPPORT": "false",
}
"""Ray gives up after 30 seconds on a node that it starts, and on the process that it starts for each client; on a busy
machine loading their modules takes longer. And gRPC's handlers of a fork kill one in a dozen of these processes before
it has begun (ray-project/ray#63202): as it only loads another program, it needs none of them."""
TOO_SLOW: Final = b"Timed out waiting for file"
JOBS: Final = tuple(
    Job(number, 0, PlayedGame(puzzle.position, tuple(map(str, puzzle.solution))))
    for number, puzzle in enumerate(islice((puzzle for puzzle in shipped() if puzzle.turns == 2), 2))
)
"""The last turns of two games."""


def free_ports(count: int) -> list[int]:
    """Return ports that nobody is given while a cluster takes its time to start."""
    ports: set[int] = set()
    while len(ports) < count:
        ports.add(free_port())
    return list(ports)


@contextmanager
def started(tmp_path: Path, **patience: str) -> Iterator[tuple[str, str]]:
    """Start a cluster of one node, and end it afterwards; give its address, and the one for clients."""
    folders: list[Path] = []
    try:
        while True:
            ports = free_ports(8)
            folders.append(Path("/tmp") / f"punct-ray-{ports[0]}")  # sockets have short names
            with _one_start(tmp_path / "log", folders[-1], ports, patience) as addresses:
                if addresses is not None:
                    yield addresses
                    return
    finally:
        for folder in folders:  # by now nothing of those that died writes there any more
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _one_start(
    log: Path, folder: Path, ports: Sequence[int], patience: Mapping[str, str]
) -> Iterator[tuple[str, str] | None]:
    """Start a cluster; give its two addresses, or None if it has died on the way up.

    Its node waits 15 seconds, whatever it is told, for processes of its own to say at which ports they listen, and then
    breaks down; on a busy machine loading their modules may take longer. Ray's own command notices minutes later.
    """
    port, client, *workers = ports
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
    with log.open("wb") as file:
        node = subprocess.Popen(
            [Path(sys.executable).with_name("ray"), "start", "--head", "--block", "--disable-usage-stats", *words],
            stdout=file,
            stderr=file,
            env={**os.environ, **patience},
        )
    has_died = False
    try:
        # The client's port by a process of its own, which nobody else waits for.
        while not has_died and not (b"Next steps" in log.read_bytes() and listens(port) and listens(client)):
            time.sleep(0.2)
            has_ended = node.poll() is not None
            has_died = any(TOO_SLOW in told.read_bytes() for told in folder.glob("session_latest/logs/raylet.out"))
            assert has_died or not has_ended, log.read_text("utf-8", "replace")
        yield None if has_died else (f"{LOOPBACK}:{port}", f"ray://{LOOPBACK}:{client}")
    finally:
        if has_died:
            node.kill()  # it would not listen to anything else; its processes end with it
        else:
            node.terminate()
        node.wait(60)


def listens(port: int) -> bool:
    with socket.socket() as knock:
        return knock.connect_ex((LOOPBACK, port)) == 0


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Start a cluster that waits for its own processes however busy the machine is."""
    with started(tmp_path, **PATIENCE) as addresses:
        yield addresses


@NEEDS_RAY
@pytest.mark.timeout(900)  # on a busy machine it may take more than one start
@pytest.mark.filterwarnings("default")  # Ray's own
def test_a_cluster_finds_what_processes_find(cluster: tuple[str, str]) -> None:
    near = sorted(by_processes(mine, iter(JOBS), 1))
    assert any(mined.puzzles for mined in near)
    for address in cluster:
        assert sorted(by_ray(mine, iter(JOBS), address)) == near


@NEEDS_RAY
@pytest.mark.timeout(900)  # on a busy machine it may take more than one start
@pytest.mark.filterwarnings("default")  # Ray's own
def test_why_a_cluster_lets_nobody_in_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By one that has no time for the process that each client needs; a busy one would have too little."""
    # So many seconds Ray waits for a client to come back, and the client for Ray, before a refusal is final: else 30.
    monkeypatch.setenv("RAY_CLIENT_RECONNECT_GRACE_PERIOD", "3")
    impatient = {**PATIENCE, "RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S": "0"}
    with started(tmp_path, **impatient) as (_, client), pytest.raises(ClusterError) as refused:
        list(by_ray(mine, iter(JOBS), client))
    told = str(refused.value)
    assert client in told and "try again" in told
    assert re.search(r"where it is started: [\w.]+: \w", told)  # the last line of its own traceback, whichever that is
    assert "\n" not in told and "token" not in told


@NEEDS_RAY
def test_where_there_is_no_cluster_that_is_said_at_once(tmp_path: Path) -> None:
    [port] = free_ports(1)
    for address in (f"{LOOPBACK}:{port}", f"ray://{LOOPBACK}:{port}"):
        result = shell("puzzles", "make", tmp_path / "mine.puzzles", "--address", address)
        assert result.returncode == 2
        assert f"there is no Ray cluster at {address}" in result.stderr
    with pytest.raises(ClusterError, match="HOST:PORT"):
        next(by_ray(mine, iter(JOBS), "nowhere"))


@pytest.mark.parametrize(("failures", "starts"), [(2, 3), (9, 3)])
def test_a_ray_that_does_not_come_up_in_its_time_is_started_again(
    monkeypatch: pytest.MonkeyPatch, failures: int, starts: int
) -> None:
    """A stand-in for Ray, whose own processes cannot be made slow at will; it raises what Ray does then."""
    ray, errors = mock.Mock(), mock.Mock(RayError=KeyError, RayTaskError=KeyError)
    ray.exceptions, ray.init.side_effect = errors, [*[Exception("timed out during startup\nmore")] * failures, None]
    monkeypatch.setitem(sys.modules, "ray", ray)
    with pytest.raises(ClusterError) if failures >= starts else nullcontext() as told, connect(None, "ray"):
        pass
    assert ray.init.call_count == starts and ray.shutdown.call_count == starts
    assert told is None or str(told.value) == "Ray does not start here: timed out during startup"


@pytest.mark.parametrize(("failures", "tries"), [(2, 3), (9, 3)])
def test_a_cluster_whose_process_for_a_client_dies_is_joined_again(
    monkeypatch: pytest.MonkeyPatch, failures: int, tries: int
) -> None:
    """A stand-in for Ray, whose process for a client dies by a race of its own; it raises what Ray does then."""
    ray, errors = mock.Mock(), mock.Mock(RayError=KeyError, RayTaskError=KeyError)
    lost = ConnectionAbortedError("Initialization failure from server:\npsutil.ZombieProcess: it's a zombie")
    ray.exceptions, ray.init.side_effect = errors, [*[lost] * failures, None]
    monkeypatch.setitem(sys.modules, "ray", ray)
    refused = pytest.raises(ClusterError, match=r"try again.*: psutil.ZombieProcess: it's a zombie")
    with socket.create_server((LOOPBACK, 0)) as listener:
        address = f"ray://{LOOPBACK}:{listener.getsockname()[1]}"
        with refused if failures >= tries else nullcontext(), connect(address, "ray"):
            pass
    assert ray.init.call_count == tries and ray.shutdown.call_count == tries


def test_an_interrupt_that_ray_swallows_is_raised_between_two_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for Ray, in which an exception of a signal is lost now and then; and a second Ctrl-C ends at once."""
    errors = mock.Mock(RayError=KeyError, RayTaskError=KeyError)
    ray = mock.Mock(exceptions=errors, cluster_resources=mock.Mock(return_value={"CPU": 1}))

    def wait(pending: list[object], **options: object) -> tuple[list[object], list[object]]:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return pending[:1], pending[1:]

    ray.wait, ray.get = wait, lambda done: done
    monkeypatch.setitem(sys.modules, "ray", ray)
    with pytest.raises(KeyboardInterrupt), connect(None, "ray"):
        next(run_jobs(ray, str, iter(range(9))))
    assert ray.shutdown.call_count == 1 and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert not ray.cancel.called  # it would abort this process if the job ended at that moment
    with pytest.raises(KeyboardInterrupt), connect(None, "ray"):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)


def test_without_ray_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)  # as Python has it for what cannot be imported
    with pytest.raises(MissingExtraError, match=r"pip install 'punct\[ray\]'"):
        next(by_ray(mine, iter(JOBS), "auto"))
