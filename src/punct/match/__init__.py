"""Matches between programs: paired openings, faults that lose games, Elo with its error."""

from punct.match.errors import MatchError
from punct.match.game import FinishedGame, TimeSpent
from punct.match.openings import opening
from punct.match.player import Entrant, Pace, read_entrant
from punct.match.playing import Match, Settings
from punct.match.score import MatchScore
from punct.match.statistics import Estimate, Sprt, Verdict

__all__ = [
    "Entrant",
    "Estimate",
    "FinishedGame",
    "Match",
    "MatchError",
    "MatchScore",
    "Pace",
    "Settings",
    "Sprt",
    "TimeSpent",
    "Verdict",
    "opening",
    "read_entrant",
]
