"""120 columns, everywhere but in prose, whose tables and links cannot be broken: formatters leave comments alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SUFFIXES = {".conf", ".cpp", ".css", ".hpp", ".html", ".js", ".mjs", ".py", ".pyi", ".svelte", ".toml", ".ts", ".yaml"}
NAMES = {"CMakeLists.txt", "Dockerfile", "Makefile"}


def test_lines_have_at_most_120_columns() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is not a git checkout")
    files = {Path(name) for name in listed.stdout.split("\0") if name}
    too_long = [
        f"{file}:{number}"
        for file in sorted(files)
        if (file.suffix in SUFFIXES or file.name in NAMES) and (ROOT / file).is_file()
        for number, line in enumerate((ROOT / file).read_text("utf-8").splitlines(), 1)
        if len(line) > 120
    ]
    assert too_long == []
