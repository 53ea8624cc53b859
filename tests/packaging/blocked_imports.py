"""Run a program in which only some libraries can be imported: ``blocked_imports.py numpy,typer PROGRAM [WORDS]``.

The program is a file, or a module after ``-m``. So it is known what a program needs, without an environment that has
nothing else.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, DistributionFinder, MetadataPathFinder
from types import ModuleType


class Importable:
    """Finds the standard library, this package and the named libraries; no others, as if they were not installed."""

    def __init__(self, libraries: Sequence[str]) -> None:
        """Take over from the finders there are."""
        self._allowed = {*libraries, *sys.stdlib_module_names, "punct"}
        self._finders = [*sys.meta_path]

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is; None if it is none of the allowed."""
        if name.partition(".")[0] not in self._allowed:
            return None
        found = (finder.find_spec(name, path, target) for finder in self._finders)
        return next((spec for spec in found if spec is not None), None)

    def find_distributions(self, context: DistributionFinder.Context) -> Iterable[Distribution]:
        """Return what is installed, for whoever asks for a version."""
        return MetadataPathFinder.find_distributions(context)


if __name__ == "__main__":
    libraries, *words = sys.argv[1:]
    sys.meta_path[:] = [Importable(libraries.split(","))]
    if words[0] == "-m":
        sys.argv[:] = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv[:] = words
        runpy.run_path(words[0], run_name="__main__")
