"""Which part of the kernel may use which, as CONTRIBUTING draws them."""

from __future__ import annotations

import re
from pathlib import Path

KERNEL = Path(__file__).parents[2] / "kernel"
MAY_USE = {
    "core": {"core"},
    "search": {"core", "search"},
    "python": {"core", "search", "python"},
    "wasm": {"core", "search", "wasm"},
}
INCLUDE = re.compile(r'^#include (?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def test_a_part_uses_only_those_below_it() -> None:
    for room, allowed in MAY_USE.items():
        files = [*(KERNEL / room).glob("*.?pp")]
        assert files
        for file in files:
            for ours, others in INCLUDE.findall(file.read_text("utf-8")):
                if ours:
                    used = ours.split("/")[0] if "/" in ours else room
                    assert used in allowed, f"{room}/{file.name} includes {ours}"
                else:
                    assert room == "python" or not others.startswith(("nanobind", "Python")), f"{room}/{file.name}"
