"""Games as they are stored: every change is one transaction, made for a stated revision."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BindParameter,
    Boolean,
    ColumnElement,
    FromClause,
    Integer,
    Text,
    and_,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    literal_column,
    not_,
    null,
    or_,
    select,
    union,
    update,
)

from punct.server.store.database import Connection, Database
from punct.server.store.faults import AbsentError, ConflictError, NoRoomError, UnreadableGameError
from punct.server.store.locks import Strength, lock_players
from punct.server.store.passkeys import PasskeyStore
from punct.server.store.players import PlayerStore
from punct.server.store.puzzles import PuzzleStore
from punct.server.store.ratings import RatingStore
from punct.server.store.requests import Made, RequestKey, check, made_by, note
from punct.server.store.rows import (
    CHANGING,
    OF_GAME,
    changing,
    game_row,
    move_row,
    read_game,
    read_moves,
    record_row,
    seat_rows,
)
from punct.server.store.sql import Statement, named, sql
from punct.server.store.stored import NewStoredGame, StoredClock, StoredGame, StoredMove, Tally
from punct.server.store.tables import GAMES, MOVES, PLAYERS, RATINGS, RECORDS, SEATS
from punct.server.store.tallies import count_results
from punct.server.store.values import new_id, written

_log = logging.getLogger(__name__)


class Room(NamedTuple):
    """How much there may be of the games that are one player's alone."""

    games: int
    letters: int
    """Of all that they came with: turns, comments, names."""


Start = Callable[[StoredClock], StoredClock]
"""Returns a clock that begins to run now."""


