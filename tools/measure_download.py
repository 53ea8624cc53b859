"""Measure what `make test` fetches from PyPI and npm on this system: download it all again, and sum it up."""

import gzip
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_ROOT: Final = Path(__file__).parents[1]
_LOCKS: Final = ("building", "testing")
_SHOWN: Final = 15
_ARCHIVES: Final = (b"\x1f\x8b", b"PK")
"""How gzip and zip files begin."""


def main() -> None:
    """Print the largest packages, and the sums."""
    with TemporaryDirectory(dir=_ROOT / "build") as folder:
        wheels = _sizes(_download_wheels(Path(folder, "wheels")))
        page = _sizes(_download_page_packages(Path(folder, "page")))
    for name, size in wheels[:_SHOWN]:
        print(f"{size / 1e6:7.1f} MB  {name}")
    python, node = (sum(size for _, size in sizes) / 1e6 for sizes in (wheels, page))
    print(f"{python:7.1f} MB  {len(wheels)} packages from PyPI")
    print(f"{node:7.1f} MB  {len(page)} files from npm")
    print(f"{python + node:7.1f} MB  in all")


def _download_wheels(folder: Path) -> Path:
    """Download everything that is locked for the tests, also what this machine has of its own."""
    locks = [word for name in _LOCKS for word in ("--requirement", str(_ROOT / "requirements" / f"{name}.txt"))]
    pip = [sys.executable, "-m", "pip", "download", "-qq", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "--require-hashes", *locks, "--dest", str(folder)], check=True)
    return folder


def _download_page_packages(folder: Path) -> Path:
    """Install the page's packages beside the project, with an empty cache: their archives are in it then."""
    folder.mkdir()
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(_ROOT / "web" / name, folder)
    subprocess.run(["npm", "ci", "--silent", "--ignore-scripts", "--cache", "cache"], cwd=folder, check=True)
    return folder / "cache" / "_cacache" / "content-v2"


def _sizes(folder: Path) -> list[tuple[str, int]]:
    """Return every file's name and size on its way here, the largest first."""
    files = [(file.name, _compressed_size(file)) for file in folder.rglob("*") if file.is_file()]
    return sorted(files, key=lambda item: item[1], reverse=True)


def _compressed_size(file: Path) -> int:
    """Return the size of an archive, or of a text as it is sent: npm's cache has its lists of versions unpacked."""
    content = file.read_bytes()
    return len(content if content.startswith(_ARCHIVES) else gzip.compress(content))


if __name__ == "__main__":
    main()
