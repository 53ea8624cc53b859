"""A ``punct serve`` in a process of its own, and requests to it."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from tests.polling import TIMEOUT_SECONDS, pauses
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin


@contextlib.contextmanager
def run_server(data: Path | None, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server, yield it with its address, and make sure that it ends."""
    command = [sys.executable, "-c", "from punct.cli import main; main()", "serve", "--no-open"]
    folder = () if data is None else ("--data", str(data))
    process = subprocess.Popen(
        [*command, *folder, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert process.stdout is not None
        output = []
        for line in process.stdout:  # after a kill, or where it has to wait, it may print something else first
            output.append(line)
            if line.startswith("PÜNCT is at http://"):
                break
        else:
            raise AssertionError("".join(output))
        yield process, line.split()[-1].rstrip("/")
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def request_json(url: str, body: object = None) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, {"Content-Type": "application/json"}), timeout=TIMEOUT_SECONDS) as response:
        content = json.load(response)
    assert isinstance(content, dict)
    return content


def connect_live(url: str) -> ClientConnection:
    """Open a game's live connection, as a page of the server would."""
    address = url.partition("/api")[0]
    return connect(
        url.replace("http", "ws", 1) + "/live", origin=Origin(address), proxy=None, open_timeout=TIMEOUT_SECONDS
    )


def wait_for_ply(url: str, ply: int) -> dict[str, Any]:
    """Wait until a game has come to a ply."""
    for pause in pauses():
        game = request_json(url)
        assert game["thinking"]["state"] != "failed"
        if game["ply"] >= ply:
            break
        time.sleep(pause)
    return game
