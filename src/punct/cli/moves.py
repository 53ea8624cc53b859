"""``punct legal`` and ``punct explain``: the legal moves, and why a move is not legal."""

# No annotations from the future: Typer would evaluate each of them, twice, at every start.

from enum import Enum
from typing import Annotated

import typer

from punct.cli.common import (
    STANDARD_INPUT,
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
    lines,
    read_position,
)
from punct.errors import InvalidMoveError, PunctError
from punct.geometry import Space
from punct.move import Move
from punct.piece import Kind
from punct.position import Position


class MoveKind(Enum):
    """Values of ``--kind``: added pieces, moved pieces, or moves of one kind of piece."""

    ADD = "add"
    MOVE = "move"
    T = "T"
    C = "C"
    E = "E"
    M = "M"
    L = "L"
    R = "R"


def legal(
    words: PositionWords = None,
    file: RecordFile = None,
    game: GameNumber = 1,
    ply: Ply = None,
    kind: Annotated[
        MoveKind | None,
        typer.Option(
            "--kind",
            "-k",
            case_sensitive=False,
            help="Only adds, only moves of pieces on the board, or only moves of one kind of piece.",
            show_default=False,
        ),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="SPACE", help="Only moves of the piece whose PÜNCT is there.", show_default=False
        ),
    ] = None,
    count: Annotated[bool, typer.Option("--count", "-c", help="Print only how many there are.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the legal moves of a position, one on each line.

    ```
    punct legal --count                        # of the very first move
    punct legal basic b wEd5ne --kind T        # adds of a triangle
    punct legal standard w wEd5ne --from d5    # where that piece may go
    punct legal --file game.punct --ply 10     # ten moves into a game
    ```

    A finished game has none, which is no error: the exit code is 0. `-` reads many positions, and answers each with one
    line.
    """
    start = Space(origin) if origin is not None else None

    def list_moves(position: Position) -> list[str]:
        return [move.text for move in position.legal_moves if _is_selected(position, move, kind, start)]

    def count_moves(position: Position) -> int:
        return len(position.legal_moves if kind is None and start is None else list_moves(position))

    if is_stream(words, file):

        def answer(line: str) -> tuple[str, Exit]:
            position = read_position([line])
            if count:
                return str(count_moves(position)), Exit.FINE
            moves = list_moves(position)
            return json_text(moves) if as_json else " ".join(moves), Exit.FINE

        answer_lines(answer, as_json=as_json)
    position = find_position(words, file, game, ply)
    if count:
        print(count_moves(position))
    elif as_json:
        print(json_text(list_moves(position)))
    else:
        for move in list_moves(position):
            print(move)


def _is_selected(position: Position, move: Move, kind: MoveKind | None, start: Space | None) -> bool:
    if start is not None and move.origin is not start:
        return False
    match kind:
        case None:
            return True
        case MoveKind.ADD:
            return move.is_add
        case MoveKind.MOVE:
            return not move.is_add
    piece = position.top(move.origin) if move.origin is not None else None
    return (move.kind or (piece and piece.kind)) is Kind(kind.value)


def explain(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="POSITION MOVE",
            help="A position's text, or `-` to read it from standard input, and last the move. "
            "Without a position: the start of the standard game.",
            show_default=False,
        ),
    ],
    file: RecordFile = None,
    game: GameNumber = 1,
    ply: Ply = None,
    as_json: AsJson = False,
) -> None:
    """Say whether a move is legal, and if not, which rule it breaks.

    ```
    punct explain Ed5ne                        # legal
    punct explain Th9n                         # not in the standard game
    punct explain standard b wEd5ne Td5n       # what is in the way?
    punct explain --file game.punct --ply 10 d5-h9se
    ```

    The exit code is 0 for a legal move, 1 for an illegal one, and 2 for a text that is no move at all. `-` alone reads
    lines that each end in a move, and answers each with one line; `- Ed5ne` explains the same move in many positions.
    """
    *position_words, move = words
    if is_stream(words, file):

        def answer(line: str) -> tuple[str, Exit]:
            *before, text = line.split() if words == [STANDARD_INPUT] else (line, move)
            return _explain(read_position(before), text, as_json)

        answer_lines(answer, as_json=as_json)
    text, code = _explain(find_position(position_words, file, game, ply), move, as_json, separator="\n")
    if as_json:
        print(text)
    else:
        lines().print(text, style="red" if code else "green", markup=False)
    raise typer.Exit(code)


def _explain(position: Position, move: str, as_json: bool, separator: str = " ") -> tuple[str, Exit]:
    """Return the explanation of a move, as text or JSON, and the exit code."""
    try:
        reason = position.explain(move)
    except InvalidMoveError as error:
        from punct.cli.advice import suggest  # a legal move needs no advice

        raise PunctError("\n".join([str(error), *suggest(position, move)])) from None
    sentences = []
    if reason is not None:
        from punct.cli.advice import refusal

        sentences = refusal(position, move, reason)
    code = Exit.FINE if reason is None else Exit.NO
    if as_json:
        data: dict[str, object] = {"turn": move.strip(), "legal": reason is None}
        if reason is not None:
            data |= {"reason": reason.name, "section": reason.section, "words": sentences}
        return json_text(data, ascii_only=False), code
    if reason is None:
        return f"{position.parse(move)} is legal.", code
    return separator.join([f"{move.strip()} is not legal. {sentences[0]}", *sentences[1:]]), code
