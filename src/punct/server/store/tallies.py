"""How persons fared against each level of the computer, counted from the games."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any, Final

from sqlalchemy import Text, and_, cast, exists, func, literal_column, select

from punct.server.store.database import Connection
from punct.server.store.sql import sql
from punct.server.store.stored import COLOURS, Tally, engine_name
from punct.server.store.tables import GAMES, RECORDS, SEATS
from punct.server.store.values import json_of


def count_results(connection: Connection, *, told: bool) -> list[Tally]:
    """Return how persons fared, by rules and level: in finished games from the empty board that were played here.

    With ``told``, also in those that came with moves, if their record says that the computer played them.
    """
    found = connection.execute(_PLAYED_HERE).fetchall()
    if told:
        found += filter(_says_level, connection.execute(_CAME).fetchall())
    counted: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for rules, level, wins, draws, losses, *_ in found:
        if isinstance(level, int):  # else a seat that cannot be read
            counted[rules, level].update(wins=wins, draws=draws, losses=losses)
    return [Tally(*of, by["wins"], by["draws"], by["losses"]) for of, by in sorted(counted.items())]


_, _read_tags = json_of(GAMES.c.tags)
_PERSON, _ENGINE = SEATS.alias("person"), SEATS.alias("engine")
_CAME_WITH_MOVES: Final = exists().where(RECORDS.c.game_id == GAMES.c.id, RECORDS.c.ply > literal_column("0"))
_RESULTS: Final = (
    select(
        GAMES.c.rules,
        _ENGINE.c.level,
        func.count().filter(GAMES.c.winner == _PERSON.c.colour),
        func.count().filter(GAMES.c.winner.is_(None)),
        func.count().filter(GAMES.c.winner == _ENGINE.c.colour),
    )
    .select_from(GAMES)
    .join(_PERSON, and_(_PERSON.c.game_id == GAMES.c.id, _PERSON.c.kind == literal_column("'person'")))
    .join(_ENGINE, and_(_ENGINE.c.game_id == GAMES.c.id, _ENGINE.c.kind == literal_column("'engine'")))
    .where(GAMES.c.ending.is_not(None), GAMES.c.start == GAMES.c.rules + literal_column("' w'"))
    .group_by(GAMES.c.rules, _ENGINE.c.level)
)
_PLAYED_HERE: Final = sql(_RESULTS.where(~_CAME_WITH_MOVES))
_CAME: Final = sql(
    _RESULTS.add_columns(_ENGINE.c.colour, cast(GAMES.c.tags, Text))
    .where(_CAME_WITH_MOVES)
    .group_by(GAMES.c.id, _ENGINE.c.colour, cast(GAMES.c.tags, Text))
)


def _says_level(row: Any) -> bool:
    """Tell whether a record names the level that sits in its game: what was played here, or in a browser, does."""
    level, colour, tags = row[1], row[5], row[6]
    try:
        return bool(_read_tags(tags).get(str(COLOURS[colour])) == engine_name(level))
    except (LookupError, ValueError, AttributeError):
        return False
