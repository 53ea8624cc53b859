"""The layers of the kernel's folders, as CONTRIBUTING draws them: a folder includes only those below it."""

from __future__ import annotations

import re
from pathlib import Path

KERNEL = Path(__file__).parents[2] / "kernel"
LAYERS = {
    "core": {"core"},
    "search": {"core", "search"},
    "view": {"core", "search", "view"},
    "python": {"core", "search", "view", "python"},
    "wasm": {"core", "search", "view", "wasm"},
}
"""By folder: those it may include."""
INCLUDE = re.compile(r'^#include (?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def test_a_folder_includes_only_those_below_it() -> None:
    for folder, allowed in LAYERS.items():
        files = [*(KERNEL / folder).glob("*.?pp")]
        assert files
        for file in files:
            for own, system in INCLUDE.findall(file.read_text("utf-8")):
                if own:
                    included = own.split("/")[0] if "/" in own else folder
                    assert included in allowed, f"{folder}/{file.name} includes {own}"
                else:
                    assert folder == "python" or not system.startswith(("nanobind", "Python")), f"{folder}/{file.name}"
