"""The tables."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, DateTime, ForeignKey, Index, MetaData, String, TypeDecorator
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Moment(TypeDecorator[datetime]):
    """A point in time, kept in UTC: SQLite forgets time zones."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Write UTC."""
        return value if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Read UTC."""
        return value if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """All tables; constraints have names, so that migrations can find them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class GameRow(Base):
    """A game. ``revision`` grows with every change, and every change names the one it was made for."""

    __tablename__ = "games"
    __table_args__ = (Index("ix_games_updated", "updated", "id"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    rules: Mapped[str] = mapped_column(String(16))
    start: Mapped[str] = mapped_column(String(512))
    ply: Mapped[int] = mapped_column(default=0)
    revision: Mapped[int] = mapped_column(default=1)
    winner: Mapped[str | None] = mapped_column(String(1))
    ending: Mapped[str | None] = mapped_column(String(32))
    tags: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    created: Mapped[datetime] = mapped_column(Moment)
    updated: Mapped[datetime] = mapped_column(Moment)


class SeatRow(Base):
    """Who plays a colour in a game."""

    __tablename__ = "seats"
    __table_args__ = (CheckConstraint("colour IN ('w', 'b')", "colour"),)

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    colour: Mapped[str] = mapped_column(String(1), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    name: Mapped[str | None] = mapped_column(String(60))
    level: Mapped[int | None]


class TurnRow(Base):
    """One turn. The key makes sure that a ply is played once."""

    __tablename__ = "turns"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(String(16))
    played: Mapped[datetime | None] = mapped_column(Moment)
    comment: Mapped[str | None]
