"""``punct bot``: a program that speaks UGI, as a player on a server."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Annotated, Final

import typer

from punct.cli.common import WITH_BYTE_ORDER_MARK, messages
from punct.errors import PunctError
from punct.extras import explain_missing
from punct.outcome import Rules

TOKEN: Final = "PUNCT_TOKEN"


def bot(
    server: Annotated[
        str, typer.Option("--server", metavar="URL", help="Where to play, such as https://punct.example.")
    ],
    engine: Annotated[
        str,
        typer.Option(
            "--engine", metavar="PLAYER", help="Who plays: a level (1 to 8), `punct`, or the command of a UGI program."
        ),
    ] = "punct",
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", help=f"The file with the account's token; or set {TOKEN}.", show_default=False),
    ] = None,
    rules: Annotated[Rules, typer.Option("--rules", "-r", help="Which game.")] = Rules.STANDARD,
    time: Annotated[
        str,
        typer.Option(
            "--time", metavar="M+S", help="Minutes and seconds per move, days as in 3d or 7d+12h/10d, or none."
        ),
    ] = "5+3",
    rated: Annotated[bool, typer.Option("--rated", help="Play for the rating.")] = False,
    take: Annotated[
        bool, typer.Option("--take", help="Take the games that others offer, instead of offering some.")
    ] = False,
    against_bots: Annotated[bool, typer.Option("--bots", help="With --take: those of other bots too.")] = False,
    at_once: Annotated[int, typer.Option("--concurrency", "-c", min=1, max=64, help="Games at a time.")] = 1,
    games: Annotated[
        int | None, typer.Option("--games", "-n", min=1, help="Stop after this many games.", show_default=False)
    ] = None,
) -> None:
    """Let a program play on a server: it seeks games, plays them, and seeks again.

    The account's page makes the token (it needs the scopes `play`, `challenge` and `read`). The player is named as
    in `punct match`, with what concerns it alone after ` @ `:

    ```
    export PUNCT_TOKEN=…
    punct bot --server https://punct.example --engine 4
    punct bot --server https://punct.example --engine "./my-engine --ugi @ Threads=2" --time 10+5 --take
    ```

    It continues games that are running when it starts, so it may be stopped and started at any time. It declines
    draws and takebacks.
    """
    with explain_missing("punct bot", "bot"):
        from punct.bot import Bot, Preferences, Remote  # only this command needs them
    from punct.match.player import read_entrant

    console = messages()

    def notice(text: str) -> None:
        console.print(text, markup=False, highlight=False)

    entrant = read_entrant(engine)
    preferences = Preferences(rules.value, time, rated, seeks=not take, against_bots=against_bots)

    async def play() -> None:
        remote = Remote(server, _token(token_file), notice)
        await Bot(
            remote,
            entrant,
            preferences,
            at_once=at_once,
            games=games,
            notice=notice,
        ).run()

    asyncio.run(play())


def _token(file: Path | None) -> str:
    """Return the token; it is never an option's value, which the list of processes would show."""
    token = (file.read_text(encoding=WITH_BYTE_ORDER_MARK) if file else os.environ.get(TOKEN, "")).strip()
    if not token.isascii() or not token.isprintable() or not token or " " in token:
        where = f"{file} holds no token" if file else f"there is no token in {TOKEN}"
        raise PunctError(f"{where}; the account's page makes one")
    return token
