"""Matches between programs: openings in pairs, faults that lose games, Elo with its error."""

from punct.match.errors import MatchError
from punct.match.openings import opening
from punct.match.player import Entrant, Pace, read_entrant
from punct.match.playing import Match, Settings
from punct.match.standing import Finished, Spent, Standing
from punct.match.statistics import Estimate, Sprt, Verdict

__all__ = [
    "Entrant",
    "Estimate",
    "Finished",
    "Match",
    "MatchError",
    "Pace",
    "Settings",
    "Spent",
    "Sprt",
    "Standing",
    "Verdict",
    "opening",
    "read_entrant",
]
