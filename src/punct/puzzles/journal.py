"""The journal of a puzzle search: results so far, one line of JSON per job, from which the search is resumed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from punct.move import Move
from punct.puzzles.mining import JobResult
from punct.puzzles.puzzle import Goal, Puzzle, PuzzleError, Theme

_FORMAT: Final = 1


class Journal:
    """A file that grows by a line for each finished job.

    A line cut off by a crash is removed, and its games are searched again; anything else that is invalid is refused.
    """

    def __init__(self, path: Path, identity: dict[str, Any]) -> None:
        """Open or create the file; raises PuzzleError if it is of another search, or not a journal."""
        self.path = path
        self.results: list[JobResult] = []
        head = {"making": _FORMAT, **identity}
        try:
            text = path.read_bytes() if path.exists() else b""
            whole = text[: text.rfind(b"\n") + 1]
            if text and not whole and not text.startswith(b'{"making'):
                raise PuzzleError(f"{path} is not a journal of puzzles; it is left as it is")
            self._read(whole, head)
            if not whole:
                path.write_text(json.dumps(head) + "\n", encoding="utf-8")
            elif len(whole) < len(text):
                path.write_bytes(whole)
        except OSError as error:
            raise PuzzleError(f"{path} cannot be used: {error.strerror}") from None

    def append(self, result: JobResult) -> None:
        """Write the result of a job at once."""
        self.results.append(result)
        puzzles = [_as_json(puzzle) for puzzle in result.puzzles]
        line = json.dumps({"job": result.number, "games": result.games, "found": puzzles})
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise PuzzleError(f"{self.path} cannot be written: {error.strerror}") from None

    def _read(self, whole: bytes, head: dict[str, Any]) -> None:
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                data = json.loads(line)
                if number > 1:
                    puzzles = [_from_json(puzzle) for puzzle in data["found"]]
                    self.results.append(JobResult(_whole(data["job"]), puzzles, _whole(data["games"])))
                    continue
                different = [key for key in head if data.get(key) != head[key]]
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                raise PuzzleError(f"{self.path}, line {number}: this is not a line of a journal of puzzles") from None
            if different:
                raise PuzzleError(
                    f"{self.path} is of another search, with another {' and '.join(different)}; "
                    "resume with the same options, or name another file"
                )


def _as_json(puzzle: Puzzle) -> dict[str, Any]:
    fields = {name: getattr(puzzle, name) for name in Puzzle.__slots__}
    return fields | {name: [str(move) for move in fields[name]] for name in ("solution", "also")}


def _from_json(data: dict[str, Any]) -> Puzzle:
    return Puzzle(
        _text(data["id"]),
        _text(data["position"]),
        Goal(data["goal"]),
        _whole(data["turns"]),
        tuple(map(_move, data["solution"])),
        tuple(map(_move, data["also"])),
        tuple(map(Theme, data["themes"])),
        _whole(data["rating"]),
    )


def _move(value: object) -> Move:
    return Move.parse(_text(value))


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError("not a whole number")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value
