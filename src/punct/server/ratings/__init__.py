"""Ratings of players, by rules and speed."""
