"""The cookbook's programs are typed as strictly as the library, and its shell lines answer what they say.

That they run is tested with all other pages, in ``test_docs.py``.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

from mypy import api

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "cookbook.md").read_text(encoding="utf-8")


def test_there_are_eight_programs() -> None:
    titles = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    assert len(titles) == 8
    for section in PAGE.split("\n## ")[1:]:
        assert "```python\n" in section or "```console\n" in section


def test_the_programs_are_strictly_typed(tmp_path: Path) -> None:
    program = tmp_path / "cookbook.py"
    sources = [example.source for example in doctest.DocTestParser().get_examples(PAGE)]
    program.write_text("".join(sources), encoding="utf-8")
    said, complaints, status = api.run(["--strict", "--config-file=", "--no-incremental", str(program)])
    assert (status, complaints) == (0, ""), said


def test_the_shell_lines_answer_what_they_say(tmp_path: Path) -> None:
    (block,) = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    commands = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
    expected = [line for line in block.splitlines() if not line.startswith("$ ")]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", "\n".join(commands)],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == expected, done.stderr
