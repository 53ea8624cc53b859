"""List the Python packages that pyproject.toml asks for, by purpose: ``list_packages.py playing``.

A purpose is a set of extras and dependency groups. `make lock` resolves each one to a file in ``requirements/``.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

_PROJECT: Final = Path(__file__).parents[1] / "pyproject.toml"
_OWN_EXTRAS: Final = re.compile(r"punct\[([\w,\s-]+)\]")
_NAME: Final = re.compile(r"[\w.-]+")

PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "playing": ("base", "server"),
    "testing": ("base", "server", "dev", "docs"),
    "hosting": ("base", "hosting"),
    "docs": ("docs",),
    "building": ("build-system", "building"),
    "locking": ("locking",),
    "release": ("release",),
}
# Installed by `make torch` alone: on Linux the index has it with gigabytes of libraries for graphics cards.
APART: Final = frozenset({"torch"})
# Locked for nothing: open_spiel asks for SciPy, which is 35 MB, but of it only mean field games need that.
UNUSED: Final = frozenset({"scipy"})


def list_packages(purpose: str) -> list[str]:
    """Return the requirements of a purpose, each once; a part that pyproject.toml does not have adds none."""
    table = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))
    parts: dict[str, list[Any]] = {
        "base": table["project"]["dependencies"],
        "build-system": table["build-system"]["requires"],
        **table.get("dependency-groups", {}),
        **table["project"]["optional-dependencies"],
    }
    listed = _expand((item for part in PARTS[purpose] for item in parts.get(part, ())), parts)
    return list(dict.fromkeys(item for item in listed if name_of(item) not in APART))


def name_of(requirement: str) -> str:
    """Return the name of the package that a requirement asks for, as indexes spell it."""
    name = _NAME.match(requirement)
    if name is None:
        raise ValueError(f"no package is named in {requirement!r}")
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def _expand(items: Iterable[Any], parts: Mapping[str, list[Any]]) -> Iterator[str]:
    """Yield requirements, with our own extras and included groups replaced by what they hold."""
    for item in items:
        own = None if isinstance(item, dict) else _OWN_EXTRAS.fullmatch(item)
        if isinstance(item, dict):
            yield from _expand(parts[item["include-group"]], parts)
        elif own is not None:
            for extra in own[1].split(","):
                yield from _expand(parts[extra.strip()], parts)
        else:
            yield item


if __name__ == "__main__":
    print(*list_packages(sys.argv[1]), sep="\n")
