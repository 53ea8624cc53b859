"""A file of puzzles: all that is alike side by side, so that it becomes small when it is compressed.

A file is compressed by gzip. It begins with one line of JSON, which says how many puzzles, pieces and turns there are
and what the numbers in the rest mean; that rest are columns of bytes. Of each puzzle, in the order of their names:

=========  =================================================================================
columns    a byte for each puzzle
=========  =================================================================================
0–5        the letters of its name, one column each
6          rules + 2 · side to move + 4 · goal + 8 · (turns - 1)
7          themes, a bit for each
8          (rating - 600) / 10
9, 10      how many pieces lie on the board; how many other first turns there are
=========  =================================================================================

Of each piece, in the order of a position's text, three columns: kind + 6 · colour; how much greater the number of its
space is than the last one's, modulo the number of spaces; heading. Of each turn, the solution's and then the others,
again three: where the piece comes from, a space or behind those a kind from the set; the space it goes to; heading.
``web/src/learn/puzzles/collection.ts`` reads the same.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from punct.errors import PunctError
from punct.geometry import SPACES, Heading
from punct.move import Move
from punct.notation import read_position
from punct.outcome import Rules
from punct.piece import Colour, Kind
from punct.puzzles.puzzle import STRONGEST, WEAKEST, Goal, Puzzle, PuzzleError, Theme

_FORMAT: Final = 1
_STEP: Final = 10
_NAME_LENGTH: Final = 6
_WORDS: Final[dict[str, list[str]]] = {
    "rules": [rules.value for rules in (Rules.BASIC, Rules.STANDARD)],
    "sides": [colour.letter for colour in Colour],
    "goals": [goal.value for goal in Goal],
    "themes": [theme.value for theme in Theme],
    "kinds": [kind.name for kind in Kind],
    "headings": [str(heading) for heading in Heading],
    "spaces": [space.name for space in SPACES],
}
"""What the numbers in the columns stand for; a file says so itself."""
_NUMBER: Final = {what: {word: number for number, word in enumerate(words)} for what, words in _WORDS.items()}
_MOST_SPACES: Final = len(SPACES)
_GZIP: Final = 31
"""What zlib calls the form of gzip."""
_LARGEST: Final = 1 << 26
"""Bytes of a file, compressed or not: a thousand times as many as ours has puzzles."""
_PER_PUZZLE, _PER_PIECE, _PER_TURN = _NAME_LENGTH + 5, 3, 3


def write_puzzles(puzzles: Iterable[Puzzle]) -> bytes:
    """Return the contents of a file of these puzzles, ordered by name: the same for the same puzzles."""
    ordered = sorted(puzzles, key=lambda puzzle: puzzle.id)
    rows = [_row(puzzle) for puzzle in ordered]
    pieces = [piece for puzzle in ordered for piece in _pieces(puzzle.position)]
    turns = [_turn(turn) for puzzle in ordered for turn in (*puzzle.solution, *puzzle.also)]
    head = {"puzzles": _FORMAT, "count": len(rows), "pieces": len(pieces), "turns": len(turns), **_WORDS}
    columns = [bytes(column) for table in (rows, pieces, turns) for column in zip(*table, strict=True)]
    return _compressed([json.dumps(head, separators=(",", ":")).encode() + b"\n", *columns])


def _compressed(columns: Iterable[bytes]) -> bytes:
    """Return the columns compressed, each with a code of its own: that saves a sixth."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, _GZIP, 9, zlib.Z_FILTERED)
    return b"".join(squeeze.compress(column) + squeeze.flush(zlib.Z_BLOCK) for column in columns) + squeeze.flush()


