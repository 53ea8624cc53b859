"""What the players of each game were told, and the counts of a whole run."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any


@dataclass
class GameLog:
    """What the players of a game were told."""

    id: str
    cookies: tuple[str, str]
    """White's and Black's session; the same if one person plays both, or plays the computer."""
    has_engine: bool = False
    time_control: str | None = None
    moves: dict[int, str] = field(default_factory=dict)
    """By ply: the move that was acknowledged."""
    offer: str | None = None
    is_drawn: bool = False
    may_have_undone: bool = False
    """Whether moves were taken back, or perhaps were."""
    last_message: tuple[int, list[str]] | None = None
    """The game as it was last sent to its live connection: its revision and its moves."""
    abandoned_at: float | None = None
    """When both players went away for good, by the monotonic clock."""

    def cookie_of(self, ply: int) -> str:
        """Return the session of the player who plays a ply."""
        return self.cookies[ply % 2]

    def receive(self, game: Any) -> bool:
        """Record a game sent to the live connection; False if it is older than the last, or differs at its revision."""
        before, self.last_message = self.last_message, (game["revision"], [move["text"] for move in game["turns"]])
        return before is None or self.last_message[0] > before[0] or self.last_message == before


@dataclass
class Report:
    """Counts of a run."""

    injected: Counter[str] = field(default_factory=Counter)
    """Faults by kind."""
    games: int = 0
    acknowledged: int = 0
    retries: int = 0
    refused: int = 0
    """Moves refused to the second of two who played the same ply."""
    offers: int = 0
    """Made, and then declined or accepted."""
    decided_by_clock: int = 0
    """Abandoned games that have ended."""
    received: int = 0
    """Games sent to live connections."""
    correspondence: int = 0
    """Days games."""
    pauses: int = 0
    vacations: int = 0
    planned: int = 0
    """Replies that were stored…"""
    replied: int = 0
    """… and those that were played."""
    told: int = 0
    """Messages that have arrived."""
    repeated: int = 0
    """Those that came again, with the same id."""
    plans_lost: int = 0
    """Planned replies that were not played where they should have been, or later."""
    misplayed: int = 0
    """Moves that nobody has made or planned there."""
    untold: int = 0
    """Players who were not told of what they could not know."""
    told_twice: int = 0
    """By messages of their own."""
    told_late: int = 0
    """Messages of what was over when they were written."""
    last_failures: deque[str] = field(default_factory=lambda: deque(maxlen=8))
    """The last requests that were not answered, or answered with an error."""
    both_won: int = 0
    lost: int = 0
    changed: int = 0
    illegal: int = 0
    inconsistent: int = 0
    """Offers, results or clocks that are other than the players were told."""
    not_stored: int = 0
    """Sent to live connections, but not stored, or not for good."""
    gave_up: int = 0
    stalled: int = 0
    """Faults after which nothing went on."""

    @property
    def faults(self) -> int:
        """Count what must be zero."""
        wrong = self.both_won + self.lost + self.changed + self.illegal + self.inconsistent + self.not_stored
        wrong += self.plans_lost + self.misplayed + self.untold + self.told_twice + self.told_late
        return wrong + self.gave_up + self.stalled

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.injected.items()))
        return (
            f"killed: {sum(self.injected.values())} ({kinds})\n"
            f"played: {self.games} games, {self.acknowledged} moves acknowledged, {self.refused} refused to the second "
            f"of two, {self.retries} requests sent again; {self.offers} offers, {self.decided_by_clock} abandoned "
            f"games decided by the clock; {self.received} revisions received by live connections\n"
            f"far apart: {self.correspondence} days games, {self.planned} replies planned and {self.replied} played, "
            f"{self.pauses} pauses, {self.vacations} vacations; {self.told} messages, {self.repeated} came again\n"
            f"conditional moves lost: {self.plans_lost}, played where nobody planned them: {self.misplayed}; messages "
            f"lost: {self.untold}, of what was over: {self.told_late}, doubled: {self.told_twice}\n"
            f"lost: {self.lost}, changed or doubled: {self.changed + self.both_won}, illegal: {self.illegal}, "
            f"offers, results or clocks that are not what was told: {self.inconsistent}, sent but not stored: "
            f"{self.not_stored}, never answered: {self.gave_up}, never recovered: {self.stalled}"
        )
