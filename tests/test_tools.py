"""The scripts that the Makefile calls."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
TOOLS: Final = ROOT / "tools"
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def run(script: str, *words: str, python: str | Path = sys.executable) -> str:
    command = [python, TOOLS / script, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_this_python_builds_the_kernel() -> None:
    assert run("check_python.py") == ""


def test_playing_needs_the_dependencies_alone() -> None:
    assert run("list_packages.py", "playing").splitlines() == PROJECT["dependencies"]


def test_testing_needs_the_extras_of_development_with_the_packages_of_our_own() -> None:
    listed = run("list_packages.py", "testing").splitlines()
    extras = PROJECT["optional-dependencies"]
    own = ("hosting", "env", "openspiel")
    assert set(PROJECT["dependencies"]) < set(listed)
    assert all(package in listed for extra in own for package in extras[extra])
    assert not [package for package in listed if package.startswith("punct")]


def test_old_names_of_extras_still_bring_the_same() -> None:
    assert PROJECT["optional-dependencies"]["cluster"] == ["punct[hosting]"]
    assert PROJECT["optional-dependencies"]["learn"] == ["punct[training]"]


def test_the_kernel_is_named_as_the_build_has_it() -> None:
    """A test of the page holds that name to the one that it computes itself."""
    assert run("name_kernel.py") == (ROOT / "build" / "wasm" / "kernel.name").read_text()


def test_pip_is_unpacked_into_an_environment(tmp_path: Path) -> None:
    venv.create(tmp_path / "empty")
    python = tmp_path / "empty" / "bin" / "python"
    run("unpack_pip.py", python=python)
    printed = subprocess.run([python, "-m", "pip", "--version"], capture_output=True, text=True, check=True).stdout
    assert str(tmp_path) in printed


def test_a_command_leads_its_own_process_group() -> None:
    code = "import os; print(os.getpgrp() == os.getpid())"
    assert run("run_as_group.py", sys.executable, "-c", code) == "True\n"


def test_the_folder_of_a_package_is_printed() -> None:
    assert Path(run("package_folder.py", "pytest").strip()) == Path(pytest.__file__).parent
    with pytest.raises(subprocess.CalledProcessError):
        run("package_folder.py", "no_such_package")
