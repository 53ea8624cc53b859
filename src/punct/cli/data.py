"""``punct backup``, ``punct restore`` and ``punct move-data``: all that a server keeps, in one piece."""

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
    """Copy all that a server keeps to a file, as it is at one moment. The server may go on meanwhile.

    ```
    punct backup punct-2026-11-16.backup
    punct backup --database-url postgresql://punct@db/punct punct.backup
    ```

    The file holds whatever the server knows of its players: keep it as safe as the server itself.
    """
    from punct.server.store.copying import back_up

    where = kept_in(data, database_url)
    _tell("Kept", lambda: back_up(where, file))


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What punct backup has made.")],
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Bring back what `punct backup` has kept, to a folder or a database that is empty: all of it or nothing.

    ```
    punct restore punct-2026-11-16.backup --data games
    punct restore punct.backup --database-url postgresql://punct@db/punct
    ```
    """
    from punct.server.store.copying import restore

    where = kept_in(data, database_url)
    _tell("Restored", lambda: restore(file, where))


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

    End the server first: what is played after the moment of the move stays in the folder.
    """
    from punct.server.store.copying import move
    from punct.server.store.database import is_address

    if not is_address(target):
        complain("--to wants the address of a PostgreSQL: postgresql://NAME:PASSWORD@HOST/DATABASE")
        raise typer.Exit(Exit.BAD_INPUT)
    _tell("Moved", lambda: move(source, target))


def kept_in(data: Path | None, database_url: str | None) -> Path | str:
    """Return where a server's data is, as its options say."""
    from punct.server.api.app import default_data_folder

    if data is not None and database_url is not None:
        complain("the games are kept either in a folder or in a database: give --data or --database-url, not both")
        raise typer.Exit(Exit.BAD_INPUT)
    return database_url or data or default_data_folder()


def _tell(done: str, work: Callable[[], dict[str, int]]) -> None:
    """Do something with everything, and say how much that was."""
    from punct.server.store import StoreError

    try:
        counts = work()
    except StoreError as error:
        complain(error)
        raise typer.Exit(Exit.BAD_INPUT) from None
    print(f"{done}: " + ", ".join(f"{count} {name}" for name, count in counts.items() if count or name == "games"))
