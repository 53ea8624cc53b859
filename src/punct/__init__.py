"""The game of PÜNCT."""
