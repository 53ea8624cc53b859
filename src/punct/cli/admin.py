"""``punct admin``: administration of a server, while it runs or not."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from punct.cli.common import Exit, complain, write_file, write_record
from punct.cli.data import data_location
from punct.cli.serve import DatabaseUrl, DataFolder

if TYPE_CHECKING:
    from punct.server.games.model import StoredGame, StoredSeat
    from punct.server.games.store import GameStore
    from punct.server.operations.administration import Administration

admin: Final = typer.Typer(
    name="admin",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="""Look after a server: its games and its players. It may run meanwhile; it picks up changes made here.

    ```
    punct admin games --running
    punct admin players anna
    punct admin block anna
    ```
    """,
)
Game = Annotated[str, typer.Argument(metavar="GAME", help="A game's id, as its address has it.")]
Player = Annotated[
    str, typer.Argument(metavar="PLAYER", help="A player's id (after -- if it begins with a hyphen), or a login.")
]


@admin.command("games")
def list_games(
    running: Annotated[bool, typer.Option("--running", help="Only games that have not ended.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, max=100_000, help="How many at most.")] = 50,
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """List games, the last changed first."""
    with _store(data, database_url) as store:
        listed, offset = 0, 0
        while listed < limit:
            games, total = store.list_all(offset, _PAGE_SIZE)
            for game in games:
                if listed < limit and not (running and game.outcome is not None):
                    print(_line(game))
                    listed += 1
            offset += _PAGE_SIZE
            if offset >= total:
                break


@admin.command("players")
def list_players(
    matching: Annotated[str, typer.Argument(metavar="TEXT", help="Part of a name or a login.")] = "",
    limit: Annotated[int, typer.Option("--limit", min=1, max=100_000, help="How many at most.")] = 50,
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """List players, the last seen first."""
    with _store(data, database_url) as store:
        for player in _administration(store).players(matching, limit):
            blocked = "" if player.blocked is None else f"\tblocked since {player.blocked:%Y-%m-%d}"
            print(
                f"{player.id}\t{player.kind}\t{_plain(player.name)}\t{_plain(player.login)}\t{player.games} games\t"
                f"{player.seen:%Y-%m-%d %H:%M}{blocked}"
            )


@admin.command("close")
def close_game(
    game: Game,
    loser: Annotated[
        Literal["w", "b"] | None, typer.Option("--loser", help="Who loses; if not given, nobody: it is a draw.")
    ] = None,
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """End an abandoned game. It counts for no rating."""
    from punct.outcome import Ending, Outcome
    from punct.piece import Colour
    from punct.server.games.game import PlayedGame

    with _store(data, database_url) as store:
        stored = store.load(game)
        if stored is None:
            raise _error(f"there is no game {game}")
        played = PlayedGame.replay(*stored)
        if played.outcome is not None:
            raise _error(f"game {game} has ended already")
        outcome = Outcome(None, Ending.AGREEMENT)
        if loser is not None:
            outcome = Outcome({"w": Colour.WHITE, "b": Colour.BLACK}[loser].other, Ending.RESIGNATION)
        _administration(store).close_game(played.end(outcome).stored).result()
        _notify_server(store)
        print(f"{game}: {outcome.result()}")


@admin.command("delete-game")
def delete_game(game: Game, data: DataFolder = None, database_url: DatabaseUrl = None) -> None:
    """Delete a game."""
    with _store(data, database_url) as store:
        if not store.delete(game).result():
            raise _error(f"there is no game {game}")
        _notify_server(store)
        print(f"{game} is deleted")


@admin.command("export")
def export_games(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The record to write; - for standard output.")],
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Which games; all if none.")] = None,
    form: Annotated[Literal["text", "sgf"], typer.Option("--format", help="How the record is written.")] = "text",
    replace: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Write games to a record."""
    from punct import records
    from punct.server.db.errors import UnreadableGameError
    from punct.server.errors import BrokenGameError
    from punct.server.games.game import PlayedGame

    with _store(data, database_url) as store:
        games = []
        for game_id in game or _all_ids(store):
            try:
                stored = store.load(game_id)
                if stored is None:
                    raise _error(f"there is no game {game_id}")
                games.append(PlayedGame.replay(*stored).to_record())
            except (UnreadableGameError, BrokenGameError):
                complain(f"game {game_id} is stored wrongly and left out")
    text = records.dumps(games, format=form)
    if str(file) == "-":
        write_record(text)
    else:
        write_file(file, text.encode(), replace=replace)
        print(f"{len(games)} games in {file}")


