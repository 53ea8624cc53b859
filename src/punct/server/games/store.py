"""The store of games. Every change is one transaction, and conditional on the game's revision."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from punct.outcome import Ending
from punct.server.db.database import Connection, Database
from punct.server.db.errors import ConflictError, MissingPlayerError, QuotaExceededError, UnreadableGameError
from punct.server.db.idempotency import IdempotencyKey, IdempotentResult, find_result, raise_if_used, record_result
from punct.server.db.locks import LockStrength, lock_players
from punct.server.db.outbox import Notice, add_notices
from punct.server.db.sql import Statement
from punct.server.db.values import new_id, to_db_time
from punct.server.games import statements
from punct.server.games.model import NewStoredGame, StoredClock, StoredGame, StoredMove, Tally
from punct.server.games.pauses import current_vacations, settle_pauses
from punct.server.games.results import count_results
from punct.server.games.rows import game_row, move_row, read_game, read_moves, record_row, revision_values, seat_rows
from punct.server.relations.store import raise_if_blocked

_log = logging.getLogger(__name__)
_MAX_DUE_GAMES: Final = 500
"""Games that are returned at a time for a deadline that has passed."""


class Quota(NamedTuple):
    """How much a player may store in games without another player."""

    games: int
    characters: int
    """Of imported moves, comments and tags."""


RestartClock = Callable[[StoredClock], StoredClock]
"""Returns a clock whose turn begins now."""
NoticesOf = Callable[[StoredGame], Iterable[Notice]]
"""Returns what the players are to be told of a game as it is stored."""
Follow = Callable[[Connection], tuple[StoredGame, Sequence[StoredMove]]]
"""Stores what follows from a change, in its transaction; returns the game after that, and all moves of the revision."""


class GameStore:
    """Stores games. Reading blocks, so it belongs in a thread; a change returns a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database, and close it in the end."""
        self._database = database

    @property
    def database(self) -> Database:
        """The database, for the stores of other features."""
        return self._database

    def close(self) -> None:
        """Finish pending changes, and close every connection."""
        self._database.close()

    def is_reachable(self) -> bool:
        """Return whether the database answers; raises StoreError if it does not."""
        return self._database.fetch_all(statements.SELECT_ONE) != []

    # ------------------------------------------------------------------ reading: each method reads one snapshot

    def revision(self, game_id: str) -> int | None:
        """Return the revision of a game; None if there is no such game."""
        rows = self._database.fetch_all(statements.SELECT_REVISION, {"game": game_id})
        return rows[0][0] if rows else None

    def load(self, game_id: str) -> tuple[StoredGame, list[StoredMove]] | None:
        """Return a game with its moves; None if there is no such game. Raises UnreadableGameError if it is damaged."""
        parameters = {"game": game_id}
        with self._database.read_transaction() as connection:
            game = connection.execute(statements.SELECT_GAME, parameters).fetchone()
            if game is None:
                return None
            record = connection.execute(statements.SELECT_RECORD, parameters).fetchone()
            moves = connection.execute(statements.SELECT_MOVES, parameters).fetchall()
        return read_game(game), read_moves(game_id, record, moves)

    def list_by_ids(self, game_ids: Iterable[str]) -> list[StoredGame]:
        """Return games in the order of the ids; those that no longer exist are left out."""
        with self._database.read_transaction() as connection:
            return _readable(
                row for game_id in game_ids for row in connection.execute(statements.SELECT_GAME, {"game": game_id})
            )

    def list_all(self, offset: int, limit: int, *, running: bool = False) -> tuple[list[StoredGame], int]:
        """Return a page of all games, the last changed first, and the total. Damaged games count in the total."""
        if running:
            return self._page(statements.SELECT_ALL_RUNNING, statements.COUNT_ALL_RUNNING, {}, offset, limit)
        return self._page(statements.SELECT_ALL, statements.COUNT_ALL, {}, offset, limit)

    def list_own(
        self, player_id: str, offset: int, limit: int, *, running: bool = False
    ) -> tuple[list[StoredGame], int]:
        """Return a page of the games that a player owns or plays, and the total.

        Games that wait for the player come first, then the last changed.
        """
        parameters = {"player": player_id}
        if running:
            return self._page(statements.SELECT_OWN_RUNNING, statements.COUNT_OWN_RUNNING, parameters, offset, limit)
        return self._page(statements.SELECT_OWN, statements.COUNT_OWN, parameters, offset, limit)

    def list_by_player(
        self, player_id: str, offset: int, limit: int, *, include_private: bool
    ) -> tuple[list[StoredGame], int]:
        """Return a page of the games that a player plays, the last changed first, and the total."""
        parameters = {"player": player_id, "all": include_private}
        return self._page(statements.SELECT_BY_PLAYER, statements.COUNT_BY_PLAYER, parameters, offset, limit)

    def _page(
        self, select: Statement, count: Statement, parameters: Mapping[str, Any], offset: int, limit: int
    ) -> tuple[list[StoredGame], int]:
        with self._database.read_transaction() as connection:
            rows = connection.execute(select, {**parameters, "offset": offset, "limit": limit}).fetchall()
            (total,) = connection.execute(count, parameters).fetchone()
        return _readable(rows), total

    def list_public(self, limit: int) -> list[StoredGame]:
        """Return unfinished games that anybody may watch, the last changed first."""
        return _readable(self._database.fetch_all(statements.SELECT_PUBLIC, {"limit": limit}))

    def tallies(self, *, include_imported: bool = True) -> list[Tally]:
        """Return how persons scored against each level, by rules, in all finished games from the empty board.

        With ``include_imported``, also in imported games whose record names the level as a player.
        """
        with self._database.read_transaction() as connection:
            return count_results(connection, include_imported=include_imported)

    def waiting_for_engine(self) -> list[StoredGame]:
        """Return the unfinished games in which an engine is to move, the last changed first."""
        return _readable(self._database.fetch_all(statements.SELECT_WAITING_FOR_ENGINE))

    def find_result(self, key: IdempotencyKey) -> IdempotentResult | None:
        """Return the result of the request with an idempotency key; None if the key is new."""
        with self._database.read_transaction() as connection:
            return find_result(connection, key)

    def overdue(self, now: datetime) -> list[str]:
        """Return the ids of games whose deadline has passed."""
        parameters = {"now": to_db_time(now), "limit": _MAX_DUE_GAMES}
        return [game_id for (game_id,) in self._database.fetch_all(statements.SELECT_OVERDUE, parameters)]

    def abandoned(self, since: datetime) -> list[str]:
        """Return the ids of rated games without a clock that have waited for a person's move since some time."""
        rows = self._database.fetch_all(statements.SELECT_ABANDONED, {"since": to_db_time(since)})
        return [game.id for game in _readable(rows)]

    def unstarted(self, since: datetime) -> list[str]:
        """Return the ids of live games that have waited for the first moves since some time."""
        parameters = {"since": to_db_time(since), "limit": _MAX_DUE_GAMES}
        return [game_id for (game_id,) in self._database.fetch_all(statements.SELECT_UNSTARTED, parameters)]

    # ------------------------------------------------------------------ writing

    def create(
        self,
        games: Iterable[NewStoredGame],
        now: datetime | None = None,
        key: IdempotencyKey | None = None,
        kind: str = "game",
        quota: Quota | None = None,
    ) -> Future[list[StoredGame]]:
        """Store new games, all or none. Their rows are made in this call: with many games it belongs in a thread.

        ``kind`` is recorded with the idempotency key: a ``game``, or several ``games``. With ``quota`` all of them have
        the same owner. Raises QuotaExceededError if they exceed it, and
        MissingPlayerError if their owner, or a player in a seat, no longer exists.
        """
        rows = NewGameRows(games, now or datetime.now(UTC))

        def store(connection: Connection) -> list[StoredGame]:
            raise_if_used(connection, key)
            lock_players(
                connection, rows.player_ids, LockStrength.KEY_SHARE if quota is None else LockStrength.EXCLUSIVE
            )
            if quota is not None:
                _check_quota(connection, rows, quota)
            record_result(connection, key, kind, " ".join(game.id for game in rows.games), rows.now)
            return rows.insert(connection)

        return self._database.change(store)

    def add_moves(
        self,
        game: StoredGame,
        *moves: StoredMove,
        key: IdempotencyKey | None = None,
        restart_clock: RestartClock | None = None,
        notices_of: NoticesOf | None = None,
        follow: Follow | None = None,
    ) -> Future[StoredGame]:
        """Store one or more moves, with those that ``follow`` adds, and the revision of the game after them.

        Return the game as it was stored: ``restart_clock`` is called when the transaction begins.
        """

        def store(connection: Connection) -> StoredGame:
            current: StoredGame = game
            played: Sequence[StoredMove] = moves
            if follow is not None:
                raise_if_used(connection, key)
                _lock(connection, game)
                current, played = follow(connection)
            after = _with_restarted_clock(current, restart_clock)
            _update(connection, after, key, "turn", notices_of)
            numbered_moves = enumerate(played, after.ply - len(played))
            connection.executemany(statements.INSERT_MOVE, [move_row(game.id, *move) for move in numbered_moves])
            return after

        return self._database.change(store)

    def take_back(
        self,
        game: StoredGame,
        key: IdempotencyKey | None = None,
        restart_clock: RestartClock | None = None,
        notices_of: NoticesOf | None = None,
        follow: Follow | None = None,
    ) -> Future[StoredGame]:
        """Delete the moves from the game's ply on, and store its revision, which has the moves that can be redone.

        Return the game as it was stored: ``restart_clock`` is called when the transaction begins.
        """

        def store(connection: Connection) -> StoredGame:
            after = _with_restarted_clock(game, restart_clock)
            _update(connection, after, key, notices_of=notices_of, follow=follow)
            parameters = {"game": game.id, "from": game.ply}
            connection.execute(statements.DELETE_MOVES, parameters)
            connection.execute(statements.SHORTEN_RECORD, parameters)
            return after

        return self._database.change(store)

    def update(
        self,
        game: StoredGame,
        key: IdempotencyKey | None = None,
        notices_of: NoticesOf | None = None,
        follow: Follow | None = None,
    ) -> Future[None]:
        """Store a revision with the same moves: a declared ending, an offer, a restarted clock.

        Raises ConflictError if the game is lost on time although its clock stands, because of a vacation.
        """

        def store(connection: Connection) -> None:
            if game.outcome is not None and game.outcome.reason is Ending.TIME:
                raise_if_used(connection, key)
                _raise_if_on_vacation(connection, game)
            _update(connection, game, key, notices_of=notices_of, follow=follow)

        return self._database.change(store)

    def rematch(
        self,
        game: StoredGame,
        new: NewStoredGame,
        key: IdempotencyKey | None = None,
        notices_of: NoticesOf | None = None,
    ) -> Future[StoredGame]:
        """Store a rematch, and the revision of the game that refers to it; return the latter.

        ``notices_of`` is called with the rematch.

        Raises MissingPlayerError if a player no longer exists, or was shut out, and BlockedPairError.
        """
        rows = NewGameRows([new], game.updated)
        after = replace(game, next_id=rows.games[0].id)

        def store(connection: Connection) -> StoredGame:
            raise_if_used(connection, key)
            for player in lock_players(connection, rows.player_ids, LockStrength.SHARE).values():
                if player.is_blocked:
                    raise MissingPlayerError(player.id)
            _keep_apart(connection, game)
            _update(connection, after, key)
            rows.insert(connection)
            if notices_of is not None:
                add_notices(connection, notices_of(rows.games[0]), rows.now)
            return after

        return self._database.change(store)

    def offer_rematch(
        self, game: StoredGame, key: IdempotencyKey | None = None, notices_of: NoticesOf | None = None
    ) -> Future[None]:
        """Store a revision with an offer of a rematch; raises BlockedPairError if one has blocked the other."""
        player_ids = [seat.player.id for seat in game.seats.values() if seat.player is not None]

        def store(connection: Connection) -> None:
            raise_if_used(connection, key)
            lock_players(connection, player_ids, LockStrength.KEY_SHARE, missing_ok=True)
            _keep_apart(connection, game)
            _update(connection, game, key, notices_of=notices_of)

        return self._database.change(store)

    def delete(
        self,
        game_id: str,
        revision: int | None = None,
        now: datetime | None = None,
        key: IdempotencyKey | None = None,
        notices: Iterable[Notice] = (),
    ) -> Future[bool]:
        """Delete a game, only at this revision if one is given; return whether it was deleted.

        Its players get ``notices`` of it, and of nothing else about the game any more.
        """
        delete = statements.DELETE_GAME if revision is None else statements.DELETE_REVISION
        parameters = {"game": game_id} if revision is None else {"game": game_id, "before": revision}

        def store(connection: Connection) -> bool:
            raise_if_used(connection, key)
            rows = connection.execute(statements.SELECT_BEFORE_REMATCH, {"game": game_id}).fetchall()
            if connection.execute(delete, parameters).rowcount == 0:
                raise_if_used(connection, key)  # another process may have executed the same request meanwhile
                return False
            for (before_rematch,) in rows:  # it may have another rematch now
                connection.execute(statements.CLEAR_REMATCH, {"game": before_rematch, "next": game_id})
            record_result(connection, key, "gone", game_id, now or datetime.now(UTC))
            add_notices(connection, notices, now or datetime.now(UTC))
            return True

        return self._database.change(store)


