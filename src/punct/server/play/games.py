"""Playing: every change is judged by the rules, stored, and only then told."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final
from weakref import WeakValueDictionary

from punct import records
from punct.errors import InvalidMoveError, InvalidRecordError, PunctError
from punct.game import Game as PlayedGame
from punct.move import Move
from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.position import Position
from punct.reason import Reason
from punct.server.api import schemas
from punct.server.api.errors import (
    GameOverError,
    NotPossibleError,
    NotYourTurnError,
    UnknownGameError,
    UnknownPlyError,
    WrongPlyError,
)
from punct.server.play.table import Table, summary
from punct.server.store import ConflictError, GameStore, NewStoredGame, StoredSeat, StoredTurn
from punct.server.workers.read import ReadGame

IN_MEMORY: Final = 200
"""How many games are kept set up."""
LONGEST_GAME: Final = 2000
"""Turns after which a game goes no further; real ones have 30 to 70."""
DEFAULT_LEVEL: Final = 3

Listener = Callable[[str, schemas.Game | None], None]
"""Called after a change with a game's id and the game, None if it was deleted."""


class Games:
    """All games of this server. One change of a game at a time; different games do not wait for each other."""

    def __init__(self, store: GameStore) -> None:
        self._store = store
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Have a function called after every change."""
        self._listeners.append(listener)

    # ------------------------------------------------------------------ looking

    async def page(self, offset: int, limit: int) -> schemas.GameList:
        """Return some games, the last changed first."""
        stored, total = await asyncio.to_thread(self._store.page, offset, limit)
        return schemas.GameList(games=[summary(game) for game in stored], total=total, offset=offset, limit=limit)

    async def get(self, game_id: str) -> schemas.Game:
        """Return a game."""
        async with self._at(game_id) as table:
            return await asyncio.to_thread(table.answer)

    async def view(self, game_id: str, ply: int) -> schemas.PositionView:
        """Return a position of a game."""
        async with self._at(game_id, ply) as table:
            return await asyncio.to_thread(table.view_at, ply)

    async def explain(self, game_id: str, text: str, ply: int | None) -> schemas.Explanation:
        """Say whether a turn is legal, and if not, why."""
        async with self._at(game_id, ply) as table:
            return await asyncio.to_thread(
                lambda: explain((table.play if ply is None else table.play_to(ply)).game, text)
            )

    async def record(self, game_id: str, form: schemas.RecordFormat) -> str:
        """Return a game as a record."""
        async with self._at(game_id) as table:
            return await asyncio.to_thread(lambda: records.dumps([table.record()], format=form))

    async def position(self, game_id: str, ply: int | None) -> Position:
        """Return a copy of a position of a game, with the turns that led there."""
        async with self._at(game_id, ply) as table:
            play = table.play if ply is None else await asyncio.to_thread(table.play_to, ply)
            return play.position.copy()

    async def waiting_for_engine(self) -> list[str]:
        """Return the ids of unfinished games in which an engine is to move, the last changed first."""
        games = await asyncio.to_thread(self._store.open_with_engine)
        return [game.id for game in games if game.seats[game.turn].kind == "engine"]

    # ------------------------------------------------------------------ beginning

    async def create(self, new: schemas.NewGame, record: ReadGame | None = None) -> schemas.Game:
        """Begin a game; ``record`` is what the wanted one's record tells."""
        stored = (await asyncio.to_thread(lambda: self._store.create([_begin(new, record)])))[0]
        answer = await self.get(stored.id)
        self._tell(stored.id, answer)
        return answer

    async def take_in(self, games: Sequence[ReadGame]) -> list[schemas.GameSummary]:
        """Store the games of a record, all or none."""
        stored = await asyncio.to_thread(lambda: self._store.create([_from_record(game) for game in games]))
        return [summary(game) for game in stored]

    # ------------------------------------------------------------------ playing

    async def play(self, game_id: str, text: str, ply: int, *, engine: bool = False) -> schemas.Game:
        """Play a turn. A turn that was already played at this ply is not played again."""
        async with self._at(game_id) as table:
            if ply < table.ply and _same(table, ply, text):
                return await asyncio.to_thread(table.answer)
            _check_ply(table, ply)
            _check_open(table)
            if (table.seats[table.turn].kind == "engine") is not engine:
                raise NotYourTurnError("The computer is to move.")
            if ply >= LONGEST_GAME:
                raise NotPossibleError(f"A game ends here after {LONGEST_GAME} turns at the latest; agree on a draw.")
            return await self._change(table, lambda: self._play(table, text))

    def _play(self, table: Table, text: str) -> Table:
        told = table.play.push(text)
        outcome = table.outcome
        now = self._store.add_turn(table.id, table.stored.revision, table.ply, told.text, outcome)
        return Table(table.stored.with_turn(StoredTurn(told.text, now), outcome), table.play)

    async def undo(self, game_id: str, ply: int | None) -> schemas.Game:
        """Take back: a declared end, one turn at one screen, or the way back to the person's turn."""
        async with self._at(game_id) as table:
            if ply is not None:
                _check_ply(table, ply)
            back_to = table.undo_ply()
            if back_to is None:
                raise NotPossibleError("There is no turn of a person to take back.")
            return await self._change(table, lambda: self._undo(table, back_to))

    def _undo(self, table: Table, ply: int) -> Table:
        now = self._store.take_back(table.id, table.stored.revision, ply)
        return Table(table.stored.back_to(ply, now))

    async def resign(self, game_id: str, colour: Colour | None) -> schemas.Game:
        """End a game: a person gives up."""
        async with self._at(game_id) as table:
            _check_open(table)
            persons = table.persons()
            if colour is None:
                colour = table.turn if table.turn in persons else table.turn.other
            if colour not in persons:
                raise NotPossibleError("Only a person can resign.")
            outcome = Outcome(colour.other, Ending.RESIGNATION)
            return await self._change(table, lambda: self._end(table, outcome))

    async def agree_draw(self, game_id: str) -> schemas.Game:
        """End a game: two persons at one screen agree on a draw."""
        async with self._at(game_id) as table:
            _check_open(table)
            if len(table.persons()) < 2:
                raise NotPossibleError("The computer does not agree on draws.")
            return await self._change(table, lambda: self._end(table, Outcome(None, Ending.AGREEMENT)))

    def _end(self, table: Table, outcome: Outcome) -> Table:
        now = self._store.end(table.id, table.stored.revision, outcome)
        return Table(table.stored.ended(outcome, now))

    async def delete(self, game_id: str) -> None:
        """Forget a game."""
        async with self._lock(game_id):
            self._tables.pop(game_id, None)
            if not await asyncio.to_thread(self._store.delete, game_id):
                raise UnknownGameError
        self._tell(game_id, None)

    # ------------------------------------------------------------------ within

    @asynccontextmanager
    async def _at(self, game_id: str, ply: int | None = None) -> AsyncIterator[Table]:
        """Have a game to oneself; a ply, if given, must be one it has reached."""
        async with self._lock(game_id):
            table = self._tables.get(game_id)
            if table is None:
                stored = await asyncio.to_thread(self._store.load, game_id)
                if stored is None:
                    raise UnknownGameError
                table = await asyncio.to_thread(Table, stored)
                self._keep(table)
            else:
                self._tables.move_to_end(game_id)
            if ply is not None and ply > table.ply:
                raise UnknownPlyError(f"The game has only come to ply {table.ply}.", ply=table.ply)
            yield table

    def _lock(self, game_id: str) -> asyncio.Lock:
        lock = self._locks.get(game_id)
        if lock is None:
            lock = self._locks[game_id] = asyncio.Lock()
        return lock

    def _keep(self, table: Table) -> None:
        self._tables[table.id] = table
        while len(self._tables) > IN_MEMORY:
            self._tables.popitem(last=False)

    async def _change(self, table: Table, work: Callable[[], Table]) -> schemas.Game:
        """Do what changes a game, then tell it. Whatever goes wrong, the game is then read from the store again."""
        try:
            changed = await asyncio.to_thread(work)
            answer = await asyncio.to_thread(changed.answer)
        except PunctError:  # refused by the rules before anything was touched
            raise
        except ConflictError:
            self._tables.pop(table.id, None)
            raise WrongPlyError("The game was changed elsewhere in the meantime; look at it again.") from None
        except BaseException:
            self._tables.pop(table.id, None)
            raise
        self._keep(changed)
        self._tell(table.id, answer)
        return answer

    def _tell(self, game_id: str, answer: schemas.Game | None) -> None:
        for listener in self._listeners:
            listener(game_id, answer)


