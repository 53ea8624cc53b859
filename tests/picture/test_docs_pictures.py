"""The documentation's pictures are those its script draws today."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from tests.picture.reading import read

DOCS = Path(__file__).parents[2] / "docs"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_pictures", DOCS / "make_pictures.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", script().PICTURES)
def test_up_to_date(name: str) -> None:
    drawn = script().PICTURES[name]()
    read(drawn)
    stored = (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
    assert stored == drawn, "run python docs/make_pictures.py and look at the picture"


def test_nothing_left_over() -> None:
    assert {path.stem for path in (DOCS / "pictures").iterdir()} == set(script().PICTURES)
