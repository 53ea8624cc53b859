"""What is asked of the database, put into its words."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Executable, bindparam
from sqlalchemy.dialects import sqlite

DIALECT: Final = sqlite.dialect(paramstyle="named")


def sql(asked: Executable) -> str:
    """Put a question into words, once; its values are filled in by name each time."""
    return str(asked.compile(dialect=DIALECT))  # type: ignore[attr-defined]


def named(*names: str) -> dict[str, Any]:
    """Return columns whose values are filled in by their names."""
    return {name: bindparam(name) for name in names}