def explain(game: PlayedGame, text: str) -> schemas.Explanation:
    """Say whether a turn is legal in a game, and if not, why."""
    try:
        move = Move.parse(text)
    except InvalidMoveError as error:
        return schemas.Explanation(legal=False, turn=None, reason="UNREADABLE", section=None, sentence=str(error))
    reason = Reason.GAME_OVER if game.outcome() else game.position.explain(text)
    if reason is None:
        turn = str(game.position.parse(text))
        return schemas.Explanation(legal=True, turn=turn, reason=None, section=None, sentence=None)
    return schemas.Explanation(
        legal=False, turn=str(move), reason=reason.name, section=reason.section, sentence=reason.sentence
    )


def _check_ply(table: Table, ply: int) -> None:
    if ply != table.ply:
        raise WrongPlyError(
            f"This was meant for ply {ply}, but the game is at ply {table.ply}; look at it again.", ply=table.ply
        )


def _check_open(table: Table) -> None:
    if table.outcome is not None:
        raise GameOverError(f"The game is over: {table.outcome}.")


def _same(table: Table, ply: int, text: str) -> bool:
    """Tell whether this very turn was played at a ply, however it is written."""
    try:
        return str(table.play_to(ply).position.parse(text)) == table.play.told[ply].text
    except PunctError:
        return False


def _begin(new: schemas.NewGame, record: ReadGame | None) -> NewStoredGame:
    """Return the game to store for what a client wants to begin."""
    if new.position is not None and new.record is not None:
        raise InvalidRecordError("begin from a position or from a record, not from both")
    seats = {Colour.WHITE: _seat(new.seats.w), Colour.BLACK: _seat(new.seats.b)}
    if record is not None:
        game = _from_record(record)
        named = {
            colour: replace(seat, name=seat.name or game.seats[colour].name) if seat.kind == "person" else seat
            for colour, seat in seats.items()
        }
        return replace(game, seats=named)
    position = Position(new.position if new.position is not None else f"{new.rules} w")
    return NewStoredGame(str(position), seats, outcome=position.outcome())


def _seat(seat: schemas.Seat) -> StoredSeat:
    if seat.type == "engine":
        return StoredSeat("engine", seat.name or None, seat.level or DEFAULT_LEVEL)
    return StoredSeat("person", seat.name or None)


def _from_record(game: ReadGame) -> NewStoredGame:
    """Return a record's game to store."""
    turns = [StoredTurn(turn.text, comment=turn.comment) for turn in game.turns]
    seats = {colour: StoredSeat("person", (game.tags.get(str(colour)) or "")[:60] or None) for colour in Colour}
    return NewStoredGame(game.start, seats, turns, game.outcome, game.tags)
