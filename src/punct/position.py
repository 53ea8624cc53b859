"""The rules of PÜNCT: a position, what may be played in it, and what that leads to.

Section letters in comments (E3.4, G, H …) are the rulebook's.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, Self

from punct.connection import connects, shortest_chain
from punct.contract import FROZEN, PositionLike, Start, read_start
from punct.errors import IllegalMoveError, InvalidPositionError, PunctError, expect_integer
from punct.geometry import BOARD, CENTRE, Heading, Space, spaces_of
from punct.legal import LegalMoves, may_play, moved
from punct.move import Move, MoveLike
from punct.notation import WrittenPiece, lowest_first, read_move, read_position, write_position
from punct.outcome import Ending, Outcome, Rules
from punct.piece import SET_SIZE, Colour, Kind, Piece, checked_piece, footprint, read_player, shared_piece
from punct.reason import Reason
from punct.refusal import Refusal, floor_below, refuse_add, refuse_shift, shape_fault

_FULL_SET: Final = {kind: kind.count for kind in Kind}


def as_position(start: Start) -> PositionLike:
    """Return the position itself, of whichever class it is, or the one that is meant."""
    return start if isinstance(start, PositionLike) else Position(start)


class _Played(NamedTuple):
    """What ``pop`` needs to put everything back exactly."""

    move: Move
    before: Piece | None
    after: Piece
    floors: list[int]
    shown: list[int]


class Position(PositionLike):
    """A position of the basic or the standard game.

    >>> position = Position()
    >>> len(position.legal_moves)
    4986
    >>> position.push("Ed5ne")
    Move.parse('Ed5ne')
    >>> str(position)
    'standard b wEd5ne'
    >>> position.explain("Ed5ne").sentence
    'a new piece starts at board level, on three empty spaces'
    """

    __slots__ = (
        "__weakref__",
        "_floors",
        "_frozen",
        "_in_set",
        "_outcome",
        "_outcome_known",
        "_played",
        "_rules",
        "_shown",
        "_stacks",
        "_turn",
    )  # fmt: skip

    def __init__(self, start: Start = "standard w") -> None:
        """Set up a position from its text, from the rules alone, or equal to another one without its history.

        Raises InvalidPositionError, which names the offending word.
        """
        written = read_position(read_start(start))
        self._rules = written.rules
        self._turn = written.turn
        self._floors: list[int] = [BOARD]
        self._shown = [0, 0]
        self._stacks: dict[Space, tuple[Piece, ...]] = {}
        self._in_set = (dict(_FULL_SET), dict(_FULL_SET))
        self._played: list[_Played] = []
        self._outcome: Outcome | None = None
        self._outcome_known = False
        self._frozen = False
        for piece in written.pieces:
            self._set_up(piece)
        self._look_from_above()

    # ------------------------------------------------------------------ what lies where

    @property
    def rules(self) -> Rules:
        """Which game is played."""
        return self._rules

    @property
    def turn(self) -> Colour:
        """Who is to move."""
        return self._turn

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece on the board, by level, then by its PÜNCT's column and row."""
        pieces = [piece for space, stack in self._stacks.items() for piece in stack if piece.space is space]
        pieces.sort(key=lowest_first)
        return tuple(pieces)

    def stack(self, space: Space | str) -> tuple[Piece, ...]:
        """Return the pieces with a dot on or above this space, lowest first. A bridge's middle dot counts."""
        if not isinstance(space, Space):
            space = Space(space)
        return self._stacks.get(space, ())

    def top(self, space: Space | str) -> Piece | None:
        """Return the piece whose dot shows on this space."""
        stack = self.stack(space)
        return stack[-1] if stack else None

    def height(self, space: Space | str) -> int:
        """Return the level of the dot that shows on this space; 0 if it is empty."""
        top = self.top(space)
        return top.level if top else 0

    def shown(self, colour: Colour) -> int:
        """Return the mask of the spaces that show this colour from above."""
        return self._shown[read_player(colour)]

    @property
    def floors(self) -> tuple[int, ...]:
        """By level, the mask of spaces whose top is there; level 0 is the empty board."""
        return tuple(self._floors)

    def floor(self, level: int) -> int:
        """Return the mask of the spaces whose top is at this level."""
        expect_integer(level, "a level is a whole number from 0 on")
        return self._floors[level] if 0 <= level < len(self._floors) else 0

    def in_set(self, colour: Colour) -> Mapping[Kind, int]:
        """Return how many pieces of each kind a player has still to add."""
        return MappingProxyType(self._in_set[read_player(colour)])

    def on_board(self, colour: Colour) -> int:
        """Return how many of a player's 18 pieces have been added."""
        return SET_SIZE - sum(self._in_set[read_player(colour)].values())

    def is_bridge(self, piece: Piece) -> bool:
        """Return whether the piece's middle dot hangs free, over a lower piece or an empty space (E4)."""
        middle = checked_piece(piece).middle
        return middle is not None and self._level_below(piece, middle) < piece.level - 1

    def blockers(self, piece: Piece) -> dict[Space, Piece]:
        """Return, by space, the piece right above each covered dot of this one; nothing if it is free (E3.3, E4.4)."""
        blockers = {}
        for space in checked_piece(piece).spaces:
            stack = self._stacks.get(space, ())
            if piece not in stack:
                raise PunctError(f"{piece} is not on the board at level {piece.level}")
            if stack[-1] != piece:
                blockers[space] = stack[stack.index(piece) + 1]
        return blockers

    def is_free(self, piece: Piece) -> bool:
        """Return whether nothing covers the piece, so that its owner may move it."""
        return all(self.top(space) == piece for space in checked_piece(piece).spaces)

    def free_pieces(self, colour: Colour) -> list[Piece]:
        """Return a player's pieces that may move, by their PÜNCT's column and row."""
        pieces = []
        colour = read_player(colour)
        for space, stack in self._stacks.items():
            piece = stack[-1]
            if piece.space is space and piece.colour is colour:
                _, first, second = piece.spaces
                if self._stacks[first][-1] is piece and self._stacks[second][-1] is piece:
                    pieces.append(piece)
        pieces.sort(key=lambda piece: piece.space.bit)
        return pieces

    def destinations(self, piece: Piece) -> dict[Space, dict[Heading, int]]:
        """Return where a free piece of the side to move may go: by the PÜNCT's space and heading, the level it gets."""
        destinations: dict[Space, dict[Heading, int]] = {}
        if self.outcome() or checked_piece(piece).colour is not self._turn or not self.is_free(piece):
            return destinations
        piece = self._stacks[piece.space][-1]  # which is equal, but perhaps not the same object
        for _, kind, heading, mask in moved(self, piece):
            for space in spaces_of(mask):
                destinations.setdefault(space, {})[heading] = self._landing_level(kind, space, heading, piece)
        return destinations

    @property
    def centre_is_closed(self) -> bool:
        """Whether the side to move may not add a piece that touches the central hexagon (E1.2, G)."""
        if self._rules is Rules.STANDARD:
            return True
        return self._turn is Colour.WHITE and self.on_board(Colour.WHITE) == 0

    # ------------------------------------------------------------------ playing

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves, as a lazy set: iterate, ``len()``, ``bool()``, ``in``, ``choice()``."""
        return LegalMoves(self)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves pushed so far, oldest first."""
        return tuple(played.move for played in self._played)

    def push(self, move: MoveLike) -> Move:
        """Play a move and return it in canonical form; raises IllegalMoveError, and then nothing has changed."""
        if self._frozen:
            raise PunctError(FROZEN)
        move, refusal = self._examine(move)
        if refusal is not None:
            raise IllegalMoveError(move, refusal.reason, str(self))
        if move.kind is not None:
            before = None
            after = shared_piece(self._turn, move.kind, move.space, move.heading, 1)
        else:
            assert move.origin is not None
            before = self._stacks[move.origin][-1]
            heading = before.kind.canonical(move.heading)
            move = Move.shift(move.origin, move.space, heading)
            level = self._landing_level(before.kind, move.space, heading, before)
            after = shared_piece(self._turn, before.kind, move.space, heading, level)
        self._played.append(_Played(move, before, after, self._floors, self._shown))
        self._floors, self._shown = self._floors[:], self._shown[:]
        if before is None:
            self._in_set[self._turn][after.kind] -= 1
        else:
            self._lift(before)
        self._lay(after)
        self._turn = self._turn.other
        self._outcome_known = False
        return move

    def pop(self) -> Move:
        """Take back the last move pushed and return it; raises IndexError if there is none."""
        if self._frozen:
            raise PunctError(FROZEN)
        if not self._played:
            raise IndexError("no move to take back")
        move, before, after, self._floors, self._shown = self._played.pop()
        self._turn = self._turn.other
        for space in after.spaces:
            self._stacks[space] = self._stacks[space][:-1]
        if before is None:
            self._in_set[self._turn][after.kind] += 1
        else:
            for space in before.spaces:
                self._stacks[space] = (*self._stacks.get(space, ()), before)
        for space in after.spaces:
            if not self._stacks[space]:
                del self._stacks[space]
        self._outcome, self._outcome_known = None, True  # or the move could not have been pushed
        return move

    def refusal(self, move: MoveLike) -> Refusal | None:
        """Return None if the move is legal here, else the rule it breaks and the spaces that are in its way."""
        return self._examine(move)[1]

    def parse(self, text: MoveLike) -> Move:
        """Read a move and return it as it is written canonically here; raises if it makes no sense or is not legal."""
        move, refusal = self._examine(text)
        if refusal is not None:
            raise IllegalMoveError(move, refusal.reason, str(self))
        if move.origin is None:
            return move
        return Move.shift(move.origin, move.space, self._stacks[move.origin][-1].kind.canonical(move.heading))

    # ------------------------------------------------------------------ how it stands

    def outcome(self) -> Outcome | None:
        """Return how the game has ended, or None while it goes on (F, H). Repetition is a game's business."""
        if not self._outcome_known:
            self._outcome = self._find_outcome()
            self._outcome_known = True
        return self._outcome

    def centre_count(self) -> tuple[int, int]:
        """Return how many dots White and Black show in the central hexagon (H)."""
        return (self._shown[0] & CENTRE).bit_count(), (self._shown[1] & CENTRE).bit_count()

    def chain(self, colour: Colour) -> tuple[Space, ...]:
        """Return a shortest chain with which a player joins two opposite sides; empty if there is none."""
        return shortest_chain(self._shown[read_player(colour)])

    @property
    def winning_chain(self) -> tuple[Space, ...]:
        """The winner's chain, from side to side, if the game was won by a connection."""
        outcome = self.outcome()
        if outcome is None or outcome.winner is None or outcome.reason is not Ending.CONNECTION:
            return ()
        return self.chain(outcome.winner)

    # ------------------------------------------------------------------ as a value

    def copy(self) -> Self:
        """Return an independent position with the same moves to take back."""
        other = object.__new__(type(self))
        other._rules, other._turn, other._frozen = self._rules, self._turn, False
        other._floors, other._shown = self._floors[:], self._shown[:]
        other._stacks = dict(self._stacks)
        other._in_set = (dict(self._in_set[0]), dict(self._in_set[1]))
        other._played = self._played[:]
        other._outcome, other._outcome_known = self._outcome, self._outcome_known
        return other

    def frozen(self) -> Self:
        """Return a copy that refuses to be played on, to hand out; its own ``copy()`` may be."""
        other = self.copy()
        other._frozen = True
        return other

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Position):
            return self._rules is other._rules and self._turn is other._turn and self._stacks == other._stacks
        return str(self) == str(other) if isinstance(other, PositionLike) else NotImplemented

    __hash__ = None  # positions change: use .key

    def __str__(self) -> str:
        return write_position(self._rules, self._turn, self.pieces)

    def __repr__(self) -> str:
        return f"Position({str(self)!r})"

    # ------------------------------------------------------------------ within

    def _set_up(self, written: WrittenPiece) -> None:
        """Put down one piece of a text, above the highest floor among its three spaces."""
        colour, kind, space, heading, token = written
        spaces = footprint(kind, space, heading)
        if spaces is None:
            raise InvalidPositionError(f"{token}: a dot of this piece would be off the board").about("off_board", token)
        if not self._in_set[colour][kind]:
            fault = f"{token}: {colour} has only {kind.count} pieces of kind {kind}"
            raise InvalidPositionError(fault).about("too_many", token)
        stacks = self._stacks
        below = [stacks.get(dot, ()) for dot in spaces]
        heights = [stack[-1].level if stack else 0 for stack in below]
        if shape_fault(kind, heights) is not None:
            raise InvalidPositionError(
                f"{token}: the piece lies neither flat nor as a bridge; the floors under its dots are at levels "
                + ", ".join(f"{dot} {height}" for dot, height in zip(spaces, heights, strict=True))
            ).about("support", token)
        self._in_set[colour][kind] -= 1
        piece = shared_piece(colour, kind, space, heading, max(heights) + 1)
        for dot, stack in zip(spaces, below, strict=True):
            stacks[dot] = (*stack, piece)

    def _look_from_above(self) -> None:
        """Find out what shows and how high, once everything lies."""
        masks: dict[tuple[int, Colour], int] = {}
        for space, stack in self._stacks.items():
            place = stack[-1].level, stack[-1].colour
            masks[place] = masks.get(place, 0) | 1 << space.bit
        for (level, colour), mask in sorted(masks.items()):
            while len(self._floors) <= level:
                self._floors.append(0)
            self._floors[0] ^= mask
            self._floors[level] |= mask
            self._shown[colour] |= mask

    def _lay(self, piece: Piece) -> None:
        mask = piece.mask
        self._floors = [floor & ~mask for floor in self._floors]
        while len(self._floors) <= piece.level:
            self._floors.append(0)
        self._floors[piece.level] |= mask
        while not self._floors[-1]:  # a piece that came down may leave the highest levels bare
            self._floors.pop()
        self._shown[piece.colour] |= mask
        self._shown[piece.colour.other] &= ~mask
        for space in piece.spaces:
            self._stacks[space] = (*self._stacks.get(space, ()), piece)

    def _lift(self, piece: Piece) -> None:
        mask = piece.mask
        self._floors[piece.level] &= ~mask
        self._shown[piece.colour] &= ~mask
        for space in piece.spaces:
            below = self._stacks[space][:-1]
            if below:
                self._stacks[space] = below
                self._floors[below[-1].level] |= space.mask
                self._shown[below[-1].colour] |= space.mask
            else:
                del self._stacks[space]
                self._floors[0] |= space.mask

    def _level_below(self, piece: Piece, space: Space) -> int:
        """Return the level of what lies right below a piece's dot; 0 for the board."""
        stack = self._stacks.get(space, ())
        if piece not in stack:
            raise PunctError(f"{piece} is not on the board at level {piece.level}")
        index = stack.index(piece)
        return stack[index - 1].level if index else 0

    def _landing_level(self, kind: Kind, space: Space, heading: Heading, lifted: Piece) -> int:
        spaces = footprint(kind, space, heading)
        assert spaces is not None
        floors = [floor_below(self, dot, lifted) for dot in spaces]
        return 1 + max(floor.level if floor else 0 for floor in floors)

    def _examine(self, move: MoveLike) -> tuple[Move, Refusal | None]:
        stated_kind = None
        if not isinstance(move, Move):
            move, stated_kind = read_move(move)
        if self.outcome():
            return move, Refusal(Reason.GAME_OVER)
        if move.kind is not None:
            return move, refuse_add(self, move.kind, move)
        return move, refuse_shift(self, move, stated_kind)

    def _find_outcome(self) -> Outcome | None:
        mover = self._turn.other
        for colour in (mover, self._turn):  # both at once: the player who just moved wins (reading 1)
            if connects(self._shown[colour]):
                return Outcome(colour, Ending.CONNECTION)
        all_added = any(self.on_board(colour) == SET_SIZE for colour in Colour)
        if not all_added and may_play(self):
            return None
        if self._rules is Rules.BASIC:
            return Outcome(None, Ending.LAST_PIECE if all_added else Ending.NO_TURN)
        white, black = self.centre_count()
        winner = None if white == black else Colour.WHITE if white > black else Colour.BLACK
        return Outcome(winner, Ending.CENTRE_COUNT if all_added else Ending.NO_TURN)
