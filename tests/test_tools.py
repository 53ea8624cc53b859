"""The scripts that the Makefile calls."""

from __future__ import annotations

import hashlib
import os
import pty
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement

ROOT: Final = Path(__file__).parents[1]
TOOLS: Final = ROOT / "tools"
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCKS: Final = {file.stem: file.read_text("utf-8") for file in (ROOT / "requirements").glob("*.txt")}
PINNED: Final = re.compile(r"^(\S+)==(\S+)( ; [^\\]+)? ((?:\\\n    --hash=sha256:[0-9a-f]{64} ?)+)$", re.MULTILINE)

PURPOSES: Final = ("playing", "testing", "hosting", "docs", "building", "locking", "release")


def run(script: str, *words: str, python: str | Path = sys.executable) -> str:
    command = [python, TOOLS / script, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_this_python_builds_the_kernel() -> None:
    assert run("check_python.py") == ""


def test_an_old_python_is_told_what_is_needed() -> None:
    code = "import runpy, sys; sys.version_info = (3, 10); "
    code += f"runpy.run_path({str(TOOLS / 'check_python.py')!r}, None, '__main__')"
    refused = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout.count("\n")) == (1, 1)
    assert "3.11 or later" in refused.stdout


def test_a_python_without_environments_is_told_how_to_have_them() -> None:
    code = "import runpy, sys; sys.modules['venv'] = None; "
    code += "import importlib.util; importlib.util.find_spec = lambda name: sys.modules.get(name, True); "
    code += f"runpy.run_path({str(TOOLS / 'check_python.py')!r}, None, '__main__')"
    refused = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (refused.returncode, "apt install python3-venv" in refused.stdout) == (1, True)


def test_our_own_extras_are_listed_as_what_they_hold() -> None:
    extras = PROJECT["optional-dependencies"]
    for purpose in ("playing", "testing", "hosting"):
        listed = run("list_packages.py", purpose).splitlines()
        assert set(PROJECT["dependencies"]) <= set(listed)
        assert not [package for package in listed if package.startswith(("punct", "torch"))]
        assert len(listed) == len(set(listed))
    assert all(package in listed for package in extras["hosting"] if not package.startswith("punct"))


def test_the_kernel_is_named_as_the_build_has_it() -> None:
    """A test of the page holds that name to the one that it computes itself."""
    assert run("name_kernel.py") == (ROOT / "build" / "wasm" / "kernel.name").read_text()


def test_pip_is_unpacked_into_an_environment(tmp_path: Path) -> None:
    venv.create(tmp_path / "empty")
    python = tmp_path / "empty" / "bin" / "python"
    run("unpack_pip.py", python=python)
    printed = subprocess.run([python, "-m", "pip", "--version"], capture_output=True, text=True, check=True).stdout
    assert str(tmp_path) in printed


def test_a_python_without_pip_gets_the_locked_one(tmp_path: Path) -> None:
    """From a folder or an index that pip is told of; and only if its hash is right."""
    wheel = tmp_path / "pip" / "pip-9.8-py3-none-any.whl"
    wheel.parent.mkdir()
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("pip/__init__.py", "version = '9.8'")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    lock = tmp_path / "lock.txt"
    lock.write_text(f"other==1\npip==9.8 \\\n    --hash=sha256:{'0' * 64} \\\n    --hash=sha256:{digest}\nzig==1\n")
    venv.create(tmp_path / "empty")
    python = tmp_path / "empty" / "bin" / "python"
    bare = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PIP_INDEX_URL": (tmp_path / "index").as_uri()}
    (tmp_path / "index" / "pip").mkdir(parents=True)

    def fetch(**told: str) -> subprocess.CompletedProcess[str]:
        command: list[str | Path] = [python, TOOLS / "fetch_pip.py", lock]
        return subprocess.run(command, env=bare | told, capture_output=True, text=True, check=False)

    assert f"{wheel.name} is in none of the places" in fetch().stderr
    (tmp_path / "index" / "pip" / "index.html").write_text(f'<a href="../../other/{wheel.name}#sha256=00">pip</a>')
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / wheel.name).write_bytes(wheel.read_bytes() + b"more")
    assert f"{wheel.name} is in none of the places" in fetch().stderr
    (tmp_path / "other" / wheel.name).write_bytes(wheel.read_bytes())
    assert fetch().returncode == 0
    imported = [str(python), "-c", "import pip; print(pip.version)"]
    assert subprocess.run(imported, capture_output=True, text=True, check=True).stdout == "9.8\n"
    assert fetch(PIP_INDEX_URL="file:///nowhere", PIP_FIND_LINKS=str(wheel.parent)).returncode == 0


