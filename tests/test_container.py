"""What deploy/Dockerfile says, done in folders that hold just what each stage copies; and what comes out of it plays.

Docker itself is not needed: the stages' own commands are run, with this machine's Python and Node in the place of their
images'. The wheel is the one that anybody would build.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Final
from urllib.request import urlopen
from zipfile import ZipFile

import pytest
from tests.browser.serving import TIMEOUT_SECONDS, Server
from tests.containers import FINAL, Build, Context, stages
from tests.polling import wait_until

ROOT: Final = Path(__file__).resolve().parents[1]
STAGES: Final = {stage.name: stage for stage in stages(ROOT / "deploy" / "Dockerfile")}
PIP: Final = f'exec "{sys.executable}" -m pip --disable-pip-version-check'
LARGEST_CONTEXT: Final = 20_000_000
PAGE: Final = Path("src/punct/server/page/built")


def test_every_stage_copies_what_is_there() -> None:
    context = Context(ROOT)
    for stage in STAGES.values():
        for source in stage.copied():
            assert context.below(source), f"{source} is copied, but not there or ignored"


def test_the_builder_is_sent_sources_alone() -> None:
    context = Context(ROOT)
    assert sum((ROOT / file).stat().st_size for file in context.files) < LARGEST_CONTEXT
    strange = {".venv", ".git", "node_modules", "__pycache__", "build", "built", ".pytest_cache"}
    assert not [file for file in context.files if strange & set(file.parts)]


def test_the_stage_of_the_page_has_what_the_page_is_made_of() -> None:
    """As the Makefile and the page's sources name it."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = re.search(r"^CLIENT_SOURCES := (.*(?:\\\n.*)*)", makefile, re.M)
    assert named is not None
    needed = set(re.findall(r"\bsrc/punct/\S+", named[1]))
    for file in [*(ROOT / "web").glob("*.ts"), *(ROOT / "web" / "src").rglob("*.ts")]:
        needed |= set(re.findall(r"""['"](?:\.\./)*(src/punct/[\w/]+\.\w+)""", file.read_text(encoding="utf-8")))
    assert len(needed) >= 3
    context = Context(ROOT)
    copied = {file.as_posix() for source in STAGES["page"].copied() for file in context.below(source)}
    assert needed <= copied


@pytest.mark.timeout(900)  # two compilers from nothing, and everything fetched
def test_the_container_is_built_of_what_it_copies_and_plays(tmp_path: Path) -> None:
    venv.create(tmp_path / "empty")
    build = Build(
        Context(ROOT),
        tmp_path,
        {
            # The compiler for the page's kernel is 90 MB to fetch; the environment of these tests has it.
            "kernel": {"make": f'ln -sfn "{ROOT}/.venv" .venv; exec {shutil.which("make")} "$@"'},
            "wheel": {"pip": f'{PIP} "$@"'},
            FINAL: {"pip": f'{PIP} --python "{tmp_path}/empty/bin/python" "$@"', "useradd": "exit 0"},
        },
    )
    for stage in STAGES.values():
        build.run(stage)
    (wheel,) = (tmp_path / "wheel" / "wheels").glob("*.whl")
    names = ZipFile(wheel).namelist()
    assert "punct/puzzles/shipped.puzzles" in names
    kernels = [name for name in names if name.endswith(".wasm")]
    assert len(kernels) == 1, "the wheel lacks the page's kernel, or has an old one too"
    assert sum("/built/assets/network-" in name for name in names) == 1, "the wheel lacks the page's network"
    assert "punct/engine/own.network" in names

    (program,) = build.entrypoint
    installed: list[str | Path] = [tmp_path / "empty" / "bin" / program, "serve", "--no-open"]
    with Server(tmp_path / "data", installed) as server:
        with urlopen(server.address, timeout=TIMEOUT_SECONDS) as answer:
            page = answer.read().decode()
        assert "<script" in page, "the wheel lacks the built page"
        plays(server)

    # What somebody has who installed it without the page: no clone, and no make.
    (page_folder,) = (tmp_path / "empty").glob("lib/python*/site-packages/punct/server/page/built")
    shutil.rmtree(page_folder)
    with Server(tmp_path / "data", installed) as server:
        assert "missing from this installation" in server.greeting and "pip install" in server.greeting
        assert "make play" not in server.greeting


def plays(server: Server) -> None:
    """See the computer play."""
    game = server.begin("Ed5ne", seats={"w": {"type": "person"}, "b": {"type": "engine", "level": 1}})
    wait_until(lambda: server.game(game)["ply"] == 2)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What a wheel is made of, without a built page."""
    for name in ("CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml", "kernel", "src"):
        for file in Context(ROOT).below(name):
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).symlink_to(ROOT / file)
    return tmp_path


def built(clone: Path, what: str) -> subprocess.CompletedProcess[str]:
    """Have the build backend make something, as pip and ``python -m build`` do."""
    call = f"from scikit_build_core import build; build.build_{what}('out')"
    return subprocess.run([sys.executable, "-c", call], cwd=clone, capture_output=True, text=True)


@pytest.mark.parametrize("what", ["wheel", "sdist"])
def test_without_its_page_no_wheel_or_source_archive_is_made(clone: Path, what: str) -> None:
    refused = built(clone, what)
    told = " ".join(refused.stderr.split())
    assert refused.returncode != 0
    assert f"this {what} would lack it" in told and "make page" in told and "PUNCT_PAGE=OFF" in told
    assert not list(clone.glob("out/*"))


def test_a_page_whose_kernel_is_not_there_yet_is_not_enough(clone: Path) -> None:
    (clone / PAGE).mkdir()
    (clone / PAGE / "index.html").write_text("<script>")
    assert built(clone, "sdist").returncode != 0
    (clone / PAGE / "assets").mkdir()
    (clone / PAGE / "assets" / "kernel-0123.wasm").write_bytes(b"")
    made = built(clone, "sdist")
    assert made.returncode == 0, made.stderr
    assert list(clone.glob("out/*.tar.gz"))


@pytest.mark.parametrize("setting", ["SKBUILD_STATE=editable", "SKBUILD_STATE=wheel;PUNCT_PAGE=OFF"])
def test_an_editable_install_and_the_library_alone_need_no_page(clone: Path, setting: str) -> None:
    """As far as CMake looks: the rest of the build does not depend on it."""
    defined = [f"-D{each}" for each in [*setting.split(";"), "PUNCT_PYTHON=OFF"]]
    cmake = shutil.which("cmake", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")  # perhaps from PyPI
    assert cmake is not None
    subprocess.run([cmake, "-S", clone, "-B", clone / "out", *defined], check=True, capture_output=True)
