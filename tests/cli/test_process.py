"""The command as a shell runs it: exit codes, streams, colours."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

import pytest
from tests.cli.running import run, shell

from punct.cli import app


def test_exit_codes(record: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.punct"
    broken.write_text("1. nonsense *")
    assert shell("explain", "Ed5ne").returncode == 0
    assert shell("explain", "Th9n").returncode == 1
    assert shell("explain", "what").returncode == 2
    assert shell("check", record).returncode == 0
    assert shell("check", broken).returncode == 1
    assert shell("no-such-command").returncode == 2


def test_answers_and_messages_go_to_different_streams() -> None:
    good, bad = shell("legal", "--count"), shell("legal", "nonsense")
    assert (good.stdout, good.stderr) == ("4986\n", "")
    assert bad.stdout == ""
    assert bad.stderr.startswith("punct: 'nonsense'")


def test_no_colours_and_no_bars_in_a_pipe(record: Path) -> None:
    for words in (["show"], ["check", record, record], ["explain", "Th9n"], ["perft", "--depth", "1"], ["play"]):
        found = shell(*words, FORCE_COLOR="", TERM="xterm-256color", COLORTERM="truecolor")
        assert "\x1b" not in found.stdout + found.stderr


def on_terminal(*words: str | Path, pipes_output: bool = False, **environment: str) -> tuple[str, str]:
    """Run the command on a terminal; return what that showed, and what was piped away."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from punct.cli import main; main()", *map(str, words)]
    env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment}
    with (
        TemporaryFile() as piped,
        subprocess.Popen(command, stdout=piped if pipes_output else theirs, stdin=theirs, stderr=theirs, env=env),
    ):
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # how a terminal says that nobody is there any more
            while chunk := os.read(ours, 65536):
                shown += chunk
        os.close(ours)
        piped.seek(0)
        return shown.decode(), piped.read().decode()


def test_colours_on_a_terminal_unless_refused() -> None:
    painted, _ = on_terminal("show", "standard b wEd5ne")
    assert "48;2;246;240;226" in painted
    refused, _ = on_terminal("show", "standard b wEd5ne", NO_COLOR="1")
    assert "48;2;" not in refused
    assert "◇" in refused


def test_a_bar_on_the_terminal_leaves_answers_in_the_pipe(record: Path) -> None:
    shown, piped = on_terminal("check", record, record, pipes_output=True)
    assert "Checking" in shown
    assert "valid" not in shown
    assert piped.count(": valid") == 2
    assert "\x1b" not in piped
    shown, piped = on_terminal("perft", "--depth", "1", "--divide", pipes_output=True)
    assert "Counting" in shown
    assert "Ed5ne 1" not in shown
    assert "\nEd5ne 1\n" in piped


def test_standard_input_in_a_pipe(record: Path) -> None:
    assert shell("legal", "-", "--count", stdin="basic w\n").stdout == "4986\n"
    assert shell("check", "-", stdin=record.read_bytes()).returncode == 0
    assert shell("legal", "-", stdin=b"\xff\xfe").stderr == "punct: standard input is not UTF-8 text\n"
    assert shell("play", "--no-board", stdin="Ed5ne\nposition\nquit\n\n").stdout.count("standard b wEd5ne") == 1


def test_an_output_without_unicode_gets_ascii() -> None:
    found = shell("show", "standard b wEd5ne", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert found.returncode == 0
    assert "W-" in found.stdout
    assert "?" not in found.stdout
    assert shell("explain", "standard b wEd5ne", "e6-e7n", PYTHONIOENCODING="ascii").returncode == 1


def test_a_reader_that_has_seen_enough_is_no_disaster() -> None:
    command = f"{sys.executable} -c 'from punct.cli import main; main()' legal | head -1"
    found = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout.count("\n") == 1
    assert "Traceback" not in found.stderr
    assert "BrokenPipe" not in found.stderr


def test_version() -> None:
    found = shell("--version")
    assert found.returncode == 0
    assert found.stdout.startswith("punct 0.")


def test_every_command_teaches_with_examples() -> None:
    overview = run("--help").stdout
    for command in app.registered_commands:
        assert command.name is not None
        assert command.name in overview
        assert f"punct {command.name} " in run(command.name, "--help").stdout


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the administrator may write anywhere")
def test_a_directory_that_may_not_be_written(record: Path, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    found = shell("convert", record, closed / "x.sgf")
    assert found.returncode == 2
    assert "Permission denied" in found.stderr
