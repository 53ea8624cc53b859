"""Print a lock file without some of its packages: ``leave_out.py FILE NAME…``.

What the machine has of its own is not fetched. Only packages that need no others are left out.
"""

import sys
from collections.abc import Collection
from pathlib import Path


def leave_out(lock: str, names: Collection[str]) -> str:
    """Return the lock without these packages and their hashes."""
    kept, left_out = [], False
    for line in lock.splitlines(keepends=True):
        if not line.startswith(" "):  # hashes are indented below their package
            left_out = line.split("==")[0] in names
        if not left_out:
            kept.append(line)
    return "".join(kept)


if __name__ == "__main__":
    print(leave_out(Path(sys.argv[1]).read_text(encoding="utf-8"), sys.argv[2:]), end="")
