"""Searches the games of a player, newest first, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, exists, func, literal, not_, or_, select, union
from sqlalchemy.dialects.postgresql import aggregate_order_by

from punct.server.db.database import Database
from punct.server.db.errors import UnreadableGameError
from punct.server.db.sql import Statement, sql
from punct.server.db.tables import GAMES, MOVES, PLAYERS, RECORDS, SEATS
from punct.server.db.values import from_db_time, to_db_time
from punct.server.games.model import StoredGame
from punct.server.games.rows import read_game
from punct.server.games.statements import GAMES_WITH_SEATS

Result = Literal["won", "lost", "drawn", "running"]
Speed = Literal["live", "days", "untimed"]
Opponents = Literal["people", "levels"]
MAX_OPENING_MOVES: Final = 12
_SYMMETRIES: Final = 12


class Place(NamedTuple):
    """A place in the order of a search: after the game that began then. A game never moves in this order."""

    created: datetime
    game_id: str


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which of a player's games are searched for; None does not matter."""

    opponent: str | None = None
    """A part of the opponent's name."""
    opponent_id: str | None = None
    against: Opponents | None = None
    level: int | None = None
    result: Result | None = None
    rules: str | None = None
    speed: Speed | None = None
    rated: bool | None = None
    min_moves: int | None = None
    max_moves: int | None = None
    since: datetime | None = None
    """Begun then or later."""
    until: datetime | None = None
    """Begun before then."""
    openings: tuple[str, ...] = ()
    """The first moves, separated by spaces, in each symmetric image of the board."""

    def used(self) -> list[str]:
        """Return the names of the fields that matter."""
        return [field.name for field in fields(self) if getattr(self, field.name) not in (None, ())]

    def conditions(self) -> frozenset[str]:
        """Return the names of the conditions in a statement."""
        own = {"result": self.result, "speed": self.speed}
        return frozenset(own.get(name) or name for name in self.used())


class GameSearchStore:
    """Searches games. Every method blocks, and belongs in a thread."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def find(
        self, player_id: str | None, wanted: GameFilter, after: Place | None, limit: int
    ) -> tuple[list[StoredGame], Place | None]:
        """Return a page of games and the place after it; None after the last.

        ``player_id`` is None at home, where all games are everybody's. Damaged games are left out of the page.
        """
        statement = _select(player_id is not None, wanted.conditions(), after is not None)
        values = {**_values(player_id, wanted), "limit": limit + 1}
        if after is not None:
            values |= {"after": to_db_time(after.created), "after_id": after.game_id}
        rows = self._database.fetch_all(statement, values)
        games = list(_readable(rows[:limit]))
        last = rows[limit - 1] if len(rows) > limit else None
        return games, None if last is None else place_of_row(last)

    def count(self, player_id: str | None, wanted: GameFilter) -> int:
        """Return how many games there are."""
        statement = _count(player_id is not None, wanted.conditions())
        ((number,),) = self._database.fetch_all(statement, _values(player_id, wanted))
        return int(number)


def place_of_row(row: Any) -> Place:
    """Return the place of a game in a search, by its row."""
    return Place(from_db_time(row[8]), row[0])


def _readable(rows: list[Any]) -> Iterator[StoredGame]:
    for row in rows:
        try:
            yield read_game(row)
        except UnreadableGameError:
            continue  # requests for the game get the error


def _values(player_id: str | None, wanted: GameFilter) -> dict[str, Any]:
    """Return the values of a search's parameters."""
    values: dict[str, Any] = {} if player_id is None else {"player": player_id}
    for name in wanted.used():
        value = getattr(wanted, name)
        match name:
            case "opponent":
                escaped = value.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
                # SQLite knows upper and lower case of ASCII alone.
                for number, form in enumerate((escaped, escaped.lower(), escaped.capitalize(), escaped.upper())):
                    values[f"opponent{number}"] = f"%{form}%"
            case "openings":
                images = sorted(set(value))
                values["opening_moves"] = len(images[0].split())
                for number in range(_SYMMETRIES):
                    image = images[min(number, len(images) - 1)]
                    values |= {f"opening{number}": image, f"imported{number}": f"{image} %"}
            case "since" | "until":
                values[name] = to_db_time(value)
            case "against":
                values["kind"] = "person" if value == "people" else "engine"
            case "result" | "speed":
                pass  # each has a condition of its own
            case _:
                values[name] = value
    return values


# ---------------------------------------------------------------------- statements, one for each set of conditions


def _is_mine(seat: Any, *, online: bool) -> ColumnElement[bool]:
    """Return the condition that a seat is the player's; at home, a person's."""
    condition: ColumnElement[bool] = seat.c.player_id == bindparam("player") if online else seat.c.kind == "person"
    return condition


_IS_OWN: Final = GAMES.c.id.in_(
    union(
        select(SEATS.c.game_id).where(SEATS.c.player_id == bindparam("player")),
        select(GAMES.c.id).where(GAMES.c.owner_id == bindparam("player")),
    )
)
_MINE, _OTHER, _OPPONENT = SEATS.alias("mine"), SEATS.alias("other"), PLAYERS.alias("opponent")
_IS_DAYS: Final = GAMES.c.time.like("%d%")


