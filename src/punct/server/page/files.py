"""The built page's files, and what is said if they are missing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from punct.server.http.static_files import StaticFile, StaticFolder, is_in_clone

BUILT_PAGE: Final = Path(__file__).parent / "built"
"""The folder into which the page is built; not in git."""
_NETWORK: Final = re.compile(r"assets/network-[0-9a-f]{12}\.bin")
"""The network that the page's kernel plays by (``web/kernel.ts``)."""


def missing_page_advice(folder: Path = BUILT_PAGE) -> str | None:
    """Return advice about a page that is missing; None if it is there.

    In a clone the page can be built; in an installation it cannot.
    """
    if (folder / "index.html").is_file():
        return None
    if is_in_clone(folder):
        return (
            "The page for the browser is not built yet. In the project's folder, `make play` builds it and starts the "
            "server; `make page` builds it alone."
        )
    return (
        "The page for the browser is missing from this installation: it was built without the page (PUNCT_PAGE=OFF). "
        "Install it again: `pip install --force-reinstall --no-deps punct`."
    )


class PageFiles:
    """The files in the page's folder."""

    def __init__(self, folder: Path) -> None:
        self._files = StaticFolder(folder)

    def find(self, path: str) -> tuple[StaticFile, bool] | None:
        """Return a file, and whether its name has a hash of its content; ``index.html`` for a route of the page."""
        if _NETWORK.fullmatch(path) and (network := _configured_network()) is not None:
            file = self._files.read(network)
            return None if file is None else (file, False)
        file = self._files.find(path) if path else None
        if file is not None:
            return file, path.startswith("assets/")
        if "." in path.rpartition("/")[2]:
            return None
        page = self._files.find("index.html")
        return None if page is None else (page, False)


def _configured_network() -> Path | None:
    """Return the network that this server's engines play by instead of their own, if so: the page plays by it too."""
    from punct.engine.network import configured_network_path  # loads the search, which the server itself does not need

    return configured_network_path()
