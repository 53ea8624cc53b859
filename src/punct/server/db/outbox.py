"""The outbox: what players are to be told, stored in the transaction of the change that it tells of.

So a server that is killed after a move loses no message about it. ``punct.server.notifications`` sends them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import bindparam, delete, insert

from punct.server.db.database import Connection
from punct.server.db.sql import sql
from punct.server.db.tables import NOTICES
from punct.server.db.values import json_converters, new_id, to_db_time

NoticeKind = Literal[
    "turn",  # it is the player's turn
    "time",  # the player's time is running out
    "seat",  # somebody took the seat that the player offered, or accepted a rematch: a game has begun
    "offer",  # the opponent offers a draw, to take back, a rematch, a pause…
    "over",  # a game is over
    "aborted",  # a game was called off before both had moved
    "plan",  # the player's conditional moves no longer fit, and were dropped
    "challenge",  # somebody challenges the player by name
    "declined",  # a challenge of the player was declined, or answered with other terms
    "wanted",  # somebody offers a game as the player wants
    "appointment",  # somebody proposes a date for a live game, or answers, or cancels one; or nobody came to it
    "reminder",  # the date of a live game is near, or the opponent is there and waits
    "vacation",  # the opponent begins or ends a vacation
]
"""What a notice is about. Players can switch off each of them."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What a player is to be told, from a time on."""

    player_id: str
    kind: NoticeKind
    subject: str
    """The id of the game, challenge, appointment or player; then a slash and which one, if there are several."""
    due: datetime
    data: Mapping[str, Any] = field(default_factory=dict)
    """What the text needs that may be gone by then, as the result of a deleted game."""


def add_notices(connection: Connection, notices: Iterable[Notice], now: datetime) -> None:
    """Store notices, in a change's transaction. An earlier one of the same kind about the same subject is replaced."""
    for notice in notices:
        key = {"player": notice.player_id, "subject": notice.subject, "kind": notice.kind}
        connection.execute(_DELETE_EARLIER, key)
        row = {
            "id": new_id(),
            "player_id": notice.player_id,
            "kind": notice.kind,
            "subject": notice.subject,
            "data": _write_data(dict(notice.data) or None),
            "created": to_db_time(now),
            "due": to_db_time(notice.due),
        }
        connection.execute(_INSERT, row)


_write_data, read_data = json_converters(NOTICES.c.data)
_INSERT: Final = sql(insert(NOTICES))
_DELETE_EARLIER: Final = sql(
    delete(NOTICES).where(
        NOTICES.c.player_id == bindparam("player"),
        NOTICES.c.subject == bindparam("subject"),
        NOTICES.c.kind == bindparam("kind"),
    )
)
