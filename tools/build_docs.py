"""Build the documentation's site with Sphinx: ``build_docs.py``, or ``build_docs.py FOLDER`` for another folder.

The site is made of ``docs/*.md``, a few files of the project's root, and a reference of what ``src/punct`` exports. By
default it goes into the Python package, from which the server serves it. The same sources make the same files. A failed
build leaves the old site as it was. It needs the dependency group ``docs`` alone; the project itself is not imported.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import tomllib
import zlib
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
BUILT: Final = ROOT / "src" / "punct" / "server" / "documentation" / "built"
"""The built site, inside the Python package."""
ADDRESS: Final = "/docs/"
"""Where the server serves it."""
MAX_COMPRESSED_BYTES: Final = 2_000_000
"""Every wheel has the site inside, compressed."""
_AT_ROOT: Final = ("CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md")
_FOLDERS: Final = ("docs", "deploy")
_LINK: Final = re.compile(r'(\]\(|\bsrc=")(?![a-z]+:|#)([^)"#\s]*)')
"""Where a relative link or picture leads: ``](rules.md#pieces)``, ``src="screenshots/phone.webp"``."""
_CODE: Final = re.compile(r"^```.*?^```$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_SECTION: Final = re.compile(r"^## (.+)\n\n((?:- \[.*\n)+)", re.MULTILINE)
"""A list of pages in ``docs/index.md``, with its heading: a part of the navigation."""
_PAGE: Final = re.compile(r"^- \[.*?\]\(([\w-]+)\.md\)", re.MULTILINE)
_INLINE: Final = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
_ATTRIBUTE: Final = re.compile(r'\b(href|src|data-content_root)="(?![a-z]+:|/|#)([^"]*)"')
_LOADED_FROM_ELSEWHERE: Final = re.compile(
    r"""(<(?:script|img|iframe|source)\b[^>]*\bsrc=|<link\b[^>]*\bhref=|url\(|@import\s*)["']?(?:https?:)?//"""
)
_LEFT_OUT: Final = (
    ".buildinfo",
    *(f"_static/{name}" for name in ("debug.css", "file.png", "minus.png", "plus.png", "skeleton.css")),
)
"""What Sphinx and the theme write, and no page uses."""
_SOURCE_MAP: Final = re.compile(r"^(?://|/\*)# sourceMappingURL=.*$", re.MULTILINE)


class DocsError(Exception):
    """The site cannot be built, and why."""


def build(target: Path = BUILT) -> None:
    """Build the site into a folder, in place of what is there; raises DocsError, and changes nothing then."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{target.name}.", dir=target.parent) as folder:
        source, site = Path(folder, "source"), Path(folder, "site")
        stage(source, project["urls"]["Source"])
        _run_sphinx(source, site, project["version"])
        tidy(site)
        if target.exists():
            target.rename(Path(folder, "old"))
        site.rename(target)


# ---------------------------------------------------------------------- the sources


def stage(folder: Path, repository: str) -> None:
    """Copy the sources to where Sphinx builds them, with links that lead to pages of the site, or to the repository."""
    pages = _find_sources()
    for path, page in pages.items():
        copy = folder / page
        copy.parent.mkdir(parents=True, exist_ok=True)
        if copy.suffix == ".md":
            text = _relink((ROOT / path).read_text(encoding="utf-8"), path, pages, repository)
            copy.write_text(text + _navigation(text) if page == "index.md" else text, encoding="utf-8")
        else:
            shutil.copyfile(ROOT / path, copy)


def _find_sources() -> dict[str, str]:
    """Return the files of the site by their path in the repository, and their names in the site.

    Programs are not among them: pages show them, and what ends in ``.py`` in the package would be taken for a module.
    """
    files = [file for folder in _FOLDERS for file in (ROOT / folder).rglob("*") if file.is_file()]
    paths = [file.relative_to(ROOT).as_posix() for file in files if file.suffix not in {".py", ".pyc"}]
    named = {path: path.removeprefix("docs/") for path in sorted([*paths, "docs/conf.py"])}
    return named | {path: path.lower() for path in _AT_ROOT} | {"web/public/icon.svg": "icon.svg"}


def _relink(text: str, path: str, pages: Mapping[str, str], repository: str) -> str:
    """Return a page's text with its relative links as the site has them."""
    here, known = PurePosixPath(path).parent, {"README.md": "index.md", **pages}

    def replace(found: re.Match[str]) -> str:
        linked = normpath((here / found[2]).as_posix())
        if linked in known:
            return found[1] + relpath(known[linked], PurePosixPath(pages[path]).parent.as_posix())
        if not (ROOT / linked).exists():
            raise DocsError(f"{path} links to {found[2]}, which is not there")
        return f"{found[1]}{repository}/{'tree' if (ROOT / linked).is_dir() else 'blob'}/main/{linked}"

    parts, end = [], 0
    for code in _CODE.finditer(text):  # nothing in code is a link
        parts += [_LINK.sub(replace, text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, _LINK.sub(replace, text[end:])])


def _navigation(index: str) -> str:
    """Return the site's navigation, as Sphinx reads it, from the lists of pages in its index."""
    sections = [(heading, _PAGE.findall(links)) for heading, links in _SECTION.findall(index)]
    sections.append(("Reference", ["reference/punct/index"]))
    tables = (
        "\n".join(["", "```{toctree}", ":hidden:", f":caption: {heading}", "", *pages, "```", ""])
        for heading, pages in sections
    )
    return "".join(tables)


# ---------------------------------------------------------------------- the site


def _run_sphinx(source: Path, site: Path, version: str) -> None:
    os.environ |= {"PUNCT_SOURCE": str(ROOT / "src" / "punct"), "PUNCT_VERSION": version, "SOURCE_DATE_EPOCH": "0"}
    try:
        from sphinx.cmd.build import main
    except ModuleNotFoundError as error:
        raise DocsError(f"{error.name} is missing: `make docs` installs it, or pip the dependency group docs") from None
    words = ["-b", "html", "-q", "-W", "--keep-going", "-d", str(source.parent / "doctrees"), str(source), str(site)]
    if main(words):
        raise DocsError("Sphinx reports what is above")


def tidy(site: Path) -> None:
    """Make the site fit to be shipped and served: nothing inline, nothing from elsewhere, nothing unused."""
    for name in _LEFT_OUT:
        (site / name).unlink(missing_ok=True)
    for file in sorted(site.rglob("*")):
        if file.suffix == ".map":
            file.unlink()
        elif file.suffix in {".js", ".css"}:
            _rewrite(file, _SOURCE_MAP.sub("", file.read_text(encoding="utf-8")))
        elif file.suffix == ".html":
            _rewrite(file, _move_out_inline(file, site))
    _rewrite(site / "404.html", _ATTRIBUTE.sub(_make_absolute, (site / "404.html").read_text(encoding="utf-8")))
    _check(site)


def _move_out_inline(file: Path, site: Path) -> str:
    """Return a page without inline scripts and styles, which the server's policy forbids: each becomes a file."""

    def replace(found: re.Match[str]) -> str:
        tag, content = found[1], found[2].strip() + "\n"
        name = f"_static/{blake2b(content.encode(), digest_size=6).hexdigest()}.{'js' if tag == 'script' else 'css'}"
        _rewrite(site / name, content)
        address = relpath(name, file.parent.relative_to(site).as_posix())
        return f'<script src="{address}"></script>' if tag == "script" else f'<link rel="stylesheet" href="{address}">'

    return _INLINE.sub(replace, file.read_text(encoding="utf-8"))


def _make_absolute(found: re.Match[str]) -> str:
    """Return an attribute of the page for what is not there, which is sent at any depth."""
    return f'{found[1]}="{normpath(ADDRESS + found[2])}{"/" if found[1] == "data-content_root" else ""}"'


def _check(site: Path) -> None:
    """Refuse a site that is too large, or that loads something from elsewhere."""
    for file in _files(site):
        if file.suffix not in {".html", ".css"}:
            continue
        if found := _LOADED_FROM_ELSEWHERE.search(file.read_text(encoding="utf-8")):
            raise DocsError(f"{file.relative_to(site)} loads something from elsewhere: {found[0]}")
    size = sum(len(zlib.compress(file.read_bytes())) for file in _files(site))
    if size > MAX_COMPRESSED_BYTES:
        raise DocsError(f"compressed, the site has {size:,} bytes; it may have {MAX_COMPRESSED_BYTES:,}")


def _files(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.is_file())


def _rewrite(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    try:
        build(*(Path(word).resolve() for word in sys.argv[1:2]))
    except DocsError as error:
        sys.exit(f"The documentation is not built: {error}.")
