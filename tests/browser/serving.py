"""A real ``punct serve`` with its own data folder, and a word with it past the page."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.request import Request, urlopen

from tests.polling import TIMEOUT_SECONDS

COMMAND = [sys.executable, "-c", "from punct.cli import main; main()", "serve", "--no-open"]


class Server:
    """A server in a process of its own, which can be killed and started again at the same address."""

    def __init__(self, data: Path, command: Sequence[str | Path] = COMMAND) -> None:
        self.data = data
        self._command = [*command, "--data", data]
        self._port = "0"
        self._process: subprocess.Popen[str] | None = None
        self.address = ""
        self.greeting = ""

    def start(self) -> None:
        """Start it unless it runs, and wait until it answers."""
        if self._process is not None and self._process.poll() is None:
            return
        process = subprocess.Popen(
            [*self._command, "--port", self._port], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self._process = process
        assert process.stdout is not None
        said = []
        for line in process.stdout:  # after a kill it has something to say first
            said.append(line)
            if line.startswith("PÜNCT is at http://"):
                break
        else:
            raise AssertionError("".join(said))
        self.greeting = "".join(said)
        self.address = line.split()[-1].rstrip("/")
        self._port = self.address.rpartition(":")[2]

    def says(self) -> str:
        """Return the next line it prints."""
        assert self._process is not None and self._process.stdout is not None
        return self._process.stdout.readline()

    def says_until(self, word: str) -> str:
        """Return the next line it prints that has a word in it."""
        while True:
            line = self.says()
            if word in line or not line:
                return line

    def kill(self) -> None:
        """End it without a chance to tidy up, as a power cut would."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process = None

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def ask(self, path: str, body: object = None) -> dict[str, Any]:
        """Return what the API answers."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.address}/api/v1{path}", data, {"Content-Type": "application/json"})
        with urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
            found = json.load(answer)
        assert isinstance(found, dict)
        return found

    def game(self, game_id: str) -> dict[str, Any]:
        """Return a game as it is stored."""
        return self.ask(f"/games/{game_id}")

    def begin(self, *turns: str, **wanted: object) -> str:
        """Begin a game, some turns of it already played, and return its id."""
        if turns:
            wanted["record"] = " ".join(turns)
        return str(self.ask("/games", wanted)["id"])

    def play(self, game_id: str, text: str) -> dict[str, Any]:
        """Play a turn as if from another window."""
        return self.ask(f"/games/{game_id}/turns", {"text": text, "ply": self.game(game_id)["ply"]})
