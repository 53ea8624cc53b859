"""Conditional moves: what a player wants to be played when the opponent has moved. Nobody else ever sees them."""
