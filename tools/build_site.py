"""Build the documentation site into the package, with ``tools/build_docs.py``, if it is not current."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from typing import Final

from build_page import ROOT, hash_files

TOOL: Final = ROOT / "tools" / "build_docs.py"
BUILT: Final = ROOT / "src" / "punct" / "server" / "documentation" / "built"
"""The built site, inside the Python package."""
HASH: Final = BUILT.with_suffix(".hash")
"""The hash of what it was built from."""
_SOURCES: Final = (
    *("*.md", "docs/**/*", "deploy/*", "src/punct/**/*.py"),
    *("pyproject.toml", "tools/build_docs.py", "web/public/icon.svg"),
)
GROUP: Final = "docs"
"""The dependency group of what the tool needs."""


class SiteError(Exception):
    """The documentation cannot be built."""


def has_sources() -> bool:
    """Return whether the site can be built here, as in a clone."""
    return TOOL.is_file() and (ROOT / "docs" / "index.md").is_file()


def is_built() -> bool:
    """Return whether the site is here: built from these sources, if they are here too."""
    if not (BUILT / "index.html").is_file():
        return False
    return not has_sources() or (HASH.is_file() and HASH.read_text(encoding="ascii") == _hash_sources())


def requirements() -> list[str]:
    """Return the Python packages that building the site needs here."""
    if is_built() or not has_sources():
        return []
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    return [str(package) for package in groups[GROUP]]


def build() -> None:
    """Build the site if it is missing or old; SiteError if that is impossible."""
    if is_built():
        return
    if not has_sources():
        raise SiteError("the sources have neither the built documentation nor the folder docs to build it from")
    digest = _hash_sources()
    if subprocess.run([sys.executable, TOOL], cwd=ROOT).returncode:
        raise SiteError("the documentation is not built: `python tools/build_docs.py` failed")
    HASH.write_text(digest, encoding="ascii")


def _hash_sources() -> str:
    files = (file for pattern in _SOURCES for file in ROOT.glob(pattern))
    return hash_files(file for file in files if file.is_file() and "__pycache__" not in file.parts)


if __name__ == "__main__":
    try:
        build()
    except SiteError as error:
        sys.exit(f"{error}.")
