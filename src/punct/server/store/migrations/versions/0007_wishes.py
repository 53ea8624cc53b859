"""A key stands for one wish, and may have made many things."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a column that may be empty, and let another be longer. Who still runs the last version needs neither."""
    with op.batch_alter_table("requests") as requests:
        requests.add_column(sa.Column("wish", sa.String(32)))
        requests.alter_column("made", existing_type=sa.String(32), type_=sa.String(), existing_nullable=False)


def downgrade() -> None:
    """Remove it again, with what is too long for the last version: that is remembered for a day at most anyway."""
    op.execute("DELETE FROM requests WHERE length(made) > 32")
    with op.batch_alter_table("requests") as requests:
        requests.alter_column("made", existing_type=sa.String(), type_=sa.String(32), existing_nullable=False)
        requests.drop_column("wish")
