"""Every example in the documentation and in the modules is run, and every link between pages leads somewhere."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import punct
from punct import kernel, picture
from punct.tree import Node

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


# ---------------------------------------------------------------------- tables of names

HEADING = re.compile(r"(?:of an?|in) `([\w.]+)`$")
"""How a table says whose names it lists: "of a `Game`", "in `punct.records`"."""
OPTIONS = re.compile(r"option of `(\w+)`")
TABLE = re.compile(r"^\| (.*?) \|(?: .*)?\n\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")


def tables(heading: re.Pattern[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the tables with such a heading: the page, what the heading names, and the code in their first column."""
    for page in PAGES:
        rows = TABLE.findall(page.read_text(encoding="utf-8"))
        for first, body in rows:
            if found := heading.search(first):
                cells = [row.split("|")[1] for row in body.splitlines()]
                yield page.name, found[1], [code for cell in cells for code in CODE.findall(cell)]


def meant(name: str) -> Any:
    """Return what a page calls by this name: as it stands in ``punct``, in full or without it."""
    if name == "Node":
        return Node
    found: Any = punct
    for part in name.removeprefix("punct").lstrip(".").split("."):
        found = getattr(found, part) if part else found
    return found


def ask(owner: Any, asked: ast.expr) -> Any:
    """Return what an expression in a table means; raises AttributeError or TypeError if there is no such thing."""
    match asked:
        case ast.Name(name):
            return owner if name in (owner.__name__, owner.__name__.lower()) else getattr(owner, name)
        case ast.Attribute(ast.Name("kernel"), name):
            return getattr(kernel, name)
        case ast.Attribute(of, name):
            return getattr(ask(owner, of), name)
        case ast.Subscript(of, _):
            return ask(owner, of).__getitem__
        case ast.Call(ast.Name("str"), [ast.Name()], []):
            return owner.__str__
        case ast.Call(function, arguments, named):
            called = ask(owner, function)
            # A method is looked up in its class, where it also wants to be told whose it is.
            bare = inspect.isfunction(called) and "." in called.__qualname__
            names = {word.arg: None for word in named if word.arg}
            inspect.signature(called).bind(*[None] * (len(arguments) + bare), **names)
            return called
    raise TypeError(ast.unparse(asked))


NO_NAMES = {"==", "batch[i] = position"}


@pytest.mark.parametrize(("page", "name", "listed"), [*tables(HEADING)], ids=lambda value: str(value)[:30])
def test_every_name_in_a_table_is_there(page: str, name: str, listed: list[str]) -> None:
    """And whatever can be called takes as many arguments as the table shows."""
    owner = meant(name)
    assert listed
    for code in listed:
        if code not in NO_NAMES:
            assert ask(owner, ast.parse(code.replace("…", "..."), mode="eval").body) is not None, f"{page}: {code}"


def test_tables_of_names_are_found() -> None:
    named = {name for _, name, _ in tables(HEADING)}
    assert named >= {"Position", "Move", "Symmetry", "Game", "Node", "kernel.Position", "kernel.Batch"}
    assert named >= {"punct", "punct.records", "punct.analysis", "punct.match", "punct.env"}
    with pytest.raises(AttributeError):
        ask(kernel.Batch, ast.parse("turn(i, action)", mode="eval").body)
    with pytest.raises(TypeError):
        ask(kernel.Batch, ast.parse("move(action)", mode="eval").body)


@pytest.mark.parametrize(("page", "name", "listed"), [*tables(OPTIONS)], ids=lambda value: str(value)[:30])
def test_tables_of_options_have_all_of_them(page: str, name: str, listed: list[str]) -> None:
    parameters = inspect.signature(getattr(picture, name)).parameters.values()
    assert sorted(listed) == sorted(
        found.name for found in parameters if found.default is not found.empty and found.kind is not found.VAR_KEYWORD
    ), page


@pytest.mark.parametrize(
    "offered",
    [punct.PositionLike, kernel.Position, kernel.Batch, kernel.Move, punct.env.Episode,
     punct.env.VectorEnv, punct.Game, Node, punct.Move, punct.Symmetry,
     punct.Piece, punct.Space, punct.Colour, punct.Kind, punct.Outcome, punct.engine.Engine, punct.ugi.UgiEngine,
     picture],
    ids=lambda offered: offered.__name__,
)  # fmt: skip
def test_whatever_one_can_ask_is_on_a_page(offered: Any) -> None:
    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    told = set(re.findall(r"\w+", " ".join(re.findall(r"```.*?```|`[^`]+`", pages, re.DOTALL))))
    names = {*getattr(offered, "__all__", dir(offered)), *(vars(offered) if inspect.isclass(offered) else ())}
    asked = {name for name in names if name.islower() and name[0] != "_" and not hasattr(int, name)}
    assert asked
    assert asked - told == set()
