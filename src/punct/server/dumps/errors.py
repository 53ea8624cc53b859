"""Errors of public files."""

from __future__ import annotations

from punct.server.errors import RequestError


class DumpConfigurationError(Exception):
    """The operator's settings for public files are wrong. The message is for the operator."""


class FolderInUseError(Exception):
    """Another process makes files in the folder."""


class DamagedPartError(Exception):
    """A part of a file is not what was written: it is thrown away, and made again."""


class UnknownDumpError(RequestError, status=404, code="unknown_dump"):
    """There is no public file of a month."""

    def __init__(self) -> None:
        super().__init__("There is no file of this month.")
