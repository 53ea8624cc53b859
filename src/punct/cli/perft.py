"""``punct perft``: counting every way to play on, to compare implementations of the rules."""

from __future__ import annotations

from typing import Annotated

import typer

from punct.cli.common import GameNumber, Ply, PositionWords, RecordFile, find_position, output, progress
from punct.perft import perft as count_lines


def perft(
    words: PositionWords = None,
    depth: Annotated[int, typer.Option("--depth", "-d", min=0, max=6, help="How many turns to look ahead.")] = 2,
    divide: Annotated[bool, typer.Option("--divide", help="Also print the count behind each first turn.")] = False,
    file: RecordFile = None,
    game: GameNumber = 1,
    ply: Ply = None,
) -> None:
    """Count the sequences of turns that may follow a position.

    ```
    punct perft --depth 1                     # 4986 first turns
    punct perft basic w --depth 2             # and all replies
    punct perft --depth 2 --divide            # behind each first turn
    ```

    Two programs that agree on these counts very likely agree on the rules. Each further turn takes some thousand times
    as long: 1 and 2 take moments, 3 takes hours from the start of a game but far less near its end.
    """
    position = find_position(words, file, game, ply)
    if depth == 0 or (depth == 1 and not divide):
        output().print(count_lines(position, depth))
        return
    total = 0
    with progress() as bar:
        for move in bar.track(list(position.legal_moves), description="Counting"):
            position.push(move)
            count = count_lines(position, depth - 1)
            position.pop()
            total += count
            if divide:
                print(f"{move} {count}")
    print(total)
