"""The fast twin of ``punct.Position``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, Self

from punct import _kernel, legal
from punct import position as library
from punct.contract import FROZEN, Canonical, PositionLike, Start, read_start
from punct.errors import IllegalMoveError, PunctError
from punct.geometry import SPACES, Heading, Space
from punct.kernel import packed
from punct.kernel.arguments import percentage, seed_number, whole_number
from punct.kernel.packed import MOVE_CACHE, ORIENTATIONS, UNPACKED
from punct.move import Move, MoveLike
from punct.notation import lowest_first, read_move
from punct.outcome import Ending, Outcome, Rules
from punct.piece import SET_SIZE, Colour, Kind, Piece, read_player, shared_piece
from punct.reason import Reason
from punct.refusal import Refusal

if TYPE_CHECKING:  # imported where they are used: reading records does not need them
    from punct.kernel import study
    from punct.symmetry import Symmetry

_RULES: Final = (Rules.BASIC, Rules.STANDARD)
_REASONS: Final = tuple(Reason)
_COLOURS: Final = (Colour.WHITE, Colour.BLACK)
_KINDS: Final = tuple(kind for kind, _ in ORIENTATIONS)
_HEADINGS: Final = tuple(heading for _, heading in ORIENTATIONS)
_WINNERS: Final = (None, Colour.WHITE, Colour.BLACK, None)
_RESULTS: Final = ("*", "1-0", "0-1", "1/2-1/2")
_MAX_RANDOM_TURNS: Final = 1_000_000
_MAX_TEXT_LENGTH: Final = 1024  # longer texts are left to the library's reader, and so is anything but ASCII


class LegalMoves(legal.LegalMoves):
    """The legal moves of a position, as a lazy set."""

    __slots__ = ()

    _position: Position

    def __iter__(self) -> Iterator[Move]:
        return iter(self._position.track.moves(MOVE_CACHE, UNPACKED.__getitem__))

    def __len__(self) -> int:
        return self._position.track.count()

    def __bool__(self) -> bool:
        return not self._position.track.over()

    def _at(self, index: int) -> Move:
        number = self._position.track.move_at(index)
        if number is None:
            raise IndexError(index)
        return UNPACKED[number]


class Position(PositionLike):
    """A position with the same contract as ``punct.Position``, and the same errors, many times faster.

    The kernel answers frequent questions (legal moves, push, pop, outcome, text, refusals), the library those about
    single pieces, on a copy.

    >>> position = Position("basic w wTb9ne")
    >>> position.result(), len(position.legal_moves)
    ('*', 5927)
    """

    __slots__ = ("__weakref__", "_frozen", "_twin", "_twin_hash", "track")

    track: _kernel.Track
    """The kernel's own object: the position and the moves played in it. Moves may be played on it directly."""

    def __init__(self, start: Start = "standard w") -> None:
        """Set up a position from its text, from the rules alone, or equal to another one without its history.

        Raises InvalidPositionError, which names the offending word.
        """
        self._frozen = False
        self._twin: library.Position | None = None
        self._twin_hash = 0
        text = read_start(start)
        plain = _plain(text)
        track = None if plain is None else _kernel.Track.read(plain)
        if track is None:
            # The library raises the error, or reads what the kernel's simpler reader does not.
            track = _kernel.Track.read(str(library.Position(text)))
            assert track is not None
        self.track = track

    @classmethod
    def of(cls, track: _kernel.Track) -> Self:
        """Wrap one of the kernel's own objects."""
        position = object.__new__(cls)
        position.track = track
        position._frozen = False
        position._twin, position._twin_hash = None, 0
        return position

    @property
    def twin(self) -> library.Position:
        """A frozen library position equal to this one, without its history. Made when needed."""
        hash = self.track.hash  # changes also by moves that were played on the track itself
        if self._twin is None or self._twin_hash != hash:
            self._twin, self._twin_hash = library.Position(self.track.text()).frozen(), hash
        return self._twin

    # ------------------------------------------------------------------ playing

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves, as a lazy set: iterate, ``len()``, ``bool()``, ``in``, ``choice()``."""
        return LegalMoves(self)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves pushed so far, oldest first."""
        return tuple(UNPACKED[number] for number in self.track.played())

    def is_legal(self, move: object) -> bool:
        """Return whether this is a legal move here; anything that is not a move is not."""
        if isinstance(move, packed.Move):
            return self.track.is_legal(move)
        text = _plain(move)
        if text is not None and self.track.is_legal_text(text):
            return True
        # The library knows more kinds of blanks.
        return isinstance(move, str) and move != move.strip() and super().is_legal(move.strip())

    def pack(self, move: MoveLike) -> packed.Move:
        """Return a legal move packed; raises as ``push`` does if it is not legal."""
        return packed.Move(self._number(move))

    def _number(self, move: MoveLike) -> int:
        """Return the packed number of a legal move; the library raises the error, or reads unusual texts."""
        if isinstance(move, packed.Move):
            number = int(move) if self.track.is_legal(move) else None
        else:
            text = _plain(move)
            number = self.track.read_move(text) if text is not None and self.track.is_legal_text(text) else None
        if number is None:
            reason = self.twin.explain(move)
            if reason is not None:
                raise IllegalMoveError(read_move(move).move, reason, str(self))
            number = self.track.read_move(self.twin.parse(move).text)
            assert number is not None
        return number

    def push(self, move: MoveLike) -> Move:
        """Play a move and return it in canonical form; raises IllegalMoveError, and then nothing has changed."""
        if self._frozen:
            raise PunctError(FROZEN)
        text = _plain(move)
        number = None if text is None else self.track.push_text(text)
        if number is None:  # a packed move, or a text for the library
            number = self._number(move)
            self.track.push(number)
        return UNPACKED[number]

    def pop(self) -> Move:
        """Take back the last move pushed and return it; raises IndexError if there is none."""
        if self._frozen:
            raise PunctError(FROZEN)
        number = self.track.pop()
        if number is None:
            raise IndexError("no move to take back")
        return UNPACKED[number]

    def refusal(self, move: MoveLike) -> Refusal | None:
        """Return None if the move is legal here, else the rule it breaks and the spaces that are in its way."""
        text = _plain(move)
        refusal = None if text is None else self.track.refusal(text)
        if refusal is not None:
            reason, spaces = refusal
            return Refusal(_REASONS[reason], tuple(SPACES[number] for number in spaces))
        return None if self.is_legal(move) else self.twin.refusal(move)  # which raises if the text is not a move

    def parse(self, text: MoveLike) -> Move:
        """Read a move and return it in canonical form; raises if the text is not a move or it is not legal."""
        return UNPACKED[self._number(text)]

    # ------------------------------------------------------------------ state

    @property
    def rules(self) -> Rules:
        """Which game is played."""
        return _RULES[self.track.rules]

    @property
    def turn(self) -> Colour:
        """Who is to move."""
        return _COLOURS[self.track.turn]

    def outcome(self) -> Outcome | None:
        """Return how the game has ended, or None while it is open (F, H). Repetition is handled by ``Game``."""
        if not self.track.over():
            return None
        outcome, ending = self.track.verdict()
        last = Ending.CENTRE_COUNT if self.rules is Rules.STANDARD else Ending.LAST_PIECE
        return Outcome(_WINNERS[outcome], (last, Ending.CONNECTION, last, Ending.NO_TURN)[ending])

    def result(self) -> str:
        """Return ``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` while the game is open."""
        return _RESULTS[self.track.verdict()[0]]

    def centre_count(self) -> tuple[int, int]:
        """Return how many dots White and Black show in the central hexagon (H)."""
        return self.track.centre_count()

    def perft(self, depth: int, *, hashed: bool = False) -> int:
        """Count the leaves of the game tree at this depth; ``hashed`` counts repeated positions only once."""
        return self.track.perft(whole_number("depth", depth, 0, 64), bool(hashed))

    # ------------------------------------------------------------------ as a value

    @property
    def hash(self) -> int:
        """The kernel's 64-bit hash: equal for equal positions, almost never for others."""
        return self.track.hash

    def copy(self) -> Self:
        """Return an independent position with the same moves to take back."""
        return type(self).of(self.track.copy())

    def frozen(self) -> Self:
        """Return a copy that cannot be changed, to hand out; its own ``copy()`` can."""
        other = self.copy()
        other._frozen = True
        return other

    def __reduce__(self) -> tuple[object, tuple[str, tuple[int, ...], bool]]:
        start = self.track.copy()
        while start.pop() is not None:
            pass
        return _restored, (start.text(), tuple(self.track.played()), self._frozen)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Position):
            return self.track.equals(other.track)
        return self.track.text() == str(other) if isinstance(other, PositionLike) else NotImplemented

    __hash__ = None  # positions change: use .key

    def __str__(self) -> str:
        return self.track.text()

    def __repr__(self) -> str:
        return f"kernel.Position({str(self)!r})"

    # ------------------------------------------------------------------ for study and search

    def winning_moves(self, colour: Colour | None = None) -> list[Move]:
        """Return every move that joins two sides at once, for the side to move or as if it were ``colour``'s turn.

        Wins by the count in the centre are left out; ``analysis.wins_at_once`` has them too.
        """
        return [UNPACKED[n] for n in _kernel.wins(self.track, self._player(colour))]

    def blunders(self, colour: Colour | None = None) -> list[Move]:
        """Return every move that uncovers the opponent's chain without making one's own."""
        return [UNPACKED[n] for n in _kernel.blunders(self.track, self._player(colour))]

    def groups(self, colour: Colour) -> list[study.Group]:
        """Return the groups of adjoining dots that show this colour."""
        from punct.kernel import study

        return study.groups(self.track, read_player(colour))

    def distances(self, colour: Colour, pair: int) -> study.Distances:
        """Return how far a player is from joining a pair of sides: 0 columns a–q, 1 rows 1–17, 2 the slanting ones."""
        from punct.kernel import study

        return study.distances(self.track, read_player(colour), pair)

    def distance(self, colour: Colour) -> tuple[int, int, int]:
        """Return, by pair of sides, a player's distance to joining it: the ``shortest`` of ``distances``, quickly.

        0 means joined, 31 that far or farther.
        """
        first, second, third = _kernel.distance(self.track, read_player(colour))
        return first, second, third

    def evaluate(self) -> float:
        """Return the static evaluation: the winning chance of the side to move, from 0 to 1.

        Where the game is over it is the result: 1 won, 0 lost, 0.5 drawn.
        """
        return _kernel.evaluate(self.track)

    def score_moves(self, most: int = 32) -> list[tuple[Move, float]]:
        """Return the search's candidates, best first, with their priors, which sum to 1."""
        return [(UNPACKED[number], prior) for number, prior in _kernel.score_moves(self.track, checked_count(most))]

    def canonical(self) -> Canonical[Self]:
        """Return the alphabetically first of its twelve images, and the symmetry that leads there."""
        from punct.symmetry import SYMMETRIES

        track, number = _kernel.canonical(self.track)
        return Canonical(type(self).of(track), SYMMETRIES[number])

    def transformed(self, symmetry: Symmetry | int) -> Self:
        """Return the position's image under one of the board's symmetries (or its number), without history.

        0–5: rotated by that many sixths clockwise; 6–11: mirrored left to right, then rotated. Mirroring swaps L and R.
        """
        from punct.symmetry import Symmetry

        return type(self).of(_kernel.transformed(self.track, Symmetry.of(symmetry).number))

    def play_random(self, seed: int, turns: int, *, raised: int = 0, bridge: int = 0, moved: int = 0) -> list[Move]:
        """Push up to ``turns`` pseudo-random moves (a million at most), fewer if the game ends, and return them.

        The percentages make jumps (``raised``), bridges among them, and otherwise moves rather than adds more likely.
        """
        if self._frozen:
            raise PunctError(FROZEN)
        numbers = _kernel.play_random(
            self.track,
            seed_number(seed),
            whole_number("turns", turns, 0, _MAX_RANDOM_TURNS),
            percentage("raised", raised),
            percentage("bridge", bridge),
            percentage("moved", moved),
        )
        return [UNPACKED[n] for n in numbers]

    def _player(self, colour: Colour | None) -> Colour:
        """Return the player who is named, or whose turn it is."""
        return self.turn if colour is None else read_player(colour)

    # ------------------------------------------------------------------ answered by the library

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece on the board, by level, then by its PÜNCT's column and row."""
        pieces = [
            shared_piece(
                _COLOURS[number >= SET_SIZE], _KINDS[orientation], SPACES[space], _HEADINGS[orientation], level
            )
            for number, orientation, space, level, _, _, _ in self.track.pieces()
        ]
        pieces.sort(key=lowest_first)
        return tuple(pieces)

    def stack(self, space: Space | str) -> tuple[Piece, ...]:
        """Return the pieces with a dot on or above this space, lowest first."""
        return self.twin.stack(space)

    def top(self, space: Space | str) -> Piece | None:
        """Return the piece whose dot shows on this space."""
        return self.twin.top(space)

    def height(self, space: Space | str) -> int:
        """Return the level of the dot that shows on this space; 0 if it is empty."""
        return self.twin.height(space)

    def shown(self, colour: Colour) -> int:
        """Return the mask of the spaces that show this colour from above."""
        return self.track.shown(read_player(colour))

    @property
    def floors(self) -> tuple[int, ...]:
        """By level, the mask of spaces whose top is there; level 0 is the empty board."""
        return self.twin.floors

    def floor(self, level: int) -> int:
        """Return the mask of the spaces whose top is at this level."""
        return self.twin.floor(whole_number("level", level, 0, 2 * SET_SIZE))

    def in_set(self, colour: Colour) -> Mapping[Kind, int]:
        """Return how many pieces of each kind a player has still to add."""
        return self.twin.in_set(read_player(colour))

    def on_board(self, colour: Colour) -> int:
        """Return how many of a player's 18 pieces have been added."""
        return self.twin.on_board(read_player(colour))

    def is_bridge(self, piece: Piece) -> bool:
        """Return whether the piece lies as a bridge (E4)."""
        return self.twin.is_bridge(piece)

    def blockers(self, piece: Piece) -> dict[Space, Piece]:
        """Return, by space, the piece right above each covered dot of this one."""
        return self.twin.blockers(piece)

    def is_free(self, piece: Piece) -> bool:
        """Return whether nothing covers the piece."""
        return self.twin.is_free(piece)

    def free_pieces(self, colour: Colour) -> list[Piece]:
        """Return a player's pieces that may move, by their PÜNCT's column and row."""
        return self.twin.free_pieces(colour)

    def destinations(self, piece: Piece) -> dict[Space, dict[Heading, int]]:
        """Return where a free piece of the side to move may go: by the PÜNCT's space and heading, the level it gets."""
        return self.twin.destinations(piece)

    @property
    def centre_is_closed(self) -> bool:
        """Whether the side to move may not add a piece that touches the central hexagon (E1.2, G)."""
        return self.twin.centre_is_closed

    def chain(self, colour: Colour) -> tuple[Space, ...]:
        """Return a shortest chain with which a player joins two opposite sides; empty if there is none."""
        return self.twin.chain(read_player(colour))

    @property
    def winning_chain(self) -> tuple[Space, ...]:
        """The winner's chain, from side to side, if the game was won by a connection."""
        return self.twin.winning_chain


def checked_count(most: int) -> int:
    """Return a maximum number of moves; raises PunctError if it is not a positive integer."""
    return whole_number("most", most, 1, 1 << 30)


def as_kernel(position: Start) -> Position:
    """Return the position itself if it is the kernel's, else an equal one."""
    return position if isinstance(position, Position) else Position(position)


def _plain(move: object) -> str | None:
    """Return a text for the kernel's reader; None if only the library may read it."""
    if isinstance(move, Move):
        return move.text
    return move if isinstance(move, str) and len(move) <= _MAX_TEXT_LENGTH and move.isascii() else None


def _restored(text: str, numbers: tuple[int, ...], frozen: bool = False) -> Position:
    """Rebuild a pickled position."""
    position = Position(text)
    for number in numbers:
        if not position.track.push(number):
            raise PunctError(f"{number} is not a legal packed move in {position}")
    position._frozen = frozen
    return position
