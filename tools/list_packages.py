"""Print the Python packages to install, one a line: ``list_packages.py playing`` or ``testing``.

They are listed apart from the project itself, so that they are fetched while the kernel is compiled.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

_PROJECT: Final = Path(__file__).parents[1] / "pyproject.toml"
_OWN_EXTRAS: Final = re.compile(r"punct\[([\w,]+)\]")


def packages(purpose: str) -> list[str]:
    """Return the requirements for playing, or for testing, which needs the extra ``dev`` too."""
    project = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    return [*project["dependencies"], *_expand(extras["dev"] if purpose == "testing" else [], extras)]


def _expand(requirements: Iterable[str], extras: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield requirements, with the project's own extras replaced by what they hold."""
    for requirement in requirements:
        own = _OWN_EXTRAS.fullmatch(requirement)
        if own is None:
            yield requirement
        else:
            for extra in own[1].split(","):
                yield from _expand(extras[extra], extras)


if __name__ == "__main__":
    print(*packages(sys.argv[1]), sep="\n")
