"""The build backend (PEP 517): scikit-build-core, with the page and the documentation built on the way.

A wheel or a source archive always has both inside: they are built first if they are missing or older than their
sources, and what that needs is asked for. A source archive has them too, so a wheel made from it needs neither Node.js
nor a compiler for WebAssembly. An editable install builds neither. ``PUNCT_PAGE=OFF`` in the environment leaves both
out, for the library alone.
"""

from __future__ import annotations

import os
import sys
from typing import Final, TypeAlias

from scikit_build_core import build as _backend
from scikit_build_core.build import (
    build_editable,
    get_requires_for_build_editable,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

import build_page
import build_site

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings: TypeAlias = dict[str, list[str] | str] | None

LIBRARY_ALONE: Final = (
    "For the library and the command line without the page of `punct serve`, set PUNCT_PAGE=OFF in the environment."
)


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """Return what building a source archive needs here."""
    return [*_backend.get_requires_for_build_sdist(config_settings), *_requirements()]


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Return what building a wheel needs here."""
    return [*_backend.get_requires_for_build_wheel(config_settings), *_requirements()]


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Build a source archive, with the page inside."""
    _build("source archive")
    return _backend.build_sdist(sdist_directory, config_settings)


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Build a wheel, with the page inside."""
    _build("wheel")
    return _backend.build_wheel(wheel_directory, config_settings, metadata_directory)


def _is_wanted() -> bool:
    return os.environ.get("PUNCT_PAGE", "").upper() not in {"OFF", "0"}


def _requirements() -> list[str]:
    return [*build_page.requirements(), *build_site.requirements()] if _is_wanted() else []


def _build(what: str) -> None:
    """Build page and documentation; end with a sentence if that is impossible."""
    if not _is_wanted():
        return
    os.environ.pop(build_page.NETWORK, None)  # a release has the shipped network, whatever this machine plays by
    try:
        build_page.build()
        build_site.build()
    except (build_page.PageError, build_site.SiteError) as error:
        sys.exit(f"\nThis {what} would lack a part of the server: {error}.\n{LIBRARY_ALONE}\n")
