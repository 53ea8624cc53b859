"""Seats of players who were forgotten have no id in common any more."""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Give each the id of its game. Who still runs the last version takes any id for somebody's who is gone."""
    op.execute(
        "UPDATE seats SET player_id = game_id WHERE player_id IS NOT NULL AND player_id NOT IN (SELECT id FROM players)"
    )


def downgrade() -> None:
    """Leave it: what was forgotten stays forgotten."""
