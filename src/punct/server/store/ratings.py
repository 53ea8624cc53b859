"""How strong players are, as it is stored: for each pool what is believed now, and what each game did to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import BindParameter, and_, bindparam, exists, func, literal_column, select, update

from punct.piece import Colour
from punct.server.store.database import Connection, Database
from punct.server.store.locks import lock_players
from punct.server.store.sql import in_place, sql, unless_there
from punct.server.store.stored import COLOURS, PlayerKind, Uncounted
from punct.server.store.tables import GAMES, PLAYERS, RATED, RATINGS, SEATS
from punct.server.store.values import moment, written


class StoredRating(NamedTuple):
    """What is believed of a player in a pool."""

    pool: str
    rating: float
    deviation: float
    volatility: float
    games: int
    updated: datetime


class RatedGame(NamedTuple):
    """What a game did to a rating."""

    game_id: str
    at: datetime
    before: float
    after: float
    deviation: float
    """After it."""


class Ranked(NamedTuple):
    """A player in the order of a pool."""

    player_id: str
    name: str | None
    kind: PlayerKind
    created: datetime
    rating: StoredRating


class Fared(NamedTuple):
    """How a player's games with others came out."""

    running: int
    wins: int
    draws: int
    losses: int


class EndedSeat(NamedTuple):
    """Who played a colour in a game that has ended."""

    player_id: str | None
    has_account: bool
    level: int | None
    """The computer's; None for a person."""


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game that has ended and is to be counted."""

    id: str
    rules: str
    time: str | None
    winner: Colour | None
    ended: datetime
    seats: Mapping[Colour, EndedSeat]
    ply: int
    """How many moves were played, those that were taken back not counted."""


class Believed:
    """What is known of players when a game of theirs is counted, in the transaction that counts it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rating(self, player_id: str, pool: str) -> StoredRating | None:
        """Return what is believed of a player in a pool."""
        found = self._connection.execute(_RATING, {"player": player_id, "pool": pool}).fetchone()
        return None if found is None else _rating(found)

    def games_of(self, one: str, other: str, pool: str, since: datetime) -> int:
        """Return how many games of two players with each other have counted in a pool since then."""
        asked = {"player": one, "other": other, "pool": pool, "since": written(since)}
        return int(self._connection.execute(_OF_PAIR, asked).fetchone()[0])


class Counted(NamedTuple):
    """What came of counting a game."""

    players: list[str]
    """Whose ratings it changed."""
    left_out: bool = False
    """Whether it was decided now that it does not count."""


Judge = Callable[[EndedGame, Believed], Mapping[str, tuple[float, StoredRating]] | Uncounted]
"""Says, from a game and from what is believed of its players, what is believed of them after it, and which rating that
was before; or why the game does not count."""


class RatingStore:
    """All ratings. What reads blocks, and is for threads; what changes returns at once, with the result to wait for."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def of(self, player_id: str) -> list[StoredRating]:
        """Return a player's ratings, by pool."""
        return [_rating(row) for row in self._database.ask(_OF_PLAYER, {"player": player_id})]

    def history(self, player_id: str, pool: str) -> list[RatedGame]:
        """Return what a player's games did to their rating in a pool, the last one last."""
        found = self._database.ask(_HISTORY, {"player": player_id, "pool": pool})
        return [RatedGame(game, moment(at), before, after, deviation) for game, at, before, after, deviation in found]

    def best(self, pool: str, certain: float, most: int) -> list[Ranked]:
        """Return a pool's players: those of at most a certain deviation first, the strongest first."""
        found = self._database.ask(_BEST, {"pool": pool, "certain": certain, "most": most})
        return [
            Ranked(player_id, name, kind, moment(created), _rating(rating))
            for player_id, name, kind, created, *rating in found
        ]

    def fared(self, player_id: str) -> Fared:
        """Return how a player's games with others came out."""
        return Fared(*self._database.ask(_FARED, {"player": player_id})[0])

    def uncounted(self) -> list[str]:
        """Return the rated games that have ended and were not counted, the first ended first."""
        return [row[0] for row in self._database.ask(_UNCOUNTED)]

    def count(self, game_id: str, judge: Judge) -> Future[Counted]:
        """Count a game, or note why it does not count, unless that was decided before."""
        return self._database.change(lambda connection: _count(connection, game_id, judge))


def rivals_of(connection: Connection, player_id: str) -> set[str]:
    """Return with whom a player has rated games that were not counted, ended or not: those may change with theirs."""
    return {row[0] for row in connection.execute(_RIVALS, {"player": player_id}).fetchall()}


def count_all_of(connection: Connection, player_id: str, judge: Judge) -> set[str]:
    """Count what has ended of a player's games and was not counted; return the players whose ratings that changed.

    For whoever is about to forget the player: then there would be nobody to count them for. They are locked, and so are
    those with whom they played.
    """
    uncounted = [row[0] for row in connection.execute(_UNCOUNTED_OF, {"player": player_id}).fetchall()]
    return {changed for game_id in uncounted for changed in _count(connection, game_id, judge).players}


