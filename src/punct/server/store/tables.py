"""The tables."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
)

METADATA: Final = MetaData(
    # Constraints have names, so that migrations can find them.
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

GAMES: Final = Table(
    "games",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("rules", String(16), nullable=False),
    Column("start", String(512), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("winner", String(1)),
    Column("ending", String(32)),
    Column("tags", JSON, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("updated", DateTime, nullable=False),
    Column("undone", JSON(none_as_null=True)),
    Index("ix_games_updated", "updated", "id"),
)
"""The games. ``revision`` grows with every change, and every change names the one it was made for. ``undone`` are the
moves taken back, the next one first, each with when it was played and its comment; null if there are none."""

SEATS: Final = Table(
    "seats",
    METADATA,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("colour", String(1), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("name", String(60)),
    Column("level", Integer),
    CheckConstraint("colour IN ('w', 'b')", "colour"),
)
"""Who plays a colour in a game."""

MOVES: Final = Table(
    "turns",
    METADATA,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("text", String(16), nullable=False),
    Column("played", DateTime),
    Column("comment", String),
)
"""The moves played here. The key makes sure that a ply is played once."""

RECORDS: Final = Table(
    "records",
    METADATA,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("moves", String, nullable=False),
    Column("comments", JSON(none_as_null=True)),
    Column("ply", Integer, nullable=False),
)
"""The moves that games came with: of each game all in one row, with spaces between, and comments by ply. So a record of
hundreds of games is stored in a moment, all or none, and nobody's turn waits for a hundred thousand rows. ``ply`` is
how many of them the game still begins with; what was played after those is among the moves played."""