class NewGameRows:
    """The rows of new games, made before the transaction that inserts them."""

    def __init__(self, games: Iterable[NewStoredGame], now: datetime) -> None:
        """Make the rows."""
        pairs = [(_first_revision(game, now), game) for game in games]
        self.now = now
        self.games = [game for game, _ in pairs]
        self._game_rows = [game_row(game) for game in self.games]
        self._seat_rows = [row for game in self.games for row in seat_rows(game)]
        self._record_rows = [record_row(game, new.moves, new.comments) for game, new in pairs if game.ply]
        self.characters = sum(new.characters for _, new in pairs)
        players = (seat.player for game in self.games for seat in game.seats.values())
        owner_ids = {game.owner for game in self.games if game.owner is not None}
        self.player_ids = owner_ids | {player.id for player in players if player is not None}
        """The owners, and the players in seats: to be locked before the rows are inserted."""

    def insert(self, connection: Connection) -> list[StoredGame]:
        """Insert the rows; return the games. If a player is on vacation, the clock of a days game stands at first."""
        self._pause_for_vacations(connection)
        connection.executemany(statements.INSERT_GAME, self._game_rows)
        connection.executemany(statements.INSERT_SEAT, self._seat_rows)
        connection.executemany(statements.INSERT_RECORD, self._record_rows)
        return self.games

    def _pause_for_vacations(self, connection: Connection) -> None:
        if not any(game.clock is not None for game in self.games):
            return
        vacations = current_vacations(connection, self.player_ids, self.now)
        for index, game in enumerate(self.games):
            paused = settle_pauses(game, vacations, self.now)
            if paused is not None:
                self.games[index] = replace(paused, revision=game.revision)
                self._game_rows[index] = game_row(self.games[index])


