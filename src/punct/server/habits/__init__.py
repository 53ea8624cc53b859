"""Habits of players: how soon they answer, whether they finish their games, and when they usually play."""
