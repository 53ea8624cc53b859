"""Moves: a piece added from the set, or a piece on the board moved, rotated, jumped or bridged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from punct.errors import PunctError, WrongTypeError, expect
from punct.geometry import Heading, Space, read_heading
from punct.piece import Kind, footprint

if TYPE_CHECKING:
    from punct.contract import PositionLike


class Move:
    """One move, whatever the position. There is one object for each, so moves compare and hash quickly.

    An add has a ``kind`` and no ``origin``; every other move has an ``origin`` and no ``kind``: the space of a PÜNCT
    tells which piece is meant.

    >>> Move.parse("Ed5ne")
    Move.parse('Ed5ne')
    >>> Move.parse("d5-h9se").origin
    Space('d5')
    """

    __slots__ = ("heading", "kind", "origin", "space", "text")

    kind: Kind | None
    origin: Space | None
    space: Space
    heading: Heading
    text: str

    def __new__(cls, kind: Kind | None, origin: Space | None, space: Space, heading: Heading) -> Move:
        """Return the move of that description; ``add`` and ``shift`` read better."""
        if (kind is None) == (origin is None):
            raise WrongTypeError("a move has either a kind (an add) or an origin (a piece on the board), not both")
        if kind is Kind.C:
            heading = kind.canonical(heading)
        key = (kind, origin, space, heading)
        try:
            move = _MOVES.get(key)
        except TypeError:  # no part of a move is unhashable
            move = None
        if move is None:
            _check_parts(*key)
            move = object.__new__(cls)
            object.__setattr__(move, "kind", kind)
            object.__setattr__(move, "origin", origin)
            object.__setattr__(move, "space", space)
            object.__setattr__(move, "heading", heading)
            start = kind.value if kind is not None else f"{origin}-"
            object.__setattr__(move, "text", f"{start}{space}{heading}")
            # setdefault: two threads may make the same move at once, and both must get one object.
            move = _MOVES.setdefault(key, move)
        return move

    @classmethod
    def add(cls, kind: Kind, space: Space, heading: Heading) -> Move:
        """Return the move that puts a piece from the set on the board."""
        return cls(kind, None, space, heading)

    @classmethod
    def shift(cls, origin: Space, space: Space, heading: Heading) -> Move:
        """Return the move that takes the piece whose PÜNCT is at ``origin`` to ``space``, pointing to ``heading``."""
        return cls(None, origin, space, heading)

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read a move; raises InvalidMoveError, which names what is wrong with the text."""
        from punct.notation import read_move  # notation knows moves; only this convenience looks back

        return read_move(text).move

    @property
    def is_add(self) -> bool:
        """Whether a piece comes from the set."""
        return self.origin is None

    @property
    def is_rotation(self) -> bool:
        """Whether the piece only rotates: its PÜNCT stays where it is."""
        return self.origin is self.space

    def spaces(self, position: PositionLike | None = None) -> tuple[Space, Space, Space]:
        """Return the three spaces the piece would cover, the PÜNCT's first, whether or not the move is legal.

        Which piece moves, only the position before the move can tell; an add needs none. Raises PunctError if there is
        no such piece or a dot would be off the board.

        >>> [str(space) for space in Move.parse("Ed5ne").spaces()]
        ['d5', 'e6', 'f7']
        """
        kind = self.kind
        if kind is None:
            if position is None:
                raise PunctError(f"{self}: which piece moves, only a position can tell; give the one before the move")
            assert self.origin is not None
            if not hasattr(position, "top"):
                raise WrongTypeError(f"a move is played in a Position, not in {type(position).__name__}")
            piece = position.top(self.origin)
            if piece is None or piece.space is not self.origin:
                raise PunctError(f"{self}: no piece shows its PÜNCT on {self.origin}")
            kind = piece.kind
        spaces = footprint(kind, self.space, kind.canonical(self.heading))
        if spaces is None:
            raise PunctError(f"{self}: a dot of this piece would be off the board")
        return spaces

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a move cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a move cannot be changed: {name}")

    def __reduce__(self) -> tuple[type[Move], tuple[Kind | None, Space | None, Space, Heading]]:
        return Move, (self.kind, self.origin, self.space, self.heading)

    def __copy__(self) -> Move:
        return self

    def __deepcopy__(self, memo: object) -> Move:
        return self

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move.parse({self.text!r})"

    def __lt__(self, other: Move) -> bool:
        """Order by text."""
        return self.text < other.text if isinstance(other, Move) else NotImplemented


class PackedMove(Protocol):
    """What ``kernel.Move`` is to the rules: a move that also knows which kind of piece moves."""

    @property
    def unpacked(self) -> Move:
        """The move."""

    @property
    def kind(self) -> Kind:
        """The kind of the piece, also of one that moves."""


MoveLike: TypeAlias = Move | str | PackedMove
"""Whatever is understood as a move: a ``Move``, its text, a ``kernel.Move``."""

_MOVES: Final[dict[tuple[Kind | None, Space | None, Space, Heading], Move]] = {}


def _check_parts(kind: object, origin: object, space: object, heading: object) -> None:
    """Raise WrongTypeError if these are not the parts of a move."""
    if kind is not None:
        expect(kind, Kind, "the kind of a move is a Kind, such as Kind.E")
    if origin is not None:
        expect(origin, Space, "the origin of a move is a Space, such as Space('d5')")
    expect(space, Space, "the space of a move is a Space, such as Space('d5')")
    read_heading(heading)
