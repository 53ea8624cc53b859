"""Run one step of an installation, and show how far it is: ``run_step.py TITLE COMMAND…``.

In a terminal one line shows every step that runs, with the time it has taken and, where the command counts, how far it
is. Elsewhere a step is one line when it begins and one when it ends. What the command prints is kept in ``build/logs``.
It is shown if the command fails, unless its cause is known: then one sentence says what to do.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread
from typing import Final

_LOGS: Final = Path(__file__).parents[1] / "build" / "logs"
_NINJA: Final = re.compile(r"\[(\d+)/(\d+)\]")
_LAST_LINES: Final = 40
_STALE_SECONDS: Final = 5
_CAUSES: Final = (
    (r"No space left on device|ENOSPC", "The disk is full. Free a gigabyte, then run the command again."),
    (r"Disk quota exceeded|EDQUOT", "Your disk quota is used up. Free a gigabyte, then run the command again."),
    (
        r"NewConnectionError|NameResolutionError|ConnectTimeout|Temporary failure in name resolution"
        r"|Network is unreachable|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH",
        "The package index cannot be reached. Check your network connection, then run the command again.",
    ),
    (
        r"CERTIFICATE_VERIFY_FAILED|SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT",
        "The package index has a certificate that is not trusted here. If a proxy of your network signs it, tell pip "
        "(PIP_CERT) and npm (NODE_EXTRA_CA_CERTS) the file of its certificates.",
    ),
    (
        r"THESE PACKAGES DO NOT MATCH THE HASHES|EINTEGRITY",
        "A downloaded package is not the one that was locked. Run the command again. If it is refused again, your "
        "package index has other files than the public one.",
    ),
)


class Step:
    """A running step: its title, when it began, and how far it is."""

    def __init__(self, title: str, packages: int) -> None:
        self.title: Final = title
        self._began: Final = time.monotonic()
        self._packages: Final = packages  # how many pip is to install, 0 if it is not asked
        self._collected = 0
        self._far = ""

    def read(self, line: str) -> None:
        """Take a line of the command's output."""
        if found := _NINJA.search(line):
            self._far = f"{found[1]} of {found[2]} files"
        elif self._packages and line.startswith(("Collecting ", "Requirement already satisfied", "Ignoring ")):
            self._collected += 1
            self._far = f"{self._collected} of {self._packages} packages"
        elif self._packages and line.startswith("Installing collected packages"):
            self._far = "unpacking"

    def __str__(self) -> str:
        far = f", {self._far}" if self._far else ""
        return f"{self.title}{far}, {self.elapsed}"

    @property
    def elapsed(self) -> str:
        """The time since it began, as minutes and seconds."""
        seconds = int(time.monotonic() - self._began)
        return f"{seconds // 60}:{seconds % 60:02}"


def run(title: str, command: Sequence[str]) -> int:
    """Run the command, show how far it is, and return its exit status."""
    _LOGS.mkdir(parents=True, exist_ok=True)
    log = _LOGS / (re.sub(r"\W+", "-", title).strip("-").lower() + ".log")
    step = Step(title, _count_packages(command))
    moving = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    ended = Event()
    show = Thread(target=_show, args=(step, ended)) if moving else None
    if show is None:
        print(title, flush=True)
    else:
        show.start()
    try:
        status = _follow(command, log, step)
    finally:
        ended.set()
        if show is not None:
            show.join()
    _end(step, status, log, moving=moving)
    return status


def _follow(command: Sequence[str], log: Path, step: Step) -> int:
    """Run the command to its end, with its output in the log."""
    with (
        log.open("w", buffering=1, encoding="utf-8") as output,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace"
        ) as process,
    ):
        for line in process.stdout or ():
            output.write(line)
            step.read(line.strip())
    return process.returncode


def _end(step: Step, status: int, log: Path, *, moving: bool) -> None:
    """Print that the step has ended; if it failed, why."""
    start = "\r\033[K" if moving else ""
    if status == 0:
        print(f"{start}{step.title}: done in {step.elapsed}", flush=True)
        return
    text = log.read_text(encoding="utf-8")
    known = _name_cause(text)
    place = os.path.relpath(log)
    if known is not None:
        print(f"{start}{step.title}: failed. {known} (All output is in {place}.)", flush=True)
    else:
        shown = "\n".join(text.splitlines()[-_LAST_LINES:])
        print(f"{start}{shown}\n{step.title}: failed. All output is in {place}.", flush=True)


def _name_cause(text: str) -> str | None:
    """Return the sentence for a cause that is known by its traces in an output."""
    return next((sentence for pattern, sentence in _CAUSES if re.search(pattern, text)), None)


def _show(step: Step, ended: Event) -> None:
    """Rewrite the terminal's last line every second, with all steps that run beside this one."""
    own = _LOGS / f"{os.getpid()}.step"
    try:
        while not ended.wait(1):
            own.write_text(str(step), encoding="utf-8")
            line = " │ ".join(_running())[: shutil.get_terminal_size().columns - 1]
            sys.stdout.write(f"\r\033[K{line}")
            sys.stdout.flush()
    finally:
        own.unlink(missing_ok=True)


def _running() -> Iterator[str]:
    """Yield what every running step says of itself, the oldest first."""
    for file in sorted(_LOGS.glob("*.step")):
        try:
            if time.time() - file.stat().st_mtime < _STALE_SECONDS:  # others belong to processes that were killed
                yield file.read_text(encoding="utf-8")
        except FileNotFoundError:  # it ended just now
            continue


def _count_packages(command: Sequence[str]) -> int:
    """Return how many packages the requirements files named in a command of pip hold."""
    files = [Path(word) for before, word in pairwise(command) if before == "--requirement"]
    return sum(len(re.findall(r"^[\w.-]+==", file.read_text(encoding="utf-8"), re.MULTILINE)) for file in files)


if __name__ == "__main__":
    try:
        sys.exit(run(sys.argv[1], sys.argv[2:]))
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:  # its log cannot be written, or there is no such command
        sys.exit(f"{sys.argv[1]}: failed. {_name_cause(str(error)) or error}")