def test_a_command_leads_its_own_process_group() -> None:
    code = "import os; print(os.getpgrp() == os.getpid())"
    assert run("run_as_group.py", sys.executable, "-c", code) == "True\n"


def test_the_folder_of_a_package_is_printed() -> None:
    assert Path(run("package_folder.py", "pytest").strip()) == Path(pytest.__file__).parent
    with pytest.raises(subprocess.CalledProcessError):
        run("package_folder.py", "no_such_package")


def versions(lock: str) -> dict[str, str]:
    return {name: version for name, version, _, _ in PINNED.findall(lock)}


def name_of(requirement: str) -> str:
    name = re.match(r"[\w.-]+", requirement)
    assert name is not None
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def test_there_is_a_lock_for_each_purpose() -> None:
    listed = {purpose for purpose in PURPOSES if run("list_packages.py", purpose).strip()}
    assert LOCKS.keys() == listed


@pytest.mark.parametrize("purpose", LOCKS)
def test_a_lock_is_made_of_versions_with_hashes_and_of_nothing_else(purpose: str) -> None:
    """No address of an index, no path, no option: the same files are right on every machine."""
    head, body = LOCKS[purpose].split("\n", 1)
    assert head.startswith(f"# For {purpose}. Written by `make lock`")
    assert PINNED.sub("", body).strip() == ""
    assert "torch" not in versions(body)


@pytest.mark.parametrize("purpose", LOCKS)
def test_a_lock_has_every_package_that_is_asked_for_in_a_version_that_is_allowed(purpose: str) -> None:
    locked = versions(LOCKS[purpose])
    for requirement in map(Requirement, run("list_packages.py", purpose).splitlines()):
        assert requirement.specifier.contains(locked[name_of(requirement.name)]), requirement


def test_the_locks_agree() -> None:
    agreed: dict[str, str] = {}
    for lock in LOCKS.values():
        for name, version in versions(lock).items():
            assert agreed.setdefault(name, version) == version


def test_whatever_an_extra_brings_is_locked_for_the_tests_but_torch() -> None:
    extras = PROJECT["optional-dependencies"]
    brought = {name_of(package) for packages in extras.values() for package in packages} - {"punct", "torch"}
    assert brought <= versions(LOCKS["testing"]).keys()


def test_what_is_asked_for_and_not_used_is_in_no_lock() -> None:
    code = "import pyspiel, punct.env, sys; punct.env.openspiel_game; from open_spiel.python.algorithms import mcts; "
    code += f"sys.path.insert(0, {str(TOOLS)!r}); from list_packages import UNUSED; print(*UNUSED); "
    code += "print(*UNUSED & sys.modules.keys())"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    unused, loaded = (line.split() for line in printed.split("\n", 2)[:2])
    assert unused and not loaded
    for lock in LOCKS.values():
        assert versions(lock).keys().isdisjoint(unused)


def test_what_the_machine_has_is_left_out_of_a_lock() -> None:
    building = ROOT / "requirements" / "building.txt"
    kept = versions(run("leave_out.py", str(building), "cmake", "ziglang"))
    assert kept == {
        name: version for name, version in versions(LOCKS["building"]).items() if name not in ("cmake", "ziglang")
    }


