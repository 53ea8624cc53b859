"""Challenges: offers of a game, in the lobby or by link."""
