"""Store a hash of the request with its idempotency key, and results of any length."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a nullable column, and lengthen another. Processes of the last version work without either."""
    with op.batch_alter_table("requests") as requests:
        requests.add_column(sa.Column("wish", sa.String(32)))
        requests.alter_column("made", existing_type=sa.String(32), type_=sa.String(), existing_nullable=False)


def downgrade() -> None:
    """Drop it, and delete rows too long for the last version: they would expire within a day."""
    op.execute("DELETE FROM requests WHERE length(made) > 32")
    with op.batch_alter_table("requests") as requests:
        requests.alter_column("made", existing_type=sa.String(), type_=sa.String(32), existing_nullable=False)
        requests.drop_column("wish")
