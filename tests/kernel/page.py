"""The kernel that is compiled for the page, asked through Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
BUILT: Final = ROOT / "build" / "wasm" / "kernel.wasm"
NAME: Final = BUILT.with_suffix(".name")
"""What it is called in the page, after the sources it was made from."""
_STAND_INS: Final = ROOT / ".venv" / "stand-ins" / "node"

Question = tuple[str, Sequence[str], Sequence[float]]
"""A function, its texts and its numbers."""


def ask(questions: Sequence[Question]) -> list[Any]:
    """Return the answers, in one run of Node."""
    node = shutil.which("node") or str(_STAND_INS)
    said = "".join(json.dumps(question) + "\n" for question in questions)
    command = [node, str(Path(__file__).parent / "page.mjs"), str(BUILT)]
    done = subprocess.run(command, input=said, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(questions)
    return answers
