"""``punct legal`` and ``punct explain``: what may be played, and why something may not."""

# No annotations from the future: Typer would have each of them evaluated, twice, at every start.

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


class TurnKind(Enum):
    """What ``--kind`` may ask for: adds, moves of pieces on the board, or adds of one kind of piece."""

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
        TurnKind | None,
        typer.Option(
            "--kind",
            "-k",
            case_sensitive=False,
            help="Only adds, only moves of pieces on the board, or only turns with one kind of piece.",
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
    """List the legal turns of a position, one on each line.

    ```
    punct legal --count                        # of the very first turn
    punct legal basic b wEd5ne --kind T        # adds of a triangle
    punct legal standard w wEd5ne --from d5    # where that piece may go
    punct legal --file game.punct --ply 10     # ten turns into a game
    ```

    A finished game has none, which is no error: the exit code is 0. `-` reads many positions, and answers each with one
    line.
    """
    start = Space(origin) if origin is not None else None

    def found(position: Position) -> list[str]:
        return [move.text for move in position.legal_moves if _wanted(position, move, kind, start)]

    def counted(position: Position) -> int:
        return len(position.legal_moves if kind is None and start is None else found(position))

    if is_stream(words, file):

        def answer(line: str) -> tuple[str, Exit]:
            position = read_position([line])
            if count:
                return str(counted(position)), Exit.FINE
            moves = found(position)
            return json_text(moves) if as_json else " ".join(moves), Exit.FINE

        answer_lines(answer, as_json=as_json)
    position = find_position(words, file, game, ply)
    if count:
        print(counted(position))
    elif as_json:
        print(json_text(found(position)))
    else:
        for move in found(position):
            print(move)


def _wanted(position: Position, move: Move, kind: TurnKind | None, start: Space | None) -> bool:
    if start is not None and move.origin is not start:
        return False
    match kind:
        case None:
            return True
        case TurnKind.ADD:
            return move.is_add
        case TurnKind.MOVE:
            return not move.is_add
    piece = position.top(move.origin) if move.origin is not None else None
    return (move.kind or (piece and piece.kind)) is Kind(kind.value)


def explain(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="POSITION TURN",
            help="A position's text, or `-` to read it from standard input, and last the turn. "
            "Without a position: the start of the standard game.",
            show_default=False,
        ),
    ],
    file: RecordFile = None,
    game: GameNumber = 1,
    ply: Ply = None,
    as_json: AsJson = False,
) -> None:
    """Say whether a turn is legal, and if not, which rule it breaks.

    ```
    punct explain Ed5ne                        # legal
    punct explain Th9n                         # not in the standard game
    punct explain standard b wEd5ne Td5n       # what is in the way?
    punct explain --file game.punct --ply 10 d5-h9se
    ```

    The exit code is 0 for a legal turn, 1 for an illegal one, and 2 for a text that is no turn at all. `-` alone reads
    lines that each end in a turn, and answers each with one line; `- Ed5ne` asks about the same turn in many positions.
    """
    *position_words, turn = words
    if is_stream(words, file):

        def answer(line: str) -> tuple[str, Exit]:
            *before, asked = line.split() if words == [STANDARD_INPUT] else (line, turn)
            return _explained(read_position(before), asked, as_json)

        answer_lines(answer, as_json=as_json)
    text, code = _explained(find_position(position_words, file, game, ply), turn, as_json, between="\n")
    if as_json:
        print(text)
    else:
        lines().print(text, style="red" if code else "green", markup=False)
    raise typer.Exit(code)


def _explained(position: Position, turn: str, as_json: bool, between: str = " ") -> tuple[str, Exit]:
    """Return what is to be said about a turn, for people or for programs, and what the shell is told."""
    try:
        reason = position.explain(turn)
    except InvalidMoveError as error:
        from punct.cli.advice import suggest  # a legal turn needs no advice

        raise PunctError("\n".join([str(error), *suggest(position, turn)])) from None
    told = []
    if reason is not None:
        from punct.cli.advice import refusal

        told = refusal(position, turn, reason)
    code = Exit.FINE if reason is None else Exit.NO
    if as_json:
        data: dict[str, object] = {"turn": turn.strip(), "legal": reason is None}
        if reason is not None:
            data |= {"reason": reason.name, "section": reason.section, "words": told}
        return json_text(data, ascii_only=False), code
    if reason is None:
        return f"{position.parse(turn)} is legal.", code
    return between.join([f"{turn.strip()} is not legal. {told[0]}", *told[1:]]), code