class GameStore:
    """All games. What reads blocks, and is for threads; what changes returns at once, with the result to wait for."""

    def __init__(self, database: Database) -> None:
        """Take over an open database."""
        self._database = database
        self.players = PlayerStore(database)
        self.ratings = RatingStore(database)
        self.passkeys = PasskeyStore(database)
        self.puzzles = PuzzleStore(database)

    @property
    def database(self) -> Database:
        """Where they are, and what belongs to them."""
        return self._database

    def close(self) -> None:
        """Make the changes that wait, and close every connection."""
        self._database.close()

    def is_reachable(self) -> bool:
        """Tell whether the database answers; raises StoreError if it does not."""
        return self._database.ask(_ANYTHING) != []

    # ------------------------------------------------------------------ reading: one state of everything each time

    def revision(self, game_id: str) -> int | None:
        """Return at which revision a game is; None if there is none."""
        found = self._database.ask(_REVISION, {"game": game_id})
        return found[0][0] if found else None

    def load(self, game_id: str) -> tuple[StoredGame, list[StoredMove]] | None:
        """Return a game with its moves; None if there is none. Raises UnreadableGameError if what is stored is none."""
        with self._database.reading() as connection:
            asked = {"game": game_id}
            found = connection.execute(_GAME, asked).fetchone()
            if found is None:
                return None
            record = connection.execute(_RECORD, asked).fetchone()
            played = connection.execute(_MOVES, asked).fetchall()
        return read_game(found), read_moves(game_id, record, played)

    def some(self, game_ids: Iterable[str]) -> list[StoredGame]:
        """Return games in the order of their ids as given, without those that are no more."""
        with self._database.reading() as connection:
            return _readable(row for game_id in game_ids for row in connection.execute(_GAME, {"game": game_id}))

    def page(self, offset: int, limit: int, *, running: bool = False) -> tuple[list[StoredGame], int]:
        """Return some games, the last changed first, and how many there are: those that cannot be read counted in."""
        newest, count = (_NEWEST_RUNNING, _COUNT_RUNNING) if running else (_NEWEST, _COUNT)
        with self._database.reading() as connection:
            found = connection.execute(newest, {"offset": offset, "limit": limit}).fetchall()
            (counted,) = connection.execute(count).fetchone()
        return _readable(found), counted

    def page_of(self, player: str, offset: int, limit: int, *, running: bool = False) -> tuple[list[StoredGame], int]:
        """Return some of a player's games, those that wait for them first, then the last changed; and how many."""
        theirs, count = (_THEIRS_RUNNING, _COUNT_THEIRS_RUNNING) if running else (_THEIRS, _COUNT_THEIRS)
        asked = {"player": player}
        with self._database.reading() as connection:
            found = connection.execute(theirs, {**asked, "offset": offset, "limit": limit}).fetchall()
            (counted,) = connection.execute(count, asked).fetchone()
        return _readable(found), counted

    def listed(self, limit: int) -> list[StoredGame]:
        """Return games that anybody may watch and that are not over, the last changed first."""
        return _readable(self._database.ask(_LISTED, {"limit": limit}))

    def running_of(self, player: str) -> list[StoredGame]:
        """Return every unfinished game in which a player sits, those that wait for them first."""
        return _readable(self._database.ask(_THEIRS_RUNNING, {"player": player, "offset": 0, "limit": _MOST_RUNNING}))

    def tallies(self, *, told: bool = True) -> list[Tally]:
        """Return how persons fared against each level, by rules: in every finished game from the empty board.

        With ``told``, also in those that came with moves, if their record says that the computer played them so.
        """
        with self._database.reading() as connection:
            return count_results(connection, told=told)

    def of_player(self, player_id: str, offset: int, limit: int, *, all_of_them: bool) -> tuple[list[StoredGame], int]:
        """Return some of a player's games, the last changed first, and how many: of all, or of those not private."""
        asked = {"player": player_id, "all": all_of_them}
        with self._database.reading() as connection:
            found = connection.execute(_OF_PLAYER, {**asked, "offset": offset, "limit": limit}).fetchall()
            (count,) = connection.execute(_COUNT_OF_PLAYER, asked).fetchone()
        return _readable(found), count

    def waiting_for_engine(self) -> list[StoredGame]:
        """Return the unfinished games in which an engine is to move, the last changed first."""
        return _readable(self._database.ask(_WAITING_FOR_ENGINE))

    def made(self, request: RequestKey) -> Made | None:
        """Return what a request has made; None if it is new."""
        with self._database.reading() as connection:
            return made_by(connection, request)

    def overdue(self, now: datetime) -> list[str]:
        """Return the ids of the games whose deadline has passed."""
        return [game_id for (game_id,) in self._database.ask(_OVERDUE, {"now": written(now), "limit": _MOST_OVERDUE})]

    def left_alone(self, since: datetime) -> list[str]:
        """Return the rated games without a clock in which a person is to move and nothing has happened since."""
        return [game.id for game in _readable(self._database.ask(_LEFT_ALONE, {"since": written(since)}))]

    def unbegun(self, since: datetime) -> list[str]:
        """Return the live games in which not both have played, and nothing has happened since."""
        asked = {"since": written(since), "limit": _MOST_OVERDUE}
        return [game_id for (game_id,) in self._database.ask(_UNBEGUN, asked)]

    # ------------------------------------------------------------------ writing

    def create(
        self,
        games: Iterable[NewStoredGame],
        now: datetime | None = None,
        request: RequestKey | None = None,
        kind: str = "game",
        room: Room | None = None,
    ) -> Future[list[StoredGame]]:
        """Store new games, all or none. Their rows are made here and now: many games are for a thread.

        With ``room`` they are one owner's; raises NoRoomError if that is more than there is, and AbsentError if their
        owner, or whoever sits in them, is gone.
        """
        new = NewRows(games, now or datetime.now(UTC))

        def store(connection: Connection) -> list[StoredGame]:
            check(connection, request)
            lock_players(connection, new.players, Strength.STAYS if room is None else Strength.ALONE)
            if room is not None:
                _check_room(connection, new, room)
            note(connection, request, kind, " ".join(game.id for game in new.stored), new.now)
            return new.insert(connection)

        return self._database.change(store)

    def add_move(
        self, game: StoredGame, *moves: StoredMove, request: RequestKey | None = None, start: Start | None = None
    ) -> Future[StoredGame]:
        """Store a move, or several played at once. The game is what they make of the revision before.

        Return the game as it is stored: ``start`` has its clock begin when that happens.
        """

        def store(connection: Connection) -> StoredGame:
            after = _started(game, start)
            _change(connection, after, request, "turn")
            numbered = enumerate(moves, game.ply - len(moves))
            connection.executemany(_NEW_MOVE, [move_row(game.id, *move) for move in numbered])
            return after

        return self._database.change(store)

    def take_back(
        self, game: StoredGame, request: RequestKey | None = None, start: Start | None = None
    ) -> Future[StoredGame]:
        """Strike every move from the game's ply on, and any end it had; the game itself tells what was undone.

        Return the game as it is stored: ``start`` has its clock begin when that happens.
        """

        def store(connection: Connection) -> StoredGame:
            after = _started(game, start)
            _change(connection, after, request)
            struck = {"game": game.id, "from": game.ply}
            connection.execute(_FORGET_MOVES, struck)
            connection.execute(_SHORTEN_RECORD, struck)
            return after

        return self._database.change(store)

    def change(self, game: StoredGame, request: RequestKey | None = None) -> Future[None]:
        """Store what changed without a move: how a game was ended, what was offered."""
        return self._database.change(lambda connection: _change(connection, game, request))

    def rematch(self, game: StoredGame, new: NewStoredGame, request: RequestKey | None = None) -> Future[StoredGame]:
        """Store a game's last revision and the next game, which it names from then on; return the former.

        Raises AbsentError if a player of it is gone, or was shut out.
        """
        rows = NewRows([new], game.updated)
        after = replace(game, next_id=rows.stored[0].id)

        def store(connection: Connection) -> StoredGame:
            check(connection, request)
            for player in lock_players(connection, rows.players, Strength.UNCHANGED).values():
                if player.is_blocked:
                    raise AbsentError(player.id)
            _change(connection, after, request)
            rows.insert(connection)
            return after

        return self._database.change(store)

    def delete(
        self, game_id: str, revision: int | None = None, now: datetime | None = None, request: RequestKey | None = None
    ) -> Future[bool]:
        """Forget a game, at this revision if one is given; tell whether there was one."""
        forget = _FORGET_GAME if revision is None else _FORGET_REVISION
        asked = {"game": game_id} if revision is None else {"game": game_id, "before": revision}

        def store(connection: Connection) -> bool:
            check(connection, request)
            rematched = connection.execute(_BEFORE_REMATCH, {"game": game_id}).fetchall()
            if connection.execute(forget, asked).rowcount == 0:
                check(connection, request)  # perhaps another process was asked the same, and has done it meanwhile
                return False
            for (before,) in rematched:  # which may have another one now
                connection.execute(_FORGET_NEXT, {"game": before, "next": game_id})
            note(connection, request, "gone", game_id, now or datetime.now(UTC))
            return True

        return self._database.change(store)


