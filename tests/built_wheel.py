"""The source archive and the wheel of this project, built once for all tests that look at them.

As somebody else would build them: the wheel is made from the source archive, in a folder that has nothing else, where
neither Node.js nor the compiler for WebAssembly can be found. Only the optimiser is left out, which takes a third of
the time; ``make release-check`` has it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
BUILD_SECONDS: Final = 1800
"""The timeout of a test that may have to build it: a compilation from nothing, on a busy machine."""


@dataclass(frozen=True)
class BuiltWheel:
    """What ``python -m build`` makes."""

    sdist: Path
    wheel: Path


def build_once(shared: Path) -> BuiltWheel:
    """Build both in a folder that several processes share, unless one of them has done so."""
    folder = shared / "built-wheel"
    folder.mkdir(exist_ok=True)
    with _locked(folder / "lock"):
        if not list(folder.glob("*.whl")):
            (sdist,) = _build("sdist", ROOT, folder, dict(os.environ))
            with tarfile.open(sdist) as archive:
                archive.extractall(folder / "source", filter="data")
            (source,) = (folder / "source").iterdir()
            _build("wheel", source, folder, _without_node(folder))
    return BuiltWheel(next(folder.glob("*.tar.gz")), next(folder.glob("*.whl")))


def _build(what: str, source: Path, target: Path, environment: dict[str, str]) -> list[Path]:
    """Have the build backend make something, as pip does without an isolated environment."""
    call = f"import build_backend; print(build_backend.build_{what}({str(target)!r}))"
    done = subprocess.run(
        [sys.executable, "-c", call],
        cwd=source,
        env={**environment, "PYTHONPATH": "tools"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return [target / done.stdout.split()[-1]]


def _without_node(folder: Path) -> dict[str, str]:
    """Return an environment for a quick build, in which Node.js and the compiler for WebAssembly fail."""
    failing = folder / "failing"
    failing.mkdir(exist_ok=True)
    for name in ("node", "npm"):
        (failing / name).write_text('#!/bin/sh\necho "a wheel from a source archive needs no Node.js" >&2\nexit 1\n')
        (failing / name).chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{failing}{os.pathsep}{os.environ['PATH']}",
        "SKBUILD_CMAKE_ARGS": "-DCMAKE_CXX_FLAGS_RELEASE=-O0",
    }


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    fcntl = pytest.importorskip("fcntl")
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