@admin.command("block")
def block_player(
    player: Player,
    lift: Annotated[bool, typer.Option("--lift", help="Let them in again.")] = False,
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Block a player: from now on they can only watch. Their games stay."""
    from punct.server.accounts.store import AccountStore

    with _store(data, database_url) as store:
        player_id = _player_id(store, player)
        AccountStore(store.database).set_blocked(player_id, None if lift else datetime.now(UTC)).result()
        _notify_server(store)
        print(f"{player} is {'let in again' if lift else 'blocked'}")


@admin.command("reset-password")
def reset_password(
    player: Player,
    server: Annotated[
        str, typer.Option("--server", metavar="URL", help="The server's address, for the link to begin with.")
    ] = "",
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Print a link that resets a lost password: once, and within a day.

    Make sure that the account holder asks for it, and give the link to nobody else.
    """
    from punct.server.accounts.links import create_reset_link
    from punct.server.accounts.store import AccountStore

    with _store(data, database_url) as store:
        link = create_reset_link(AccountStore(store.database), _player_id(store, player), datetime.now(UTC))
    if link is None:
        raise _error(f"{player} has no account, and so no password")
    print(f"{server.rstrip('/')}{link}")


@admin.command("delete-account")
def delete_account(
    player: Player,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Delete a player, with everything that is theirs alone. Games with others stay, without the name."""
    from punct.server.accounts.store import AccountStore
    from punct.server.ratings.service import rate_game

    with _store(data, database_url) as store:
        player_id = _player_id(store, player)
        if not yes and not typer.confirm(f"Delete {player} and all that is theirs?"):
            raise typer.Exit(Exit.NO)
        deletion = AccountStore(store.database).delete_player(player_id, datetime.now(UTC), rate_game).result()
        _notify_server(store)
        print(f"{player} is deleted; {len(deletion.changed_games) if deletion else 0} games changed")


@admin.command("dump")
def write_dumps(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the files are, as in punct serve --dumps.")],
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Write the public files of finished rated games that are due, one for each month that is over.

    A server with --dumps does it by itself. A month that is there stays as it is, without players deleted since.
    """
    from punct.server.dumps.builder import DumpBuilder
    from punct.server.dumps.errors import DumpConfigurationError, FolderInUseError
    from punct.server.dumps.folder import DumpFolder
    from punct.server.dumps.model import DumpConfiguration
    from punct.server.dumps.store import DumpStore

    with _store(data, database_url) as store:
        try:
            DumpConfiguration(folder).prepare(online=True)
            for file in DumpBuilder(DumpStore(store), DumpFolder(folder)).steps(datetime.now(UTC)):
                if file is not None:
                    print(f"{file.month}\t{file.games} games\t{file.bytes} bytes\t{file.sha256}\t{file.name}")
        except DumpConfigurationError as error:
            raise _error(error) from None
        except FolderInUseError:
            raise _error(f"another process is writing to {folder}; try again in a while") from None
        except OSError as error:
            raise _error(f"{folder}: {error.strerror or error}") from None


_PAGE_SIZE: Final = 1000


@admin.command("migrate")
def migrate(
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="STEP", help="An earlier step, for an earlier version of this program."),
    ] = None,
    data: DataFolder = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Bring the tables up to date, or back to what an earlier version had: then end the server first."""
    from punct.server.db.database import migrate_to
    from punct.server.db.errors import StoreError

    try:
        print(f"at step {migrate_to(data_location(data, database_url), to)}")
    except StoreError as error:
        raise _error(str(error)) from None


@contextlib.contextmanager
def _store(data: Path | None, database_url: str | None) -> Iterator[GameStore]:
    """Open the store that options name; an error is reported in one line."""
    from punct.server.db.database import check_version, open_without_migrating
    from punct.server.db.errors import ConflictError, StoreError, UnreadableGameError
    from punct.server.errors import BrokenGameError
    from punct.server.games.store import GameStore

    try:
        store = GameStore(open_without_migrating(data_location(data, database_url)))
        try:
            check_version(store.database)
            yield store
        finally:
            store.close()
    except ConflictError:
        raise _error("it was changed at the same time; try again") from None
    except (UnreadableGameError, BrokenGameError):
        raise _error("this game is stored wrongly; it can only be deleted") from None
    except StoreError as error:
        raise _error(error) from None


def _notify_server(store: GameStore) -> None:
    """Let a running server read the changes, and notify its clients."""
    from punct.server.db.change_monitor import announce_change

    now = datetime.now(UTC)
    store.database.change(lambda connection: announce_change(connection, now)).result()


def _administration(store: GameStore) -> Administration:
    from punct.server.operations.administration import Administration

    return Administration(store.database)


def _player_id(store: GameStore, login_or_id: str) -> str:
    player_id = _administration(store).player_id(login_or_id)
    if player_id is None:
        raise _error(f"there is no player {login_or_id}")
    return player_id


def _all_ids(store: GameStore) -> list[str]:
    ids: list[str] = []
    offset = 0
    while True:
        games, total = store.list_all(offset, _PAGE_SIZE)
        ids += [game.id for game in games]
        offset += _PAGE_SIZE
        if offset >= total:
            return ids[::-1]


def _line(game: StoredGame) -> str:
    white, black = (_plain(seat.display_name) or _unnamed(seat) for seat in game.seats.values())
    result = "*" if game.outcome is None else game.outcome.result()
    return f"{game.id}\t{game.rules}\t{game.ply} moves\t{result}\t{white} - {black}\t{game.updated:%Y-%m-%d %H:%M}"


def _unnamed(seat: StoredSeat) -> str:
    return seat.kind if seat.level is None else f"level {seat.level}"


def _plain(name: str | None) -> str:
    """Return a name that is safe to print in a terminal: its player has chosen it."""
    return "".join(letter if letter.isprintable() else "?" for letter in name or "")


def _error(message: object) -> typer.Exit:
    complain(message)
    return typer.Exit(Exit.BAD_INPUT)
