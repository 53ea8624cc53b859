"""The kernel that is compiled for the page, asked through Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from punct.engine.network import OWN

ROOT: Final = Path(__file__).resolve().parents[2]
BUILT: Final = ROOT / "build" / "wasm" / "kernel.wasm"
NAME: Final = BUILT.with_suffix(".name")
"""What it is called in the page, after the sources it was made from."""
_STAND_INS: Final = ROOT / ".venv" / "stand-ins" / "node"

Question = tuple[str, Sequence[str], Sequence[float]]
"""A function, its texts and its numbers."""


def network(path: Path = OWN) -> Question:
    """Return what has the kernel play by a network, told by its file; the engine's own if none is named."""
    return "punct_network", [str(path)], []


def ask(questions: Sequence[Question]) -> list[Any]:
    """Return the answers, in one run of Node, in which searches play by the engine's own network."""
    playing_by, *answers = ask_without_network([network(), *questions])
    assert playing_by is True, playing_by
    return answers


def ask_without_network(questions: Sequence[Question]) -> list[Any]:
    """Return the answers of a kernel that has not been given a network yet."""
    node = shutil.which("node") or str(_STAND_INS)
    said = "".join(json.dumps(question) + "\n" for question in questions)
    command = [node, str(Path(__file__).parent / "page.mjs"), str(BUILT)]
    done = subprocess.run(command, input=said, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(questions)
    return answers
