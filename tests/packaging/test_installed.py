"""From the sources to a player: source archive, wheel, an empty environment, ``punct serve``, and a real browser."""

from __future__ import annotations

import email
import re
import subprocess
import sys
import tarfile
import venv
from email.message import Message
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest
from tests.built_wheel import BUILD_SECONDS, BuiltWheel
from tests.packaging.browser_game import play_in_browser

import punct

HERE: Final = Path(__file__).parent
MAX_WHEEL_BYTES: Final = 6_000_000
MAX_SDIST_BYTES: Final = 14_000_000

pytestmark = pytest.mark.timeout(BUILD_SECONDS)


def environment(folder: Path, *packages: str) -> Path:
    """Make an environment that has these packages alone, without pip; return its programs' folder."""
    venv.create(folder)
    python = str(folder / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    done = subprocess.run([*pip, "install", "-q", *packages], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "bin"


def test_the_wheel_has_all_that_belongs_in_it(built_wheel: BuiltWheel) -> None:
    wheel = ZipFile(built_wheel.wheel)
    names = wheel.namelist()
    kernels = [name for name in names if name.endswith(".wasm")]
    assert len(kernels) == 1, "the wheel lacks the page's kernel, or has an old one too"
    (network,) = [name for name in names if "/built/assets/network-" in name]
    assert wheel.read(network) == wheel.read("punct/engine/own.network"), "the page has another network: PUNCT_NETWORK?"
    for name in (
        "server/page/built/index.html",
        "server/documentation/built/index.html",
        "puzzles/shipped.puzzles",
        "engine/own.network",
        "py.typed",
    ):
        assert f"punct/{name}" in names
    strange = [name for name in names if not re.match(r"punct(-[\d.]+\.dist-info)?/", name) or "built.hash" in name]
    assert not strange
    assert built_wheel.wheel.stat().st_size < MAX_WHEEL_BYTES
    assert built_wheel.sdist.stat().st_size < MAX_SDIST_BYTES


def test_the_wheel_is_named_after_the_stable_abi(built_wheel: BuiltWheel) -> None:
    tag = "cp311-cp311" if sys.version_info < (3, 12) else "cp312-abi3"
    assert built_wheel.wheel.name.startswith(f"punct-{punct.__version__}-{tag}-")
    modules = [name for name in ZipFile(built_wheel.wheel).namelist() if re.match(r"punct/_kernel\..*(so|pyd)$", name)]
    assert len(modules) == 1 and (".abi3." in modules[0]) == (tag == "cp312-abi3")


def test_the_source_archive_has_the_page_and_its_sources(built_wheel: BuiltWheel) -> None:
    with tarfile.open(built_wheel.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for name in (
        "web/package-lock.json",
        "src/punct/server/page/built/index.html",
        "tools/build_backend.py",
        "LICENSE",
    ):
        assert name in names
    assert not [name for name in names if "node_modules" in name or name.startswith((".venv", "build/"))]


def metadata(built_wheel: BuiltWheel) -> Message:
    with ZipFile(built_wheel.wheel) as wheel:
        (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
        return email.message_from_bytes(wheel.read(name))


def test_the_description_leads_to_the_repository(built_wheel: BuiltWheel) -> None:
    told = metadata(built_wheel)
    assert told["Description-Content-Type"] == "text/markdown"
    text = told.get_payload()
    assert isinstance(text, str)
    links = re.findall(r"\]\(([^)\s]+)\)|\b(?:src|srcset)=\"([^\"]+)\"", text)
    assert len(links) > 20
    assert not [link for pair in links for link in pair if link and not link.startswith("https://")]
    assert f"/raw/v{punct.__version__}/docs/screenshots/" in text


def test_programs_run_in_an_environment_with_numpy_alone(built_wheel: BuiltWheel, tmp_path: Path) -> None:
    programs = environment(tmp_path / "light", str(built_wheel.wheel))
    done = subprocess.run([programs / "python", HERE / "light_program.py"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert [name for name in done.stdout.split() if not name.startswith("_")] == ["numpy", "punct"]
    refused = subprocess.run([programs / "punct", "serve"], capture_output=True, text=True)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "punct: punct needs the command line: pip install 'punct[cli]'\n"


def test_a_browser_plays_on_the_installed_server(built_wheel: BuiltWheel, tmp_path: Path) -> None:
    programs = environment(tmp_path / "server", f"{built_wheel.wheel}[server]")
    play_in_browser(programs / "punct", tmp_path / "data")
