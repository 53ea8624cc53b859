"""Engines in seats: when they think, and what they play."""
