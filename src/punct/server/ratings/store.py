"""The tables of ratings: of players, by pool, and how each game changed them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import BindParameter, and_, bindparam, exists, func, literal_column, select, update

from punct.piece import Colour
from punct.server.auth.model import PlayerKind
from punct.server.db.database import Connection, Database
from punct.server.db.locks import lock_players
from punct.server.db.sql import insert_or_ignore, sql, upsert
from punct.server.db.tables import GAMES, PLAYERS, RATED, RATINGS, SEATS
from punct.server.db.values import from_db_time, to_db_time
from punct.server.games.model import COLOURS, UncountedReason


class StoredRating(NamedTuple):
    """A player's rating in a pool."""

    pool: str
    rating: float
    deviation: float
    volatility: float
    games: int
    updated: datetime


class RatedGame(NamedTuple):
    """How a game changed a rating."""

    game_id: str
    at: datetime
    before: float
    after: float
    deviation: float
    """After the game."""


class Ranked(NamedTuple):
    """A player on a leaderboard."""

    player_id: str
    name: str | None
    handle: str | None
    kind: PlayerKind
    created: datetime
    rating: StoredRating


class GameCounts(NamedTuple):
    """How many games a player is playing, has won, drawn and lost against other people."""

    running: int
    wins: int
    draws: int
    losses: int


class EndedSeat(NamedTuple):
    """A seat in a game that has ended."""

    player_id: str | None
    has_account: bool
    level: int | None
    """The engine's; None for a person."""


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A rated game that has ended."""

    id: str
    rules: str
    time: str | None
    winner: Colour | None
    ended: datetime
    seats: Mapping[Colour, EndedSeat]
    ply: int
    """The number of moves played, without those that were taken back."""


class RatingLookup:
    """Reads the ratings of players, in the transaction that counts a game of theirs."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rating(self, player_id: str, pool: str) -> StoredRating | None:
        """Return a player's rating in a pool; None before their first game in it."""
        row = self._connection.execute(_SELECT_RATING, {"player": player_id, "pool": pool}).fetchone()
        return None if row is None else _rating(row)

    def games_of_pair(self, player_id: str, opponent_id: str, pool: str, since: datetime) -> int:
        """Return how many games between two players have counted in a pool since a time."""
        values = {"player": player_id, "other": opponent_id, "pool": pool, "since": to_db_time(since)}
        return int(self._connection.execute(_COUNT_OF_PAIR, values).fetchone()[0])


class CountResult(NamedTuple):
    """The effect of counting a game."""

    players: list[str]
    """The ids of those whose ratings it changed."""
    is_skipped: bool = False
    """Whether it was decided just now that it does not count."""


RateGame = Callable[[EndedGame, RatingLookup], Mapping[str, tuple[float, StoredRating]] | UncountedReason]
"""Returns the rating before a game and the new rating, by player; or why the game does not count."""


class RatingStore:
    """All ratings. Reads block, and are for threads; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def of_player(self, player_id: str) -> list[StoredRating]:
        """Return a player's ratings, by pool."""
        return [_rating(row) for row in self._database.fetch_all(_SELECT_OF_PLAYER, {"player": player_id})]

    def history(self, player_id: str, pool: str) -> list[RatedGame]:
        """Return how each game changed a player's rating in a pool, oldest first."""
        rows = self._database.fetch_all(_SELECT_HISTORY, {"player": player_id, "pool": pool})
        return [
            RatedGame(game, from_db_time(at), before, after, deviation) for game, at, before, after, deviation in rows
        ]

    def leaderboard(self, pool: str, max_deviation: float, limit: int) -> list[Ranked]:
        """Return a pool's players, strongest first; those whose deviation exceeds ``max_deviation`` come last."""
        rows = self._database.fetch_all(
            _SELECT_LEADERBOARD, {"pool": pool, "max_deviation": max_deviation, "limit": limit}
        )
        return [
            Ranked(player_id, name, handle, kind, from_db_time(created), _rating(rating))
            for player_id, name, handle, kind, created, *rating in rows
        ]

    def game_counts(self, player_id: str) -> GameCounts:
        """Return the results of a player's games with others."""
        return GameCounts(*self._database.fetch_all(_SELECT_GAME_COUNTS, {"player": player_id})[0])

    def uncounted_games(self) -> list[str]:
        """Return the rated games that have ended and were not counted, oldest first."""
        return [row[0] for row in self._database.fetch_all(_SELECT_UNCOUNTED)]

    def count(self, game_id: str, rate_game: RateGame) -> Future[CountResult]:
        """Count a game, or store why it does not count, unless that was decided before."""
        return self._database.change(lambda connection: _count(connection, game_id, rate_game))


