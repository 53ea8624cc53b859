"""Store why a rated game does not count, and the lag compensation of a game's players."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add nullable columns: processes of the last version work without them.

    A guest's rated game never counted, but would have once the guest had an account: from now on it does not. And a
    game whose rematch was aborted may have another one.
    """
    op.add_column("games", sa.Column("uncounted", sa.String(16)))
    op.add_column("games", sa.Column("lag_w", sa.Integer()))
    op.add_column("games", sa.Column("lag_b", sa.Integer()))
    op.execute(
        "UPDATE games SET uncounted = 'guest' WHERE rated AND EXISTS (SELECT 1 FROM seats JOIN players "
        "ON players.id = seats.player_id WHERE seats.game_id = games.id AND players.login IS NULL)"
    )
    op.execute(
        "UPDATE games SET next_id = NULL WHERE next_id IS NOT NULL "
        "AND NOT EXISTS (SELECT 1 FROM games AS following WHERE following.id = games.next_id)"
    )


def downgrade() -> None:
    """Drop them: the last version decides again what counts."""
    for name in ("lag_b", "lag_w", "uncounted"):
        op.drop_column("games", name)