def _check_quota(connection: Connection, rows: NewGameRows, quota: Quota) -> None:
    """Raise QuotaExceededError if new games exceed the quota of their owner.

    The owner must be locked: other processes may store games of the same owner.
    """
    if not rows.games:
        return
    owner = rows.games[0].owner
    games, characters = connection.execute(statements.SELECT_STORED_SIZE, {"player": owner}).fetchone()
    if games + len(rows.games) > quota.games or characters + rows.characters > quota.characters:
        raise QuotaExceededError(owner)


def _first_revision(game: NewStoredGame, now: datetime) -> StoredGame:
    """Return the first revision of a new game."""
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


def _update(
    connection: Connection,
    game: StoredGame,
    key: IdempotencyKey | None,
    kind: str = "change",
    notices_of: NoticesOf | None = None,
    follow: Follow | None = None,
) -> None:
    """Store a revision of a game; raises ConflictError unless the revision before it is the stored one."""
    raise_if_used(connection, key)
    parameters = {"game": game.id, "before": game.revision - 1, **revision_values(game)}
    if connection.execute(statements.UPDATE_GAME, parameters).rowcount != 1:
        raise ConflictError(game.id)
    record_result(connection, key, kind, game.id, game.updated)
    if notices_of is not None:
        add_notices(connection, notices_of(game), game.updated)
    if follow is not None:
        follow(connection)