def unrated_opponents(connection: Connection, player_id: str) -> set[str]:
    """Return a player's opponents in rated games that were not counted, ended or not: their ratings may change too."""
    return {row[0] for row in connection.execute(_SELECT_UNRATED_OPPONENTS, {"player": player_id}).fetchall()}


def count_games_of(connection: Connection, player_id: str, rate_game: RateGame) -> set[str]:
    """Count a player's games that have ended and were not counted; return the players whose ratings that changed.

    To be called before a player is deleted: afterwards their games could not be counted for the opponents either. The
    caller has locked the player and all opponents.
    """
    uncounted = [row[0] for row in connection.execute(_SELECT_UNCOUNTED_OF, {"player": player_id}).fetchall()]
    return {changed for game_id in uncounted for changed in _count(connection, game_id, rate_game).players}


def _count(connection: Connection, game_id: str, rate_game: RateGame) -> CountResult:
    game = _ended_game(game_id, connection.execute(_SELECT_ENDED, {"game": game_id}).fetchall())
    if game is None or connection.execute(_SELECT_COUNTED, {"game": game_id}).fetchall():
        return CountResult([])
    players = {seat.player_id for seat in game.seats.values() if seat.player_id}
    lock_players(connection, players, missing_ok=True)  # games of one player are counted one after the other
    ratings = rate_game(game, RatingLookup(connection))
    if isinstance(ratings, str):
        is_skipped = connection.execute(_UPDATE_SKIPPED, {"game": game_id, "uncounted": ratings}).rowcount > 0
        return CountResult([], is_skipped)
    changed = []
    for player_id, (before, rating) in ratings.items():
        row = {
            "game_id": game_id,
            "player_id": player_id,
            "pool": rating.pool,
            "before": before,
            "after": rating.rating,
            "deviation": rating.deviation,
            "at": to_db_time(game.ended),
        }
        if connection.execute(_INSERT_RATED, row).rowcount:
            connection.execute(_UPSERT_RATING, _row(player_id, rating))
            changed.append(player_id)
    return CountResult(changed)


