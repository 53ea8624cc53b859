"""Write what a release is made of, as CycloneDX: ``write_sbom.py FOLDER``.

Two files: the locked Python packages of a hosted server (it needs the package ``cyclonedx-bom``), and the npm packages
of the page.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Final

from build_page import ROOT, WEB, run_npm

LOCK: Final = ROOT / "requirements" / "hosting.txt"


def write_sbom(folder: Path) -> list[Path]:
    """Write both files; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    server, page = folder / "punct-server.cdx.json", folder / "punct-page.cdx.json"
    cyclonedx = [sys.executable, "-m", "cyclonedx_py", "requirements", "--output-reproducible"]
    told = ["--pyproject", str(ROOT / "pyproject.toml"), "--of", "JSON", "--output-file", str(server), str(LOCK)]
    subprocess.run([*cyclonedx, *told], check=True)
    page.write_text(_describe_page(), encoding="utf-8")
    return [server, page]


def _describe_page() -> str:
    """Return npm's description. It wants a version, which stands in pyproject.toml alone."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    package = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))
    lock["version"] = lock["packages"][""]["version"] = package["version"] = version
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "package.json").write_text(json.dumps(package), encoding="utf-8")
        (folder / "package-lock.json").write_text(json.dumps(lock), encoding="utf-8")
        words = ("sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only")
        return run_npm(*words, folder=folder)


if __name__ == "__main__":
    print(*write_sbom(Path(sys.argv[1])), sep="\n")
