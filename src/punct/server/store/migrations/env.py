"""Runs the steps on the connection the server has opened."""

from alembic import context

from punct.server.store.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite changes columns by copying the table
)
with context.begin_transaction():
    context.run_migrations()
