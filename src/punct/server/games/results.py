"""How persons scored against each level, counted from the stored games."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any, Final

from sqlalchemy import Text, and_, cast, exists, func, literal_column, select

from punct.server.db.database import Connection
from punct.server.db.sql import sql
from punct.server.db.tables import GAMES, RECORDS, SEATS
from punct.server.db.values import json_converters
from punct.server.games.model import COLOURS, Tally, engine_name


def count_results(connection: Connection, *, include_imported: bool) -> list[Tally]:
    """Count how persons scored, by rules and level, in finished games from the empty board that were played here.

    With ``include_imported``, also in imported games whose record names the level as a player.
    """
    rows = connection.execute(_PLAYED_HERE).fetchall()
    if include_imported:
        rows += filter(_names_level, connection.execute(_IMPORTED).fetchall())
    counters: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for rules, level, wins, draws, losses, *_ in rows:
        if isinstance(level, int):  # else the seat is damaged
            counters[rules, level].update(wins=wins, draws=draws, losses=losses)
    return [Tally(*key, count["wins"], count["draws"], count["losses"]) for key, count in sorted(counters.items())]


_, _read_tags = json_converters(GAMES.c.tags)
_PERSON, _ENGINE = SEATS.alias("person"), SEATS.alias("engine")
_HAS_IMPORTED_MOVES: Final = exists().where(RECORDS.c.game_id == GAMES.c.id, RECORDS.c.ply > literal_column("0"))
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
_PLAYED_HERE: Final = sql(_RESULTS.where(~_HAS_IMPORTED_MOVES))
_IMPORTED: Final = sql(
    _RESULTS.add_columns(_ENGINE.c.colour, cast(GAMES.c.tags, Text))
    .where(_HAS_IMPORTED_MOVES)
    .group_by(GAMES.c.id, _ENGINE.c.colour, cast(GAMES.c.tags, Text))
)


def _names_level(row: Any) -> bool:
    """Return whether a game's record names its level as a player: records written here, or in a browser, do."""
    level, colour, tags = row[1], row[5], row[6]
    try:
        return bool(_read_tags(tags).get(str(COLOURS[colour])) == engine_name(level))
    except (LookupError, ValueError, AttributeError):
        return False
