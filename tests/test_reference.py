"""The reference is made without a warning, for the modules people import and for no others."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import punct

ROOT = Path(__file__).resolve().parents[1]
PUBLIC = {"punct", "punct.geometry", "punct.perft"} | {
    f"punct.{package}"
    for package in ("records", "kernel", "engine", "ugi", "match", "analysis", "picture", "puzzles", "env")
}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run what ``make docs`` runs, into a folder of our own."""
    (recipe,) = re.findall(r"^\t@\$\(BIN\)/python (.* -m pdoc .*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    folder = tmp_path_factory.mktemp("reference")
    command = [str(folder) if word == "build/docs" else word for word in shlex.split(recipe)]
    assert str(folder) in command
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_it_has_the_public_modules_and_no_others(reference: Path) -> None:
    pages = {".".join(page.relative_to(reference).with_suffix("").parts) for page in reference.rglob("*.html")}
    assert pages - {"index"} == PUBLIC


def test_it_has_what_the_pages_import() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for module in re.findall(r"^>>> (?:from|import) (punct[\w.]*)", page.read_text(encoding="utf-8"), re.MULTILINE):
            assert module in PUBLIC, f"{page.name}: {module}"


def test_everything_exported_is_told_about(reference: Path) -> None:
    page = (reference / "punct.html").read_text(encoding="utf-8")
    for name in punct.__all__:
        if f"punct.{name}" not in PUBLIC:
            assert f'id="{name}"' in page, name
