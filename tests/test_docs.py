"""Every example in the documentation and in the modules is run, and every link between pages leads somewhere."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
FLAGS = doctest.ELLIPSIS


def modules_with_examples() -> list[str]:
    source = ROOT / "src"
    paths = sorted(path for path in source.rglob("*.py") if ">>> " in path.read_text(encoding="utf-8"))
    return [".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__") for path in paths]


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_in_a_module(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=FLAGS)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_on_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert doctest.testfile(str(page), module_relative=False, optionflags=FLAGS, encoding="utf-8").failed == 0


def test_the_pages_have_examples() -> None:
    parser = doctest.DocTestParser()
    for name in ("README.md", "docs/api.md"):
        assert parser.get_examples((ROOT / name).read_text(encoding="utf-8")), name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_files_named_to_contributors_are_there() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:web|src|tests|kernel|bench|docs)/[^\s`]*)`", page)
    assert named
    for path in named:
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_python_block_is_an_example(page: Path) -> None:
    """A block without a prompt would be read by people and run by nobody, unless it is a program others run."""
    programs = {program.read_text(encoding="utf-8") for program in (ROOT / "docs").glob("*/*.py")}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        if block in programs:
            continue
        assert block.startswith(">>> "), f"{page.name}: {block[:40]}"
        assert block.endswith("\n\n"), f"{page.name}: the examples need a blank line before the fence: {block[:40]}"
