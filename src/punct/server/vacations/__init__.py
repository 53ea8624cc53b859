"""Vacations: players who are away for days, and whose days games stand meanwhile."""
