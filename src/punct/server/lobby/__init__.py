"""The lobby: open challenges, games to watch, and what waits for each player."""