def _count(connection: Connection, game_id: str, judge: Judge) -> Counted:
    game = _ended(game_id, connection.execute(_ENDED, {"game": game_id}).fetchall())
    if game is None or connection.execute(_COUNTED, {"game": game_id}).fetchall():
        return Counted([])
    players = {seat.player_id for seat in game.seats.values() if seat.player_id}
    lock_players(connection, players, absent_ok=True)  # two games of one player count one by one
    verdict = judge(game, Believed(connection))
    if isinstance(verdict, str):
        left_out = connection.execute(_LEAVE_OUT, {"game": game_id, "uncounted": verdict}).rowcount > 0
        return Counted([], left_out)
    changed = []
    for player_id, (before, rating) in verdict.items():
        row = {
            "game_id": game_id,
            "player_id": player_id,
            "pool": rating.pool,
            "before": before,
            "after": rating.rating,
            "deviation": rating.deviation,
            "at": written(game.ended),
        }
        if connection.execute(_NEW_RATED, row).rowcount:
            connection.execute(_SET_RATING, _row(player_id, rating))
            changed.append(player_id)
    return Counted(changed)


_GAME_ID: Final[BindParameter[str]] = bindparam("game")
_PLAYER_ID: Final[BindParameter[str]] = bindparam("player")
_POOL: Final[BindParameter[str]] = bindparam("pool")
_OF_RATING: Final = tuple(RATINGS.c[name] for name in ("pool", "rating", "deviation", "volatility", "games", "updated"))
_OF_PLAYER: Final = sql(select(*_OF_RATING).where(RATINGS.c.player_id == _PLAYER_ID).order_by(RATINGS.c.pool))
_RATING: Final = sql(select(*_OF_RATING).where(RATINGS.c.player_id == _PLAYER_ID, RATINGS.c.pool == _POOL))
_SET_RATING: Final = in_place(RATINGS, "rating", "deviation", "volatility", "games", "updated")
_HISTORY: Final = sql(
    select(RATED.c.game_id, RATED.c.at, RATED.c.before, RATED.c.after, RATED.c.deviation)
    .where(RATED.c.player_id == _PLAYER_ID, RATED.c.pool == _POOL)
    .order_by(RATED.c.at, RATED.c.game_id)
)
_BEST: Final = sql(
    select(PLAYERS.c.id, PLAYERS.c.name, PLAYERS.c.kind, PLAYERS.c.created, *_OF_RATING)
    .join(RATINGS, RATINGS.c.player_id == PLAYERS.c.id)
    .where(RATINGS.c.pool == _POOL, PLAYERS.c.blocked.is_(None))
    .order_by(RATINGS.c.deviation > bindparam("certain"), RATINGS.c.rating.desc(), PLAYERS.c.id)
    .limit(bindparam("most"))
    .offset(literal_column("0"))
)
_OWN, _OTHER = SEATS.alias("own"), SEATS.alias("other")
_FARED: Final = sql(
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
_NEW_RATED: Final = unless_there(RATED)
_COUNTED: Final = sql(select(RATED.c.player_id).where(RATED.c.game_id == _GAME_ID))
_IS_RATED: Final = (
    GAMES.c.rated,
    GAMES.c.ending.is_not(None),
    GAMES.c.start == GAMES.c.rules + literal_column("' w'"),
    GAMES.c.uncounted.is_(None),
)
_LEAVE_OUT: Final = sql(
    update(GAMES)
    .where(GAMES.c.id == _GAME_ID, GAMES.c.uncounted.is_(None))
    .values(uncounted=bindparam("uncounted"), revision=GAMES.c.revision + literal_column("1"))
)
_WITH_OTHER: Final = RATED.alias("with_other")
_OF_PAIR: Final = sql(
    select(func.count())
    .select_from(RATED)
    .join(_WITH_OTHER, and_(_WITH_OTHER.c.game_id == RATED.c.game_id, _WITH_OTHER.c.player_id == bindparam("other")))
    .where(RATED.c.player_id == _PLAYER_ID, RATED.c.pool == _POOL, RATED.c.at > bindparam("since"))
)
_ENDED: Final = sql(
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
_TO_COUNT: Final = (
    select(GAMES.c.id)
    .where(
        *_IS_RATED,
        ~_WAS_COUNTED,
        # Of a game with a guest, or with somebody who has gone, nothing will ever be counted.
        ~exists().where(
            SEATS.c.game_id == GAMES.c.id,
            SEATS.c.level.is_(None),
            ~exists().where(PLAYERS.c.id == SEATS.c.player_id, PLAYERS.c.login.is_not(None)),
        ),
    )
    .order_by(GAMES.c.updated, GAMES.c.id)
)
_UNCOUNTED: Final = sql(_TO_COUNT)
_RIVALS: Final = sql(
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
_UNCOUNTED_OF: Final = sql(
    _TO_COUNT.where(GAMES.c.id.in_(select(SEATS.c.game_id).where(SEATS.c.player_id == _PLAYER_ID)))
)


def _rating(row: Any) -> StoredRating:
    pool, rating, deviation, volatility, games, updated = row
    return StoredRating(pool, rating, deviation, volatility, games, moment(updated))


def _row(player_id: str, rating: StoredRating) -> dict[str, object]:
    return {"player_id": player_id, **rating._asdict(), "updated": written(rating.updated)}


def _ended(game_id: str, rows: list[Any]) -> EndedGame | None:
    """Return a game of its two seats' rows."""
    if len(rows) != 2:
        return None
    rules, time, winner, updated, ply = rows[0][:5]
    seats = {COLOURS[colour]: EndedSeat(player, login is not None, level) for *_, colour, player, login, level in rows}
    return EndedGame(game_id, rules, time, None if winner is None else COLOURS[winner], moment(updated), seats, ply)
