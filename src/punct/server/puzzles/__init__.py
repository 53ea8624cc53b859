"""Puzzles that account holders have tried, and how hard they are."""
