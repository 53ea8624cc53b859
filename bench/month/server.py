"""The server of the simulation: ``python -m bench.month.server FOLDER PORT CLOCK``. Its clock is a file's.

Its background tasks look at the clock far more often than those of a real server: half an hour passes at a time.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import uvicorn
from bench.month.clock import FileClock

POLL_SECONDS = 0.05


class RunningServer:
    """The server's process, which is killed and started again."""

    def __init__(self, folder: Path, clock: Path, port: int, exempt: str) -> None:
        """Start it; it may post to the exempt host."""
        self._command = [sys.executable, "-m", "bench.month.server", str(folder), str(port), str(clock)]
        self._environment = {**os.environ, "PUNCT_OUTBOUND_EXEMPT": exempt}
        self.kills: list[float] = []
        """When something was killed, by the monotonic clock: the server, or one of its workers."""
        self.server_kills = 0
        self._start()

    def _start(self) -> None:
        self._process = subprocess.Popen(self._command, env=self._environment)

    def kill(self) -> None:
        """Kill it, as the system may at any moment, and start it again."""
        self.kills.append(time.monotonic())
        self._process.kill()
        self._process.wait()
        self.server_kills += 1
        self._start()

    def kill_workers(self) -> None:
        """Kill the processes that send its messages; the server starts others."""
        self.kills.append(time.monotonic())
        listed = subprocess.run(
            ["ps", "-ww", "-o", "pid=", "-o", "args=", "--ppid", str(self._process.pid)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        for line in listed.stdout.splitlines():
            if "spawn_main" in line or "forkserver" in line:
                try:
                    os.kill(int(line.split()[0]), signal.SIGKILL)
                except ProcessLookupError:
                    continue

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()


def main() -> None:
    """Serve until killed."""
    from punct.server.accounts import passwords
    from punct.server.app import create_app
    from punct.server.notifications import service as notifications
    from punct.server.timekeeping import heartbeat
    from punct.server.timekeeping import service as timekeeping

    folder, port, clock = sys.argv[1:]
    for module, constant, value in (
        (notifications, "POLL_SECONDS", POLL_SECONDS),
        (timekeeping, "CHECK_SECONDS", POLL_SECONDS),
        (passwords, "ROUNDS", 1),
        (passwords, "MEMORY_KIB", 8),
        # Between two steps of the clock nobody could play, but that is no outage. One at the start is still noticed.
        (heartbeat.Heartbeat.__init__, "__kwdefaults__", {"min_outage": timedelta.max}),
    ):
        setattr(module, constant, value)
    app = create_app(Path(folder), workers=1, online=True, now=FileClock(Path(clock)))
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="warning", access_log=False)


if __name__ == "__main__":
    main()
