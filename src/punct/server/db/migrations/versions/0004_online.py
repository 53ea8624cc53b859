"""Create players, sessions, tokens, ratings and challenges; add owners, clocks and offers to games."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_INDEXES = {
    "ix_sessions_player_id": ("sessions", ["player_id"]),
    "ix_tokens_player_id": ("tokens", ["player_id"]),
    "ix_passkeys_player_id": ("passkeys", ["player_id"]),
    "ix_ratings_pool": ("ratings", ["pool", "rating"]),
    "ix_rated_player_id": ("rated", ["player_id", "pool", "at"]),
    "ix_challenges_player_id": ("challenges", ["player_id"]),
    "ix_requests_at": ("requests", ["at"]),
}


def upgrade() -> None:
    """Create the tables, and add columns to existing ones."""
    op.create_table(
        "players",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("name", sa.String(60)),
        sa.Column("login", sa.String(60)),
        sa.Column("password", sa.String(255)),
        sa.Column("settings", sa.JSON()),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("seen", sa.DateTime(), nullable=False),
        sa.Column("blocked", sa.DateTime()),
        sa.CheckConstraint("kind IN ('guest', 'person', 'bot', 'admin')", name="ck_players_kind"),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("login", name="uq_players_login"),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(64), nullable=False),
        _player(),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("expires", sa.DateTime(), nullable=False),
        _players("sessions"),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(64), nullable=False),
        _player(),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("scopes", sa.String(120), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("expires", sa.DateTime()),
        sa.Column("used", sa.DateTime()),
        _players("tokens"),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(512), nullable=False),
        _player(),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("used_times", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        _players("passkeys"),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("value", sa.String(128), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_secrets"),
    )
    op.create_table(
        "ratings",
        _player(),
        sa.Column("pool", sa.String(32), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("updated", sa.DateTime(), nullable=False),
        _players("ratings"),
        sa.PrimaryKeyConstraint("player_id", "pool", name="pk_ratings"),
    )
    op.create_table(
        "rated",
        sa.Column("game_id", sa.String(32), nullable=False),
        _player(),
        sa.Column("pool", sa.String(32), nullable=False),
        sa.Column("before", sa.Float(), nullable=False),
        sa.Column("after", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_rated_game_id_games", ondelete="CASCADE"),
        _players("rated"),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="pk_rated"),
    )
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(32), nullable=False),
        _player(),
        sa.Column("rules", sa.String(16), nullable=False),
        sa.Column("start", sa.String(512)),
        sa.Column("colour", sa.String(1)),
        sa.Column("time", sa.String(16)),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("expires", sa.DateTime(), nullable=False),
        sa.Column("game_id", sa.String(32)),
        _players("challenges"),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
    )
    op.create_table(
        "requests",
        sa.Column("player_id", sa.String(32), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("made", sa.String(32), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "key", name="pk_requests"),
    )
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_pulse"),
    )
    for column in _of_games():
        op.add_column("games", column)
    op.add_column("seats", sa.Column("player_id", sa.String(32)))
    for name, (table, columns) in _INDEXES.items():
        op.create_index(name, table, columns)


def downgrade() -> None:
    """Drop the players; their games stay, without owners."""
    for name, (table, _) in _INDEXES.items():
        op.drop_index(name, table)
    op.drop_column("seats", "player_id")
    for column in _of_games():
        op.drop_column("games", column.name)
    for table in ("pulse", "requests", "challenges", "rated", "ratings", "secrets"):
        op.drop_table(table)
    for table in ("passkeys", "tokens", "sessions", "players"):
        op.drop_table(table)


def _player() -> sa.Column[str]:
    return sa.Column("player_id", sa.String(32), nullable=False)


def _players(table: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_player_id_players"
    return sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=name, ondelete="CASCADE")


def _of_games() -> tuple[sa.Column[Any], ...]:
    return (
        sa.Column("owner_id", sa.String(32)),
        sa.Column("listed", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("time", sa.String(16)),
        sa.Column("left_w", sa.Integer()),
        sa.Column("left_b", sa.Integer()),
        sa.Column("ticking", sa.DateTime()),
        sa.Column("deadline", sa.DateTime()),
        sa.Column("offer", sa.String(16)),
        sa.Column("offered_by", sa.String(1)),
        sa.Column("next_id", sa.String(32)),
    )
