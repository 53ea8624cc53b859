"""The file format of puzzles: columns of similar bytes, which compress well.

A file is compressed by gzip. It begins with one line of JSON, which has the number of puzzles, pieces and moves and
the meaning of the numbers in the rest; the rest is columns of bytes. Of each puzzle, in the order of their names:

=========  =================================================================================
columns    a byte for each puzzle
=========  =================================================================================
0–5        the letters of its name, one column each
6          rules + 2 · side to move + 4 · goal + 8 · (turns - 1)
7          themes, a bit for each
8          (rating - 600) / 10
9, 10      how many pieces are on the board; how many other first moves there are
=========  =================================================================================

Of each piece, in the order of a position's text, three columns: kind + 6 · colour; the number of its space minus the
last one's, modulo the number of spaces; heading. Of each move, the solution's and then the others, again three: where
the piece comes from, a space or, with numbers beyond those, a kind from the set; the space it goes to; heading.
``web/src/pages/puzzles/collection.ts`` reads the same.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import accumulate
from typing import Any, Final

from punct.errors import PunctError, expect
from punct.geometry import SPACES, Heading
from punct.move import Move
from punct.notation import read_position
from punct.outcome import Rules
from punct.paths import PathLike, read_path
from punct.piece import Colour, Kind
from punct.puzzles.puzzle import STRONGEST, WEAKEST, Goal, Puzzle, PuzzleError, Theme, checked_puzzles

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
"""The meaning of the numbers in the columns, which is part of a file."""
_NUMBER: Final = {column: {word: number for number, word in enumerate(words)} for column, words in _WORDS.items()}
_SPACE_COUNT: Final = len(SPACES)
_KINDS: Final = tuple(Kind)
_GZIP: Final = 31
"""zlib's code for the gzip format."""
_MAX_BYTES: Final = 1 << 26
"""Of a decompressed file: enough for a thousand times our puzzles."""
_PUZZLE_COLUMNS, _PIECE_COLUMNS, _MOVE_COLUMNS = _NAME_LENGTH + 5, 3, 3


def write_puzzles(puzzles: Iterable[Puzzle]) -> bytes:
    """Return the contents of a file of these puzzles, ordered by name: the same for the same puzzles."""
    ordered = sorted(checked_puzzles(puzzles), key=lambda puzzle: puzzle.id)
    rows = [_row(puzzle) for puzzle in ordered]
    pieces = [piece for puzzle in ordered for piece in _pieces(puzzle.position)]
    moves = [_encode_move(move) for puzzle in ordered for move in (*puzzle.solution, *puzzle.also)]
    head = {"puzzles": _FORMAT, "count": len(rows), "pieces": len(pieces), "turns": len(moves), **_WORDS}
    columns = [bytes(column) for table in (rows, pieces, moves) for column in zip(*table, strict=True)]
    return _compress([json.dumps(head, separators=(",", ":")).encode() + b"\n", *columns])


