"""Results of a search: variations with their scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from punct.move import Move


class KernelVariation(TypedDict):
    """One variation as the kernel reports it."""

    move: str
    score: float
    visits: int
    proven: int
    pv: list[str]


class KernelReport(TypedDict):
    """The result of a search as the kernel reports it."""

    nodes: int
    depth: int
    seconds: float
    variations: list[KernelVariation]


@dataclass(frozen=True, slots=True)
class Variation:
    """A candidate move with its principal variation."""

    move: Move
    score: float
    """The winning chance of the side to move, 0 to 1."""
    visits: int
    """How many of the search's visits it got."""
    proven: int
    """0 while open; n: the side to move wins in n plies; -n: it loses in n plies, however it plays."""
    pv: tuple[Move, ...]
    """The principal variation, this move first."""

    @property
    def words(self) -> str:
        """The score in words."""
        return describe_score(self.score, self.proven)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search, so far or in the end."""

    depth: int
    nodes: int
    seconds: float
    variations: tuple[Variation, ...]
    """The candidates, best first."""

    @property
    def best(self) -> Variation:
        """The best one."""
        return self.variations[0]


@dataclass(frozen=True, slots=True)
class PlayResult:
    """A move chosen, with the result of its search."""

    move: Move
    score: float
    """The winning chance of the side to move, 0 to 1."""
    proven: int
    """0 while open; n: the side to move wins in n plies; -n: it loses in n plies, however it plays."""
    pv: tuple[Move, ...]
    depth: int
    nodes: int
    seconds: float
    variations: tuple[Variation, ...]
    """The candidates, best first. A weak level does not always play the first."""

    @property
    def words(self) -> str:
        """The score in words."""
        return describe_score(self.score, self.proven)


def describe_score(score: float, proven: int) -> str:
    """Describe a score: ``wins in 2``, ``loses in 1`` (moves of the winner) or ``63 %``."""
    if proven:
        return f"{'wins' if proven > 0 else 'loses'} in {moves_to_win(proven)}"
    return f"{100 * score:.0f} %"


def moves_to_win(proven: int) -> int:
    """Return how many moves of the winner a proven win or loss takes."""
    return (abs(proven) + 1) // 2


def read_report(report: KernelReport) -> SearchResult | None:
    """Convert a kernel's report; None while it has no variation yet."""
    if not report["variations"]:
        return None
    variations = tuple(
        Variation(
            Move.parse(variation["move"]),
            variation["score"],
            variation["visits"],
            variation["proven"],
            tuple(map(Move.parse, variation["pv"])),
        )
        for variation in report["variations"]
    )
    return SearchResult(report["depth"], report["nodes"], report["seconds"], variations)