_GAME_ID: Final[BindParameter[str]] = bindparam("game")
_ANYTHING: Final = sql(select(literal_column("1")))
_REVISION: Final = sql(select(GAMES.c.revision).where(GAMES.c.id == _GAME_ID))
_WHITE, _BLACK = SEATS.alias("white"), SEATS.alias("black")
_WHITE_PLAYER, _BLACK_PLAYER = PLAYERS.alias("white_player"), PLAYERS.alias("black_player")
_WHITE_RATING, _BLACK_RATING = RATINGS.alias("white_rating"), RATINGS.alias("black_rating")
_POOL: Final = case(
    (GAMES.c.time.like(literal_column("'%d'")), GAMES.c.rules + literal_column("'-days'")),
    (GAMES.c.time.is_not(None), GAMES.c.rules + literal_column("'-live'")),
    (GAMES.c.rated, GAMES.c.rules + literal_column("'-level'")),
)


def _rated(rating: FromClause, seat: FromClause) -> ColumnElement[bool]:
    """Tell a seat's player's rating in the pool of the game."""
    return and_(rating.c.player_id == seat.c.player_id, rating.c.pool == _POOL)


_SEATED: Final = ((_WHITE, _WHITE_PLAYER, _WHITE_RATING), (_BLACK, _BLACK_PLAYER, _BLACK_RATING))
_GAMES: Final = (
    select(
        *(GAMES.c[name] for name in OF_GAME),
        *(
            column
            for seat, player, rating in _SEATED
            for column in (
                *(seat.c[name] for name in ("kind", "name", "level", "player_id")),
                player.c.name,
                player.c.kind,
                rating.c.rating,
            )
        ),
    )
    .select_from(GAMES)
    .join(_WHITE, and_(_WHITE.c.game_id == GAMES.c.id, _WHITE.c.colour == literal_column("'w'")), isouter=True)
    .join(_BLACK, and_(_BLACK.c.game_id == GAMES.c.id, _BLACK.c.colour == literal_column("'b'")), isouter=True)
    .join(_WHITE_PLAYER, _WHITE_PLAYER.c.id == _WHITE.c.player_id, isouter=True)
    .join(_BLACK_PLAYER, _BLACK_PLAYER.c.id == _BLACK.c.player_id, isouter=True)
    .join(_WHITE_RATING, _rated(_WHITE_RATING, _WHITE), isouter=True)
    .join(_BLACK_RATING, _rated(_BLACK_RATING, _BLACK), isouter=True)
)
_GAME: Final = sql(_GAMES.where(GAMES.c.id == _GAME_ID))
_PLAYER: Final[BindParameter[str]] = bindparam("player")
_WHITE_BEGINS: Final = GAMES.c.start.like(GAMES.c.rules + literal_column("' w%'"))
_TWO, _YES, _NO = (literal_column(number, Integer) for number in ("2", "1", "0"))
_WHITE_TO_MOVE: Final = case((_WHITE_BEGINS, GAMES.c.ply % _TWO), else_=(GAMES.c.ply + _YES) % _TWO) == _NO
_WAITS: Final = case(
    (GAMES.c.ending.is_not(None), _NO),
    (and_(_WHITE_TO_MOVE, _WHITE.c.player_id == _PLAYER), _YES),
    (and_(not_(_WHITE_TO_MOVE), _BLACK.c.player_id == _PLAYER), _YES),
    else_=_NO,
)
"""Whether a game waits for a player."""
_IS_THEIRS: Final = GAMES.c.id.in_(
    union(
        select(SEATS.c.game_id).where(SEATS.c.player_id == _PLAYER),
        select(GAMES.c.id).where(GAMES.c.owner_id == _PLAYER),
    )
)
_RUNNING: Final = GAMES.c.ending.is_(None)