def read_puzzles(content: bytes) -> tuple[Puzzle, ...]:
    """Read what ``write_puzzles`` wrote; raises PuzzleError for anything else, and for what is torn or damaged."""
    try:
        unpacked = gzip.GzipFile(fileobj=BytesIO(content)).read(_LARGEST + 1)
    except (OSError, EOFError, zlib.error):
        raise PuzzleError("this is not a file of puzzles, or not all of one") from None
    head_text, _, body = unpacked.partition(b"\n")
    try:
        head = json.loads(head_text)
        form = head["puzzles"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise PuzzleError("this is not a file of puzzles") from None
    if form != _FORMAT:
        raise PuzzleError(f"this file of puzzles is of format {form!r}; this version reads format {_FORMAT}")
    try:
        return tuple(_read(head, body))
    except (ValueError, KeyError, TypeError, IndexError, OverflowError):
        raise PuzzleError("this file of puzzles is damaged") from None


def load_puzzles(path: str | os.PathLike[str]) -> tuple[Puzzle, ...]:
    """Read a file of puzzles; raises PuzzleError, which names it."""
    try:
        return read_puzzles(Path(path).read_bytes())
    except PuzzleError as error:
        raise PuzzleError(f"{path}: {error}") from None
    except OSError as error:
        raise PuzzleError(f"{path} cannot be read: {error.strerror}") from None


# ---------------------------------------------------------------------- puzzles to numbers


def _row(puzzle: Puzzle) -> tuple[int, ...]:
    rules, side, *pieces = puzzle.position.split()
    frame = (
        _NUMBER["rules"][rules]
        + 2 * _NUMBER["sides"][side]
        + 4 * _NUMBER["goals"][puzzle.goal]
        + 8 * (puzzle.turns - 1)
    )
    rating, rest = divmod(puzzle.rating - WEAKEST, _STEP)
    if rest or not WEAKEST <= puzzle.rating <= STRONGEST or len(puzzle.solution) != 2 * puzzle.turns - 1:
        raise PuzzleError(f"puzzle {puzzle.id} has a rating or a number of turns that no file holds")
    themes = sum(1 << _NUMBER["themes"][theme] for theme in puzzle.themes)
    return *puzzle.id.encode(), frame, themes, rating, len(pieces), len(puzzle.also)


def _pieces(position: str) -> Iterator[tuple[int, int, int]]:
    last = 0
    for piece in read_position(position).pieces:
        space = _NUMBER["spaces"][piece.space.name]
        kind = _NUMBER["kinds"][piece.kind.name]
        yield kind + len(Kind) * _NUMBER["sides"][piece.colour.letter], (space - last) % _MOST_SPACES, piece.heading
        last = space


def _turn(text: str) -> tuple[int, int, int]:
    move = Move.parse(text)
    source = _MOST_SPACES + _NUMBER["kinds"][move.kind.name] if move.kind is not None else None
    if source is None:
        assert move.origin is not None
        source = _NUMBER["spaces"][move.origin.name]
    return source, _NUMBER["spaces"][move.space.name], move.heading


# ---------------------------------------------------------------------- numbers to puzzles


def _columns(body: bytes, widths: Sequence[tuple[int, int]]) -> list[list[bytes]]:
    """Return the tables, each given by how many columns it has and how long they are."""
    if sum(columns * length for columns, length in widths) != len(body):
        raise PunctError("a length that does not fit")
    tables, at = [], 0
    for columns, length in widths:
        tables.append([body[at + length * column : at + length * (column + 1)] for column in range(columns)])
        at += columns * length
    return tables


def _read(head: dict[str, Any], body: bytes) -> Iterator[Puzzle]:
    widths = [(_PER_PUZZLE, head["count"]), (_PER_PIECE, head["pieces"]), (_PER_TURN, head["turns"])]
    rows, pieces, turns = _columns(body, widths)
    if any(head[what] != words for what, words in _WORDS.items()) or min(length for _, length in widths) < 0:
        raise PunctError("words that are not ours")
    names, (frames, themes, ratings, counts, others) = rows[:_NAME_LENGTH], rows[_NAME_LENGTH:]
    piece_at = turn_at = 0
    for at in range(head["count"]):
        frame, last_piece = frames[at], piece_at + counts[at]
        number_of_turns = (frame >> 3) + 1
        last_turn = turn_at + 2 * number_of_turns - 1 + others[at]
        line = [_turn_text(*row) for row in zip(*(column[turn_at:last_turn] for column in turns), strict=True)]
        words = _piece_texts(*(column[piece_at:last_piece] for column in pieces))
        split = 2 * number_of_turns - 1
        if len(line) != split + others[at] or len(words) != counts[at]:
            raise PunctError("more pieces or turns than there are")
        yield Puzzle(
            "".join(chr(column[at]) for column in names),
            " ".join((_WORDS["rules"][frame & 1], _WORDS["sides"][frame >> 1 & 1], *words)),
            tuple(Goal)[frame >> 2 & 1],
            number_of_turns,
            tuple(line[:split]),
            tuple(line[split:]),
            tuple(theme for place, theme in enumerate(Theme) if themes[at] >> place & 1),
            WEAKEST + _STEP * ratings[at],
        )
        piece_at, turn_at = last_piece, last_turn
    if (piece_at, turn_at) != (head["pieces"], head["turns"]):
        raise PunctError("fewer pieces or turns than there are")


def _piece_texts(kinds: bytes, gaps: bytes, headings: bytes) -> list[str]:
    places = accumulate(gaps, lambda place, gap: (place + gap) % _MOST_SPACES)
    return [
        _WORDS["sides"][kind // len(Kind)]
        + _WORDS["kinds"][kind % len(Kind)]
        + _WORDS["spaces"][place]
        + _WORDS["headings"][heading]
        for kind, place, heading in zip(kinds, places, headings, strict=True)
    ]


def _turn_text(source: int, target: int, heading: int) -> str:
    where = _WORDS["spaces"][target] + _WORDS["headings"][heading]
    if source < _MOST_SPACES:
        return f"{_WORDS['spaces'][source]}-{where}"
    return _WORDS["kinds"][source - _MOST_SPACES] + where
