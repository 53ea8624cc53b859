"""Create openings, shared analyses, and reviews of games."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables. Existing ones are not changed."""
    op.create_table(
        "explored",
        sa.Column("position", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("source", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("move", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("white", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("black", sa.Integer(), nullable=False),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.Column("rating", sa.BigInteger(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("position", "source", "move", name="pk_explored"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "explored_games",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("game_id", sa.String(32)),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("winner", sa.String(1)),
        sa.Column("rating", sa.Integer()),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("steps", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_explored_games_game_id_games", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_explored_games"),
        sa.UniqueConstraint("game_id", name="uq_explored_games_game_id"),
    )
    op.create_index("ix_explored_games_day", "explored_games", ["day"])
    op.create_table(
        "explored_archive",
        sa.Column("game", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("game", name="pk_explored_archive"),
    )
    op.create_table(
        "analyses",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("tree", sa.String(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("seen", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_analyses"),
    )
    op.create_index("ix_analyses_seen", "analyses", ["seen"])
    op.create_table(
        "reviews",
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("moves", sa.String(32), nullable=False),
        sa.Column("review", sa.JSON(), nullable=False),
        sa.Column("updated", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_reviews_game_id_games", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", name="pk_reviews"),
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("reviews", "analyses", "explored_archive", "explored_games", "explored"):
        op.drop_table(table)
