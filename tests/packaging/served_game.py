"""Start the installed ``punct serve``, load the page, and play a move against the computer: with Python alone.

For systems where no browser is at hand.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

TIMEOUT_SECONDS = 120


def ask(address: str, body: object = None) -> Any:
    """Return what a server answers: JSON, or the text of a page."""
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address, data, {"Content-Type": "application/json"}), timeout=TIMEOUT_SECONDS) as answer:
        text = answer.read().decode()
        return json.loads(text) if "json" in answer.headers["Content-Type"] else text


def play(address: str) -> None:
    """Load the page with its script, and see the computer answer a move."""
    page = ask(address)
    assert "<script" in page and "missing" not in page, page
    seats = {"w": {"type": "person"}, "b": {"type": "engine", "level": 1}}
    game = ask(f"{address}/api/v1/games", {"seats": seats})["id"]
    ask(f"{address}/api/v1/games/{game}/turns", {"text": "Ed5ne", "ply": 0})
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while ask(f"{address}/api/v1/games/{game}")["ply"] < 2:
        assert time.monotonic() < deadline, "the computer does not answer"
        time.sleep(0.1)


def main() -> None:
    """Serve in a folder of its own, play, and end the server."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [
            sys.executable,
            "-m",
            "punct",
            "serve",
            "--no-open",
            "--port",
            "0",
            "--data",
            str(Path(folder, "data")),
        ]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", errors="replace")
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            assert "http://" in line, line
            play(line[line.index("http://") :].strip().rstrip("/"))
        finally:
            server.kill()
            server.wait()
    print("served and played")


if __name__ == "__main__":
    main()
