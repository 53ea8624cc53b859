"""SGF games in which every turn is about one piece, with second thoughts or without: the kernel reads and plays them.

So are nearly all games, of people and of robots. Any other, and any of these that turns out not to be as it seems, is
read action by action, which also tells what is wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from punct import _kernel
from punct.game import TIMES_TO_DRAW
from punct.kernel import Position
from punct.kernel.packed import ORIENTATIONS, UNPACKED
from punct.move import Move
from punct.outcome import Outcome
from punct.piece import Colour
from punct.records.sgf.actions import mapped_seats, rules_of
from punct.records.sgf.numbering import PER_SET, ROTATIONS, heading_of, kind_of
from punct.records.sgf.properties import Seats
from punct.records.sgf.syntax import first_node, unescape
from punct.records.sgf.tree import SgfNode

_NODE: Final = r"\s*+;\s*+(?:TM\[[0-9]*+\]\s*+)?+"
_INDEX: Final = r"\[[0-9]++ "
_NODE_END: Final = r" ?\]\s*+(?:TM\[[0-9]*+\]\s*+)?+"
_START: Final = re.compile(rf"{_NODE}P[01]{_INDEX}(?i:Start) (?P<first>P[01]){_NODE_END}")
_CLOCKS: Final = r"\s*+;\s*+(?:P[01]\[ ?time [^\]\\]*+\]\s*+)++"
_END: Final = re.compile(
    rf"(?:{_NODE}(?P<resigns>P[01]){_INDEX}(?i:Resign){_NODE_END}{_NODE}(?P=resigns){_INDEX}(?i:Done){_NODE_END}"
    rf"|{_NODE}(?P<timed>P[01]){_INDEX}(?i:(?P<who>Win|Lose)OnTime){_NODE_END})?"
    rf"(?:{_CLOCKS})?\s*+\)"
)
_NO_PIECE: Final = 255
_ORIENTATIONS: Final = bytes(
    _NO_PIECE if kind is None else ORIENTATIONS.index((kind, heading_of(kind, rotation)))
    for number in range(2 * PER_SET)
    for kind in (kind_of(number),)
    for rotation in range(ROTATIONS)
)
"""By number and rotation of a piece, the kernel's orientation."""

_FIRST_NODE_ONLY: Final = frozenset({"SP", "POSITION", "P-1"})
"""Properties that make a game one to look at more closely: a start with pieces on the board, players not yet seated."""
_SAID_OF_PLAYERS: Final = frozenset({"id", "time", "ranking", "country"})
"""What may stand about players in the first node; anything else is something they did."""


@dataclass(slots=True)
class Plain:
    """A game as the kernel played it."""

    root: SgfNode
    seats: Seats
    start: str
    moves: list[Move]
    outcome: Outcome | None
    """Where the turns lead, by the rules."""
    comments: list[tuple[int, str]]
    """What was said, with the index of the turn it is about; -1 for the game."""
    loser: Colour | None
    has_resigned: bool
    end: int


def read_plain(text: str, at: int, line: int) -> Plain | None:
    """Read and play the game that begins here; None if it has to be looked at action by action."""
    begun = first_node(text, at, line)
    if begun is None:
        return None
    root, end = begun
    seats = mapped_seats(root)
    if seats is None:
        return None
    comments = []
    for name, value in root.properties:
        if name == "C" and value:
            comments.append((-1, value))
        elif name in _FIRST_NODE_ONLY or (name in seats and value.lstrip().partition(" ")[0] not in _SAID_OF_PLAYERS):
            return None
    first = Colour.WHITE
    started = _START.match(text, end)
    if started is not None:
        first, end = seats[started["first"]], started.end()
    start = f"{rules_of(root)} {first.letter}"
    position = Position(start)
    hash = position.hash
    numbers, hashes, told, end = _kernel.push_actions(position.track, text, end, seats["P0"], _ORIENTATIONS)
    ended = _END.match(text, end)
    if ended is None or _is_repeated([hash, *hashes]):
        return None
    loser = seats.get(ended["resigns"] or ended["timed"])
    if loser is not None and (ended["who"] or "").lower() == "win":
        loser = loser.other
    outcome = position.outcome()
    if loser is not None and outcome is not None:
        return None  # there was nothing left to lose
    comments += [(about, unescape(text[begin:end])) for about, begin, end in told]
    return Plain(
        root,
        seats,
        start,
        [UNPACKED[number] for number in numbers],
        outcome,
        comments,
        loser,
        ended["resigns"] is not None,
        ended.end(),
    )


def _is_repeated(hashes: list[int]) -> bool:
    """Tell whether a position may have stood so often that the game was over there."""
    return len(set(hashes)) < len(hashes) and max(Counter(hashes).values()) >= TIMES_TO_DRAW
