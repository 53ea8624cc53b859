"""``punct worker``: engines, pictures and messages for servers on other machines."""

from __future__ import annotations

from typing import Annotated

import typer

from punct.cli.common import Exit, complain
from punct.cli.serve import LogForm


def worker(
    broker_url: Annotated[
        str,
        typer.Option(
            "--broker-url",
            metavar="URL",
            envvar="PUNCT_BROKER_URL",
            help="The Redis of the servers, as redis://HOST:6379/0.",
            show_default=False,
        ),
    ],
    engines: Annotated[
        int | None,
        typer.Option(
            "--engines",
            min=0,
            max=256,
            help="How many engines think at once; one core fewer than there are if not given.",
            show_default=False,
        ),
    ] = None,
    pictures: Annotated[
        int, typer.Option("--pictures", min=0, max=64, help="How many pictures are drawn at once.")
    ] = 1,
    messages: Annotated[
        int,
        typer.Option(
            "--messages", min=0, max=64, help="How many messages of each kind are sent at once: Web Push, webhooks."
        ),
    ] = 4,
    log: LogForm = "text",
) -> None:
    """Think, draw and send for servers that share a broker: as many of these as you like, on as many machines.

    ```
    punct worker --broker-url redis://cache:6379/0
    punct worker --broker-url redis://cache:6379/0 --engines 16 --pictures 0 --messages 0
    ```

    It may be stopped, or crash, at any time: another one repeats its jobs. Ctrl-C lets it finish them first.
    """
    from punct.engine.network import check_configured_network
    from punct.server.broker.broker import BrokerError
    from punct.server.log import configure

    def ready() -> None:
        print("Ready to think, draw and send.", flush=True)

    check_configured_network()
    configure(log)
    try:
        from punct.server.workers.remote_worker import run_remote_workers

        run_remote_workers(broker_url, engines, pictures, messages, ready)
    except BrokerError as error:
        complain(error)
        raise typer.Exit(Exit.BAD_INPUT) from None
