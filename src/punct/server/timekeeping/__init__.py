"""Deadlines of games, and time given back after an outage."""
