"""The examples of docs/cli.md are true."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.cli.running import run

from punct.cli.session import COMMANDS

DOCUMENT = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def test_every_example_prints_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = re.search(r"```text\n(.*?)```", DOCUMENT, re.DOTALL)
    assert session is not None
    Path("session.txt").write_text(session[1], encoding="utf-8")
    examples = [
        example
        for block in re.findall(r"```console\n(.*?)```", DOCUMENT, re.DOTALL)
        for example in block.split("$ ")[1:]
    ]
    assert len(examples) > 15
    for example in examples:
        command, _, expected = example.partition("\n")
        words = shlex.split(command)
        assert words.pop(0) == "punct"
        stdin = Path(words.pop()).read_text(encoding="utf-8") if words[-2:-1] == ["<"] else ""
        printed = run(*(word for word in words if word != "<"), stdin=stdin).output
        # An ellipsis at the end of a line stands for anything.
        pattern = re.escape(expected).replace("…\\\n", ".*?\n")
        assert re.fullmatch(pattern, printed, re.DOTALL), f"{command}\n{printed}"


def test_every_command_at_the_table_is_described() -> None:
    for name in COMMANDS:
        if name not in ("?", "exit"):
            assert f"`{name}" in DOCUMENT
