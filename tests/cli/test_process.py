"""The command as a shell runs it: exit codes, streams, colours."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

import pytest
from tests.cli.running import run, shell
from tests.subprocesses import running_program

import punct
from punct.cli import moves
from punct.cli.app import COMMANDS


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
        running_program(
            command, stdout=piped if pipes_output else theirs, stdin=theirs, stderr=theirs, env=env
        ) as process,
    ):
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # how a terminal says that nobody is there any more
            while chunk := os.read(ours, 65536):
                shown += chunk
        os.close(ours)
        process.wait()
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
    found = shell("legal", "-", "-c", stdin=b"basic w\n\xff\xfe\nstandard\n")
    assert (found.returncode, found.stdout) == (2, "4986\nerror: this is not UTF-8 text\n4986\n")
    assert shell("play", "--no-board", stdin="Ed5ne\nposition\nquit\n\n").stdout.count("standard b wEd5ne") == 1


def test_an_output_without_unicode_gets_ascii() -> None:
    found = shell("show", "standard b wEd5ne", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert found.returncode == 0
    assert "W-" in found.stdout
    assert "?" not in found.stdout
    assert shell("explain", "standard b wEd5ne", "e6-e7n", PYTHONIOENCODING="ascii").returncode == 1


COMMAND = f"{sys.executable} -c 'from punct.cli import main; main()'"


def in_bash(script: str) -> tuple[int, str, str]:
    """Run a script with ``punct`` in it; return its exit code and what it wrote."""
    found = subprocess.run(["bash", "-c", f'punct() {{ {COMMAND} "$@"; }}; {script}'], capture_output=True)
    return found.returncode, found.stdout.decode(), found.stderr.decode()


@pytest.mark.parametrize("words", ["legal", "--help", "show", "explain Ed5ne", "play --no-board", "ugi"])
def test_a_reader_that_has_seen_enough_is_no_disaster(words: str) -> None:
    """It ends without a word, as any program does that writes to a closed pipe: by that signal."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-c", "from punct.cli import main; main()", *words.split()]
    found = subprocess.run(command, input=b"ugi\n" if words == "ugi" else b"", stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert found.stderr == b""
    assert found.returncode == (0 if words == "ugi" else -signal.SIGPIPE)
    assert in_bash("punct legal | head -1")[1] == "Ta2n\n"


def test_an_output_that_is_closed_or_full() -> None:
    assert in_bash("punct legal >&-") == (2, "", "punct: standard output: Bad file descriptor\n")
    assert in_bash("punct legal --json >/dev/full") == (2, "", "punct: No space left on device\n")
    assert in_bash("punct show >&- 2>&-") == (2, "", "")
    for words in ("--help", "--version", "", "legal --help"):
        assert in_bash(f"punct {words} >&-") == (2, "", "punct: standard output: Bad file descriptor\n")
        assert in_bash(f"punct {words} >/dev/full") == (2, "", "punct: No space left on device\n")
    assert in_bash("punct explain Th9n 2>&-")[0] == 1
    assert in_bash("punct nonsense 2>&-")[0] == 2
    code, out, errors = in_bash("punct check - <&-")
    assert (code, out, errors) == (0, "-: valid, 0 games, 0 moves\n", "")
    assert in_bash("punct play --no-board <&- > /dev/null") == (0, "", "")


@pytest.mark.skipif(os.name == "nt", reason="no signals there")
def test_a_server_serves_whether_anybody_hears_of_it_or_not(tmp_path: Path) -> None:
    """It ends by the interrupt, in good order, as soon as it is ready."""
    script = f"""
import os, signal, sys
from punct.server import run
announced = run.serve
def serve(listener, settings, ready):
    def told():
        ready()
        os.kill(os.getpid(), signal.SIGINT)
    announced(listener, settings, told)
run.serve = serve
sys.argv[1:] = ["serve", "--no-open", "--port", "0", "--data", {str(tmp_path)!r}]
from punct.cli import main
main()
"""
    command = [sys.executable, "-c", script]
    found = subprocess.run(["bash", "-c", '"$@" >&-', "-", *command], capture_output=True)
    assert (found.returncode, found.stdout, found.stderr) == (0, b"", b"")


def interrupted_while_loading(module: str) -> subprocess.CompletedProcess[bytes]:
    """Press Ctrl-C just when a module is being loaded."""
    script = f"""
import os, signal, sys
class Hand:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.argv[1:] = ["legal", "--count"]
sys.meta_path.insert(0, Hand())
from punct.cli import main
main()
"""
    return subprocess.run([sys.executable, "-c", script], capture_output=True)


@pytest.mark.skipif(os.name == "nt", reason="no signals there")
@pytest.mark.parametrize("module", ["punct.position", "punct.cli.app", "typer", "punct.cli.moves"])
def test_interrupting_while_it_starts_shows_no_traceback(module: str) -> None:
    found = interrupted_while_loading(module)
    assert (found.stdout, found.stderr) == (b"", b"")
    assert found.returncode in (-signal.SIGINT, 130)


def test_interrupting_a_command_says_so_to_the_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(moves, "find_position", press)
    result = run("legal")
    assert (result.exit_code, result.output) == (130, "")


HEAVY = {"numpy", "rich", "asyncio", "xml", "urllib.request"} | {
    f"punct.{package}" for package in ("engine", "match", "ugi", "server")
}
"""What no plain command needs, and what takes longer to load than the command to run."""


BESIDE_THE_RULES = {"json"} | {
    f"punct.{package}" for package in ("game", "kernel", "picture", "records", "status", "symmetry")
}
"""What a command that asks the rules one question has no use for."""


def after(told: str, words: str, record: Path) -> list[str]:
    """Run a command in a process of its own; return what is to be told there at its end, word by word."""
    script = (
        f"import gc, sys\nfrom punct.cli import main\ntry: main()\nfinally: print({told}, file=open('ending.txt', 'w'))"
    )
    command = [sys.executable, "-c", script, *(record if word == "RECORD" else word for word in words.split())]
    subprocess.run(command, capture_output=True, cwd=record.parent, env={**os.environ, "FORCE_COLOR": ""})
    return (record.parent / "ending.txt").read_text(encoding="utf-8").split()


@pytest.mark.parametrize(
    ("words", "own", "unwanted"),
    [
        ("legal --count", "punct.cli.moves", BESIDE_THE_RULES | {"punct.cli.advice"}),
        ("legal standard b wEd5ne", "punct.cli.moves", BESIDE_THE_RULES | {"punct.cli.advice"}),
        ("legal --json", "json", BESIDE_THE_RULES - {"json"}),
        ("explain Ed5ne", "punct.cli.moves", BESIDE_THE_RULES | {"punct.cli.advice"}),
        ("explain Th9n", "punct.cli.advice", BESIDE_THE_RULES),
        ("perft --depth 1", "punct.cli.perft", BESIDE_THE_RULES | {"punct.cli.advice"}),
        ("show standard b wEd5ne", "punct.cli.show", BESIDE_THE_RULES - {"punct.picture"} | {"punct.picture.image"}),
        ("show --json", "json", BESIDE_THE_RULES - {"punct.picture", "json"} | {"punct.picture.image"}),
        (
            "check RECORD",
            "punct.records.text.reader",
            {"json", "punct.kernel.study", "punct.picture", "punct.records.sgf", "punct.symmetry", "tempfile"},
        ),
        (
            "convert RECORD - --to sgf",
            "punct.records.sgf.writer",
            {"json", "punct.picture", "punct.records.sgf.reader", "punct.records.sgf.syntax", "tempfile"},
        ),
        ("legal nonsense", "punct.cli.moves", BESIDE_THE_RULES),
    ],
)
def test_a_plain_command_loads_only_what_it_needs(words: str, own: str, unwanted: set[str], record: Path) -> None:
    loaded = set(after("*sys.modules", words, record))
    assert own in loaded
    assert sorted(loaded & (HEAVY | unwanted)) == []


def test_what_is_loaded_is_not_looked_through_for_garbage(record: Path) -> None:
    enabled, frozen = after("gc.isenabled(), gc.get_freeze_count()", "legal --count", record)
    assert enabled == "True"
    assert int(frozen) > 10_000


@pytest.mark.skipif(os.name == "nt", reason="the shell is bash")
def test_a_shell_completes_commands_and_options(tmp_path: Path) -> None:
    """As bash does it, with what ``--show-completion`` prints for it."""
    program = tmp_path / "punct"
    program.write_text(f"#!{sys.executable}\nfrom punct.cli import main\nmain()\n")
    program.chmod(0o755)

    def completed(*words: str) -> list[str]:
        typed = " ".join(f"'{word}'" for word in words)
        script = (
            f'PATH="{tmp_path}:$PATH"; eval "$(punct --show-completion bash)"; complete -p punct >&2; '
            f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; "
            '_punct_completion punct; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        found = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=tmp_path)
        assert found.stderr == "complete -o default -F _punct_completion punct\n"
        return found.stdout.split()

    assert completed("punct", "") == list(COMMANDS)
    assert completed("punct", "le") == ["legal", "learn"]
    assert completed("punct", "ex") == ["explorer", "explain"]
    assert completed("punct", "legal", "--co") == ["--count"]
    assert completed("punct", "show", "--theme", "") == ["light", "dark"]
    assert "reset-password" in completed("punct", "admin", "")


def test_version() -> None:
    found = shell("--version")
    assert found.returncode == 0
    assert found.stdout == f"punct {punct.__version__}\n"


def test_python_runs_it_too() -> None:
    done = subprocess.run([sys.executable, "-m", "punct", "legal", "--count"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, shell("legal", "--count").stdout)


def test_every_command_teaches_with_examples() -> None:
    overview = run("--help").stdout
    for name in COMMANDS:
        assert name in overview
        assert f"punct {name} " in run(name, "--help").stdout


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the administrator may write anywhere")
def test_a_directory_that_may_not_be_written(record: Path, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    found = shell("convert", record, closed / "x.sgf")
    assert found.returncode == 2
    assert "Permission denied" in found.stderr