def _compress(columns: Iterable[bytes]) -> bytes:
    """Return the columns compressed, each with Huffman codes of its own: that saves a sixth."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, _GZIP, 9, zlib.Z_FILTERED)
    return (
        b"".join(compressor.compress(column) + compressor.flush(zlib.Z_BLOCK) for column in columns)
        + compressor.flush()
    )


def read_puzzles(content: bytes) -> tuple[Puzzle, ...]:
    """Read what ``write_puzzles`` wrote; raises PuzzleError for anything else, truncated or damaged."""
    expect(content, bytes, "the content of a file of puzzles is bytes")
    try:
        unpacked = gzip.GzipFile(fileobj=BytesIO(content)).read(_MAX_BYTES + 1)
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


def load_puzzles(path: PathLike) -> tuple[Puzzle, ...]:
    """Read a file of puzzles; raises PuzzleError, which names it."""
    file = read_path(path, "path of a file of puzzles")
    try:
        return read_puzzles(file.read_bytes())
    except PuzzleError as error:
        raise PuzzleError(f"{path}: {error}") from None
    except OSError as error:
        raise PuzzleError(f"{path} cannot be read: {error.strerror}") from None


# ---------------------------------------------------------------------- encoding


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
        raise PuzzleError(f"puzzle {puzzle.id} has a rating or a number of moves that no file holds")
    themes = sum(1 << _NUMBER["themes"][theme] for theme in puzzle.themes)
    return *puzzle.id.encode(), frame, themes, rating, len(pieces), len(puzzle.also)


def _pieces(position: str) -> Iterator[tuple[int, int, int]]:
    last = 0
    for piece in read_position(position).pieces:
        space = _NUMBER["spaces"][piece.space.name]
        kind = _NUMBER["kinds"][piece.kind.name]
        yield kind + len(Kind) * _NUMBER["sides"][piece.colour.letter], (space - last) % _SPACE_COUNT, piece.heading
        last = space


def _encode_move(move: Move) -> tuple[int, int, int]:
    source = _SPACE_COUNT + _NUMBER["kinds"][move.kind.name] if move.kind is not None else None
    if source is None:
        assert move.origin is not None
        source = _NUMBER["spaces"][move.origin.name]
    return source, _NUMBER["spaces"][move.space.name], move.heading


# ---------------------------------------------------------------------- decoding


def _columns(body: bytes, widths: Sequence[tuple[int, int]]) -> list[list[bytes]]:
    """Split the body into tables, each given by the number and the length of its columns."""
    if sum(columns * length for columns, length in widths) != len(body):
        raise PunctError("a length that does not fit")
    tables, at = [], 0
    for columns, length in widths:
        tables.append([body[at + length * column : at + length * (column + 1)] for column in range(columns)])
        at += columns * length
    return tables


def _read(head: dict[str, Any], body: bytes) -> Iterator[Puzzle]:
    widths = [(_PUZZLE_COLUMNS, head["count"]), (_PIECE_COLUMNS, head["pieces"]), (_MOVE_COLUMNS, head["turns"])]
    rows, pieces, moves = _columns(body, widths)
    if any(head[column] != words for column, words in _WORDS.items()) or min(length for _, length in widths) < 0:
        raise PunctError("unknown words")
    names, (frames, themes, ratings, counts, others) = rows[:_NAME_LENGTH], rows[_NAME_LENGTH:]
    piece_at = move_at = 0
    for index in range(head["count"]):
        frame, last_piece = frames[index], piece_at + counts[index]
        turns = (frame >> 3) + 1
        last_move = move_at + 2 * turns - 1 + others[index]
        played = [_decode_move(*row) for row in zip(*(column[move_at:last_move] for column in moves), strict=True)]
        words = _piece_texts(*(column[piece_at:last_piece] for column in pieces))
        split = 2 * turns - 1
        if len(played) != split + others[index] or len(words) != counts[index]:
            raise PunctError("more pieces or moves than there are")
        yield Puzzle(
            "".join(chr(column[index]) for column in names),
            " ".join((_WORDS["rules"][frame & 1], _WORDS["sides"][frame >> 1 & 1], *words)),
            tuple(Goal)[frame >> 2 & 1],
            turns,
            tuple(played[:split]),
            tuple(played[split:]),
            tuple(theme for place, theme in enumerate(Theme) if themes[index] >> place & 1),
            WEAKEST + _STEP * ratings[index],
        )
        piece_at, move_at = last_piece, last_move
    if (piece_at, move_at) != (head["pieces"], head["turns"]):
        raise PunctError("fewer pieces or moves than there are")


def _piece_texts(kinds: bytes, gaps: bytes, headings: bytes) -> list[str]:
    places = accumulate(gaps, lambda place, gap: (place + gap) % _SPACE_COUNT)
    return [
        _WORDS["sides"][kind // len(Kind)]
        + _WORDS["kinds"][kind % len(Kind)]
        + _WORDS["spaces"][place]
        + _WORDS["headings"][heading]
        for kind, place, heading in zip(kinds, places, headings, strict=True)
    ]


def _decode_move(source: int, target: int, heading: int) -> Move:
    if source < _SPACE_COUNT:
        return Move.shift(SPACES[source], SPACES[target], Heading(heading))
    return Move.add(_KINDS[source - _SPACE_COUNT], SPACES[target], Heading(heading))
