"""A fast path for plain SGF games, in which every move touches one piece: the kernel parses and plays them.

Nearly all games are plain. Any other, and any that proves invalid, is read action by action, which also says what is
wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from punct import _kernel
from punct.history import REPETITIONS_TO_DRAW
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

_NOT_PLAIN: Final = frozenset({"SP", "POSITION", "P-1"})
"""Properties of games that are not plain: a start with pieces on the board, players not yet seated."""
_PLAYER_DETAILS: Final = frozenset({"id", "time", "ranking", "country"})
"""What the first node may say about players; anything else is an action."""


@dataclass(slots=True)
class PlainGame:
    """A game that the kernel has played."""

    root: SgfNode
    seats: Seats
    start: str
    moves: list[Move]
    outcome: Outcome | None
    """The outcome of the moves by the rules."""
    comments: list[tuple[int, str]]
    """With the index of the move it is about; -1 for the game."""
    loser: Colour | None
    has_resigned: bool
    end: int


def read_plain(text: str, at: int, line: int) -> PlainGame | None:
    """Parse and play the game that begins here; None if it has to be read action by action."""
    first = first_node(text, at, line)
    if first is None:
        return None
    root, end = first
    seats = mapped_seats(root)
    if seats is None:
        return None
    comments = []
    for name, value in root.properties:
        if name == "C" and value:
            comments.append((-1, value))
        elif name in _NOT_PLAIN or (name in seats and value.lstrip().partition(" ")[0] not in _PLAYER_DETAILS):
            return None
    starter = Colour.WHITE
    start_action = _START.match(text, end)
    if start_action is not None:
        starter, end = seats[start_action["first"]], start_action.end()
    start = f"{rules_of(root)} {starter.letter}"
    position = Position(start)
    hash = position.hash
    numbers, hashes, remarks, end = _kernel.push_actions(position.track, text, end, seats["P0"], _ORIENTATIONS)
    ending = _END.match(text, end)
    if ending is None or _is_repeated([hash, *hashes]):
        return None
    loser = seats.get(ending["resigns"] or ending["timed"])
    if loser is not None and (ending["who"] or "").lower() == "win":
        loser = loser.other
    outcome = position.outcome()
    if loser is not None and outcome is not None:
        return None  # the game was over already
    comments += [(about, unescape(text[begin:end])) for about, begin, end in remarks]
    return PlainGame(
        root,
        seats,
        start,
        [UNPACKED[number] for number in numbers],
        outcome,
        comments,
        loser,
        ending["resigns"] is not None,
        ending.end(),
    )


def _is_repeated(hashes: list[int]) -> bool:
    """Return whether a position may have stood often enough for a draw."""
    return len(set(hashes)) < len(hashes) and max(Counter(hashes).values()) >= REPETITIONS_TO_DRAW
