"""A wheel built from the tree, put into an empty environment, serves the board and plays."""

from __future__ import annotations

import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import Final
from urllib.request import urlopen
from zipfile import ZipFile

from tests.browser.serving import PATIENCE, Server

ROOT: Final = Path(__file__).resolve().parents[1]
QUIETLY: Final = ("-qq", "--disable-pip-version-check")


def test_a_wheel_in_an_empty_environment_serves_and_plays(tmp_path: Path) -> None:
    build: list[str | Path] = ["wheel", *QUIETLY, "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, ROOT]
    subprocess.run([sys.executable, "-m", "pip", *build], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = ZipFile(wheel).namelist()
    assert "punct/puzzles/shipped.puzzles" in names
    kernels = [name for name in names if name.endswith(".wasm")]
    assert len(kernels) == 1, "the wheel lacks the page's kernel, or has an old one too"
    assert sum("/built/assets/network-" in name for name in names) == 1, "the wheel lacks the page's network"
    assert "punct/engine/own.network" in names
    venv.create(tmp_path / "empty")
    programs = tmp_path / "empty" / "bin"
    install: list[str | Path] = ["--python", programs / "python", "install", *QUIETLY, "--no-compile", wheel]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True)

    with Server(tmp_path / "data", [programs / "punct", "serve", "--no-open"]) as server:
        with urlopen(server.address, timeout=PATIENCE) as answer:
            page = answer.read().decode()
        assert "<script" in page, "the wheel lacks the built page"
        game = server.begin("Ed5ne", seats={"w": {"type": "person"}, "b": {"type": "engine", "level": 1}})
        for _ in range(PATIENCE * 10):
            if server.game(game)["ply"] == 2:
                return
            time.sleep(0.1)
        raise AssertionError("the computer does not play")