def test_versions_that_differ_from_the_lock_are_printed(tmp_path: Path) -> None:
    other = tmp_path / "newest.txt"
    other.write_text("fastapi==99.1\nnumpy==" + versions(LOCKS["testing"])["numpy"] + "\nnovelty==1.0\n")
    head, *lines = run("compare_versions.py", str(other)).splitlines()
    assert head.split() == ["package", "locked", "newest"]
    assert [line.split() for line in lines] == [
        ["fastapi", versions(LOCKS["testing"])["fastapi"], "99.1"],
        ["novelty", "-", "1.0"],
    ]


def step(title: str, code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOLS / "run_step.py"), title, sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_step_says_that_it_begins_and_that_it_is_done() -> None:
    done = step("Testing a step", "print('noise')")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"Testing a step\nTesting a step: done in \d+:\d\d\n", done.stdout)
    assert (ROOT / "build" / "logs" / "testing-a-step.log").read_text() == "noise\n"


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("OSError: [Errno 28] No space left on device", "The disk is full."),
        ("npm error code EAI_AGAIN", "The package index cannot be reached. Check"),
        ("NewConnectionError('<pip._vendor.urllib3...>')", "The package index cannot be reached."),
        ("SSLError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]')", "The package index has a certificate"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", "A downloaded package is not the one that was locked."),
    ],
)
def test_a_step_that_fails_of_a_known_cause_says_it_in_a_sentence(said: str, sentence: str) -> None:
    title = f"Testing {sentence}"  # the log is named after it: tests run side by side
    failed = step(title, f"raise SystemExit({said!r})")
    assert failed.returncode == 1
    assert f"{title}: failed. {sentence}" in failed.stdout
    assert f"\n{said}\n" not in failed.stdout


def test_a_step_that_fails_otherwise_shows_its_last_output_and_exits_alike() -> None:
    failed = step("Testing a failure", "print(*range(100), sep='\\n'); raise SystemExit(7)")
    assert failed.returncode == 7
    assert "\n60\n" in failed.stdout
    assert "\n59\n" not in failed.stdout
    assert failed.stdout.endswith(f"All output is in {Path('build', 'logs', 'testing-a-failure.log')}.\n")


def test_a_step_whose_command_is_missing_fails_in_a_sentence() -> None:
    command = [sys.executable, str(TOOLS / "run_step.py"), "Testing nothing", "no-such-command"]
    failed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert failed.returncode == 1
    assert re.fullmatch(r"Testing nothing: failed\. .*no-such-command'\n", failed.stderr)


def test_a_step_in_a_terminal_counts_the_files_that_are_compiled(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    code = f"""import pathlib, time
print("[3/20] Building CXX", flush=True)
while not pathlib.Path({str(seen)!r}).exists():
    time.sleep(0.1)
"""
    terminal, end = pty.openpty()
    command = [sys.executable, str(TOOLS / "run_step.py"), "Testing a terminal", sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=end, env=os.environ | {"TERM": "xterm", "COLUMNS": "300"}):
        os.close(end)
        shown = ""
        while not shown.endswith("\n"):
            shown += os.read(terminal, 1000).decode(errors="replace")
            if "Testing a terminal, 3 of 20 files, 0:" in shown:
                seen.touch()
    os.close(terminal)
    assert re.search(r"\r\x1b\[KTesting a terminal: done in \d+:\d\d\r\n$", shown)


def test_every_command_of_the_makefile_is_in_its_help() -> None:
    """Commands are the rules without a file: those that are named after words, and are not made from other files."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    declared = {name for line in re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE) for name in line.split()}
    helped = {
        line.split()[0]
        for line in subprocess.run(
            ["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.splitlines()
    }
    assert declared - helped == {"built", "page-kernel"}  # parts of other commands
    assert helped <= declared
