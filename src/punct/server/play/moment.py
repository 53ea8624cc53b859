"""One moment of a game, looked at closely: pieces with names that stay, what is legal, what the last move changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter
from typing import Final, NamedTuple

from punct import kernel
from punct.connection import shortest_chain
from punct.errors import InvalidMoveError
from punct.geometry import LINE, SPACES, Heading, Space
from punct.kernel.packed import ORIENTATIONS
from punct.move import Move
from punct.outcome import Ending, Outcome, Rules
from punct.piece import SET_SIZE, Colour, Kind, footprints
from punct.reason import Reason
from punct.refusal import Refusal

LISTED: Final = 12
"""How many moves a threat names."""
_FROM_SET: Final = 255
_ORIGIN: Final[dict[int, Space | None]] = {_FROM_SET: None, **dict(enumerate(SPACES))}
_NUMBER: Final = {space: number for number, space in enumerate(SPACES)}
_COLOURS: Final = tuple(Colour)


class Manner(StrEnum):
    """How a piece was played: from the set; along the board; rotated in place; onto other pieces; as a bridge."""

    ADD = "add"
    MOVE = "move"
    ROTATE = "turn"
    JUMP = "jump"
    BRIDGE = "bridge"


class PieceOnBoard(NamedTuple):
    """A piece with its name, such as ``wT1``, which stays with it for the whole game."""

    name: str
    colour: Colour
    kind: Kind
    space: Space
    heading: Heading
    level: int
    spaces: tuple[Space, Space, Space]
    bridge: bool
    below: tuple[tuple[Space, str], ...]
    """By covered space: the name of the piece right below."""
    above: tuple[tuple[Space, str], ...]
    """By space: the name of the piece that lies right on it."""


Landings = tuple[Space | None, Kind, Heading, int]
"""Some legal moves: a piece's PÜNCT, None if it comes from the set; its kind; a heading; and where it may come to lie,
a bit for each of ``SPACES`` by its number. A plain tuple: there are some fifty in each position."""


class Threat(NamedTuple):
    """With which moves a player would connect at once, were it that player's turn."""

    moves: tuple[Move, ...]
    chain: tuple[Space, ...]
    """The chain the first of them would make."""


class LastMove(NamedTuple):
    """The move that led to a position, with everything that changed."""

    move: Move
    piece: PieceOnBoard
    manner: Manner
    before: PieceOnBoard | None
    """The piece as it lay before; None if it came from the set."""
    path: tuple[Space, ...]
    """The PÜNCT's way, both ends included; just its space if it stayed."""
    uncovered: tuple[tuple[Space, str], ...]
    """Spaces it left, with the piece that shows there now."""
    emptied: tuple[Space, ...]
    """Spaces it left with nothing on them."""


class Judged(NamedTuple):
    """A heading, and why the piece may not lie so; None if it may."""

    heading: Heading
    refusal: Refusal | None


class Explanation(NamedTuple):
    """Whether a move is legal, or, for a piece and a space without a heading, whether any heading is."""

    move: Move | None
    """None if the text is no move, or has no heading."""
    fault: str | None
    """Why the text is no move."""
    headings: tuple[Judged, ...]
    """What was judged: one heading, or all that the piece has, clockwise; nothing if the text is no move."""

    @property
    def legal(self) -> bool:
        """Whether it can be played, with one heading at least."""
        return any(judged.refusal is None for judged in self.headings)

    @property
    def reason(self) -> Reason | None:
        """The rule that is broken; of several, the one that forbids most headings."""
        if self.legal or not self.headings:
            return None
        reasons = Counter(judged.refusal.reason for judged in self.headings if judged.refusal)
        return reasons.most_common(1)[0][0]

    @property
    def spaces(self) -> tuple[Space, ...]:
        """What is in the way whatever the heading; if there is no such space, what is in the way of any."""
        if self.legal:
            return ()
        refused = [judged.refusal.spaces for judged in self.headings if judged.refusal]
        always = [space for space in refused[0] if all(space in spaces for spaces in refused)] if refused else []
        return tuple(always or dict.fromkeys(space for spaces in refused for space in spaces))


