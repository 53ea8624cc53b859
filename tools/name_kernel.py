"""Print the file name of the page's kernel, a hash of the sources it is made from.

So a page never takes an old kernel for a new one. ``web/kernel.ts`` computes the same name, and a test compares them.
"""

from hashlib import sha256
from pathlib import Path
from typing import Final

_KERNEL: Final = Path(__file__).parents[1] / "kernel"
FOLDERS: Final = ("core", "search", "view", "wasm")
"""The folders of what the page's kernel is made from."""


def name_kernel() -> str:
    """Return the name, relative to the built page."""
    digest = sha256()
    for folder in FOLDERS:
        for file in sorted((_KERNEL / folder).iterdir()):
            digest.update(file.name.encode() + file.read_bytes())
    return f"assets/kernel-{digest.hexdigest()[:12]}.wasm"


if __name__ == "__main__":
    print(name_kernel())