def _keep_apart(connection: Connection, game: StoredGame) -> None:
    """Raise BlockedPairError if one player of a game has blocked the other. Both are locked."""
    seated = [seat.player.id for seat in game.seats.values() if seat.player is not None]
    if len(seated) == 2:
        raise_if_blocked(connection, *seated)


def _raise_if_on_vacation(connection: Connection, game: StoredGame) -> None:
    """Raise ConflictError if a player of a game that is lost on time has been on vacation since before.

    A vacation stops clocks in a step of its own, which may be about to come: until then they seem to run.
    """
    player_ids = [seat.player.id for seat in game.seats.values() if seat.player is not None]
    lock_players(connection, player_ids, LockStrength.KEY_SHARE, missing_ok=True)
    row = connection.execute(statements.SELECT_GAME, {"game": game.id}).fetchone()
    vacations = current_vacations(connection, player_ids, game.updated)
    if row is not None and vacations and settle_pauses(read_game(row), vacations, game.updated) is not None:
        raise ConflictError(game.id)


def _lock(connection: Connection, game: StoredGame) -> None:
    """Lock a game; raises ConflictError unless the revision before this one is the stored one."""
    row = connection.execute(statements.LOCK_GAME, {"game": game.id}).fetchone()
    if row is None or row[0] != game.revision - 1:
        raise ConflictError(game.id)


def _with_restarted_clock(game: StoredGame, restart_clock: RestartClock | None) -> StoredGame:
    if restart_clock is None or game.clock is None:
        return game
    return replace(game, clock=restart_clock(game.clock))


def _readable(rows: Iterable[Any]) -> list[StoredGame]:
    """Return the games of rows without the damaged ones, which are logged."""
    games = []
    for row in rows:
        try:
            games.append(read_game(row))
        except UnreadableGameError as error:
            _log.error("left out of a list: %s", error)
    return games
