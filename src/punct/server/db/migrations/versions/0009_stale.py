"""Store openings whose last day must be searched again, and an index for that search."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create both. Processes of the last version search at once, and need neither."""
    op.create_table(
        "explored_stale",
        sa.Column("position", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("move", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("position", "move", name="pk_explored_stale"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_explored_games_day_id", "explored_games", ["day", "id"])
    op.drop_index("ix_explored_games_day", "explored_games")


def downgrade() -> None:
    """Drop the table, and index by day alone."""
    op.create_index("ix_explored_games_day", "explored_games", ["day"])
    op.drop_index("ix_explored_games_day_id", "explored_games")
    op.drop_table("explored_stale")
