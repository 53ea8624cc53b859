"""Runs the steps on the connection the server has opened."""

from alembic import context

from punct.server.store.tables import METADATA

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=METADATA,
    transaction_per_migration=connection.dialect.name == "postgresql",  # short ones: nobody waits for all steps
    render_as_batch=True,  # SQLite changes columns by copying the table
)
with context.begin_transaction():
    context.run_migrations()
