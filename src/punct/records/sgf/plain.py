"""SGF games in which every turn is plain: a piece is picked up, put down, and that is Done.

So our writer has them, and robots at Boardspace. They are read many turns at a glance; any other game, and any of these
that turns out not to be as it seems, is read action by action, which also tells what is wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from punct.geometry import SPACES
from punct.piece import Colour
from punct.records.sgf.actions import Seats, mapped_seats
from punct.records.sgf.numbering import PER_SET, ROTATIONS, colour_of, heading_of, kind_of
from punct.records.sgf.syntax import VALUE, SgfNode, first_node, unescape

_TURN: Final = (
    r"\s*+;P{seat}\[[0-9]++ Pick(?: [WB]|b) {picked}\]"
    r"\s*+;P{again}\[[0-9]++ Dropb {dropped}\]"
    r"\s*+;P{again}\[[0-9]++ Done\]"
    r"(?:C{comment})?"
)
_PICKED: Final = r"(?:[A-Q] )?+[0-9]{1,2}"
_DROPPED: Final = r"[0-9]{1,2} [A-Q] [0-9]{1,2} [0-5]"
_DROPPED_APART: Final = r"([0-9]{1,2}) ([A-Q] [0-9]{1,2}) ([0-5])"
_EACH_TURN: Final = re.compile(
    _TURN.format(seat="([01])", picked=f"({_PICKED})", again="[01]", dropped=_DROPPED_APART, comment=f"({VALUE})"),
    re.DOTALL,
)
_ANY_TURN: Final = _TURN.format(
    seat="(?P<seat>[01])", picked=_PICKED, again="(?P=seat)", dropped=_DROPPED, comment=VALUE
)
_BODY: Final = re.compile(
    r"(?:\s*+;P[01]\[[0-9]++ Start (?P<first>P[01])\])?"
    rf"(?P<turns>(?:{_ANY_TURN})*+)"
    r"(?:\s*+;(?P<resigns>P[01])\[[0-9]++ Resign\]\s*+;(?P=resigns)\[[0-9]++ Done\]"
    r"|\s*+;(?P<timed>P[01])\[[0-9]++ (?P<who>Win|Lose)OnTime\])?"
    r"\s*+\)",
    re.DOTALL,
)
_NAMES: Final = {f"{space.name[0].upper()} {space.row}": space.name for space in SPACES}
"""The spaces, as Boardspace writes them."""


_PIECES: Final = {
    f"{number}{rotation}": (colour_of(number), kind.value, str(heading_of(kind, rotation)))
    for number in range(2 * PER_SET)
    if (kind := kind_of(number)) is not None
    for rotation in range(ROTATIONS)
}
"""By number and rotation, as they are written: a piece's colour, kind and heading."""

_FIRST_NODE_ONLY: Final = frozenset({"SP", "POSITION", "P-1"})
"""Properties that make a game one to look at more closely: a start with pieces on the board, players not yet seated."""


@dataclass(slots=True)
class Plain:
    """A game of plain turns, as they are written."""

    root: SgfNode
    seats: Seats
    first: Colour
    """Who starts."""
    body: str
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
        if "C[" not in self.body:
            return {}
        found = (turn[-1] for turn in _EACH_TURN.findall(self.body))
        return {at: unescape(comment[1:-1]) for at, comment in enumerate(found) if comment}

    def turns(self) -> list[str] | None:
        """Return the turns as texts; None if a piece does not lie where it is picked up, or is somebody else's."""
        texts = []
        mover, waiting = self.first, self.first.other
        seats = {colour: seat[1] for seat, colour in self.seats.items()}
        seat_of_mover, seat_of_waiting = seats[mover], seats[waiting]
        tops: dict[str, str] = {}  # by space, the last of the pieces whose PÜNCT is there
        below: dict[str, str] = {}  # by piece on the board, the one whose PÜNCT it came to lie on
        for seat, picked, number, dropped, rotation, _ in _EACH_TURN.findall(self.body):
            piece, space = _PIECES.get(number + rotation), _NAMES.get(dropped)
            if piece is None or space is None:
                return None
            colour, kind, heading = piece
            if seat != seat_of_mover or colour is not mover:
                return None
            if picked == number:
                if number in below:
                    return None
                texts.append(f"{kind}{space}{heading}")
            else:
                here = _NAMES.get(picked)
                if here is None or tops.get(here) != number:
                    return None
                tops[here] = below[number]
                texts.append(f"{here}-{space}{heading}")
            below[number] = tops.get(space, "")
            tops[space] = number
            mover, waiting = waiting, mover
            seat_of_mover, seat_of_waiting = seat_of_waiting, seat_of_mover
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
    if body is None:
        return None
    loser = seats.get(body["resigns"] or body["timed"])
    if loser is not None and body["who"] == "Win":
        loser = loser.other
    first = seats.get(body["first"], Colour.WHITE)
    return Plain(root, seats, first, body["turns"], loser, body["resigns"] is not None, body.end())
