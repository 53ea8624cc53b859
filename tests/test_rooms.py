"""CONTRIBUTING's drawing of the rooms is what the linters hold: the same rooms, in the same order."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
DRAWING: Final = re.search(r"^## Rooms\n+```\n(.*?)^```", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M | re.S)
Rows = list[list[str]]
"""From the top down; rooms on one row do not know each other."""


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
            rows += [[room.strip(" /") for room in row.split("│")] for row in names.split("→")]
    return rows


def linted(container: str) -> Rows:
    """Return the layers of a package in the contracts."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    [layers] = [contract["layers"] for contract in contracts if contract.get("containers") == [container]]
    return [[room.strip() for room in layer.split("|")] for layer in layers]


def test_the_package_is_drawn_as_it_is_held() -> None:
    assert drawn("  src/punct/", 4) == linted("punct")


def test_the_server_is_drawn_as_it_is_held() -> None:
    assert drawn("server/ │ bot", 6) == linted("punct.server")


def test_the_page_is_drawn_as_it_is_held() -> None:
    rooms = (ROOT / "web" / "rooms.js").read_text("utf-8")
    pages = re.search(r"PAGES = \[(.*?)\]", rooms)
    order = re.search(r"const ROOMS = \{\n(.*?)^\}", rooms, re.M | re.S)
    assert pages and order
    names = re.findall(r"^  (?:'([^']+)'|(\w+)|(\.\.\.)).*$", order[1], re.M)
    held = [re.findall(r"\w+", pages[1]) if spread else [quoted or plain] for quoted, plain, spread in names]
    assert [room for row in drawn("web/src/", 4) for room in row] == [room for row in held for room in row]


def test_the_kernel_is_drawn_as_it_lies() -> None:
    folders = {folder.name for folder in (ROOT / "kernel").iterdir() if folder.is_dir()}
    assert {room for row in drawn("  kernel/", 4) for room in row} == folders
