"""The text record: tags in brackets, numbered turns, comments and variations."""
