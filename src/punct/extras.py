"""Optional libraries: where one is missing, one sentence says which extra of the package installs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from punct.errors import PunctError

EXTRAS: Final = {
    "typer": "cli",
    "rich": "cli",
    "platformdirs": "cli",
    "PIL": "pictures",
    "resvg_py": "pictures",
    "alembic": "server",
    "argon2": "server",
    "cryptography": "server",
    "fastapi": "server",
    "http_ece": "server",
    "httptools": "server",
    "itsdangerous": "server",
    "limits": "server",
    "orjson": "server",
    "prometheus_client": "server",
    "pydantic": "server",
    "segno": "server",
    "sqlalchemy": "server",
    "starlette": "server",
    "uvicorn": "server",
    "uvloop": "server",
    "webauthn": "server",
    "websockets": "server",
    "psycopg": "hosting",
    "redis": "hosting",
    "saq": "hosting",
    "gymnasium": "env",
    "pettingzoo": "env",
    "open_spiel": "openspiel",
    "pyspiel": "openspiel",
    "ray": "ray",
    "pyarrow": "training",
    "tensorboardX": "training",
    "torch": "training",
}
"""By library, as it is imported: the extra that installs it."""
_CALLED: Final = {"cli": "the command line", "server": "the server", "hosting": "what several processes share"}
"""Extras of many libraries: a person is told what they are for, not which of them is missing."""


class MissingExtraError(PunctError, ImportError):
    """A library that is not installed, with the command that installs it."""


def missing_extra(what: str, library: str, extra: str | None = None) -> MissingExtraError:
    """Return the error of a library that ``what`` needs, by the extra that brings it."""
    extra = extra or EXTRAS[library]
    error = MissingExtraError(f"{what} needs {_CALLED.get(extra, library)}: pip install 'punct[{extra}]'")
    error.name = library
    return error


@contextmanager
def explain_missing(what: str, extra: str | None = None, *, incomplete: str | None = None) -> Iterator[None]:
    """Replace the error of a missing library by one that says what to install.

    ``what`` needs the libraries that are imported in this context; ``extra`` brings them, if it is not the usual one. A
    library named as ``incomplete`` may be there without a part of it that the extra brings too.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise explained(error, what, extra) from None
    except ImportError:
        if incomplete is None:
            raise
        raise missing_extra(what, incomplete, extra) from None


def explained(error: ModuleNotFoundError, what: str, extra: str | None = None) -> MissingExtraError:
    """Return the error that says what to install; raises the given one if no extra has the module."""
    library = (error.name or "").partition(".")[0]
    if library not in EXTRAS:
        raise error
    return missing_extra(what, library, extra)
