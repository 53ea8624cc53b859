"""A game being played, at one of its revisions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from punct import kernel
from punct.errors import PunctError
from punct.game import TIMES_TO_DRAW, Game, lay_game
from punct.move import Move
from punct.notation import read_move
from punct.outcome import Ending, Outcome
from punct.piece import Colour, Kind
from punct.server.play.clock import moved, stopped, taken_back, utc_now
from punct.server.play.moment import Explanation, Manner, Moment, explain, look, manner_of
from punct.server.play.refusals import BrokenGameError, GameOverError, NotPossibleError, UnknownPlyError, WrongPlyError
from punct.server.store import StoredClock, StoredGame, StoredMove, StoredSeat, engine_name

LONGEST_GAME: Final = 2000
"""Moves after which a game goes no further; real ones have 30 to 70."""
_GAME_BYTES, _MOVE_BYTES = 6000, 450
"""Measured: a game that has not begun, and each move played in it."""
DECLARED: Final = frozenset({Ending.RESIGNATION, Ending.AGREEMENT, Ending.TIME})
"""Ends that no move brought about."""


class PlayedMove(NamedTuple):
    """A move of a game; ``played`` is None if it came with a record."""

    text: str
    colour: Colour
    kind: Kind
    manner: Manner
    level: int
    """On which the piece came to lie."""
    played: datetime | None
    comment: str | None

    @property
    def stored(self) -> StoredMove:
        """The move as the store keeps it."""
        return StoredMove(self.text, self.played, self.comment)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PlayedGame:
    """A game at one revision. It never changes: what is played in it makes the next one, to be stored and then told.

    So whoever holds one may read it in peace, on any thread, and what was made of it holds for as long as it does.
    """

    stored: StoredGame
    """What the store knows of it, but for its moves."""
    moves: tuple[PlayedMove, ...]
    repetitions: int
    """How often the current position has stood; the third time is a draw."""
    _position: kernel.Position
    """With the moves that led to it. Not to be changed: copy it first."""
    _hashes: tuple[int, ...]
    """By ply, the hash of the position: so nobody has to go back for those that stood before."""

    @classmethod
    def replayed(cls, stored: StoredGame, moves: Sequence[StoredMove]) -> PlayedGame:
        """Set up a stored game; raises BrokenGameError if what is stored is no game."""
        try:
            position = _set_up(stored.start)
            first = position.hash
            played, hashes = _push(position, moves)
        except PunctError as error:
            raise BrokenGameError from error
        hashes = (first, *hashes)
        game = cls(stored, played, _repetitions(position, hashes), position, hashes)
        declared = stored.outcome is not None and stored.outcome.reason in DECLARED
        if game.ply != stored.ply or (not declared and game._outcome_by_play() != stored.outcome):
            raise BrokenGameError
        return game

    def estimate_bytes(self) -> int:
        """Return about how much memory it takes: what each move needs here and in the kernel, and the comments."""
        comments = sum(len(move.comment) for move in self.moves if move.comment is not None)
        return _GAME_BYTES + _MOVE_BYTES * len(self.moves) + 2 * comments

    # ------------------------------------------------------------------ how it stands

    @property
    def id(self) -> str:
        """The game's id."""
        return self.stored.id

    @property
    def revision(self) -> int:
        """Grows with every change."""
        return self.stored.revision

    @property
    def ply(self) -> int:
        """How many moves were played."""
        return len(self.moves)

    @property
    def turn(self) -> Colour:
        """Who is to move."""
        return self._position.turn

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, if it did."""
        return self.stored.outcome

    @property
    def seats(self) -> Mapping[Colour, StoredSeat]:
        """Who plays which colour."""
        return self.stored.seats

    @property
    def to_move(self) -> StoredSeat:
        """Who sits where the next move is to be played."""
        return self.seats[self.turn]

    def persons(self) -> list[Colour]:
        """Return the colours played by persons."""
        return [colour for colour in Colour if self.seats[colour].kind == "person"]

    @property
    def may_undo(self) -> bool:
        """Whether anything can be taken back."""
        return self._undo_ply() is not None

    @property
    def may_redo(self) -> bool:
        """Whether something that was taken back can be played again."""
        return bool(self._redone())

    @property
    def may_resign(self) -> bool:
        """Whether a person can give up."""
        return self.outcome is None and bool(self.persons())

    @property
    def may_draw(self) -> bool:
        """Whether a draw can be agreed on: by two persons, and with a computer once the game can go no further."""
        return self.outcome is None and (len(self.persons()) == 2 or self.is_full)

    @property
    def is_full(self) -> bool:
        """Whether the game has as many moves as one may have."""
        return self.ply >= LONGEST_GAME

    # ------------------------------------------------------------------ looking

    def moment(self, ply: int | None = None) -> Moment:
        """Look at a position of the game, the current one if no ply is given."""
        if ply is None or ply == self.ply:
            return look(self._position, self.outcome)
        position = self.position(ply)
        return look(position, position.outcome())

    def explain(self, text: str, ply: int | None = None, *, any_heading: bool = False) -> Explanation:
        """Say whether a move is legal, or a piece and a space with any heading; and if not, why."""
        if ply is None or ply == self.ply:
            return explain(self._position, self.outcome, text, any_heading=any_heading)
        position = self.position(ply)
        return explain(position, position.outcome(), text, any_heading=any_heading)

    def position(self, ply: int | None = None) -> kernel.Position:
        """Return a position of the game, with the moves that led there, to do with as one likes."""
        ply = self.ply if ply is None else ply
        if ply > self.ply:
            raise UnknownPlyError(f"The game has only come to ply {self.ply}.", ply=self.ply)
        position = self._position.copy()
        for _ in range(self.ply - ply):
            position.pop()
        return position

    def turn_at(self, ply: int) -> Colour:
        """Return whose move an earlier or later ply is."""
        return self.turn if (ply - self.ply) % 2 == 0 else self.turn.other

    def was_played(self, text: str, ply: int) -> bool:
        """Tell whether this very move was played at a ply, however it is written."""
        if ply >= self.ply:
            return False
        try:
            written, stated = read_move(text)
        except PunctError:
            return False
        # What a text leaves open, the position would tell, and the move that was played does.
        played, kind = Move.parse(self.moves[ply].text), self.moves[ply].kind
        named = written.kind if written.is_add else stated
        return (
            (written.origin, written.space) == (played.origin, played.space)
            and named in (None, kind)
            and kind.canonical(written.heading) is played.heading
        )

    def record(self) -> Game:
        """Return the game as a record: with its comments, players and date. The kernel has judged its moves."""
        game = Game(self.stored.start, self.stored.tags)
        lay_game(game, [Move.parse(move.text) for move in self.moves], self._outcome_by_play())
        for colour, seat in self.seats.items():
            name = seat.shown or (engine_name(seat.level or 0) if seat.kind == "engine" else None)
            if name:
                game.tags[str(colour)] = name
        game.tags.setdefault("Date", self.stored.created.astimezone(UTC).strftime("%Y-%m-%d"))
        for move, node in zip(self.moves, game.main_line(), strict=True):
            node.comment = move.comment or ""
        if self.outcome is not None and self.outcome.reason in DECLARED:
            _declare(game, self.outcome)
        return game

    # ------------------------------------------------------------------ playing

    def check_ply(self, ply: int) -> None:
        """Refuse what was meant for another position."""
        if ply != self.ply:
            raise WrongPlyError(
                f"This was meant for ply {ply}, but the game is at ply {self.ply}; look at it again.",
                ply=self.ply,
                revision=self.revision,
            )

    def check_open(self) -> None:
        """Refuse what needs a game that goes on."""
        if self.outcome is not None:
            raise GameOverError(f"The game is over: {self.outcome}.")

    def push(self, text: str, now: datetime | None = None, lag: timedelta = timedelta()) -> PlayedGame:
        """Return the game after a move that the network held up for so long; raises PunctError if it is not legal."""
        self.check_open()
        if self.is_full:
            raise NotPossibleError(f"A game ends here after {LONGEST_GAME} turns at the latest; agree on a draw.")
        now, position = now or utc_now(), self._position.copy()
        move = position.push(text)
        played = PlayedMove(str(move), self.turn, *manner_of(move, position), now, None)
        undone = self.stored.undone
        # What was taken back stays a continuation of the game as long as the game goes the same way again.
        rest = undone[1:] if undone and undone[0].text == played.text else ()
        hashes = (*self._hashes, position.hash)
        return self._next(now, position, hashes, (*self.moves, played), rest, moved(self.stored, now, lag))

    def undo(self, now: datetime | None = None) -> PlayedGame:
        """Return the game with a declared end, one move, or all moves back to the person's turn taken back."""
        ply = self._undo_ply()
        if ply is None:
            raise NotPossibleError("There is no turn of a person to take back.")
        return self.taken_back(ply, now)

    def taken_back(self, ply: int, now: datetime | None = None) -> PlayedGame:
        """Return the game with everything from a ply on taken back."""
        now, position = now or utc_now(), self.position(ply)
        undone = (*(move.stored for move in self.moves[ply:]), *self.stored.undone)
        clock = taken_back(self.stored, ply, position.turn, now)
        return self._next(now, position, self._hashes[: ply + 1], self.moves[:ply], undone, clock)

    def redo(self, now: datetime | None = None) -> PlayedGame:
        """Return the game with what the last undo of moves took back played again, the computer's answers included."""
        self.check_open()
        redone = self._redone()
        if not redone:
            raise NotPossibleError("Nothing that was taken back could be played again.")
        position = self._position.copy()
        try:
            played, hashes = _push(position, redone)
        except PunctError as error:
            raise BrokenGameError from error
        now, moves = now or utc_now(), (*self.moves, *played)
        clock = taken_back(self.stored, len(moves), position.turn, now)
        rest = self.stored.undone[len(redone) :]
        return self._next(now, position, (*self._hashes, *hashes), moves, rest, clock)

    def end(self, outcome: Outcome, now: datetime | None = None) -> PlayedGame:
        """Return the game ended without a move."""
        self.check_open()
        now = now or utc_now()
        return self.with_stored(self.stored.next(now, self.ply, outcome, self.stored.undone, stopped(self.stored, now)))

    def with_stored(self, stored: StoredGame) -> PlayedGame:
        """Return the game at another revision, in which no move was played or taken back."""
        return PlayedGame(stored, self.moves, self.repetitions, self._position, self._hashes)

    # ------------------------------------------------------------------ within

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
        if outcome is not None and clock is not None:  # nobody has to think any more
            clock = clock._replace(ticking=None, deadline=None)
        stored = self.stored.next(now, len(moves), outcome, undone, clock)
        return PlayedGame(stored, moves, repetitions, position, hashes)

    def _outcome_by_play(self) -> Outcome | None:
        return _outcome(self._position, self.repetitions)

    def _undo_ply(self) -> int | None:
        """Return to which ply an undo leads: the current one to take back a declared end; None if it cannot."""
        persons = self.persons()
        if not persons:
            return None
        if self.outcome is not None and self.outcome.reason in DECLARED:
            return self.ply
        return next((ply for ply in range(self.ply - 1, -1, -1) if self.moves[ply].colour in persons), None)

    def _redone(self) -> tuple[StoredMove, ...]:
        """Return what a redo plays: one move, and those of engines that followed it, up to a person's turn."""
        persons, undone = self.persons(), self.stored.undone
        if self.outcome is not None or not persons:
            return ()
        turn = self.turn
        for count in range(1, len(undone)):
            turn = turn.other
            if turn in persons:
                return undone[:count]
        return undone


