"""A real ``punct serve``: its address, its shutdown, a port that is taken, and being killed in the middle of a game."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from tests.polling import TIMEOUT_SECONDS, wait_until
from tests.server.server_process import connect_live, request_json, run_server, wait_for_ply
from tests.subprocesses import running_program

from punct.server.db.database import open_database


def test_a_killed_server_has_lost_nothing(tmp_path: Path) -> None:
    with run_server(tmp_path, "--port", "0") as (process, address):
        port = address.rpartition(":")[2]
        persons = request_json(f"{address}/api/v1/games", {"seats": {"w": {"name": "Anna"}, "b": {"name": "Ben"}}})
        computer = request_json(f"{address}/api/v1/games", {"seats": {"w": {}, "b": {"type": "engine", "level": 8}}})
        turns = ["Ed5ne", "Tl5s", "d5-d6ne", "l5-l6s"]
        for ply, text in enumerate(turns):
            persons = request_json(f"{address}/api/v1/games/{persons['id']}/turns", {"text": text, "ply": ply})
        # Answered means stored: the computer is thinking about this one when the server is killed.
        assert request_json(f"{address}/api/v1/games/{computer['id']}/turns", {"text": "Ed5ne", "ply": 0})["ply"] == 1
        process.send_signal(signal.SIGKILL)
        process.wait()
    with run_server(tmp_path, "--port", port) as (_, address):
        assert address.endswith(f":{port}")
        assert request_json(f"{address}/api/v1/games/{persons['id']}") == persons
        game = wait_for_ply(f"{address}/api/v1/games/{computer['id']}", 2)  # it thinks again by itself
        assert game["turns"][0]["text"] == "Ed5ne" and game["turn"] == "w"
        request_json(f"{address}/api/v1/games/{computer['id']}/undo", {})
        assert request_json(f"{address}/api/v1/games")["total"] == 2


def test_the_live_connection_of_a_real_server(tmp_path: Path) -> None:
    with run_server(tmp_path, "--port", "0") as (_, address):
        game = request_json(f"{address}/api/v1/games", {"seats": {"w": {}, "b": {"type": "engine", "level": 8}}})
        path = f"/api/v1/games/{game['id']}"
        with connect_live(address + path) as live:
            assert json.loads(live.recv(TIMEOUT_SECONDS))["game"] == game
            request_json(f"{address}{path}/turns", {"text": "Ed5ne", "ply": 0})
            seen = set()
            while True:
                message = json.loads(live.recv(TIMEOUT_SECONDS))
                seen.add(message["type"])
                if message["type"] == "thinking":
                    assert 0 <= message["progress"] <= 1 and message["ply"] == 1 and message["colour"] == "b"
                elif message["game"]["ply"] == 2:
                    break
            assert seen == {"game", "thinking"}
            live.send('{"type": "ping"}')
            assert json.loads(live.recv(TIMEOUT_SECONDS)) == {"type": "pong"}
            live.send("x" * 100_000)  # more than any message may be: the connection ends, the server does not
            with pytest.raises(Exception, match=r"1009|too big"):
                live.recv(TIMEOUT_SECONDS)
        assert request_json(f"{address}/api/v1/health")["status"] == "ok"


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_only_its_own_hosts_are_served(tmp_path: Path, host: str) -> None:
    with run_server(tmp_path, "--port", "0", "--host", host, "--name", "punct.example") as (_, address):
        for name, status in (
            ("punct.example", 200),
            ("localhost", 200),
            ("192.0.2.1:8000", 200),
            ("elsewhere.example", 403),
        ):
            try:
                with urlopen(
                    Request(f"{address}/api/v1/health", headers={"Host": name}), timeout=TIMEOUT_SECONDS
                ) as answer:
                    assert answer.status == status, name
            except HTTPError as error:
                error.close()
                assert error.code == status, name


@pytest.mark.parametrize(("ending", "codes"), [(signal.SIGTERM, {0, -signal.SIGTERM}), (signal.SIGINT, {0})])
def test_a_signal_shuts_it_down_in_order(tmp_path: Path, ending: signal.Signals, codes: set[int]) -> None:
    with run_server(tmp_path, "--port", "0") as (process, address):
        game = request_json(f"{address}/api/v1/games", {"seats": {"w": {"type": "engine", "level": 8}, "b": {}}})
        with connect_live(f"{address}/api/v1/games/{game['id']}") as live:
            live.recv(TIMEOUT_SECONDS)
            process.send_signal(ending)
            code = process.wait(TIMEOUT_SECONDS)
        assert process.stdout is not None
        output = process.stdout.read()
    assert code in codes and output == "Ctrl-C ends it.\n", output
    assert not (tmp_path / "punct.sqlite3-wal").exists()  # closed, nothing left over


AT_MOMENT = """
import os, pathlib, signal, sys
from punct.cli.serve import serve

