"""Challenges: games that want a second player."""
