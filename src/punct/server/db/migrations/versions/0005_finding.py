"""Index games by player, by deadline, and the unfinished ones, while the tables may be in use."""

import contextlib
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_INDEXES = {
    "ix_games_owner_id": ("games", ["owner_id"]),
    "ix_games_deadline": ("games", ["deadline"]),
    "ix_seats_player_id": ("seats", ["player_id", "game_id"]),
    "ix_games_open": ("games", ["updated"]),
}


def upgrade() -> None:
    """Create the indexes. PostgreSQL does so concurrently, one by one; what a failed attempt left is dropped first."""
    with _online() as concurrently:
        for name, (table, columns) in _INDEXES.items():
            op.drop_index(name, table, if_exists=True, postgresql_concurrently=concurrently)
            some = sa.text("ending IS NULL") if name == "ix_games_open" else None
            op.create_index(
                name, table, columns, sqlite_where=some, postgresql_where=some, postgresql_concurrently=concurrently
            )


def downgrade() -> None:
    """Drop them."""
    with _online() as concurrently:
        for name, (table, _) in _INDEXES.items():
            op.drop_index(name, table, if_exists=True, postgresql_concurrently=concurrently)


@contextlib.contextmanager
def _online() -> Iterator[bool]:
    if op.get_bind().dialect.name != "postgresql":
        yield False
        return
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")  # it waits for others, and nobody for it
        yield True
        op.execute("SET lock_timeout = '1s'")
