"""The fuzz targets compile, since ``make fuzz`` runs seldom."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

KERNEL = Path(__file__).parents[2] / "kernel"
TARGETS = sorted((KERNEL / "fuzz").glob("*.cpp"))
COMPILER = next(filter(None, (shutil.which(name) for name in ("c++", "g++", "clang++"))), None)


@pytest.mark.skipif(COMPILER is None, reason="the only C++ compiler is the one from PyPI, which takes minutes")
@pytest.mark.parametrize("target", TARGETS, ids=lambda path: path.stem)
def test_it_compiles(target: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    command = [str(COMPILER), "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{KERNEL}", str(target)]
    if "clang" in subprocess.run([str(COMPILER), "--version"], capture_output=True, text=True, env=environment).stdout:
        command.append("-fconstexpr-steps=100000000")
    process = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert process.returncode == 0, process.stderr


def test_make_fuzz_runs_them_all() -> None:
    (line,) = (
        line for line in (KERNEL.parent / "Makefile").read_text("utf-8").splitlines() if line.startswith("FUZZED :=")
    )
    assert sorted(line.split()[2:]) == [target.stem for target in TARGETS]
