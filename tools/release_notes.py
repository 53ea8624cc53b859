"""Print the changelog's section of a release: ``release_notes.py v1.0.0``. Without a tag, what is not released yet.

A tag that is not the project's version is refused, and so is a version without a section.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
UNRELEASED: Final = "Unreleased"


class NotesError(Exception):
    """There are no notes for this, and why."""


def release_notes(tag: str | None, version: str, changelog: str) -> str:
    """Return the section of a tag; raises NotesError if it has none."""
    if tag is not None and tag != f"v{version}":
        raise NotesError(f"the tag is {tag}, but the version in pyproject.toml is {version}: expected v{version}")
    wanted = UNRELEASED if tag is None else version
    heading = rf"^## \[?{re.escape(wanted)}\]?(?: – [^\n]*)?\n"
    section = re.search(rf"{heading}(.*?)(?=^## |\Z)", changelog, re.DOTALL | re.MULTILINE)
    if section is None or not section[1].strip():
        raise NotesError(f"CHANGELOG.md has no section “{wanted}”, or it is empty")
    return section[1].strip() + "\n"


if __name__ == "__main__":
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    try:
        notes = release_notes(
            sys.argv[1] if len(sys.argv) > 1 else None,
            project["version"],
            (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
        )
    except NotesError as error:
        sys.exit(f"release_notes.py: {error}")
    print(notes, end="")
