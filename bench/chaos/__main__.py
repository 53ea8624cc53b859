"""The command line of the run."""

from __future__ import annotations

import argparse
import asyncio
import sys

import bench.chaos
from bench.chaos.run import run


def main() -> None:
    parser = argparse.ArgumentParser(
        description=bench.chaos.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=300, help="how often something is killed")
    parser.add_argument("--players", type=int, default=12, help="how many games at once")
    parser.add_argument("--processes", type=int, default=2, help="that serve")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report = asyncio.run(run(options.rounds, options.players, options.processes, options.seed))
    print(report)
    sys.exit(1 if report.faults else 0)


if __name__ == "__main__":
    main()
