"""SGF games in which every turn is plain: a piece is picked up, put down, and that is Done.

So our writer has them, and robots at Boardspace. They are read many turns at a glance; any other game, and any of these
that turns out not to be as it seems, is read action by action, which also tells what is wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from punct.piece import Colour
from punct.records.sgf.actions import Seats, mapped_seats
from punct.records.sgf.numbering import ROTATIONS, colour_of, heading_of, kind_of
from punct.records.sgf.syntax import VALUE, SgfNode, first_node, unescape

_SPACE: Final = r"([A-Q]) ([0-9]{1,2})"
_PICK: Final = rf"\s*+;(P[01])\[[0-9]++ Pick(?: [WB] ([0-9]{{1,2}})|b {_SPACE})\]"
_DROP: Final = rf"\s*+;(P[01])\[[0-9]++ Dropb ([0-9]{{1,2}}) {_SPACE} ([0-5])\]"
_DONE: Final = r"\s*+;(P[01])\[[0-9]++ Done\]"
_TURN: Final = re.compile(rf"{_PICK}{_DROP}{_DONE}(?:C({VALUE}))?", re.DOTALL)
_BODY: Final = re.compile(
    r"(?:\s*+;(?P<start>P[01])\[[0-9]++ Start (?P<named>P[01])\])?"
    rf"(?P<turns>(?:{re.sub(r'[(](?![?])', '(?:', _TURN.pattern)})*+)"
    r"(?:\s*+;(?P<resigns>P[01])\[[0-9]++ Resign\]\s*+;(?P<sure>P[01])\[[0-9]++ Done\]"
    r"|\s*+;(?P<timed>P[01])\[[0-9]++ (?P<who>Win|Lose)OnTime\])?"
    r"\s*+\)",
    re.DOTALL,
)
_PLACED: Final = {
    (str(number), str(rotation)): (colour_of(number), kind.value, str(heading_of(kind, rotation)))
    for number in range(38)
    if (kind := kind_of(number)) is not None
    for rotation in range(ROTATIONS)
}
"""By a piece's number and rotation, as they are written: its colour, kind and heading."""

_FIRST_NODE_ONLY: Final = frozenset({"SP", "POSITION", "P-1"})
"""Properties that make a game one to look at more closely: a start with pieces on the board, players not yet seated."""


@dataclass(slots=True)
class Plain:
    """A game of plain turns, as they are written."""

    root: SgfNode
    seats: Seats
    first: Colour
    """Who starts."""
    written: list[tuple[str, ...]]
    loser: Colour | None
    has_resigned: bool
    end: int

    @property
    def opening(self) -> str:
        """The comments on the game."""
        return "\n".join(value for name, value in self.root.properties if name == "C" and value)

    @property
    def comments(self) -> dict[int, str]:
        """The comments on turns, by their index."""
        return {at: unescape(turn[-1][1:-1]) for at, turn in enumerate(self.written) if turn[-1]}

    def turns(self) -> list[str] | None:
        """Return the turns as texts; None if a piece does not lie where it is picked up, or is somebody else's."""
        texts = []
        colour = self.first
        by_colour = {player: seat for seat, player in self.seats.items()}
        lying: dict[str, str] = {}  # where each piece's PÜNCT is
        stacks: dict[str, list[str]] = {}  # by space, the pieces whose PÜNCT is there
        for seat, number, column, row, dropper, dropped, to_column, to_row, rotation, done, _ in self.written:
            placed = _PLACED.get((dropped, rotation))
            if placed is None or not seat == dropper == done == by_colour[colour] or placed[0] is not colour:
                return None
            there = to_column.lower() + to_row
            if number:
                if number != dropped or number in lying:
                    return None
                texts.append(placed[1] + there + placed[2])
            else:
                here = column.lower() + row
                stack = stacks.get(here)
                if not stack or stack.pop() != dropped:
                    return None
                texts.append(f"{here}-{there}{placed[2]}")
            lying[dropped] = there
            stacks.setdefault(there, []).append(dropped)
            colour = colour.other
        return texts


def read_plain(text: str, at: int, line: int) -> Plain | None:
    """Read the game that begins here if its turns are plain."""
    begun = first_node(text, at, line)
    if begun is None:
        return None
    root, end = begun
    seats = mapped_seats(root)
    if seats is None or any(
        name in _FIRST_NODE_ONLY or (name in seats and value[:3].lower() != "id ") for name, value in root.properties
    ):
        return None
    body = _BODY.match(text, end)
    if body is None or body["resigns"] != body["sure"]:
        return None
    loser = seats.get(body["resigns"] or body["timed"])
    if loser is not None and body["who"] == "Win":
        loser = loser.other
    first = seats.get(body["named"], Colour.WHITE)
    written = _TURN.findall(text, *body.span("turns"))
    return Plain(root, seats, first, written, loser, body["resigns"] is not None, body.end())
