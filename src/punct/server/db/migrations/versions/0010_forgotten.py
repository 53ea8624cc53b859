"""Remove ids of deleted players from seats, which linked a player's games."""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Replace each by the id of its game. Processes of the last version take any unknown id for a deleted player."""
    op.execute(
        "UPDATE seats SET player_id = game_id WHERE player_id IS NOT NULL AND player_id NOT IN (SELECT id FROM players)"
    )


def downgrade() -> None:
    """Do nothing: the ids are gone for good."""
