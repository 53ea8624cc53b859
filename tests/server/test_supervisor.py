"""A real ``punct serve`` of several processes: killed ones are restarted, all can be replaced, nothing is lost."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest
from tests.cli.running import run
from tests.databases import Postgresql, Redis, free_port
from tests.polling import POLL_SECONDS, TIMEOUT_SECONDS, wait_until
from tests.server.server_process import connect_live, request_json, run_server, wait_for_ply
from tests.subprocesses import children_of, command_of, has_ended, running_program

from punct.server.run import listen

TURNS = ["Ed5ne", "Tl5s", "d5-d6ne", "l5-l6s"]


@contextlib.contextmanager
def cluster(postgresql: Postgresql, redis: Redis, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    urls = ("--database-url", postgresql.new_database(), "--broker-url", redis.address())
    with run_server(None, "--port", "0", "--workers", "2", *urls, *options) as (process, address):
        yield process, address
        process.terminate()
        assert process.wait(TIMEOUT_SECONDS) == 0


def children(process: subprocess.Popen[str]) -> dict[int, str]:
    """Return the processes that were started for a server, and what they are."""
    started = {pid: command_of(pid) for pid in children_of(process.pid)}
    return {pid: command for pid, command in started.items() if "spawn_main" in command}


def wait_for_replacement(process: subprocess.Popen[str], *pids: int) -> None:
    """Wait until processes have ended, and others were started in their place."""
    wait_until(lambda: not {*pids} & children(process).keys() and len(children(process)) == 3)


def request_until_answered(url: str, body: object = None) -> dict[str, Any]:
    """Ask again when a process was killed that had the question, as a page does."""
    while True:
        try:
            return request_json(url, body)
        except HTTPError:
            raise
        except (URLError, ConnectionError):
            time.sleep(POLL_SECONDS)


def test_killed_processes_are_restarted_and_all_can_be_replaced(postgresql: Postgresql, redis: Redis) -> None:
    with cluster(postgresql, redis, "--engines", "1") as (process, address):
        first = children(process)
        assert len(first) == 3  # two that serve, and one that thinks and draws
        game = request_json(f"{address}/api/v1/games", {"seats": {"w": {}, "b": {"type": "engine", "level": 1}}})
        url = f"{address}/api/v1/games/{game['id']}"
        assert request_json(f"{url}/turns", {"text": TURNS[0], "ply": 0})["ply"] == 1
        game = wait_for_ply(url, 2)
        other = request_json(f"{address}/api/v1/games", {})
        other_url = f"{address}/api/v1/games/{other['id']}"
        for ply, pid in enumerate(first):
            os.kill(pid, signal.SIGKILL)
            wait_for_replacement(process, pid)
            assert request_until_answered(f"{other_url}/turns", {"text": TURNS[ply], "ply": ply})["ply"] == ply + 1
        second = children(process)
        assert not set(first) & set(second)
        process.send_signal(signal.SIGHUP)
        wait_until(lambda: len(children(process)) == 3 and not set(second) & set(children(process)))
        assert request_until_answered(url) == {**request_until_answered(url), "turns": game["turns"]}
        assert request_until_answered(other_url)["ply"] == 3
        with connect_live(other_url) as live:
            assert '"ply":3' in str(live.recv(TIMEOUT_SECONDS))


def test_servers_end_with_their_supervisor(postgresql: Postgresql, redis: Redis) -> None:
    urls = ("--database-url", postgresql.new_database(), "--broker-url", redis.address())
    with run_server(None, "--port", "0", "--workers", "2", "--engines", "0", *urls) as (process, address):
        started = children(process)
        assert len(started) == 2 and request_json(f"{address}/api/v1/games")["total"] == 0
        check_figures(address)
        process.kill()
        process.wait()
        wait_until(lambda: all(map(has_ended, started)))


def check_figures(address: str) -> None:
    """Whichever process is asked, its figures are those of all."""
    game = request_json(f"{address}/api/v1/games", {})
    url = f"{address}/api/v1/games/{game['id']}"
    for ply, text in enumerate(TURNS):  # each on a connection of its own: any process may get it
        request_json(f"{url}/turns", {"text": text, "ply": ply})

    def told(name: str) -> set[str]:
        """Return what the processes tell, asked often enough to have asked each."""
        found = set()
        for _ in range(12):
            with urlopen(f"{address}/metrics", timeout=TIMEOUT_SECONDS) as answer:
                found |= {
                    line.rpartition(" ")[2] for line in answer.read().decode().splitlines() if line.startswith(name)
                }
        return found

    assert told('punct_turns_total{by="person"}') == {"4.0"} and told("punct_games_begun_total") == {"1.0"}
    with connect_live(url), connect_live(url):
        wait_until(lambda: told("punct_sockets ") == {"2.0"})
        wait_until(lambda: told("punct_games_watched ") in ({"1.0"}, {"2.0"}))  # two, if watched in two processes
    wait_until(lambda: told("punct_sockets ") == told("punct_games_watched ") == {"0.0"})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--workers", "2"], "--database-url and --broker-url"),
        (["--workers", "2", "--broker-url", "redis://127.0.0.1:1/0"], "--database-url and --broker-url"),
        (["--data", "games", "--database-url", "postgresql://127.0.0.1:1/x"], "not both"),
        (["--database-url", f"postgresql://127.0.0.1:{free_port()}/x"], "cannot be reached"),
        (["--broker-url", f"redis://127.0.0.1:{free_port()}/0"], "Redis cannot be reached"),
        (["--broker-url", "nowhere"], "no address"),
    ],
)
def test_invalid_options_are_refused_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], words: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    ended = run("serve", "--no-open", "--port", "0", *options)
    assert ended.exit_code == 2 and words in " ".join(ended.stderr.split()), ended.output


def test_a_worker_without_a_broker_is_refused() -> None:
    command = [sys.executable, "-m", "punct", "worker", "--broker-url", f"redis://127.0.0.1:{free_port()}/0"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    assert ended.returncode == 2 and "Redis cannot be reached" in ended.stderr and "Traceback" not in ended.stderr


def test_a_worker_thinks_for_servers_elsewhere(postgresql: Postgresql, redis: Redis) -> None:
    with cluster(postgresql, redis, "--engines", "0") as (_, address):
        command = [sys.executable, "-m", "punct", "worker", "--broker-url", redis.address(), "--engines", "1"]
        worker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert worker.stdout is not None and "Ready" in worker.stdout.readline()
            game = request_json(f"{address}/api/v1/games", {"seats": {"w": {}, "b": {"type": "engine", "level": 1}}})
            url = f"{address}/api/v1/games/{game['id']}"
            request_json(f"{url}/turns", {"text": TURNS[0], "ply": 0})
            wait_for_ply(url, 2)
            worker.terminate()
            assert worker.wait(TIMEOUT_SECONDS) == 0
        finally:
            worker.kill()
            worker.wait()
            if worker.stdout is not None:
                worker.stdout.close()


IMPATIENT = """
import sys
from punct.server.run import Settings, browser_url, listen
from punct.server.supervisor import Supervisor