_GAME_ID: Final[BindParameter[str]] = bindparam("game")
_PLAYER_ID: Final[BindParameter[str]] = bindparam("player")
_POOL: Final[BindParameter[str]] = bindparam("pool")
_COLUMNS: Final = tuple(RATINGS.c[name] for name in ("pool", "rating", "deviation", "volatility", "games", "updated"))
_SELECT_OF_PLAYER: Final = sql(select(*_COLUMNS).where(RATINGS.c.player_id == _PLAYER_ID).order_by(RATINGS.c.pool))
_SELECT_RATING: Final = sql(select(*_COLUMNS).where(RATINGS.c.player_id == _PLAYER_ID, RATINGS.c.pool == _POOL))
_UPSERT_RATING: Final = upsert(RATINGS, "rating", "deviation", "volatility", "games", "updated")
_SELECT_HISTORY: Final = sql(
    select(RATED.c.game_id, RATED.c.at, RATED.c.before, RATED.c.after, RATED.c.deviation)
    .where(RATED.c.player_id == _PLAYER_ID, RATED.c.pool == _POOL)
    .order_by(RATED.c.at, RATED.c.game_id)
)
_SELECT_LEADERBOARD: Final = sql(
    select(PLAYERS.c.id, PLAYERS.c.name, PLAYERS.c.handle, PLAYERS.c.kind, PLAYERS.c.created, *_COLUMNS)
    .join(RATINGS, RATINGS.c.player_id == PLAYERS.c.id)
    .where(RATINGS.c.pool == _POOL, PLAYERS.c.blocked.is_(None))
    .order_by(RATINGS.c.deviation > bindparam("max_deviation"), RATINGS.c.rating.desc(), PLAYERS.c.id)
    .limit(bindparam("limit"))
    .offset(literal_column("0"))
)
_OWN, _OTHER = SEATS.alias("own"), SEATS.alias("other")
_SELECT_GAME_COUNTS: Final = sql(
    select(
        func.count().filter(GAMES.c.ending.is_(None)),
        func.count().filter(GAMES.c.winner == _OWN.c.colour),
        func.count().filter(GAMES.c.ending.is_not(None), GAMES.c.winner.is_(None)),
        func.count().filter(GAMES.c.winner == _OTHER.c.colour),
    )
    .select_from(_OWN)
    .join(GAMES, GAMES.c.id == _OWN.c.game_id)
    .join(_OTHER, and_(_OTHER.c.game_id == GAMES.c.id, _OTHER.c.colour != _OWN.c.colour))
    .where(_OWN.c.player_id == _PLAYER_ID, _OTHER.c.player_id != _PLAYER_ID)
)
_INSERT_RATED: Final = insert_or_ignore(RATED)
_SELECT_COUNTED: Final = sql(select(RATED.c.player_id).where(RATED.c.game_id == _GAME_ID))
_IS_RATED: Final = (
    GAMES.c.rated,
    GAMES.c.ending.is_not(None),
    GAMES.c.start == GAMES.c.rules + literal_column("' w'"),
    GAMES.c.uncounted.is_(None),
)
_UPDATE_SKIPPED: Final = sql(
    update(GAMES)
    .where(GAMES.c.id == _GAME_ID, GAMES.c.uncounted.is_(None))
    .values(uncounted=bindparam("uncounted"), revision=GAMES.c.revision + literal_column("1"))
)
_WITH_OTHER: Final = RATED.alias("with_other")
_COUNT_OF_PAIR: Final = sql(
    select(func.count())
    .select_from(RATED)
    .join(_WITH_OTHER, and_(_WITH_OTHER.c.game_id == RATED.c.game_id, _WITH_OTHER.c.player_id == bindparam("other")))
    .where(RATED.c.player_id == _PLAYER_ID, RATED.c.pool == _POOL, RATED.c.at > bindparam("since"))
)
_SELECT_ENDED: Final = sql(
    select(
        GAMES.c.rules,
        GAMES.c.time,
        GAMES.c.winner,
        GAMES.c.updated,
        GAMES.c.ply,
        SEATS.c.colour,
        SEATS.c.player_id,
        PLAYERS.c.login,
        SEATS.c.level,
    )
    .join(SEATS, SEATS.c.game_id == GAMES.c.id)
    .join(PLAYERS, PLAYERS.c.id == SEATS.c.player_id, isouter=True)
    .where(GAMES.c.id == _GAME_ID, *_IS_RATED)
)
_WAS_COUNTED: Final = exists().where(RATED.c.game_id == GAMES.c.id)
_UNCOUNTED_GAMES: Final = (
    select(GAMES.c.id)
    .where(
        *_IS_RATED,
        ~_WAS_COUNTED,
        # A game with a guest, or with a deleted player, will never be counted.
        ~exists().where(
            SEATS.c.game_id == GAMES.c.id,
            SEATS.c.level.is_(None),
            ~exists().where(PLAYERS.c.id == SEATS.c.player_id, PLAYERS.c.login.is_not(None)),
        ),
    )
    .order_by(GAMES.c.updated, GAMES.c.id)
)
_SELECT_UNCOUNTED: Final = sql(_UNCOUNTED_GAMES)
_SELECT_UNRATED_OPPONENTS: Final = sql(
    select(_OTHER.c.player_id)
    .join(_OWN, _OWN.c.game_id == _OTHER.c.game_id)
    .join(GAMES, GAMES.c.id == _OTHER.c.game_id)
    .join(PLAYERS, PLAYERS.c.id == _OTHER.c.player_id)
    .where(
        _OWN.c.player_id == _PLAYER_ID,
        _OTHER.c.player_id != _PLAYER_ID,
        GAMES.c.rated,
        GAMES.c.uncounted.is_(None),
        ~_WAS_COUNTED,
    )
)
_SELECT_UNCOUNTED_OF: Final = sql(
    _UNCOUNTED_GAMES.where(GAMES.c.id.in_(select(SEATS.c.game_id).where(SEATS.c.player_id == _PLAYER_ID)))
)


def _rating(row: Any) -> StoredRating:
    pool, rating, deviation, volatility, games, updated = row
    return StoredRating(pool, rating, deviation, volatility, games, from_db_time(updated))


def _row(player_id: str, rating: StoredRating) -> dict[str, object]:
    return {"player_id": player_id, **rating._asdict(), "updated": to_db_time(rating.updated)}


def _ended_game(game_id: str, rows: list[Any]) -> EndedGame | None:
    """Return a game from its rows, one for each seat; None unless there are two."""
    if len(rows) != 2:
        return None
    rules, time, winner, updated, ply = rows[0][:5]
    seats = {COLOURS[colour]: EndedSeat(player, login is not None, level) for *_, colour, player, login, level in rows}
    return EndedGame(
        game_id, rules, time, None if winner is None else COLOURS[winner], from_db_time(updated), seats, ply
    )
