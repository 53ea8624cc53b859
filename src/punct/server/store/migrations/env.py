"""Runs the steps on the connection the server has opened."""

from alembic import context

from punct.server.store.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite changes columns by copying the table
)
with context.begin_transaction():
    context.run_migrations()
