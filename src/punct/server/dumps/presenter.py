"""JSON of public files."""

from __future__ import annotations

from collections.abc import Iterable

from punct.server.dumps.model import PublicFile
from punct.server.http.encoding import Json, format_time


def public_files(files: Iterable[PublicFile], licence: str | None) -> Json:
    """Return the list of a server's files."""
    return {"offered": True, "licence": licence, "files": [_file(file) for file in files]}


def no_files() -> Json:
    """Return the list of a server that publishes none."""
    return {"offered": False, "licence": None, "files": []}


def _file(file: PublicFile) -> Json:
    return {
        "month": file.month,
        "url": f"/api/v1/dumps/punct-{file.month}.jsonl.gz",
        "games": file.games,
        "bytes": file.bytes,
        "sha256": file.sha256,
        "made": format_time(file.made),
    }
