"""Running the command: in this process, or as a shell would."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner, Result

from punct.cli.app import app

WON_GAME = ("Ea2se", "Tc8n", "Ed2se", "Tf10n", "Eg2se", "Te12n", "Ej3ne", "Th13n", "Cn7ne", "Tl14n", "Tp9n")
"""White joins column a to column q along the lower edge."""


def run(*words: str | Path, stdin: str | bytes = "") -> Result:
    """Run a command line in this process."""
    return CliRunner().invoke(app, list(map(str, words)), input=stdin)


def play(*lines: str, options: tuple[str | Path, ...] = ("--no-board",)) -> str:
    """Play a session of these lines and return what was printed; it must end well."""
    result = run("play", *options, stdin="".join(f"{line}\n" for line in lines))
    assert result.exit_code == 0, result.output
    assert result.exception is None
    return result.output


def shell(
    *words: str | Path, stdin: str | bytes = "", cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command as its own process."""
    found = subprocess.run(
        [sys.executable, "-c", "from punct.cli import main; main()", *map(str, words)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        check=False,
    )
    out, errors = found.stdout.decode("utf-8", "replace"), found.stderr.decode("utf-8", "replace")
    assert "Traceback" not in errors
    return subprocess.CompletedProcess(found.args, found.returncode, out, errors)