@dataclass(frozen=True, slots=True)
class Moment:
    """A position as somebody sees it who is to play in it."""

    ply: int
    text: str
    rules: Rules
    turn: Colour
    pieces: tuple[PieceOnBoard, ...]
    """By level, then by the PÜNCT's column and row."""
    in_set: tuple[Mapping[Kind, int], Mapping[Kind, int]]
    centre: tuple[int, int]
    chain: tuple[Space, ...]
    outcome: Outcome | None
    legal: tuple[Landings, ...]
    threats: tuple[Threat, Threat]
    last: LastMove | None


def look(position: kernel.Position, outcome: Outcome | None) -> Moment:
    """Look at a position; the game it belongs to says how it ended, for it knows more than the position does."""
    # By level, then by space: so they are drawn.
    pieces = tuple(map(_piece, sorted(position.track.pieces(), key=itemgetter(3, 2))))
    in_set: tuple[dict[Kind, int], dict[Kind, int]] = ({kind: kind.count for kind in Kind}, {k: k.count for k in Kind})
    for piece in pieces:
        in_set[piece.colour][piece.kind] -= 1
    legal: tuple[Landings, ...] = ()
    threats = (_NO_THREAT, _NO_THREAT)
    chain: tuple[Space, ...] = ()
    if outcome is None:
        legal = tuple(
            (_ORIGIN[origin], *ORIENTATIONS[orientation], spaces)
            for orientation, origin, spaces in position.track.landings(numbered=True)
        )
        threats = (_threat(position, Colour.WHITE), _threat(position, Colour.BLACK))
    elif outcome.reason is Ending.CONNECTION and outcome.winner is not None:
        chain = shortest_chain(_shown(pieces, outcome.winner))
    moves = position.track.played()
    return Moment(
        ply=len(moves),
        text=str(position),
        rules=position.rules,
        turn=position.turn,
        pieces=pieces,
        in_set=in_set,
        centre=position.centre_count(),
        chain=chain,
        outcome=outcome,
        legal=legal,
        threats=threats,
        last=_last(position) if moves else None,
    )


def manner_of(move: Move, position: kernel.Position) -> tuple[Kind, Manner, int]:
    """Return which kind of piece the last move of a position played, how, and onto which level."""
    found = position.track.piece(_NUMBER[move.space])
    assert found is not None
    _, orientation, _, level, bridge, _, _ = found
    return ORIENTATIONS[orientation][0], _manner(move, level, bridge), level


def explain(position: kernel.Position, outcome: Outcome | None, text: str, *, any_heading: bool = False) -> Explanation:
    """Say whether a move is legal in a position of a game, and if not, why.

    With ``any_heading`` the text names a piece and a space only (``Td5``, ``d5-h9``), and all headings are judged.
    """
    try:
        moves = [Move.parse(f"{text}{heading}") for heading in Heading] if any_heading else [Move.parse(text)]
    except InvalidMoveError as error:
        return Explanation(None, str(error), ())
    if any_heading:
        kind = _kind_of(position, moves[0])
        moves = [move for move in dict.fromkeys(moves) if kind is None or kind.canonical(move.heading) is move.heading]
        texts = [str(move) for move in moves]
    else:
        texts = [text]  # it may state a kind, which the move itself does not
    refusals = [Refusal(Reason.GAME_OVER) if outcome else position.refusal(text) for text in texts]
    headings = tuple(Judged(move.heading, refusal) for move, refusal in zip(moves, refusals, strict=True))
    if any_heading:
        return Explanation(None, None, headings)
    return Explanation(position.parse(text) if refusals[0] is None else moves[0], None, headings)


# ---------------------------------------------------------------------- within

