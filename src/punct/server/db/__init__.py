"""The database: tables, connections, the single writer, migrations."""