def _newest(*which: ColumnElement[bool], first: ColumnElement[int] | None = None) -> Statement:
    found = _GAMES.where(*which) if which else _GAMES
    order = [GAMES.c.updated.desc(), GAMES.c.id.desc()]
    if first is not None:
        order.insert(0, first.desc())
    return sql(found.order_by(*order).offset(bindparam("offset")).limit(bindparam("limit")))


def _count(*which: ColumnElement[bool]) -> Statement:
    found = select(func.count()).select_from(GAMES)
    return sql(found.where(*which) if which else found)


_NEWEST, _NEWEST_RUNNING = _newest(), _newest(_RUNNING)
_COUNT, _COUNT_RUNNING = _count(), _count(_RUNNING)
_THEIRS, _THEIRS_RUNNING = _newest(_IS_THEIRS, first=_WAITS), _newest(_IS_THEIRS, _RUNNING, first=_WAITS)
_COUNT_THEIRS, _COUNT_THEIRS_RUNNING = _count(_IS_THEIRS), _count(_IS_THEIRS, _RUNNING)
_LISTED: Final = sql(
    _GAMES.where(GAMES.c.listed, _RUNNING).order_by(GAMES.c.updated.desc()).offset(_NO).limit(bindparam("limit"))
)
_MOST_RUNNING: Final = 200
_MOST_OVERDUE: Final = 500
_WHITE_IS_TO_MOVE: Final = GAMES.c.start.like(GAMES.c.rules + " w%") == (GAMES.c.ply % 2 == 0)
_WAITING_FOR_ENGINE: Final = sql(
    _GAMES.where(
        GAMES.c.ending.is_(None), case((_WHITE_IS_TO_MOVE, _WHITE.c.kind), else_=_BLACK.c.kind) == "engine"
    ).order_by(GAMES.c.updated.desc())
)
_LEFT_ALONE: Final = sql(
    _GAMES.where(
        GAMES.c.ending.is_(None),
        GAMES.c.updated <= bindparam("since"),
        GAMES.c.rated,
        GAMES.c.time.is_(None),
        case((_WHITE_IS_TO_MOVE, _WHITE.c.kind), else_=_BLACK.c.kind) == "person",
    )
)
_HIS_OR_HERS: Final = and_(
    GAMES.c.id.in_(select(SEATS.c.game_id).where(SEATS.c.player_id == bindparam("player"))),
    or_(GAMES.c.listed, GAMES.c.rated, bindparam("all", type_=Boolean)),
)
_OF_PLAYER: Final = sql(
    _GAMES.where(_HIS_OR_HERS)
    .order_by(GAMES.c.updated.desc(), GAMES.c.id.desc())
    .offset(bindparam("offset"))
    .limit(bindparam("limit"))
)
_COUNT_OF_PLAYER: Final = sql(select(func.count()).select_from(GAMES).where(_HIS_OR_HERS))
_MOVES: Final = sql(
    select(MOVES.c.text, MOVES.c.played, MOVES.c.comment).where(MOVES.c.game_id == _GAME_ID).order_by(MOVES.c.ply)
)
_OVERDUE: Final = sql(
    select(GAMES.c.id)
    .where(GAMES.c.deadline <= bindparam("now"), GAMES.c.ending.is_(None))
    .order_by(GAMES.c.deadline)
    .offset(_NO)
    .limit(bindparam("limit"))
)
_UNBEGUN: Final = sql(
    select(GAMES.c.id)
    .where(
        GAMES.c.ending.is_(None),
        GAMES.c.updated <= bindparam("since"),
        GAMES.c.ply < _TWO,
        GAMES.c.time.not_like(literal_column("'%d'")),
    )
    .order_by(GAMES.c.updated)
    .offset(_NO)
    .limit(bindparam("limit"))
)
_KEPT: Final = sql(
    select(
        func.count(),
        func.coalesce(
            func.sum(
                func.length(cast(GAMES.c.tags, Text))
                + func.coalesce(func.length(RECORDS.c.moves), _NO)
                + func.coalesce(func.length(cast(RECORDS.c.comments, Text)), _NO)
            ),
            _NO,
        ),
    )
    .select_from(GAMES)
    .join(RECORDS, RECORDS.c.game_id == GAMES.c.id, isouter=True)
    .where(GAMES.c.owner_id == _PLAYER, ~exists().where(SEATS.c.game_id == GAMES.c.id, SEATS.c.player_id != _PLAYER))
)
_NEW_GAME: Final = sql(insert(GAMES).values(named(*OF_GAME)))
_NEW_SEAT: Final = sql(insert(SEATS).values(named("game_id", "colour", "kind", "name", "level", "player_id")))
_NEW_MOVE: Final = sql(insert(MOVES))
_RECORD: Final = sql(select(RECORDS.c.moves, RECORDS.c.comments, RECORDS.c.ply).where(RECORDS.c.game_id == _GAME_ID))
_NEW_RECORD: Final = sql(insert(RECORDS))
_SHORTEN_RECORD: Final = sql(
    update(RECORDS)
    .where(RECORDS.c.game_id == _GAME_ID, RECORDS.c.ply > bindparam("from"))
    .values(ply=bindparam("from"))
)
_CHANGE: Final = sql(
    update(GAMES).where(GAMES.c.id == _GAME_ID, GAMES.c.revision == bindparam("before")).values(named(*CHANGING))
)
_FORGET_MOVES: Final = sql(delete(MOVES).where(MOVES.c.game_id == _GAME_ID, MOVES.c.ply >= bindparam("from")))
_THEIR_SEATS, _NEXT_SEATS = SEATS.alias("theirs"), SEATS.alias("of_next")
_BEFORE_REMATCH: Final = sql(
    select(GAMES.c.id).where(
        GAMES.c.next_id == _GAME_ID,
        # By its players: there is no index of next games, and all would be gone through.
        GAMES.c.id.in_(
            select(_THEIR_SEATS.c.game_id)
            .join(_NEXT_SEATS, _NEXT_SEATS.c.player_id == _THEIR_SEATS.c.player_id)
            .where(_NEXT_SEATS.c.game_id == _GAME_ID)
        ),
    )
)
_FORGET_NEXT: Final = sql(
    update(GAMES)
    .where(GAMES.c.id == _GAME_ID, GAMES.c.next_id == bindparam("next"))
    .values(next_id=null(), revision=GAMES.c.revision + literal_column("1"))
)
_FORGET_GAME: Final = sql(delete(GAMES).where(GAMES.c.id == _GAME_ID))
_FORGET_REVISION: Final = sql(delete(GAMES).where(GAMES.c.id == _GAME_ID, GAMES.c.revision == bindparam("before")))


