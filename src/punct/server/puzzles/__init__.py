"""Tries of puzzles by account holders, and ratings of players and puzzles."""