folder, ending, moment = sys.argv[1:]
waiting = True

def at_moment(event, arguments):
    global waiting
    if waiting and moment == (f"import {arguments[0]}" if event == "import" else event):
        waiting = False
        os.kill(os.getpid(), int(ending))

sys.addaudithook(at_moment)
try:
    serve("127.0.0.1", 0, False, pathlib.Path(folder), None)
except KeyboardInterrupt:  # between two steps, Ctrl-C is the command line's to deal with
    sys.exit(130)
"""
"""A server that gets a signal when it comes to a moment: one that Python's audit events name."""


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("moment", ["import fastapi", "import uvicorn", "socket.bind", "sqlite3.connect", "ready"])
def test_a_signal_at_any_moment_shuts_it_down_in_order(tmp_path: Path, ending: signal.Signals, moment: str) -> None:
    """Whatever it is doing when told to end, loading or listening: no traceback, and what it leaves can be used."""
    command = [sys.executable, "-c", AT_MOMENT, str(tmp_path), str(int(ending)), moment]
    with running_program(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        if moment == "ready":
            assert process.stdout.readline().startswith("PÜNCT is at")
            process.send_signal(ending)
        output = process.stdout.read()
        code_told = process.wait(TIMEOUT_SECONDS)
    assert "Traceback" not in output, output
    assert code_told in ({0, -ending} if ending is signal.SIGTERM else {0, 130, -ending}), output
    open_database(tmp_path).close()


@pytest.mark.skipif(sys.platform == "win32", reason="no signals there")
@pytest.mark.parametrize("moment", ["punct.server.app", "punct.server.db.migrate"])
def test_an_interrupt_is_never_lost(tmp_path: Path, moment: str) -> None:
    """Raised where nobody can take it, as in a destructor, it once was: the server started all the same."""
    code = f"""
import os, signal, sys
class Thing:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
class Hand:
    def find_spec(self, name, path=None, target=None):
        if name == {moment!r}:
            Thing()
sys.meta_path.insert(0, Hand())
sys.argv[1:] = ["serve", "--no-open", "--port", "0", "--data", {str(tmp_path)!r}]
from punct.cli import main
main()
"""
    with running_program(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == ""
        assert process.wait(TIMEOUT_SECONDS) == -signal.SIGINT


@pytest.mark.skipif(sys.platform == "win32", reason="the limit on open files is POSIX's")
def test_few_open_files_and_many_silent_connections(tmp_path: Path) -> None:
    """It used to run out of files, spin, and write thousands of lines a second."""
    code = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128)); from punct.cli import main; main()"
    command = [sys.executable, "-c", code, "serve", "--no-open", "--port", "0", "--data", str(tmp_path)]
    with (
        contextlib.ExitStack() as lines,
        running_program(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process,
    ):
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1].rstrip("/")
        try:
            port = int(address.rpartition(":")[2])
            for _ in range(300):
                lines.enter_context(socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS))
            assert request_json(f"{address}/api/v1/games", {})["ply"] == 0
            assert request_json(f"{address}/api/v1/health")["status"] == "ok"
        finally:
            process.terminate()
        output = process.stdout.read()
    assert len(output) < 20_000, output[:2000]


def test_a_port_or_folder_that_cannot_be_used_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-c", "from punct.cli import main; main()", "serve", "--no-open"]
        refused = subprocess.run(
            [*command, "--data", str(tmp_path), "--port", str(port)],
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
        )
        assert refused.returncode == 2 and "--port" in refused.stderr and "Traceback" not in refused.stderr
        blocked = tmp_path / "file"
        blocked.write_text("")
        refused = subprocess.run(
            [*command, "--data", str(blocked), "--port", "0"], capture_output=True, text=True, timeout=TIMEOUT_SECONDS
        )
        assert refused.returncode == 2 and "data folder" in refused.stderr and "Traceback" not in refused.stderr


def test_another_port_is_used_if_the_default_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    from punct.server import run

    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(run, "DEFAULT_PORT", taken.getsockname()[1])
        with run.listen("127.0.0.1", None) as other:
            assert other.getsockname()[1] != taken.getsockname()[1]
            assert run.browser_url(other) == f"http://127.0.0.1:{other.getsockname()[1]}/"
    with pytest.raises(run.AddressError):
        run.listen("no.such.host.invalid", 0)


def test_a_browser_is_opened_only_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from punct.server import run

    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not run.open_browser("http://127.0.0.1:1/")
    monkeypatch.setenv("DISPLAY", ":0")
    assert run.open_browser("http://127.0.0.1:1/")
    wait_until(lambda: opened)
    assert opened == ["http://127.0.0.1:1/"] and os.environ["DISPLAY"] == ":0"
