"""The turns taken back, which may be played again."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Keep them with their game."""
    op.add_column("games", sa.Column("undone", sa.JSON()))


def downgrade() -> None:
    """Forget them."""
    op.drop_column("games", "undone")
