"""The text record: tags in brackets, numbered moves, comments and variations."""
