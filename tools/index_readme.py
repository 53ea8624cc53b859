"""The README as a package index shows it: its links and pictures lead to the repository, at this version's tag."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

_LINK: Final = re.compile(r"(?<=\]\()(?!https?:|#|mailto:)([^)\s]+)(?=\))")
"""Where a Markdown link leads that is relative: ``](docs/rules.md)``."""
_PICTURE: Final = re.compile(r'(?<=\bsrc=")(?!https?:)([^"]+)(?=")|(?<=\bsrcset=")(?!https?:)([^"]+)(?=")')
"""What a picture's relative ``src`` or ``srcset`` names."""


def absolute_readme(text: str, repository: str, version: str) -> str:
    """Return the text with every relative link and picture made absolute."""
    text = _LINK.sub(rf"{repository}/blob/v{version}/\1", text)
    return _PICTURE.sub(lambda found: f"{repository}/raw/v{version}/{found[1] or found[2]}", text)


def dynamic_metadata(settings: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return the project's readme, as the build backend asks for it."""
    text = absolute_readme(Path("README.md").read_text(encoding="utf-8"), project["urls"]["Source"], project["version"])
    return {"readme": {"content-type": "text/markdown", "text": text}}
