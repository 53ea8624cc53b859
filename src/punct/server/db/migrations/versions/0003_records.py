"""Store the moves of an imported game in one row."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table; games with one row per move stay so."""
    op.create_table(
        "records",
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("moves", sa.String(), nullable=False),
        sa.Column("comments", sa.JSON()),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_records_game_id_games", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", name="pk_records"),
    )


def downgrade() -> None:
    """Store each move in a row of its own."""
    kept = [sa.column("game_id"), sa.column("moves"), sa.column("comments", sa.JSON()), sa.column("ply")]
    records = sa.table("records", *kept)
    turns = sa.table("turns", *(sa.column(name) for name in ("game_id", "ply", "text", "comment")))
    connection = op.get_bind()
    for game_id, moves, comments, ply in connection.execute(sa.select(records)).all():
        about = comments or {}
        rows = [
            {"game_id": game_id, "ply": number, "text": text, "comment": about.get(str(number))}
            for number, text in enumerate(moves.split()[:ply])
        ]
        if rows:
            connection.execute(sa.insert(turns), rows)
    op.drop_table("records")