class NewRows:
    """The rows of new games, made before there is a transaction to put them in."""

    def __init__(self, games: Iterable[NewStoredGame], now: datetime) -> None:
        """Make them."""
        new = [(_beginning(game, now), game) for game in games]
        self.now = now
        self.stored = [game for game, _ in new]
        self._games = [game_row(game) for game in self.stored]
        self._seats = [row for game in self.stored for row in seat_rows(game)]
        self._records = [record_row(game, given.moves, given.comments) for game, given in new if game.ply]
        self.letters = sum(given.letters for _, given in new)
        seated = (seat.player for game in self.stored for seat in game.seats.values())
        owners = {game.owner for game in self.stored if game.owner is not None}
        self.players = owners | {player.id for player in seated if player is not None}
        """Whoever owns them or sits in them: to be locked before they are inserted."""

    def insert(self, connection: Connection) -> list[StoredGame]:
        """Put them into the tables; return the games."""
        connection.executemany(_NEW_GAME, self._games)
        connection.executemany(_NEW_SEAT, self._seats)
        connection.executemany(_NEW_RECORD, self._records)
        return self.stored


def _check_room(connection: Connection, new: NewRows, room: Room) -> None:
    """Raise NoRoomError if there is no room for new games of an owner's, who is locked: other processes count, too."""
    if not new.stored:
        return
    owner = new.stored[0].owner
    games, letters = connection.execute(_KEPT, {"player": owner}).fetchone()
    if games + len(new.stored) > room.games or letters + new.letters > room.letters:
        raise NoRoomError(owner)