_NO_THREAT: Final = Threat((), ())


def _kind_of(position: kernel.Position, move: Move) -> Kind | None:
    """Return which kind of piece a move is about; None if it moves nobody's PÜNCT."""
    if move.origin is None:
        return move.kind
    found = position.track.piece(_NUMBER[move.origin])
    return None if found is None else ORIENTATIONS[found[1]][0]


def _names() -> tuple[str, ...]:
    """By the kernel's number: a piece's name."""
    in_order = [f"{kind}{number}" for kind in Kind for number in range(1, kind.count + 1)]
    return tuple(f"{colour.letter}{name}" for colour in Colour for name in in_order)


_NAMES: Final = (*_names(), None)  # the last is nobody's


def _piece(found: tuple[int, int, int, int, bool, tuple[int, int, int], tuple[int, int, int]]) -> PieceOnBoard:
    number, orientation, place, level, bridge, under, over = found
    kind, heading = ORIENTATIONS[orientation]
    space = SPACES[place]
    spaces = footprints(kind, heading)[space]
    name = _NAMES[number]
    assert name is not None
    return PieceOnBoard(
        name,
        _COLOURS[number // SET_SIZE],
        kind,
        space,
        heading,
        level,
        spaces,
        bridge,
        _named(spaces, under) if level > 1 else (),
        _named(spaces, over),
    )


def _named(spaces: tuple[Space, Space, Space], numbers: tuple[int, int, int]) -> tuple[tuple[Space, str], ...]:
    return tuple(
        (space, name) for space, number in zip(spaces, numbers, strict=True) if (name := _NAMES[number]) is not None
    )


def _shown(pieces: tuple[PieceOnBoard, ...], colour: Colour) -> int:
    """Return the mask of the spaces that show a colour."""
    mask = 0
    for piece in pieces:
        if piece.colour is colour:
            covered = {space for space, _ in piece.above}
            for space in piece.spaces:
                if space not in covered:
                    mask |= space.mask
    return mask


def _threat(position: kernel.Position, colour: Colour) -> Threat:
    wins = position.winning_moves(colour)
    if not wins:
        return _NO_THREAT
    # Played as if it were this player's turn.
    rules, _, pieces = (*str(position).split(maxsplit=2), "")[:3]
    after = kernel.Position(f"{rules} {colour.letter} {pieces}")
    after.push(wins[0])
    return Threat(tuple(wins), shortest_chain(_shown(tuple(map(_piece, after.track.pieces())), colour)))


def _last(position: kernel.Position) -> LastMove:
    before = position.copy()
    move = before.pop()
    found = position.track.piece(_NUMBER[move.space])
    assert found is not None
    piece = _piece(found)
    manner = _manner(move, piece.level, piece.bridge)
    if move.origin is None:
        return LastMove(move, piece, manner, None, (move.space,), (), ())
    was = before.track.piece(_NUMBER[move.origin])
    assert was is not None
    lay = _piece(was)
    left = [space for space in lay.spaces if space not in piece.spaces]
    shows = [(space, _NAMES[position.track.top(_NUMBER[space])]) for space in left]
    return LastMove(
        move,
        piece,
        manner,
        lay,
        _path(move.origin, move.space),
        tuple((space, name) for space, name in shows if name is not None),
        tuple(space for space, name in shows if name is None),
    )


def _manner(move: Move, level: int, bridge: bool) -> Manner:
    if move.is_add:
        return Manner.ADD
    if bridge:
        return Manner.BRIDGE
    if move.is_rotation:
        return Manner.ROTATE
    return Manner.JUMP if level > 1 else Manner.MOVE


def _path(origin: Space, space: Space) -> tuple[Space, ...]:
    """Return the spaces from one to another on its line, both included."""
    for heading in Heading:
        line = LINE[origin.bit][heading]
        if space in line:
            return (origin, *line[: line.index(space) + 1])
    return (space,)
