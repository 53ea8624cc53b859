"""Create games, their seats and their moves."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the three tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("rules", sa.String(16), nullable=False),
        sa.Column("start", sa.String(512), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("winner", sa.String(1)),
        sa.Column("ending", sa.String(32)),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("updated", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_index("ix_games_updated", "games", ["updated", "id"])
    op.create_table(
        "seats",
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("colour", sa.String(1), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("name", sa.String(60)),
        sa.Column("level", sa.Integer()),
        sa.CheckConstraint("colour IN ('w', 'b')", name="ck_seats_colour"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_seats_game_id_games", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "colour", name="pk_seats"),
    )
    op.create_table(
        "turns",
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(16), nullable=False),
        sa.Column("played", sa.DateTime()),
        sa.Column("comment", sa.String()),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_turns_game_id_games", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "ply", name="pk_turns"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("turns")
    op.drop_table("seats")
    op.drop_index("ix_games_updated", "games")
    op.drop_table("games")
