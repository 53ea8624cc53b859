"""``punct serve``: the board in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from punct.cli.common import Exit, complain, output
from punct.cli.streams import drop_what_cannot_be_written


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
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FOLDER",
            help="Where games are kept; your user's data folder if not given.",
            show_default=False,
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            help="A name people reach it by; without it, only addresses in numbers and localhost are answered. May be "
            "given several times.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Serve the board: play in a browser, against the computer or with somebody at the same screen.

    ```
    punct serve                               # and open it in the browser
    punct serve --port 9000 --no-open
    punct serve --data games                  # keep the games in a folder of your choice
    ```

    Games are stored turn by turn and are there again after a restart. Ctrl-C ends the server.
    """
    from punct.server.api.app import default_data_folder  # only this command needs the server and its libraries
    from punct.server.run import AddressError, open_browser
    from punct.server.run import serve as run
    from punct.server.store import StoreError

    def announce(address: str) -> None:
        if open_page:
            open_browser(address)
        try:
            print(f"PÜNCT is at {address}", flush=True)
            output().print("Ctrl-C ends it.", style="dim")
        except OSError:  # it serves whether anybody hears of it or not
            drop_what_cannot_be_written()

    try:
        run(host, port, data or default_data_folder(), announce, name or ())
    except (AddressError, StoreError) as error:
        complain(error)
        raise typer.Exit(Exit.BAD_INPUT) from None
