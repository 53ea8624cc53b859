"""The folder of public files: what is there, and files in the making.

A file grows by whole pages. Beside it is how far it has come: who is killed while writing goes on from there. Once it
is complete it is read through, gets its name, and then the list of the month names it: each step replaces a file at
once, so that a reader sees the old file or the new one, and nothing in between.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import logging
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Final

from punct.server.dumps.errors import DamagedPartError, FolderInUseError
from punct.server.dumps.model import PublicFile
from punct.server.dumps.store import Place

_log = logging.getLogger(__name__)
_CHUNK_BYTES: Final = 1 << 18
_MANIFEST: Final = re.compile(r"punct-[0-9]{4}-[0-9]{2}\.json", re.ASCII)
_COMPRESSION: Final = 6


@dataclass(slots=True)
class Part:
    """A file in the making."""

    month: str
    version: str
    """Of the month's games when it was begun."""
    place: Place | None = None
    """After the last game in it."""
    bytes: int = 0
    games: int = 0
    is_complete: bool = False


class DumpFolder:
    """The files in a folder. One process at a time writes there. Every method blocks, and belongs in a thread."""

    def __init__(self, path: Path) -> None:
        """Use a folder, which exists."""
        self.path = path

    def files(self) -> list[PublicFile]:
        """Return the files, the newest month first. Those that cannot be read are left out, and logged."""
        names = sorted((path.name for path in self.path.iterdir() if _MANIFEST.fullmatch(path.name)), reverse=True)
        files = []
        for name in names:
            try:
                file = self._read_manifest(name)
            except OSError as error:
                _log.error("%s cannot be read: %s", name, error.strerror or error)
                continue
            if file is not None:
                files.append(file)
        return files

    def find(self, month: str) -> PublicFile | None:
        """Return the file of a month; None if there is none."""
        return self._read_manifest(f"punct-{month}.json")

    def open(self, file: PublicFile) -> BinaryIO:
        """Open a file to read it. It may have been replaced by another one since it was found: FileNotFoundError."""
        return (self.path / file.name).open("rb")

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Let no other process write; raises FolderInUseError. The lock ends with its process, however that ends."""
        with (self.path / ".lock").open("a") as file:
            try:
                import fcntl  # not on Windows, where one process serves
            except ImportError:
                pass
            else:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:  # and no other error: there are file systems without locks
                    raise FolderInUseError from None
            yield

    # ------------------------------------------------------------------ files in the making

    def resume(self, month: str, version: str) -> Part:
        """Return what there is of a month's file, if it was begun with this version; else begin it."""
        part = self._read_progress(month)
        if part is not None and part.version == version and (part.is_complete or part.place or not part.games):
            return part  # else it was being made from another file
        part = Part(month, version)
        self._part_path(month).write_bytes(b"")
        self._write_progress(part)
        return part

    def append(self, part: Part, lines: bytes, games: int, place: Place | None, *, is_last: bool = False) -> None:
        """Append games to a file, and store that it has come so far."""
        with self._part_path(part.month).open("r+b") as file:
            file.truncate(part.bytes)  # what was being written when its process was killed
            file.seek(part.bytes)
            file.write(gzip.compress(lines, _COMPRESSION, mtime=0))
            file.flush()
            os.fsync(file.fileno())
            part.bytes = file.tell()
        part.games, part.place, part.is_complete = part.games + games, place, is_last
        self._write_progress(part)

    def publish(self, part: Part, now: datetime) -> PublicFile:
        """Make a complete file the month's; raises DamagedPartError if it is not what was written."""
        path = self._part_path(part.month)
        os.truncate(path, part.bytes)
        sha256, games = _read_through(path, part.bytes)
        if games != part.games:
            self.discard(part.month)
            raise DamagedPartError(part.month)
        before = self.find(part.month)
        name = f"punct-{part.month}-{sha256[:16]}.jsonl.gz"
        file = PublicFile(part.month, name, games, part.bytes, sha256, now, part.version)
        path.replace(self.path / name)
        self._write_json(f"punct-{part.month}.json", {**asdict(file), "made": now.isoformat()})
        self._progress_path(part.month).unlink(missing_ok=True)
        self._remove_replaced(file)
        if before is not None and before.sha256 != sha256:
            _log.info("the public file of %s was made again", part.month)
        return file

    def is_intact(self, file: PublicFile) -> bool:
        """Read a file through, and return whether it is what was published."""
        return _read_through(self.path / file.name, file.bytes) == (file.sha256, file.games)

    def sweep(self) -> None:
        """Remove files that were replaced by others, by a process that was killed before it did so."""
        for file in self.files():
            self._remove_replaced(file)

    def _remove_replaced(self, file: PublicFile) -> None:
        for other in self.path.glob(f"punct-{file.month}-*.jsonl.gz"):
            if other.name != file.name:
                other.unlink(missing_ok=True)

    def discard(self, month: str) -> None:
        """Throw away what there is of a file in the making."""
        self._progress_path(month).unlink(missing_ok=True)
        self._part_path(month).unlink(missing_ok=True)

    # ------------------------------------------------------------------ paths

    def _part_path(self, month: str) -> Path:
        return self.path / f".punct-{month}.part"

    def _progress_path(self, month: str) -> Path:
        return self.path / f".punct-{month}.progress"

    def _read_progress(self, month: str) -> Part | None:
        """Return how far a file has come; None if it was not begun, or is shorter than that."""
        try:
            data = json.loads(self._progress_path(month).read_bytes())
            place = data["place"] and Place(datetime.fromisoformat(data["place"][0]), data["place"][1])
            part = Part(month, data["version"], place, data["bytes"], data["games"], data["is_complete"])
            return part if self._part_path(month).stat().st_size >= part.bytes else None
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def _write_progress(self, part: Part) -> None:
        place = None if part.place is None else [part.place.ended.isoformat(), part.place.game_id]
        data = {
            "version": part.version,
            "place": place,
            "bytes": part.bytes,
            "games": part.games,
            "is_complete": part.is_complete,
        }
        self._write_json(self._progress_path(part.month).name, data)

    def _read_manifest(self, name: str) -> PublicFile | None:
        try:
            data = json.loads((self.path / name).read_bytes())
            file = PublicFile(**{**data, "made": datetime.fromisoformat(data["made"])})
            size = (self.path / file.name).stat().st_size
        except FileNotFoundError:
            return None
        except (ValueError, LookupError, TypeError):
            _log.error("%s is damaged: the month's file is made again", name)
            return None
        return file if size == file.bytes else None

    def _write_json(self, name: str, data: Any) -> None:
        temporary = self.path / f".{name}.new"
        with temporary.open("wb") as file:
            file.write(json.dumps(data).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self.path / name)


def lines_of(file: BinaryIO, count: int) -> Iterator[list[bytes]]:
    """Yield the lines of a file, some at a time."""
    with gzip.open(file) as text:
        lines: list[bytes] = []
        for line in text:
            lines.append(line)
            if len(lines) == count:
                yield lines
                lines = []
        yield lines


def _read_through(path: Path, size: int) -> tuple[str, int]:
    """Return the checksum of a file of this size, and the number of its lines; of none if it is damaged."""
    digest, games = hashlib.sha256(), 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
        if file.tell() != size:
            return "", -1
    try:
        with gzip.open(path) as text:
            while chunk := text.read(_CHUNK_BYTES):
                games += chunk.count(b"\n")
    except (gzip.BadGzipFile, EOFError, zlib.error):
        return "", -1
    return digest.hexdigest(), games