def _beginning(game: NewStoredGame, now: datetime) -> StoredGame:
    """Return a new game's first revision."""
    return StoredGame(
        id=new_id(),
        rules=game.start.split(maxsplit=1)[0],
        start=game.start,
        seats=game.seats,
        ply=len(game.moves.split()),
        revision=1,
        outcome=game.outcome,
        tags=dict(game.tags),
        created=now,
        updated=now,
        owner=game.owner,
        listed=game.listed,
        rated=game.rated,
        time=game.time,
        clock=game.clock,
    )


def _change(connection: Connection, game: StoredGame, request: RequestKey | None, kind: str = "change") -> None:
    """Change a game if it still is at the revision before this one, and the request was not made before."""
    check(connection, request)
    changed = connection.execute(_CHANGE, {"game": game.id, "before": game.revision - 1, **changing(game)})
    if changed.rowcount != 1:
        raise ConflictError(game.id)
    note(connection, request, kind, game.id, game.updated)


def _started(game: StoredGame, start: Start | None) -> StoredGame:
    return game if start is None or game.clock is None else replace(game, clock=start(game.clock))


def _readable(rows: Iterable[Any]) -> list[StoredGame]:
    """Return the games of rows; one that makes no sense does not take the others with it."""
    found = []
    for row in rows:
        try:
            found.append(read_game(row))
        except UnreadableGameError as error:
            _log.error("left out of a list: %s", error)
    return found
