"""``punct serve``: the board in the browser."""

from __future__ import annotations

import contextlib
import gc
import ipaddress
import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from punct.cli.common import Exit, complain, output
from punct.cli.interrupts import exit_on_interrupt
from punct.cli.streams import discard_output

DataFolder = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="FOLDER",
        help="The folder of the games; your user's data folder if not given.",
        show_default=False,
    ),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database-url",
        metavar="URL",
        envvar="PUNCT_DATABASE_URL",
        help="A PostgreSQL database for the games, as postgresql://NAME:PASSWORD@HOST/DATABASE, instead of a folder.",
        show_default=False,
    ),
]
BrokerUrl = Annotated[
    str | None,
    typer.Option(
        "--broker-url",
        metavar="URL",
        envvar="PUNCT_BROKER_URL",
        help="A Redis by which several processes work together, as redis://HOST:6379/0.",
        show_default=False,
    ),
]
Dumps = Annotated[
    Path | None,
    typer.Option(
        "--dumps",
        metavar="FOLDER",
        envvar="PUNCT_DUMPS",
        help="Publish the finished rated games that anybody may watch, as a file for each month in this folder.",
        show_default=False,
    ),
]
DumpsLicence = Annotated[
    str | None,
    typer.Option(
        "--dumps-licence",
        metavar="TEXT",
        envvar="PUNCT_DUMPS_LICENCE",
        help="With --dumps: what you say of their use, as CC0 1.0. It is shown beside the files.",
        show_default=False,
    ),
]
LogForm = Annotated[Literal["text", "json"], typer.Option("--log", help="The format of the log on standard error.")]


def serve(
    host: Annotated[
        str, typer.Option("--host", help="Where to listen; 0.0.0.0 lets the whole network in, by address.")
    ] = ("127.0.0.1"),
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            "-p",
            min=0,
            max=65535,
            help="The port; 0 for any free one. If not given: 8000, or any free one if that is taken.",
            show_default=False,
        ),
    ] = None,
    open_page: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the board in a browser, where there is one.")
    ] = True,
    data: DataFolder = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            help="A name people reach it by; without it, only addresses in numbers and localhost are answered. May be "
            "given several times.",
            show_default=False,
        ),
    ] = None,
    online: Annotated[
        bool,
        typer.Option(
            "--online",
            help="Let people play each other across a network, each in their own seats. Any other --host than this "
            "machine's, and any --name, imply it.",
        ),
    ] = False,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=64, help="Processes that serve; several need both URLs below.")
    ] = 1,
    database_url: DatabaseUrl = None,
    broker_url: BrokerUrl = None,
    engines: Annotated[
        int | None,
        typer.Option(
            "--engines",
            min=0,
            max=64,
            help="With --broker-url: how many engines think on this machine; 0 leaves it to `punct worker` on others. "
            "One core fewer than there are if not given.",
            show_default=False,
        ),
    ] = None,
    dumps: Dumps = None,
    dumps_licence: DumpsLicence = None,
    log: LogForm = "text",
) -> None:
    """Serve the board: play in a browser, against the computer, with somebody at the same screen or far away.

    ```
    punct serve                               # and open it in the browser
    punct serve --port 9000 --no-open
    punct serve --data games                  # keep the games in a folder of your choice
    punct serve --name punct.example.org      # for people who play each other across a network
    punct serve --online --workers 4 --database-url postgresql://punct@db/punct --broker-url redis://cache:6379/0
    ```

    Games are stored move by move and are there again after a restart. Ctrl-C ends the server. With a broker, SIGHUP
    replaces its processes one after another while games go on.
    """
    with exit_on_interrupt():
        gc.disable()  # while modules are loaded, as in `main`
        from punct.engine.network import check_configured_network
        from punct.server.app import default_data_folder  # only this command needs the server and its libraries
        from punct.server.broker.broker import BrokerError
        from punct.server.db.errors import StoreError
        from punct.server.dumps.errors import DumpConfigurationError
        from punct.server.dumps.model import DumpConfiguration
        from punct.server.mail.model import MailConfiguration, MailConfigurationError
        from punct.server.page.files import missing_page_advice
        from punct.server.run import AddressError, Settings, browser_url, listen, open_browser
        from punct.server.run import serve as run
        from punct.server.workers.outbound import AddressRules, RefusedAddressError

        gc.enable()

    def refuse(message: object) -> typer.Exit:
        complain(message)
        return typer.Exit(Exit.BAD_INPUT)

    check_configured_network()
    if workers > 1 and (database_url is None or broker_url is None):
        raise refuse(
            "several processes need a store and a broker that they share: give --database-url and --broker-url too"
        )
    if database_url is not None and data is not None:
        raise refuse("games are stored either in a folder or in a database: give --data or --database-url, not both")

    def announce() -> None:
        url = browser_url(listener)
        if open_page:
            open_browser(url)
        try:
            if (advice := missing_page_advice()) is not None:
                complain(advice)
            print(f"PÜNCT is at {url}", flush=True)
            if settings.online and (link := _adoption_link(settings.database)) is not None:
                public_url = f"https://{name[0]}" if name else url.rstrip("/")
                print(f"Its administrator is whoever opens {public_url}{link} first", flush=True)
            output().print("Ctrl-C ends it.", style="dim")
        except OSError:  # it serves even if this cannot be printed
            discard_output()

    is_online = online or bool(name) or not _is_this_machine(host)
    try:
        mail = MailConfiguration.from_environment(os.environ, name or (), online=is_online)
        AddressRules.from_environment()
        public_files = None if dumps is None else DumpConfiguration(dumps, dumps_licence)
        if public_files is not None:
            public_files.prepare(online=is_online)
    except (MailConfigurationError, RefusedAddressError, DumpConfigurationError) as error:
        raise refuse(error) from None
    settings = Settings(
        host=host,
        database=database_url or data or default_data_folder(),
        names=tuple(name or ()),
        online=is_online,
        broker_url=broker_url,
        log=log,
        mail=mail,
        dumps=public_files,
    )
    try:
        # The server handles Ctrl-C itself; until then there is nothing to shut down.
        with exit_on_interrupt(), listen(host, port) as listener:
            if broker_url is None:
                run(listener, settings, announce)
            else:
                from punct.server.supervisor import Supervisor, check_prerequisites

                check_prerequisites(settings)
                Supervisor(listener, settings, workers, engines).run(announce)
    except (AddressError, StoreError, BrokerError) as error:
        raise refuse(error) from None


def _adoption_link(database: Path | str) -> str | None:
    """Return the link that makes its user the server's administrator; None if there is one."""
    from punct.server.accounts.links import create_adoption_link
    from punct.server.accounts.store import AccountStore
    from punct.server.db.database import open_database
    from punct.server.db.errors import StoreError
    from punct.server.games.store import GameStore

    try:
        with contextlib.closing(GameStore(open_database(database))) as store:
            return create_adoption_link(AccountStore(store.database))
    except StoreError as error:  # the server itself will say more
        complain(error)
        return None


def _is_this_machine(host: str) -> bool:
    """Return whether only programs on this machine can reach a server that listens there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
