"""Runs the migrations on the connection that the server has opened."""

from alembic import context

from punct.server.db.tables import METADATA

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=METADATA,
    transaction_per_migration=connection.dialect.name == "postgresql",  # so that locks are held briefly
    render_as_batch=True,  # SQLite changes columns by copying the table
)
with context.begin_transaction():
    context.run_migrations()
