"""Resolve what the tests need to other versions than the locked ones: ``resolve_packages.py newest|oldest FILE``.

The newest are those that an index has today, the oldest those that pyproject.toml names as its lower bounds.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from list_packages import list_packages
from lock_packages import compile_packages

_RESOLUTIONS: Final = {"newest": "highest", "oldest": "lowest-direct"}


def main(which: str, output: Path) -> None:
    """Write the versions for this Python and this system."""
    with TemporaryDirectory() as folder:
        wanted = Path(folder, "testing.in")
        wanted.write_text("\n".join(list_packages("testing")) + "\n", encoding="utf-8")
        version = ".".join(map(str, sys.version_info[:2]))
        compile_packages(
            [wanted], output, "--upgrade", "--resolution", _RESOLUTIONS[which], "--python-version", version
        )


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
