"""Matches between programs: openings in pairs, faults that lose games, Elo with its error."""
