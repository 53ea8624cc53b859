"""What a search found: variations, with how good they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from punct.move import Move


class ToldVariation(TypedDict):
    """One variation as the kernel tells it."""

    move: str
    score: float
    visits: int
    proven: int
    pv: list[str]


class Told(TypedDict):
    """What a search has found, as the kernel tells it."""

    nodes: int
    depth: int
    seconds: float
    variations: list[ToldVariation]


@dataclass(frozen=True, slots=True)
class Variation:
    """A candidate turn and how play might go on."""

    move: Move
    score: float
    """The winning chance of the side to move, 0 to 1."""
    visits: int
    """How much of the search went into it."""
    proven: int
    """0 while open; n: the side to move wins in n plies; -n: it loses in n plies, however it plays."""
    pv: tuple[Move, ...]
    """The turns expected, this one first."""

    @property
    def words(self) -> str:
        """The score in words."""
        return score_words(self.score, self.proven)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found, so far or in the end."""

    depth: int
    nodes: int
    seconds: float
    variations: tuple[Variation, ...]
    """The candidates, best first."""

    @property
    def best(self) -> Variation:
        """The best of them."""
        return self.variations[0]


@dataclass(frozen=True, slots=True)
class Played:
    """A turn chosen, with what was found on the way."""

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
        return score_words(self.score, self.proven)


def score_words(score: float, proven: int) -> str:
    """Say how good a position is: ``wins in 2``, ``loses in 1`` (turns of the side to move) or ``63 %``."""
    if proven:
        return f"{'wins' if proven > 0 else 'loses'} in {turns_of(proven)}"
    return f"{100 * score:.0f} %"


def turns_of(proven: int) -> int:
    """Return how many turns of the winner a proven win or loss takes."""
    return (abs(proven) + 1) // 2


def read_told(told: Told) -> Found | None:
    """Read what the kernel tells; None while it has nothing to propose yet."""
    if not told["variations"]:
        return None
    variations = tuple(
        Variation(
            Move.parse(variation["move"]),
            variation["score"],
            variation["visits"],
            variation["proven"],
            tuple(map(Move.parse, variation["pv"])),
        )
        for variation in told["variations"]
    )
    return Found(told["depth"], told["nodes"], told["seconds"], variations)
