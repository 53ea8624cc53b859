"""Makes the public files that are due, in the background of a server, and finds them."""

from __future__ import annotations

import asyncio
import logging
from typing import BinaryIO, Final

from punct.server.clock import Now, utc_now
from punct.server.dumps.builder import DumpBuilder
from punct.server.dumps.errors import FolderInUseError, UnknownDumpError
from punct.server.dumps.folder import DumpFolder
from punct.server.dumps.model import DumpConfiguration, PublicFile
from punct.server.dumps.store import DumpStore

_log = logging.getLogger(__name__)
CHECK_SECONDS: Final = 60.0
"""Between two looks at what is due: a deleted player's name is gone after that, and the time a file takes."""
PAUSE_SECONDS: Final = 0.05
"""After each page: games that are played come first."""


class Dumps:
    """The public files of this server. Of several processes one makes them: whichever locks the folder."""

    def __init__(self, store: DumpStore, configuration: DumpConfiguration, now: Now = utc_now) -> None:
        """Read from a store, and write to a folder."""
        self.licence: Final = configuration.licence
        self._folder, self._now = DumpFolder(configuration.folder), now
        self._builder = DumpBuilder(store, self._folder)

    async def files(self) -> list[PublicFile]:
        """Return the files, the newest month first."""
        return await asyncio.to_thread(self._folder.files)

    async def open(self, month: str) -> tuple[PublicFile, BinaryIO]:
        """Return the file of a month, open; raises UnknownDumpError."""

        def find() -> tuple[PublicFile, BinaryIO] | None:
            for _ in range(2):  # it may be replaced in between
                file = self._folder.find(month)
                try:
                    return None if file is None else (file, self._folder.open(file))
                except FileNotFoundError:
                    continue
            return None

        found = await asyncio.to_thread(find)
        if found is None:
            raise UnknownDumpError
        return found

    async def make_due(self, pause: float = PAUSE_SECONDS) -> None:
        """Make the files that are due, a page at a time in a thread; nothing if another process does."""
        steps = self._builder.steps(self._now())
        try:
            while await self._is_continued(asyncio.ensure_future(asyncio.to_thread(next, steps, _END))):
                await asyncio.sleep(pause)
        except FolderInUseError:
            pass
        finally:
            steps.close()

    async def run(self) -> None:
        """Make files when they are due, until cancelled."""
        while True:
            try:
                await self.make_due()
            except Exception:
                _log.exception("public files of games cannot be made now; they will be later")
            await asyncio.sleep(CHECK_SECONDS)

    async def _is_continued(self, step: asyncio.Future[object]) -> bool:
        """Wait for a step, and return whether there is another one. A step that has begun is finished first."""
        try:
            return await asyncio.shield(step) is not _END
        except asyncio.CancelledError:
            await asyncio.wait([step])
            raise


_END: Final = object()
