"""Check that this Python can build the kernel: version 3.11 or later, with its C headers.

It runs under whatever Python ``make`` finds, so its syntax is that of every Python 3.
"""

import importlib.util
import sys
import sysconfig
from pathlib import Path


def main() -> int:
    """Return 0, or print what is missing and return 1."""
    if sys.version_info < (3, 11):  # noqa: UP036  # that is the question
        print("PÜNCT needs Python 3.11 or later. Name one: make play PYTHON=python3.12")
        return 1
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        print("The kernel is compiled against Python's headers, which are missing (Debian: apt install python3-dev).")
        return 1
    if importlib.util.find_spec("venv") is None:
        print("Python's module venv is missing (Debian: apt install python3-venv).")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
