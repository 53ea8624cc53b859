"""The documentation's site: made without a warning, the same each time, with every page and every exported name."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

import punct

ROOT: Final = Path(__file__).resolve().parents[1]
TOOL: Final = ROOT / "tools" / "build_docs.py"
BUILT: Final = ROOT / "src" / "punct" / "server" / "documentation" / "built"
PUBLIC: Final = {"punct", "punct.geometry", "punct.perft"} | {
    f"punct.{package}"
    for package in ("records", "kernel", "engine", "ugi", "match", "analysis", "picture", "puzzles", "env")
}


def build(target: Path, tool: Path = TOOL) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, tool, target], capture_output=True, text=True, check=False)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site once more, into a folder with an older one."""
    folder = tmp_path_factory.mktemp("site") / "built"
    folder.mkdir()
    (folder / "old.html").touch()
    done = build(folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert [entry.name for entry in folder.parent.iterdir()] == ["built"]
    return folder


def test_the_same_sources_make_the_same_files(site: Path) -> None:
    """Here in a folder of another name, and elsewhere than where ``make`` has built it before."""
    built, again = contents(BUILT), contents(site)
    assert sorted(built) == sorted(again), "`make docs` builds the site of these sources"
    differing = [name for name in built if built[name] != again[name]]
    assert differing == [], "`make docs` builds the site of these sources"


def test_it_has_every_guide_and_the_public_modules_and_no_others(site: Path) -> None:
    guides = {page.stem for page in (ROOT / "docs").glob("*.md")}
    assert {page.stem for page in site.glob("*.html")} >= guides | {"changelog", "contributing", "search"}
    reference = {
        ".".join(page.parent.relative_to(site / "reference").parts) for page in site.glob("reference/**/*.html")
    }
    assert reference == PUBLIC


def test_it_has_what_the_pages_import() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for module in re.findall(r"^>>> (?:from|import) (punct[\w.]*)", page.read_text(encoding="utf-8"), re.MULTILINE):
            assert module in PUBLIC, f"{page.name}: {module}"


def test_everything_exported_is_in_the_reference(site: Path) -> None:
    for module in sorted(PUBLIC - {"punct.geometry", "punct.perft"}):
        page = (site / "reference" / module.replace(".", "/") / "index.html").read_text(encoding="utf-8")
        for name in import_module(module).__all__:
            if f"{module}.{name}" not in PUBLIC:
                assert f'id="{module}.{name}"' in page, f"{module}.{name}"


def test_names_in_annotations_lead_to_what_is_exported(site: Path) -> None:
    page = (site / "reference/punct/engine/index.html").read_text(encoding="utf-8")
    assert f'href="../index.html#{punct.Move.__module__.partition(".")[0]}.Move"' in page
    assert 'href="#punct.engine.Limits"' in page


def test_no_page_has_scripts_or_styles_of_its_own_or_asks_another_host(site: Path) -> None:
    for name, content in contents(site).items():
        if name.endswith(".html"):
            page = content.decode()
            assert not re.search(r"<style|<script(?![^>]*\bsrc=)|\son\w+=", page), name
            assert not re.search(r'(?:src|srcset)="(?:https?:)?//|<link[^>]*href="(?:https?:)?//', page), name
        assert not name.endswith((".map", ".py")) and "_sources" not in name


def test_every_link_leads_to_a_file_and_every_anchor_to_an_element(site: Path) -> None:
    pages = {name: content.decode() for name, content in contents(site).items() if name.endswith(".html")}
    anchors = {name: set(re.findall(r'\bid="([^"]+)"', page)) for name, page in pages.items()}
    checked = 0
    for name, page in pages.items():
        for target, anchor in re.findall(r'<a\b[^>]*\bhref="(?!https?:|mailto:|/)([^"#]*)#?([^"]*)"', page):
            found = (site / name).parent.joinpath(target).resolve() if target else site / name
            assert found.is_file(), f"{name}: {target}"
            linked = found.relative_to(site.resolve()).as_posix()
            if anchor and linked in anchors:
                assert anchor in anchors[linked], f"{name}: {target}#{anchor}"
                checked += 1
    assert checked > 1000


def test_every_script_style_and_picture_is_there(site: Path) -> None:
    for name, content in contents(site).items():
        if name.endswith(".html"):
            for target in re.findall(r'<(?:script|img|link)\b[^>]*\b(?:src|href)="([^"?#]+)', content.decode()):
                found = (
                    site / target.removeprefix("/docs/") if target.startswith("/") else (site / name).parent / target
                )
                assert found.is_file(), f"{name}: {target}"


def test_the_page_for_what_is_not_there_works_at_any_depth(site: Path) -> None:
    page = (site / "404.html").read_text(encoding="utf-8")
    assert 'data-content_root="/docs/"' in page and 'href="/docs/index.html"' in page
    assert not re.search(r'\b(?:href|src)="(?!/|#|https?:)', page)


def test_a_failed_build_leaves_the_old_site(tmp_path: Path) -> None:
    """With a link that leads nowhere, in a copy of the sources."""
    for name in ("docs", "deploy", "tools"):
        (tmp_path / name).mkdir()
    for name in ("CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    tool = tmp_path / "tools" / TOOL.name
    tool.write_bytes(TOOL.read_bytes())
    (tmp_path / "docs/conf.py").touch()
    (tmp_path / "docs/index.md").write_text("# Start\n\n[Gone](gone.md)\n", encoding="utf-8")
    target = tmp_path / "built"
    target.mkdir()
    (target / "index.html").write_text("old", encoding="utf-8")
    done = build(target, tool)
    assert done.returncode == 1 and "docs/index.md links to gone.md, which is not there" in done.stderr
    assert "Traceback" not in done.stderr
    assert contents(target) == {"index.html": b"old"}