def _has_seat(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that the game has a seat of the player."""
    return exists().where(_MINE.c.game_id == GAMES.c.id, *conditions)


def _has_opponent(*conditions: ColumnElement[bool], online: bool) -> ColumnElement[bool]:
    """Return the condition that the game has a seat that is not the player's; a seat at home may be anybody's."""
    is_other = [] if not online else [func.coalesce(_OTHER.c.player_id, "") != bindparam("player")]
    seats = select(_OTHER.c.game_id).join(_OPPONENT, _OPPONENT.c.id == _OTHER.c.player_id, isouter=True)
    return seats.where(_OTHER.c.game_id == GAMES.c.id, *is_other, *conditions).correlate(GAMES).exists()


def _has_result(seat_wins: bool, *, online: bool) -> ColumnElement[bool]:
    """Return the condition that the player has won or lost; at home, that a person has against the computer."""
    is_winner = _MINE.c.colour == GAMES.c.winner
    result = and_(
        GAMES.c.winner.is_not(None),
        _has_seat(_is_mine(_MINE, online=online), is_winner if seat_wins else not_(is_winner)),
    )
    return result if online else and_(result, _has_opponent(_OTHER.c.kind == "engine", online=False))


def _opponent_is_named(*, online: bool) -> ColumnElement[bool]:
    name = func.coalesce(_OTHER.c.name, _OPPONENT.c.name)
    forms = [name.like(bindparam(f"opponent{number}"), escape="\\") for number in range(4)]
    return _has_opponent(or_(*forms, func.lower(name).like(bindparam("opponent1"), escape="\\")), online=online)


def _begins_with(prefix: Any) -> ColumnElement[bool]:
    """Return the condition that the game's first moves are one of the images of an opening."""
    images = range(_SYMMETRIES)
    imported = exists().where(
        RECORDS.c.game_id == GAMES.c.id,
        RECORDS.c.ply >= bindparam("opening_moves"),
        or_(*((RECORDS.c.moves + " ").like(bindparam(f"imported{image}")) for image in images)),
    )
    played = prefix.in_([bindparam(f"opening{image}") for image in images])
    return and_(GAMES.c.start == GAMES.c.rules + " w", or_(played, imported))


def _moves_in(separated: Callable[[Any], Any]) -> Any:
    """Return the first moves played here, separated by blanks."""
    first = select(MOVES.c.text, MOVES.c.ply)
    first = first.where(MOVES.c.game_id == GAMES.c.id, MOVES.c.ply < bindparam("opening_moves"))
    ordered = first.order_by(MOVES.c.ply).correlate(GAMES).subquery("played")
    return select(separated(ordered)).select_from(ordered).scalar_subquery()


_IN_SQLITE: Final = _moves_in(lambda played: func.group_concat(played.c.text, literal(" ")))
_IN_POSTGRESQL: Final = _moves_in(
    lambda played: func.string_agg(played.c.text, aggregate_order_by(literal(" "), played.c.ply))
)


def _conditions(names: frozenset[str], prefix: Any, *, online: bool) -> list[ColumnElement[bool]]:
    """Return the conditions of a search."""
    conditions: dict[str, Callable[[], ColumnElement[bool]]] = {
        "opponent": lambda: _opponent_is_named(online=online),
        "opponent_id": lambda: _has_opponent(_OTHER.c.player_id == bindparam("opponent_id"), online=online),
        "against": lambda: _has_opponent(_OTHER.c.kind == bindparam("kind"), online=online),
        "level": lambda: _has_opponent(_OTHER.c.level == bindparam("level"), online=online),
        "won": lambda: _has_result(True, online=online),
        "lost": lambda: _has_result(False, online=online),
        "drawn": lambda: and_(GAMES.c.ending.is_not(None), GAMES.c.winner.is_(None)),
        "running": lambda: GAMES.c.ending.is_(None),
        "rules": lambda: GAMES.c.rules == bindparam("rules"),
        "days": lambda: _IS_DAYS,
        "live": lambda: and_(GAMES.c.time.is_not(None), not_(_IS_DAYS)),
        "untimed": lambda: GAMES.c.time.is_(None),
        "rated": lambda: GAMES.c.rated == bindparam("rated"),
        "min_moves": lambda: GAMES.c.ply >= bindparam("min_moves"),
        "max_moves": lambda: GAMES.c.ply <= bindparam("max_moves"),
        "since": lambda: GAMES.c.created >= bindparam("since"),
        "until": lambda: GAMES.c.created < bindparam("until"),
        "openings": lambda: _begins_with(prefix),
    }
    return [*([_IS_OWN] if online else []), *(conditions[name]() for name in sorted(names))]


_AFTER: Final = or_(
    GAMES.c.created < bindparam("after"),
    and_(GAMES.c.created == bindparam("after"), GAMES.c.id < bindparam("after_id")),
)


@cache
def _select(online: bool, names: frozenset[str], is_later_page: bool) -> Statement:
    def page(prefix: Any) -> Any:
        conditions = _conditions(names, prefix, online=online) + ([_AFTER] if is_later_page else [])
        order = (GAMES.c.created.desc(), GAMES.c.id.desc())
        # The page's ids first: with 10,000 games, joining the players of all of them takes half a second.
        ids = select(GAMES.c.id).where(*conditions).order_by(*order).limit(bindparam("limit"))
        return GAMES_WITH_SEATS.where(GAMES.c.id.in_(ids.correlate(None))).order_by(*order)

    return sql(page(_IN_SQLITE), page(_IN_POSTGRESQL))


@cache
def _count(online: bool, names: frozenset[str]) -> Statement:
    def count(prefix: Any) -> Any:
        return select(func.count()).select_from(GAMES).where(*_conditions(names, prefix, online=online))

    return sql(count(_IN_SQLITE), count(_IN_POSTGRESQL))
