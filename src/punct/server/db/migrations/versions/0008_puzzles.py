"""Create puzzle attempts of account holders, and ratings of puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables. Existing ones are not changed."""
    op.create_table(
        "puzzle_standings",
        sa.Column("player_id", sa.String(32), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("best_streak", sa.Integer(), nullable=False),
        sa.Column("best_rush", sa.Integer(), nullable=False),
        sa.Column("updated", sa.DateTime(), nullable=False),
        _of_player("puzzle_standings"),
        sa.PrimaryKeyConstraint("player_id", name="pk_puzzle_standings"),
    )
    op.create_table(
        "puzzle_tries",
        sa.Column("player_id", sa.String(32), nullable=False),
        sa.Column("puzzle", sa.String(16), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("mode", sa.String(16), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("mode IN ('strength', 'theme', 'streak', 'rush', 'day')", name="ck_puzzle_tries_mode"),
        _of_player("puzzle_tries"),
        sa.PrimaryKeyConstraint("player_id", "puzzle", name="pk_puzzle_tries"),
    )
    op.create_table(
        "puzzle_days",
        sa.Column("player_id", sa.String(32), nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        _of_player("puzzle_days"),
        sa.PrimaryKeyConstraint("player_id", "day", name="pk_puzzle_days"),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle", sa.String(16), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("puzzle", name="pk_puzzle_ratings"),
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("puzzle_ratings", "puzzle_days", "puzzle_tries", "puzzle_standings"):
        op.drop_table(table)


def _of_player(table: str) -> sa.ForeignKeyConstraint:
    """Return the foreign key that deletes a player's rows with the player."""
    return sa.ForeignKeyConstraint(
        ["player_id"], ["players.id"], name=f"fk_{table}_player_id_players", ondelete="CASCADE"
    )