database, broker, max_silence = sys.argv[1:]
settings = Settings(host="127.0.0.1", database=database, names=(), online=False, broker_url=broker, log="text")
with listen("127.0.0.1", 0) as listener:
    supervisor = Supervisor(listener, settings, 2, 1, max_silence=float(max_silence))
    supervisor.run(lambda: print(browser_url(listener), flush=True))
"""
"""A supervisor of two servers and a remote worker that takes a process for frozen sooner than `punct serve` does."""


def test_a_frozen_process_is_killed_and_started_again(postgresql: Postgresql, redis: Redis, tmp_path: Path) -> None:
    command = [sys.executable, "-c", IMPATIENT, postgresql.new_store(), redis.address(), "6"]
    log = tmp_path / "log"
    with log.open("w") as errors, running_program(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip().rstrip("/")
        well = children(process)
        assert len(well) == 3
        server, other_server, worker = well  # in the order in which they were started
        for frozen in ({server, worker}, {other_server}):
            for pid in frozen:
                os.kill(pid, signal.SIGSTOP)
            wait_for_replacement(process, *frozen)
            well = {pid: command for pid, command in well.items() if pid not in frozen}
            assert set(well) < set(children(process))  # which were well
        assert request_until_answered(f"{address}/api/v1/games")["total"] == 0
        process.terminate()
        assert process.wait(TIMEOUT_SECONDS) == 0
    assert [line.count("is frozen") for line in log.read_text().splitlines() if "is frozen" in line] == [1, 1, 1]


def test_frozen_servers_leave_the_port_when_their_supervisor_is_killed(postgresql: Postgresql, redis: Redis) -> None:
    urls = ("--database-url", postgresql.new_store(), "--broker-url", redis.address())
    with run_server(None, "--port", "0", "--workers", "2", "--engines", "0", *urls) as (process, address):
        started = children(process)
        assert len(started) == 2
        for pid in started:
            os.kill(pid, signal.SIGSTOP)
        process.kill()
        process.wait()
        try:
            wait_until(lambda: all(map(has_ended, started)))
        finally:
            for pid in started:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        listen("127.0.0.1", int(address.rpartition(":")[2])).close()
