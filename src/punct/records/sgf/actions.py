"""What players did, as Boardspace writes it down, who sat where, and what they played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from punct.errors import InvalidRecordError, PunctError, shorten
from punct.geometry import Space
from punct.outcome import Rules
from punct.piece import Colour
from punct.records.sgf.numbering import ROTATIONS, colour_of, kind_of
from punct.records.sgf.properties import USUAL_SEATS, Seats
from punct.records.sgf.tree import SgfNode

_OTHER_SEATS: Final[Seats] = {seat: colour.other for seat, colour in USUAL_SEATS.items()}
_ALSO: Final = {"P-1": "P0"}  # who acted before anybody had sat down; Boardspace takes it for the first player

_MOST_WORDS: Final = 9
_ACTION: Final = re.compile(r"\s*(?:([0-9]+)\s+)?(\S+)\s*(.*)", re.DOTALL)
_SEPARATORS: Final = re.compile(r"[\s,]+")


class Action(NamedTuple):
    """Something a player did."""

    seat: str
    player: Colour
    label: str
    name: str
    rest: str
    line: int

    @property
    def words(self) -> list[str]:
        """What follows the name, word by word."""
        return self.rest.split(None, _MOST_WORDS)

    def fault(self, why: object) -> InvalidRecordError:
        """Return an error that names the action and says why it cannot be."""
        text = shorten(f"{self.name} {self.rest}".strip())
        return InvalidRecordError(
            f"action {self.label} (line {self.line}): {self.player} {text}: {why}", line=self.line
        ).because(why, f"{self.name} {self.rest}".strip())

    def piece_number(self, at: int) -> int:
        """Return the piece's number at this place among the words."""
        number = self._whole(at)
        if kind_of(number) is None:
            raise self.fault(f"{shorten(self._word(at))} is no piece's number: White has 1–18, Black 20–37")
        return number

    def space(self, at: int) -> Space:
        """Return the space whose column and row stand at this place among the words."""
        try:
            return Space("".join(self.words[at : at + 2]))
        except PunctError as error:
            raise self.fault(error) from None

    def rotation(self, at: int) -> int:
        """Return the rotation at this place among the words."""
        rotation = self._whole(at)
        if not 0 <= rotation < ROTATIONS:
            raise self.fault(f"{shorten(self._word(at))} is not a rotation: 0–5")
        return rotation

    def named_player(self, seats: Seats) -> Colour:
        """Return the player that the first word names."""
        player = seats.get(self._word(0).upper())
        if player is None:
            raise self.fault("Start names P0 or P1")
        return player

    def _word(self, at: int) -> str:
        return self.words[at] if at < len(self.words) else ""

    def _whole(self, at: int) -> int:
        word = self._word(at)
        return int(word) if word.isdecimal() and len(word) <= 4 else -1


def actions(node: SgfNode, seats: Seats, count: int = 0) -> Iterator[Action]:
    """Yield what the players did in a node. Actions without an index are numbered from ``count``."""
    for name, value in node.properties:
        seat = _ALSO.get(name, name)
        found = _ACTION.fullmatch(value) if seat in seats else None
        if found:
            label = found[1][:20] if found[1] else str(count)
            yield Action(seat, seats[seat], label, found[2].lower(), found[3], node.line)
            count += 1


def _until_done(root: SgfNode, seats: Seats) -> Iterator[Action]:
    """Yield the actions of the main line before the first turn was complete."""
    node: SgfNode | None = root
    while node is not None:
        for action in actions(node, seats):
            if action.name == "done":
                return
            yield action
        node = node.children[0] if node.children else None


def rules_of(root: SgfNode) -> Rules:
    """Return which game the first node says is played; the standard one if it does not."""
    return Rules.BASIC if (root.get("RU") or "").strip().lower() == "basic" else Rules.STANDARD


def mapped_seats(root: SgfNode) -> Seats | None:
    """Return who plays which colour by the seat map, or None if there is none.

    ``CM[1,0]`` says that the first player has colour 1, Black, and the second colour 0, White.
    """
    mapped = tuple(word for word in _SEPARATORS.split(root.get("CM") or "") if word)
    return USUAL_SEATS if mapped == ("0", "1") else _OTHER_SEATS if mapped == ("1", "0") else None


def find_seats(root: SgfNode) -> Seats:
    """Return who plays which colour.

    Where no map stands, the first turn tells: whoever makes it lays a piece of the own colour.
    """
    seats = mapped_seats(root)
    if seats is not None:
        return seats
    laid = [action for action in _until_done(root, USUAL_SEATS) if action.name == "dropb"]
    number = laid[-1].words[0] if laid and laid[-1].words else ""
    if not number.isdecimal() or len(number) > 4 or kind_of(int(number)) is None:
        return USUAL_SEATS
    return USUAL_SEATS if colour_of(int(number)) is laid[-1].player else _OTHER_SEATS


def first_player(root: SgfNode, seats: Seats) -> Colour:
    """Return who starts: White, unless the last Start before the first Done says otherwise."""
    starts = Colour.WHITE
    for action in _until_done(root, seats):
        if action.name == "start":
            starts = action.named_player(seats)
    return starts
