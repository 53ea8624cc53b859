"""Lock the Python packages: write their versions and hashes to ``requirements/``, a file for each purpose.

One resolution for all purposes, every system and every Python from 3.11 is made first, so that the files agree.
Versions that are locked stay as they are; with ``--newest`` every package is raised to its newest version. uv resolves.
It does not read pip's settings, so the index and the certificates that pip uses are handed to it in its environment.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from list_packages import PARTS, UNUSED, list_packages

_LOCKS: Final = Path(__file__).parents[1] / "requirements"
_HEADER: Final = "# For {}. Written by `make lock` from pyproject.toml; do not edit.\n"
_EVERYWHERE: Final = ("--universal", "--python-version", "3.11", "--fork-strategy", "fewest")  # one version for all
_SETTINGS: Final = {"index-url": "UV_DEFAULT_INDEX", "cert": "SSL_CERT_FILE"}


def main() -> None:
    """Resolve all purposes together, then write each one's part of it."""
    parser = argparse.ArgumentParser(description="Lock the Python packages in requirements/.")
    parser.add_argument("--newest", action="store_true", help="raise every package to its newest version")
    newest = parser.parse_args().newest
    _LOCKS.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        wanted = []
        for purpose in PARTS:
            if packages := list_packages(purpose):
                file = Path(folder, f"{purpose}.in")
                file.write_text("\n".join(packages) + "\n", encoding="utf-8")
                wanted.append(file)
        everything = Path(folder, "everything.txt")
        if not newest:  # uv keeps the versions that it finds in its output
            everything.write_text("".join(lock.read_text(encoding="utf-8") for lock in _LOCKS.glob("*.txt")), "utf-8")
        compile_packages(wanted, everything, *_EVERYWHERE)
        for file in wanted:
            part = Path(folder, f"{file.stem}.txt")
            compile_packages([file], part, *_EVERYWHERE, "--generate-hashes", "--constraint", str(everything))
            text = _HEADER.format(file.stem) + part.read_text(encoding="utf-8")
            (_LOCKS / part.name).write_text(text, encoding="utf-8")


def compile_packages(wanted: Sequence[Path], output: Path, *options: str) -> None:
    """Resolve requirements with uv, and write the versions, without what is asked for and not used."""
    with TemporaryDirectory() as folder:
        unused = Path(folder, "unused.txt")
        unused.write_text("\n".join(sorted(UNUSED)) + "\n", encoding="utf-8")
        command = [
            *(sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate", *options),
            *("--excludes", str(unused), "--output-file", str(output), *map(str, wanted)),
        ]
        subprocess.run(command, env=os.environ | _settings(), check=True)


def _settings() -> dict[str, str]:
    """Return what pip is told by its configuration or its environment, under uv's names."""
    told = {}
    for setting, name in _SETTINGS.items():
        command = [sys.executable, "-m", "pip", "config", "get", f"global.{setting}"]
        configured = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
        value = os.environ.get(f"PIP_{setting.upper().replace('-', '_')}") or configured
        if value:
            told[name] = value
    return told


if __name__ == "__main__":
    main()
