"""CONTRIBUTING's drawing of the layers is what the linters check: the same packages, in the same order."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
DRAWING: Final = re.search(r"^## Layers\n+```\n(.*?)^```", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M | re.S)
Rows = list[list[str]]
"""From the top down; packages on one row do not import each other."""


def drawn(heading: str, indent: int) -> Rows:
    """Return what is drawn below a heading, as far in as this: `a │ b` is one row, `a → b` are two."""
    assert DRAWING is not None
    below = DRAWING[1].partition(heading)[2].splitlines()[1:]
    rows: Rows = []
    for line in below:
        depth = len(line) - len(line.lstrip())
        if depth < indent or line.lstrip().startswith("│"):
            break
        if depth == indent:
            names = re.split(r"\s{3,}", line.strip())[0]
            rows += [[package.strip(" /") for package in row.split("│")] for row in names.split("→")]
    return rows


def linted(container: str) -> Rows:
    """Return the layers of a package in the contracts."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    [layers] = [contract["layers"] for contract in contracts if contract.get("containers") == [container]]
    return [[package.strip() for package in layer.split("|")] for layer in layers]


def test_the_package_is_drawn_as_it_is_held() -> None:
    assert drawn("  src/punct/", 4) == linted("punct")


def test_the_server_is_drawn_as_it_is_held() -> None:
    assert drawn("server/ │ bot", 6) == linted("punct.server")


def test_the_page_is_drawn_as_it_is_held() -> None:
    layers = (ROOT / "web" / "layers.js").read_text("utf-8")
    pages = re.search(r"PAGES = \[(.*?)\]", layers)
    order = re.search(r"const LAYERS = \{\n(.*?)^\}", layers, re.M | re.S)
    assert pages and order
    names = [quoted or plain for quoted, plain in re.findall(r"^  (?:'([^']+)'|(\w+)): ", order[1], re.M)]
    assert [name for row in drawn("web/src/", 4) for name in row] == names
    assert drawn("    pages ", 6) == [re.findall(r"\w+", pages[1])]


def test_the_kernel_is_drawn_as_it_lies() -> None:
    folders = {folder.name for folder in (ROOT / "kernel").iterdir() if folder.is_dir()}
    assert {package for row in drawn("  kernel/", 4) for package in row} == folders
