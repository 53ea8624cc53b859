"""Makes the public files that are due, page by page."""

from __future__ import annotations

import logging
from collections.abc import Generator
from datetime import datetime
from typing import Final

from punct.server.dumps.errors import DamagedPartError
from punct.server.dumps.folder import DumpFolder, Part, lines_of
from punct.server.dumps.lines import line_of, without_deleted
from punct.server.dumps.model import PublicFile, bounds_of, complete_months
from punct.server.dumps.store import DumpStore

_log = logging.getLogger(__name__)
PAGE_SIZE: Final = 50
"""Games that are in memory at a time."""


class DumpBuilder:
    """Makes files of months that are over, once each; and again, from the file itself, without a deleted player."""

    def __init__(self, store: DumpStore, folder: DumpFolder) -> None:
        """Read from a store, and write to a folder."""
        self._store, self._folder = store, folder

    def steps(self, now: datetime) -> Generator[PublicFile | None, None, None]:
        """Make what is due, one page at each step; yield every file that is complete, and None in between.

        Raises FolderInUseError if another process does it, and in the end the first OSError: what is wrong with the
        file of one month keeps no other from being made. What has been written stays when this ends early.
        """
        failure: OSError | None = None
        with self._folder.locked():
            self._folder.sweep()
            first = self._store.first_end()
            due = set() if first is None else set(complete_months(first, now))
            # Also those whose games are all gone since.
            for month in sorted(due | {file.month for file in self._folder.files()}):
                try:
                    yield from self._make_month(month, now)
                except DamagedPartError:
                    _log.error("the public file of %s came out damaged; it will be made again", month)
                except OSError as error:
                    failure = failure or error
        if failure is not None:
            raise failure

    def _make_month(self, month: str, now: datetime) -> Generator[PublicFile | None, None, None]:
        published = self._folder.find(month)
        is_current = published is not None and published.version == self._store.version(month)
        if published is not None and not is_current and not self._folder.is_intact(published):
            _log.error("the public file of %s is damaged; it is made again from the games", month)
            published = None
        if published is None:
            part = yield from self._write(month)
            published = self._folder.publish(part, now)
            yield published
        while published.version != self._store.version(month):  # a player was deleted since, or meanwhile
            part = yield from self._rewrite(published)
            published = self._folder.publish(part, now)
            yield published

    def _write(self, month: str) -> Generator[None, None, Part]:
        """Write a month's games, from where an earlier process got to."""
        begin, end = bounds_of(month)
        part = self._folder.resume(month, self._store.version(month))
        while not part.is_complete:
            games, place = self._store.page(begin, end, part.place, PAGE_SIZE)
            self._folder.append(part, b"".join(map(line_of, games)), len(games), place, is_last=place is None)
            yield None
        return part

    def _rewrite(self, published: PublicFile) -> Generator[None, None, Part]:
        """Write a month's file again, without the players who have been deleted. Nothing else of it changes."""
        month = published.month
        self._folder.discard(month)  # what an earlier process has read may be out of date
        part = self._folder.resume(month, self._store.version(month))
        with self._folder.open(published) as file:
            for lines in lines_of(file, PAGE_SIZE):
                self._folder.append(part, without_deleted(lines, self._store.existing), len(lines), None)
                yield None
        return part
