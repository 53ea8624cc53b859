"""``punct backup``, ``punct restore`` and ``punct move-data``: all data of a server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from punct.cli.common import Exit, complain
from punct.cli.serve import DatabaseUrl, DataFolder


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to make; it must not be there yet.")],
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Copy all data of a server to a file, as a consistent snapshot. The server may keep running.

    ```
    punct backup punct-2026-11-16.backup
    punct backup --database-url postgresql://punct@db/punct punct.backup
    ```

    The file has all the server knows of its players: keep it as safe as the server itself.
    """
    from punct.server.db.backup import back_up

    location = data_location(data, database_url)
    _report("Kept", lambda: back_up(location, file))


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What punct backup has made.")],
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Restore a file of `punct backup` to an empty folder or database: all of it or nothing.

    ```
    punct restore punct-2026-11-16.backup --data games
    punct restore punct.backup --database-url postgresql://punct@db/punct
    ```
    """
    from punct.server.db.backup import restore

    location = data_location(data, database_url)
    _report("Restored", lambda: restore(file, location))


def move_data(
    source: Annotated[Path, typer.Option("--from", metavar="FOLDER", help="The data folder of a server.")],
    target: Annotated[
        str,
        typer.Option("--to", metavar="URL", help="An empty PostgreSQL, as postgresql://NAME:PASSWORD@HOST/DATABASE."),
    ],
) -> None:
    """Move a server from a folder to PostgreSQL: everything or nothing. The folder stays as it is.

    ```
    punct move-data --from ~/.local/share/punct --to postgresql://punct@db/punct
    ```

    Stop the server first: moves played after the copy stay in the folder.
    """
    from punct.server.db.backup import copy_folder
    from punct.server.db.database import is_database_url

    if not is_database_url(target):
        complain("--to needs the URL of a PostgreSQL database: postgresql://NAME:PASSWORD@HOST/DATABASE")
        raise typer.Exit(Exit.BAD_INPUT)
    _report("Moved", lambda: copy_folder(source, target))


def data_location(data: Path | None, database_url: str | None) -> Path | str:
    """Return the folder or address of a server's data, by its options."""
    from punct.server.app import default_data_folder

    if data is not None and database_url is not None:
        complain("games are stored either in a folder or in a database: give --data or --database-url, not both")
        raise typer.Exit(Exit.BAD_INPUT)
    return database_url or data or default_data_folder()


def _report(title: str, work: Callable[[], dict[str, int]]) -> None:
    """Do the work, and print how much was copied."""
    from punct.server.db.errors import StoreError

    try:
        counts = work()
    except StoreError as error:
        complain(error)
        raise typer.Exit(Exit.BAD_INPUT) from None
    print(f"{title}: " + ", ".join(f"{count} {name}" for name, count in counts.items() if count or name == "games"))
