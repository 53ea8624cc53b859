"""Store the moves taken back, which can be played again."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a column to their game."""
    op.add_column("games", sa.Column("undone", sa.JSON()))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("games", "undone")
