"""``punct perft``: count the sequences of moves, to compare implementations of the rules."""

# No annotations from the future: Typer would evaluate each of them, twice, at every start.

from typing import Annotated

import typer

from punct.cli.common import (
    AsJson,
    Exit,
    GameNumber,
    Ply,
    PositionWords,
    RecordFile,
    answer_lines,
    find_position,
    is_stream,
    json_text,
    read_position,
    tracked,
)
from punct.perft import perft as count_sequences
from punct.position import Position


def perft(
    words: PositionWords = None,
    depth: Annotated[int, typer.Option("--depth", "-d", min=0, max=6, help="How many moves to look ahead.")] = 2,
    divide: Annotated[bool, typer.Option("--divide", help="Also print the count of each first move.")] = False,
    file: RecordFile = None,
    game: GameNumber = 1,
    ply: Ply = None,
    as_json: AsJson = False,
) -> None:
    """Count the sequences of moves that may follow a position.

    ```
    punct perft --depth 1                     # 4986 first moves
    punct perft basic w --depth 2             # and all replies
    punct perft --depth 2 --divide            # by first move
    ```

    Two programs that agree on these counts very likely agree on the rules. Each further move takes some thousand times
    as long: 1 and 2 take moments, 3 takes hours from the start of a game but far less near its end.
    """
    if is_stream(words, file):

        def answer(line: str) -> tuple[str, Exit]:
            position = read_position([line])
            counts = _counts(position, depth) if divide else None
            return _answer(position, depth, counts, as_json), Exit.FINE

        answer_lines(answer, as_json=as_json)
    position = find_position(words, file, game, ply)
    counts = _counts(position, depth) if divide or depth > 1 else None
    if divide and not as_json:
        for move, count in (counts or {}).items():
            print(f"{move} {count}")
    print(_answer(position, depth, counts, as_json, divided=divide))


def _counts(position: Position, depth: int) -> dict[str, int]:
    """Return the count of each first move."""
    if depth == 0:
        return {}
    counts = {}
    for move in tracked(list(position.legal_moves), "Counting"):
        position.push(move)
        counts[move.text] = count_sequences(position, depth - 1)
        position.pop()
    return counts


def _answer(
    position: Position, depth: int, counts: dict[str, int] | None, as_json: bool, *, divided: bool = True
) -> str:
    total = sum(counts.values()) if counts else count_sequences(position, depth)
    if not as_json:
        return str(total)
    data: dict[str, object] = {"position": str(position), "depth": depth, "count": total}
    if counts is not None and divided:
        data["divide"] = counts
    return json_text(data)
