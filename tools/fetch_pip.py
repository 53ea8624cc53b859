"""Fetch the locked pip into this environment, where Python comes without one: ``fetch_pip.py [LOCK]``.

It is looked for where pip itself would look: in the folders and indexes of its settings and variables, or else on the
public index. Whatever comes from there has to have the hash in the lock.
"""

import hashlib
import os
import re
import ssl
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from configparser import ConfigParser, Error
from io import BytesIO
from pathlib import Path
from typing import Final
from urllib.parse import urldefrag, urljoin
from urllib.request import urlopen

LOCK: Final = Path(__file__).parents[1] / "requirements" / "building.txt"
_PUBLIC_INDEX: Final = "https://pypi.org/simple"
_TIMEOUT_SECONDS: Final = 60
_SECTIONS: Final = ("global", "install")


def settings() -> dict[str, str]:
    """Return what pip's files of settings say, and its variables, which come before them."""
    home = Path.home()
    own = Path(os.environ.get("XDG_CONFIG_HOME", home / ".config"))
    files = [Path("/etc/pip.conf"), home / ".pip/pip.conf", own / "pip/pip.conf"]
    files += [Path(name) for name in [os.environ.get("PIP_CONFIG_FILE")] if name]
    found: dict[str, str] = {}
    for file in files:
        parser = ConfigParser(interpolation=None)
        try:
            parser.read(file, encoding="utf-8")
        except Error:
            continue  # pip itself will tell what is wrong with it
        for section in _SECTIONS:
            found |= dict(parser[section]) if parser.has_section(section) else {}
    variables = {name[4:].lower().replace("_", "-"): value for name, value in os.environ.items() if name[:4] == "PIP_"}
    return {name.replace("_", "-"): value for name, value in found.items()} | variables


def locked(lock: str) -> tuple[str, set[str]]:
    """Return the file's name of the wheel that is locked, and the hashes it may have."""
    entry = re.search(r"^pip==(\S+)(.*(?:\n    --hash=.*)*)", lock, re.MULTILINE)
    assert entry is not None
    return f"pip-{entry[1]}-py3-none-any.whl", set(re.findall(r"sha256:([0-9a-f]{64})", entry[2]))


def places(told: dict[str, str]) -> Iterator[str]:
    """Yield the folders and pages where the wheel may be, as addresses that end with a slash."""
    for place in told.get("find-links", "").split():
        yield _address(place)
    if told.get("no-index", "0").lower() in ("1", "true", "yes", "on"):
        return
    for index in (*told.get("extra-index-url", "").split(), told.get("index-url", _PUBLIC_INDEX)):
        yield _address(index) + "pip/"


def _address(place: str) -> str:
    return (place if "://" in place else Path(place).resolve().as_uri()).rstrip("/") + "/"


def links(place: str, name: str, context: ssl.SSLContext) -> Iterator[str]:
    """Yield the addresses of a file in a folder, or of those on a page that are named so."""
    if place.startswith("file://"):
        yield place + name
        place += "index.html"
    try:
        page = _read(place, context).decode("utf-8", "replace")
    except OSError:
        if not place.startswith("file://"):
            raise
        return
    for link in re.findall(r"""href\s*=\s*["']([^"']+)""", page):
        address = urldefrag(urljoin(place, link.replace("&amp;", "&"))).url
        if address.rpartition("/")[2] == name:
            yield address


def _read(address: str, context: ssl.SSLContext) -> bytes:
    with urlopen(address, timeout=_TIMEOUT_SECONDS, context=None if address[:5] == "file:" else context) as answer:
        content: bytes = answer.read()
        return content


def fetch(lock: Path) -> bytes:
    """Return the locked wheel from the first place that has it."""
    told = settings()
    name, hashes = locked(lock.read_text(encoding="utf-8"))
    context = ssl.create_default_context(cafile=told.get("cert"))
    trouble: OSError | None = None
    for place in places(told):
        try:
            for address in links(place, name, context):
                if not address.startswith("file:") or Path(address[7:]).is_file():
                    content = _read(address, context)
                    if hashlib.sha256(content).hexdigest() in hashes:
                        return content
        except OSError as error:
            trouble = error
    raise trouble or FileNotFoundError(f"{name} is in none of the places where pip would look")


def main() -> None:
    """Unpack it into site-packages."""
    lock = Path(sys.argv[1]) if len(sys.argv) > 1 else LOCK
    zipfile.ZipFile(BytesIO(fetch(lock))).extractall(sysconfig.get_path("purelib"))


if __name__ == "__main__":
    main()
