"""The command ``punct``: play, look at positions, list and explain turns, and work with game records."""

from punct.cli.app import app, main

__all__ = ["app", "main"]
