"""A game at one revision: a stored game with its moves replayed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from punct import kernel
from punct.errors import PunctError
from punct.game import Game, load_moves
from punct.geometry import SPACES
from punct.history import REPETITIONS_TO_DRAW
from punct.kernel.packed import ORIENTATIONS
from punct.move import Move
from punct.notation import read_move
from punct.outcome import Ending, Outcome
from punct.piece import Colour, Kind
from punct.server.clock import utc_now
from punct.server.errors import BrokenGameError
from punct.server.games.errors import GameOverError, NotPossibleError, UnknownPlyError, WrongPlyError
from punct.server.games.model import StoredClock, StoredGame, StoredMove, StoredSeat, engine_name
from punct.server.games.time_control import clock_after_move, clock_after_undo, seconds_taken, stop_clock
from punct.server.positions.setup import canonical_position

MAX_PLIES: Final = 2000
"""After this many moves a game cannot continue; real games have 30 to 70."""
_GAME_BYTES, _MOVE_BYTES = 6000, 450
"""Measured: a game without moves, and each move."""
DECLARED_ENDINGS: Final = frozenset({Ending.RESIGNATION, Ending.AGREEMENT, Ending.TIME})
"""Endings that do not follow from the moves."""
_SPACE_NUMBERS: Final = {space: number for number, space in enumerate(SPACES)}


class Manner(StrEnum):
    """How a piece was played: from the set; along the board; rotated in place; onto other pieces; as a bridge."""

    ADD = "add"
    MOVE = "move"
    ROTATE = "turn"
    JUMP = "jump"
    BRIDGE = "bridge"


class PlayedMove(NamedTuple):
    """A move of a game; ``played_at`` is None if it was imported."""

    text: str
    colour: Colour
    kind: Kind
    manner: Manner
    level: int
    """The level of the piece after the move."""
    played_at: datetime | None
    comment: str | None
    seconds: int | None
    """As in ``StoredMove``."""

    @property
    def stored(self) -> StoredMove:
        """The move as it is stored."""
        return StoredMove(self.text, self.played_at, self.comment, self.seconds)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PlayedGame:
    """A game at one revision. It is immutable: a change returns the next revision, to be stored and then published.

    So it can be read on any thread, and what was computed from it stays valid as long as it does.
    """

    stored: StoredGame
    """The game as it is stored, without its moves."""
    moves: tuple[PlayedMove, ...]
    repetitions: int
    """How often the current position has occurred; the third time is a draw."""
    _position: kernel.Position
    """The current position, with its history. Copy it before changing it."""
    _hashes: tuple[int, ...]
    """The hashes of all positions by ply, so that counting repetitions need not replay the game."""

    @classmethod
    def replay(cls, stored: StoredGame, moves: Sequence[StoredMove]) -> PlayedGame:
        """Replay a stored game; raises BrokenGameError if its moves are illegal, or do not lead to its stored state."""
        try:
            position = canonical_position(stored.start)
            first = position.hash
            played, hashes = _push(position, moves)
        except PunctError as error:
            raise BrokenGameError from error
        hashes = (first, *hashes)
        game = cls(stored, played, _repetitions(position, hashes), position, hashes)
        is_declared = stored.outcome is not None and stored.outcome.reason in DECLARED_ENDINGS
        if game.ply != stored.ply or (not is_declared and game._outcome_by_play() != stored.outcome):
            raise BrokenGameError
        return game

    def estimate_bytes(self) -> int:
        """Estimate the memory in use: for each move, here and in the kernel, and for the comments."""
        comments = sum(len(move.comment) for move in self.moves if move.comment is not None)
        return _GAME_BYTES + _MOVE_BYTES * len(self.moves) + 2 * comments

    # ------------------------------------------------------------------ state

    @property
    def id(self) -> str:
        """The game's id."""
        return self.stored.id

    @property
    def revision(self) -> int:
        """The number of the revision, which grows with every change."""
        return self.stored.revision

    @property
    def ply(self) -> int:
        """The number of moves."""
        return len(self.moves)

    @property
    def turn(self) -> Colour:
        """The colour to move."""
        return self._position.turn

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is open."""
        return self.stored.outcome

    @property
    def seats(self) -> Mapping[Colour, StoredSeat]:
        """The seats by colour."""
        return self.stored.seats

    @property
    def seat_to_move(self) -> StoredSeat:
        """The seat of the colour to move."""
        return self.seats[self.turn]

    def persons(self) -> list[Colour]:
        """Return the colours played by persons."""
        return [colour for colour in Colour if self.seats[colour].kind == "person"]

    @property
    def can_undo(self) -> bool:
        """Whether a move, or a declared ending, can be taken back."""
        return self._undo_ply() is not None

    @property
    def can_redo(self) -> bool:
        """Whether moves that were taken back can be redone."""
        return bool(self._moves_to_redo())

    @property
    def can_resign(self) -> bool:
        """Whether a person can resign."""
        return self.outcome is None and bool(self.persons())

    @property
    def can_draw(self) -> bool:
        """Whether a draw can be agreed: by two persons, or with an engine once the game cannot continue."""
        return self.outcome is None and (len(self.persons()) == 2 or self.is_full)

    @property
    def is_full(self) -> bool:
        """Whether the game has reached the maximum number of moves."""
        return self.ply >= MAX_PLIES

    # ------------------------------------------------------------------ positions and records

    def state(self, ply: int | None = None) -> tuple[kernel.Position, Outcome | None]:
        """Return a position of the game and its outcome there, to be read only; the current one if no ply is given."""
        if ply is None or ply == self.ply:
            return self._position, self.outcome
        position = self.position(ply)
        return position, position.outcome()

    def position(self, ply: int | None = None) -> kernel.Position:
        """Return a copy of a position of the game, with its history; the current one if no ply is given."""
        ply = self.ply if ply is None else ply
        if ply > self.ply:
            raise UnknownPlyError(f"The game has only come to ply {self.ply}.", ply=self.ply)
        position = self._position.copy()
        for _ in range(self.ply - ply):
            position.pop()
        return position

    def turn_at(self, ply: int) -> Colour:
        """Return the colour to move at an earlier or later ply."""
        return self.turn if (ply - self.ply) % 2 == 0 else self.turn.other

    def was_played(self, text: str, ply: int) -> bool:
        """Return whether a move, in any valid notation, is the one that was played at a ply."""
        if ply >= self.ply:
            return False
        try:
            move, stated_kind = read_move(text)
        except PunctError:
            return False
        # A text may leave out the kind of a moved piece; the move that was played has it.
        played, kind = Move.parse(self.moves[ply].text), self.moves[ply].kind
        named_kind = move.kind if move.is_add else stated_kind
        return (
            (move.origin, move.space) == (played.origin, played.space)
            and named_kind in (None, kind)
            and kind.canonical(move.heading) is played.heading
        )

    def to_record(self) -> Game:
        """Return the game as a record with comments, players and date. The moves are not judged again."""
        game = Game(self.stored.start, self.stored.tags)
        load_moves(game, [Move.parse(move.text) for move in self.moves], self._outcome_by_play())
        for colour, seat in self.seats.items():
            name = seat.display_name or (engine_name(seat.level or 0) if seat.kind == "engine" else None)
            if name:
                game.tags[str(colour)] = name
        game.tags.setdefault("Date", self.stored.created.astimezone(UTC).strftime("%Y-%m-%d"))
        for move, node in zip(self.moves, game.main_line(), strict=True):
            node.comment = move.comment or ""
        if self.outcome is not None and self.outcome.reason in DECLARED_ENDINGS:
            _declare(game, self.outcome)
        return game

    # ------------------------------------------------------------------ changes

    def check_ply(self, ply: int) -> None:
        """Raise WrongPlyError if a request is for another position."""
        if ply != self.ply:
            raise WrongPlyError(
                f"This was meant for ply {ply}, but the game is at ply {self.ply}; look at it again.",
                ply=self.ply,
                revision=self.revision,
            )

    def check_open(self) -> None:
        """Raise GameOverError if the game has ended."""
        if self.outcome is not None:
            raise GameOverError(f"The game is over: {self.outcome}.")

    def push(
        self, text: str, now: datetime | None = None, lag: timedelta = timedelta(), *, is_planned: bool = False
    ) -> PlayedGame:
        """Return the game after a move that arrived with some network lag; raises PunctError if it is not legal.

        A move that the server plays for its player ``is_planned``: it says nothing of how fast the player answers.
        """
        self.check_open()
        if self.is_full:
            raise NotPossibleError(f"A game ends here after {MAX_PLIES} turns at the latest; agree on a draw.")
        now, position = now or utc_now(), self._position.copy()
        move = position.push(text)
        since = self.moves[-1].played_at if self.moves else None
        seconds = None if is_planned else seconds_taken(self.stored, since, now)
        played = PlayedMove(str(move), self.turn, *describe_move(move, position), now, None, seconds)
        undone = self.stored.undone
        # Moves that were taken back can still be redone if this move is the first of them.
        rest = undone[1:] if undone and undone[0].text == played.text else ()
        hashes = (*self._hashes, position.hash)
        return self._next(now, position, hashes, (*self.moves, played), rest, clock_after_move(self.stored, now, lag))

    def undo(self, now: datetime | None = None) -> PlayedGame:
        """Take back a declared ending, one move, or all moves back to the person's turn; return the game."""
        ply = self._undo_ply()
        if ply is None:
            raise NotPossibleError("There is no turn of a person to take back.")
        return self.take_back(ply, now)

    def take_back(self, ply: int, now: datetime | None = None) -> PlayedGame:
        """Take back all moves from a ply on, and a declared ending; return the game."""
        now, position = now or utc_now(), self.position(ply)
        undone = (*(move.stored for move in self.moves[ply:]), *self.stored.undone)
        clock = clock_after_undo(self.stored, ply, position.turn, now)
        return self._next(now, position, self._hashes[: ply + 1], self.moves[:ply], undone, clock)

    def redo(self, now: datetime | None = None) -> PlayedGame:
        """Redo the moves of the last undo, the engine's replies included; return the game."""
        self.check_open()
        redone = self._moves_to_redo()
        if not redone:
            raise NotPossibleError("Nothing that was taken back could be played again.")
        position = self._position.copy()
        try:
            played, hashes = _push(position, redone)
        except PunctError as error:
            raise BrokenGameError from error
        now, moves = now or utc_now(), (*self.moves, *played)
        clock = clock_after_undo(self.stored, len(moves), position.turn, now)
        rest = self.stored.undone[len(redone) :]
        return self._next(now, position, (*self._hashes, *hashes), moves, rest, clock)

    def end(self, outcome: Outcome, now: datetime | None = None) -> PlayedGame:
        """Return the game with a declared ending."""
        self.check_open()
        now = now or utc_now()
        return self.with_stored(
            self.stored.next_revision(now, self.ply, outcome, self.stored.undone, stop_clock(self.stored, now))
        )

    def with_stored(self, stored: StoredGame) -> PlayedGame:
        """Return another revision of the game with the same moves."""
        return PlayedGame(stored, self.moves, self.repetitions, self._position, self._hashes)

    def _next(
        self,
        now: datetime,
        position: kernel.Position,
        hashes: tuple[int, ...],
        moves: tuple[PlayedMove, ...],
        undone: tuple[StoredMove, ...],
        clock: StoredClock | None,
    ) -> PlayedGame:
        repetitions = _repetitions(position, hashes)
        outcome = _outcome(position, repetitions)
        if outcome is not None and clock is not None:
            clock = clock._replace(running_since=None, deadline=None, pauses=())
        stored = self.stored.next_revision(now, len(moves), outcome, undone, clock)
        return PlayedGame(stored, moves, repetitions, position, hashes)

    def _outcome_by_play(self) -> Outcome | None:
        return _outcome(self._position, self.repetitions)

    def _undo_ply(self) -> int | None:
        """Return the ply to which an undo leads: for a declared ending the current one; None if there is none."""
        persons = self.persons()
        if not persons:
            return None
        if self.outcome is not None and self.outcome.reason in DECLARED_ENDINGS:
            return self.ply
        return next((ply for ply in range(self.ply - 1, -1, -1) if self.moves[ply].colour in persons), None)

    def _moves_to_redo(self) -> tuple[StoredMove, ...]:
        """Return the moves of a redo: one, and the moves of engines after it, up to a person's turn."""
        persons, undone = self.persons(), self.stored.undone
        if self.outcome is not None or not persons:
            return ()
        turn = self.turn
        for count in range(1, len(undone)):
            turn = turn.other
            if turn in persons:
                return undone[:count]
        return undone


