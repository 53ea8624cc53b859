"""The server of the simulation: ``python -m bench.month.server FOLDER PORT CLOCK``. Its clock is a file's.

Its background tasks look at the clock far more often than those of a real server: half an hour passes at a time.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path

import uvicorn
from bench.month.clock import FileClock

from punct.server.accounts import passwords
from punct.server.app import create_app
from punct.server.notifications import service as notifications
from punct.server.timekeeping import heartbeat
from punct.server.timekeeping import service as timekeeping

POLL_SECONDS = 0.05


def main() -> None:
    """Serve until killed."""
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
