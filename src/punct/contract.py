"""The contract of positions, for the readable rules and for the kernel.

``punct.Position`` and ``punct.kernel.Position`` both implement it. What follows from its abstract methods (setting up,
symmetry, impossible positions) is implemented here once, for both.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, Self, TypeAlias, TypeVar

from punct.errors import InvalidPositionError, PunctError, WrongTypeError, expect, shorten
from punct.geometry import Heading, Space
from punct.move import Move, MoveLike
from punct.notation import write_position
from punct.outcome import Outcome, Rules
from punct.piece import Colour, Kind, Piece, checked_piece, read_player
from punct.reason import Reason
from punct.refusal import Refusal

if TYPE_CHECKING:
    from punct.legal import LegalMoves
    from punct.symmetry import Symmetry


FROZEN: Final = "this position is read-only: play on in its copy(), or with game.push() if it is a game's"
"""The error message for changes of a frozen position."""


class PositionLike(ABC):
    """A position of either class, for functions that do not change it."""

    __slots__ = ()

    @abstractmethod
    def __init__(self, start: Start = "standard w") -> None:
        """Set up a position from its text, from the rules alone, or equal to another one without its history."""

    # ------------------------------------------------------------------ what lies where

    @property
    @abstractmethod
    def rules(self) -> Rules:
        """Which game is played."""

    @property
    @abstractmethod
    def turn(self) -> Colour:
        """Who is to move."""

    @property
    @abstractmethod
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece on the board, by level, then by its PÜNCT's column and row."""

    @abstractmethod
    def stack(self, space: Space | str) -> tuple[Piece, ...]:
        """Return the pieces with a dot on or above this space, lowest first. A bridge's middle dot counts."""

    @abstractmethod
    def top(self, space: Space | str) -> Piece | None:
        """Return the piece whose dot shows on this space."""

    @abstractmethod
    def height(self, space: Space | str) -> int:
        """Return the level of the dot that shows on this space; 0 if it is empty."""

    @abstractmethod
    def shown(self, colour: Colour) -> int:
        """Return the mask of the spaces that show this colour from above."""

    @property
    @abstractmethod
    def floors(self) -> tuple[int, ...]:
        """By level, the mask of spaces whose top is there; level 0 is the empty board."""

    @abstractmethod
    def floor(self, level: int) -> int:
        """Return the mask of the spaces whose top is at this level."""

    @abstractmethod
    def in_set(self, colour: Colour) -> Mapping[Kind, int]:
        """Return how many pieces of each kind a player has still to add."""

    @abstractmethod
    def on_board(self, colour: Colour) -> int:
        """Return how many of a player's 18 pieces have been added."""

    @abstractmethod
    def is_bridge(self, piece: Piece) -> bool:
        """Return whether the piece's middle dot hangs free, over a lower piece or an empty space (E4)."""

    @abstractmethod
    def blockers(self, piece: Piece) -> dict[Space, Piece]:
        """Return, by space, the piece right above each covered dot of this one; nothing if it is free (E3.3, E4.4)."""

    @abstractmethod
    def is_free(self, piece: Piece) -> bool:
        """Return whether nothing covers the piece, so that its owner may move it."""

    @abstractmethod
    def free_pieces(self, colour: Colour) -> list[Piece]:
        """Return a player's pieces that may move, by their PÜNCT's column and row."""

    @abstractmethod
    def destinations(self, piece: Piece) -> dict[Space, dict[Heading, int]]:
        """Return where a free piece of the side to move may go: by the PÜNCT's space and heading, the level it gets."""

    @property
    @abstractmethod
    def centre_is_closed(self) -> bool:
        """Whether the side to move may not add a piece that touches the central hexagon (E1.2, G)."""

    def lines(self, piece: Piece) -> dict[Heading, tuple[Space, ...]]:
        """Return the six lines the piece's PÜNCT may follow, nearest space first (E2.2)."""
        return {heading: checked_piece(piece).space.line(heading) for heading in Heading}

    # ------------------------------------------------------------------ playing

    @property
    @abstractmethod
    def legal_moves(self) -> LegalMoves:
        """The legal moves, as a lazy set: iterate, ``len()``, ``bool()``, ``in``, ``choice()``."""

    @property
    @abstractmethod
    def moves(self) -> tuple[Move, ...]:
        """The moves pushed so far, oldest first."""

    @abstractmethod
    def push(self, move: MoveLike) -> Move:
        """Play a move and return it in canonical form; raises IllegalMoveError, and then nothing has changed."""

    @abstractmethod
    def pop(self) -> Move:
        """Take back the last move pushed and return it; raises IndexError if there is none."""

    def explain(self, move: MoveLike) -> Reason | None:
        """Return None if the move is legal here, else the rule it breaks, with a sentence for players.

        Of several rules broken it is the most telling one: what no heading could mend comes before what depends on the
        heading.
        """
        refusal = self.refusal(move)
        return None if refusal is None else refusal.reason

    @abstractmethod
    def refusal(self, move: MoveLike) -> Refusal | None:
        """Return None if the move is legal here, else the rule it breaks and the spaces that are in its way.

        >>> from punct import Position
        >>> refusal = Position("standard w wTd5n bTd8n").refusal("d5-d8n")
        >>> refusal.reason.name, [str(space) for space in refusal.spaces]
        ('PUNCT_ON_OPPONENT', ['d8'])
        """

    @abstractmethod
    def parse(self, text: MoveLike) -> Move:
        """Read a move and return it as it is written canonically here; raises if it makes no sense or is not legal."""

    def is_legal(self, move: object) -> bool:
        """Return whether this may be played; what makes no sense may not."""
        try:
            return self.explain(move) is None  # type: ignore[arg-type]  # whatever it is: it is refused
        except PunctError:
            return False

    # ------------------------------------------------------------------ how it stands

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return how the game has ended, or None while it goes on (F, H). Repetition is a game's business."""

    def result(self) -> str:
        """Return ``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` while the game goes on."""
        outcome = self.outcome()
        return outcome.result() if outcome else "*"

    @abstractmethod
    def centre_count(self) -> tuple[int, int]:
        """Return how many dots White and Black show in the central hexagon (H)."""

    @abstractmethod
    def chain(self, colour: Colour) -> tuple[Space, ...]:
        """Return a shortest chain with which a player joins two opposite sides; empty if there is none."""

    @property
    @abstractmethod
    def winning_chain(self) -> tuple[Space, ...]:
        """The winner's chain, from side to side, if the game was won by a connection."""

    def status(self) -> tuple[str, ...]:
        """Return, in words, what shows that no game can lead here; nothing if there is no such evidence.

        >>> from punct import Position
        >>> Position("standard w wTd5n").status()
        ('White is to move and has pieces on the board, but Black has none: Black would have had to add one',)
        """
        from punct.status import impossible  # loaded only when needed, as symmetry is: the plain commands need neither

        return tuple(impossible(self))

    # ------------------------------------------------------------------ setting up

    @classmethod
    def from_pieces(
        cls, pieces: Iterable[Piece | str], turn: Colour = Colour.WHITE, rules: Rules | str = Rules.STANDARD
    ) -> Self:
        """Set up a position from pieces (or their texts); raises InvalidPositionError if they cannot lie so.

        Pieces are put down by level, and at board level in the order given: one that comes later may lie on one that
        came earlier, and gets the level it finds there. A higher level that was stated must come true.

        >>> from punct import Position
        >>> print(Position.from_pieces(["wEb3n", "bEd3n", "wEb3se"], Colour.BLACK, "basic"))
        basic b wEb3n bEd3n wEb3se
        """
        expect(pieces, Iterable, "pieces are several pieces, or their texts")
        read = [_piece(piece) for piece in pieces]
        read.sort(key=lambda piece: piece.level)
        position = cls(" ".join((read_rules(rules).value, read_player(turn).letter, *map(str, read))))
        stated = {piece for piece in read if piece.level > 1}
        wrong = stated.difference(position.pieces)
        if wrong:
            piece = min(wrong, key=lambda piece: (piece.level, str(piece)))
            raise InvalidPositionError(f"{piece}: it would not lie at level {piece.level} on what is below it")
        return position

    def with_piece(self, piece: Piece | str) -> Self:
        """Return the position with one more piece, put down on what lies there, whatever the rules say about adding."""
        return type(self)(f"{self} {_piece(piece)}")

    def without(self, piece: Piece | Space | str) -> Self:
        """Return the position without a free piece: the piece itself, or the space or name of a space it shows on."""
        if isinstance(piece, str) and piece[:1] in "wb" and piece[1:2].isupper():
            piece = Piece.parse(piece)
            top = self.top(piece.space)
        elif isinstance(piece, Piece):
            top = self.top(piece.space)
        elif isinstance(piece, Space | str):
            top = self.top(piece)
            if top is None:
                raise PunctError(f"there is no piece on {piece}")
            piece = top
        else:
            raise WrongTypeError(f"{shorten(piece)} is not a piece: give a Piece, its text, or a space it shows on")
        if top is None or str(top) != str(piece):
            raise PunctError(f"{piece} does not show its PÜNCT on the board")
        blockers = self.blockers(top)
        if blockers:
            above = " and ".join(sorted({str(blocker) for blocker in blockers.values()}))
            raise PunctError(f"{top} lies under {above}; take that away first")
        return self._with_pieces(self.turn, (other for other in self.pieces if other != top))

    def with_turn(self, turn: Colour) -> Self:
        """Return the position with this colour to move."""
        return self._with_pieces(read_player(turn), self.pieces)

    def swapped(self) -> Self:
        """Return the position with the colours of all pieces and of the side to move swapped."""
        pieces = (Piece(p.colour.other, p.kind, p.space, p.heading, p.level) for p in self.pieces)
        return self._with_pieces(self.turn.other, pieces)

    def _with_pieces(self, turn: Colour, pieces: Iterable[Piece]) -> Self:
        return type(self)(write_position(self.rules, turn, pieces))

    # ------------------------------------------------------------------ symmetry

    def transformed(self, symmetry: Symmetry | int) -> Self:
        """Return the position as one of the board's symmetries (or its number) shows it, without history."""
        from punct.symmetry import Symmetry

        return self._with_pieces(self.turn, map(Symmetry.of(symmetry).piece, self.pieces))

    def canonical(self) -> Canonical[Self]:
        """Return the one of its twelve mirror images that is written first in the alphabet, and the way there.

        Positions that differ only by a symmetry of the board have the same canonical one.

        >>> from punct import Position
        >>> position, symmetry = Position("standard b wLb9ne").canonical()
        >>> print(position, symmetry)
        standard b wLb2n Symmetry(sixths=5, mirrored=False)
        """
        from punct.symmetry import SYMMETRIES, least_of

        number, text = least_of(self.rules.value, self.turn.letter, self.pieces)
        return Canonical(type(self)(text), SYMMETRIES[number])

    # ------------------------------------------------------------------ as a value

    @abstractmethod
    def copy(self) -> Self:
        """Return an independent position with the same moves to take back."""

    @abstractmethod
    def frozen(self) -> Self:
        """Return a copy that refuses to be played on, to hand out; its own ``copy()`` may be."""

    @property
    def key(self) -> str:
        """A value equal for equal positions (rules, side to move, every piece with its level), for sets and dicts."""
        return str(self)

    @abstractmethod
    def __str__(self) -> str:
        """Return the canonical text."""

    @abstractmethod
    def __eq__(self, other: object) -> bool:
        """Compare by value, also with the other class."""

    __hash__ = None  # type: ignore[assignment]  # positions change: use .key

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def _repr_svg_(self) -> str:
        """Return the picture a notebook shows, with the last move pushed."""
        from punct.picture import svg  # pictures stand above the rules; only this convenience looks up

        moves = self.moves
        return svg(self, last_move=moves[-1] if moves else None, size=480)


