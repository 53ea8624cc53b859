"""Programs that speak UGI badly, for matches to cope with. Run as ``python faulty.py HOW``."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path


def answer(how: str) -> None:
    """Answer ``go`` in the way asked for."""
    match how:
        case "hang":
            if len(sys.argv) > 2:  # so that others can see whether it is still there
                Path(sys.argv[2]).write_text(str(os.getpid()))
            time.sleep(3600)
        case "crash":
            for number in range(1000):
                print(f"trouble {number}", file=sys.stderr)
            print("and \udcff then it broke", file=sys.stderr, end="", flush=True)
            sys.exit(3)
        case "nonsense":
            print("bestmove rook-takes-everything", flush=True)
        case "mute":
            print("bestmove", flush=True)
        case "illegal":
            print("bestmove Ti9n", flush=True)
        case "endless":
            sys.stdout.write("x" * (3 << 20) + "\n")
            sys.stdout.flush()
        case "babble":
            for _ in range(1000):
                print("info string la la la \udcff", flush=True)
            print("bestmove Za1zz", flush=True)


def main() -> None:
    how = sys.argv[1]
    if how == "stillborn":
        sys.exit(1)
    sys.stdout.reconfigure(errors="surrogateescape")  # type: ignore[union-attr]
    sys.stderr.reconfigure(errors="surrogateescape")  # type: ignore[union-attr]
    for line in sys.stdin:
        match line.split()[:1]:
            case ["ugi"] if how == "deaf":
                time.sleep(3600)
            case ["ugi"]:
                print("id name faulty\nugiok", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["go"]:
                answer(how)
            case ["quit"] if how != "hang":
                return


if __name__ == "__main__":
    main()