def reached(start: str, texts: Iterable[str]) -> kernel.Position:
    """Return where moves lead from a position, with them; raises PunctError for what makes no sense or is not legal."""
    position = _set_up(start)
    for text in texts:
        position.push(text)
    return position


def _set_up(start: str) -> kernel.Position:
    """Return a position as it is written canonically: so are its pieces named."""
    return kernel.Position(str(kernel.Position(start)))


def _push(position: kernel.Position, moves: Iterable[StoredMove]) -> tuple[tuple[PlayedMove, ...], tuple[int, ...]]:
    """Play moves on a position; return them, and the position's hash after each."""
    played, hashes = [], []
    for stored in moves:
        colour = position.turn
        move = position.push(stored.text)
        played.append(PlayedMove(str(move), colour, *manner_of(move, position), stored.played, stored.comment))
        hashes.append(position.hash)
    return tuple(played), tuple(hashes)


def _repetitions(position: kernel.Position, hashes: Sequence[int]) -> int:
    """Count how often a position has stood. Equal hashes are almost proof; the positions themselves are."""
    alike = hashes.count(hashes[-1]) - 1
    if not alike:
        return 1
    times, earlier = 1, position.copy()
    for hash in hashes[-2::-1]:
        earlier.pop()
        if hash == hashes[-1]:
            times += earlier == position
            alike -= 1
            if not alike:
                break
    return times


def _outcome(position: kernel.Position, repetitions: int) -> Outcome | None:
    outcome = position.outcome()
    if outcome is None and repetitions >= TIMES_TO_DRAW:
        return Outcome(None, Ending.REPETITION)
    return outcome


def _declare(game: Game, outcome: Outcome) -> None:
    """End a game as it was ended without a move."""
    match outcome:
        case Outcome(reason=Ending.AGREEMENT):
            game.agree_draw()
        case Outcome(winner=Colour() as winner, reason=Ending.TIME):
            game.lose_on_time(winner.other)
        case Outcome(winner=Colour() as winner, reason=Ending.RESIGNATION):
            game.resign(winner.other)
        case _:
            raise ValueError(f"nobody declares {outcome}")