Start: TypeAlias = PositionLike | Rules | str
"""What a position can be set up from: its text, ``basic`` or ``standard`` alone, ``Rules``, another position."""

P_co = TypeVar("P_co", bound=PositionLike, covariant=True)


class Canonical(NamedTuple, Generic[P_co]):
    """A canonical position, and the symmetry that leads to it."""

    position: P_co
    symmetry: Symmetry


_STARTS: Final = {rules.value: f"{rules.value} {Colour.WHITE.letter}" for rules in Rules}


def read_start(start: Start) -> str:
    """Return the text of the position that is meant."""
    if isinstance(start, str):
        return _STARTS.get(start.strip(), start) if len(start) < 20 else start
    if isinstance(start, Rules):
        return _STARTS[start.value]
    if isinstance(start, PositionLike):
        return str(start)
    raise WrongTypeError(
        f"a position is set up from its text (such as 'standard w'), Rules or another position, "
        f"not {type(start).__name__}"
    )


def read_rules(rules: Rules | str) -> Rules:
    """Return the rules, also from their name."""
    try:
        return Rules(rules)
    except ValueError:
        raise InvalidPositionError(f"{shorten(rules)} is not a set of rules: write basic or standard") from None


def _piece(piece: object) -> Piece:
    if isinstance(piece, Piece):
        return piece
    return Piece.parse(piece)  # type: ignore[arg-type]  # it refuses what is no text