def _push(position: kernel.Position, moves: Iterable[StoredMove]) -> tuple[tuple[PlayedMove, ...], tuple[int, ...]]:
    """Play moves on a position; return them, and the hash of the position after each."""
    played, hashes = [], []
    for stored in moves:
        colour = position.turn
        move = position.push(stored.text)
        described = describe_move(move, position)
        played.append(PlayedMove(str(move), colour, *described, stored.played_at, stored.comment, stored.seconds))
        hashes.append(position.hash)
    return tuple(played), tuple(hashes)


def _repetitions(position: kernel.Position, hashes: Sequence[int]) -> int:
    """Count how often a position has occurred. Positions with equal hashes are compared, as hashes may collide."""
    candidates = hashes.count(hashes[-1]) - 1
    if not candidates:
        return 1
    count, earlier = 1, position.copy()
    for hash in hashes[-2::-1]:
        earlier.pop()
        if hash == hashes[-1]:
            count += earlier == position
            candidates -= 1
            if not candidates:
                break
    return count


def _outcome(position: kernel.Position, repetitions: int) -> Outcome | None:
    outcome = position.outcome()
    if outcome is None and repetitions >= REPETITIONS_TO_DRAW:
        return Outcome(None, Ending.REPETITION)
    return outcome


def _declare(game: Game, outcome: Outcome) -> None:
    """Add a declared ending to a record."""
    match outcome:
        case Outcome(reason=Ending.AGREEMENT):
            game.agree_draw()
        case Outcome(winner=Colour() as winner, reason=Ending.TIME):
            game.lose_on_time(winner.other)
        case Outcome(winner=Colour() as winner, reason=Ending.RESIGNATION):
            game.resign(winner.other)
        case _:
            raise ValueError(f"{outcome} follows from the moves and cannot be declared")


def describe_move(move: Move, position: kernel.Position) -> tuple[Kind, Manner, int]:
    """Return the kind of the piece that the last move of a position played, how it was played, and its level."""
    piece = position.track.piece(_SPACE_NUMBERS[move.space])
    assert piece is not None
    _, orientation, _, level, bridge, _, _ = piece
    return ORIENTATIONS[orientation][0], _manner(move, level, bridge), level


def _manner(move: Move, level: int, bridge: bool) -> Manner:
    if move.is_add:
        return Manner.ADD
    if bridge:
        return Manner.BRIDGE
    if move.is_rotation:
        return Manner.ROTATE
    return Manner.JUMP if level > 1 else Manner.MOVE
