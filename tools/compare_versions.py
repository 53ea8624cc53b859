"""Print which versions in a file differ from the lock of the tests: ``compare_versions.py FILE``."""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

_LOCK: Final = Path(__file__).parents[1] / "requirements" / "testing.txt"


def read_versions(lock: str) -> dict[str, str]:
    """Return the version of every package in a lock."""
    return dict(re.findall(r"^([\w.-]+)==([^\s;]+)", lock, re.MULTILINE))


def compare(locked: Mapping[str, str], other: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each package whose locked version is another, or that is not locked."""
    for name, version in sorted(other.items()):
        if locked.get(name) != version:
            yield f"  {name:28} {locked.get(name, '-'):14} {version}"


if __name__ == "__main__":
    file = Path(sys.argv[1])
    lines = list(compare(*(read_versions(path.read_text(encoding="utf-8")) for path in (_LOCK, file))))
    head = f"  {'package':28} {'locked':14} {file.stem}"
    print(*([head, *lines] if lines else [f"The {file.stem} versions are the locked ones."]), sep="\n")
