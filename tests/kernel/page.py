"""Runs the page's kernel, compiled to WebAssembly, in Node, by a clock that is independent of the machine's speed."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from punct.engine.network import OWN_NETWORK_PATH, configured_network_path

ROOT: Final = Path(__file__).resolve().parents[2]
BUILT: Final = ROOT / "build" / "wasm" / "kernel.wasm"
NAME: Final = BUILT.with_suffix(".name")
"""Holds its file name in the page, a hash of its sources."""
_STAND_INS: Final = ROOT / ".venv" / "stand-ins" / "node"

Question = tuple[str, Sequence[str], Sequence[float]]
"""A function, its texts and its numbers."""


def network(path: Path | None = None) -> Question:
    """Return the request that sets a network, by its file; by default the one that engines play by."""
    return "punct_network", [str(path or configured_network_path() or OWN_NETWORK_PATH)], []


def ask(questions: Sequence[Question]) -> list[Any]:
    """Return the answers, in one run of Node, with the network that engines play by."""
    network_answer, *answers = ask_without_network([network(), *questions])
    assert network_answer is True, network_answer
    return answers


def ask_without_network(questions: Sequence[Question]) -> list[Any]:
    """Return the answers of a kernel that has no network yet."""
    node = shutil.which("node") or str(_STAND_INS)
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    command = [node, str(Path(__file__).parent / "page.mjs"), str(BUILT), "counted"]
    process = subprocess.run(command, input=lines, capture_output=True, encoding="utf-8", check=False)
    assert process.returncode == 0, process.stderr
    answers = [json.loads(line) for line in process.stdout.splitlines()]
    assert len(answers) == len(questions)
    return answers
