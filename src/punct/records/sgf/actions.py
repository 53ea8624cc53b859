"""Players' actions in Boardspace's SGF, their seats, and the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from punct.errors import InvalidRecordError, PunctError, shorten
from punct.geometry import Space
from punct.outcome import Rules
from punct.piece import Colour
from punct.records.sgf.numbering import ROTATIONS, colour_of, kind_of
from punct.records.sgf.properties import DEFAULT_SEATS, Seats
from punct.records.sgf.tree import SgfNode

_OTHER_SEATS: Final[Seats] = {seat: colour.other for seat, colour in DEFAULT_SEATS.items()}
_ALSO: Final = {"P-1": "P0"}  # an action before the players were seated; Boardspace takes it as the first player's

_MAX_WORDS: Final = 9
_ACTION: Final = re.compile(r"\s*(?:([0-9]+)\s+)?(\S+)\s*(.*)", re.DOTALL)
_SEPARATORS: Final = re.compile(r"[\s,]+")


class Action(NamedTuple):
    """An action of a player."""

    seat: str
    player: Colour
    label: str
    name: str
    rest: str
    line: int

    @property
    def words(self) -> list[str]:
        """The words after the name."""
        return self.rest.split(None, _MAX_WORDS)

    def fault(self, problem: object) -> InvalidRecordError:
        """Return an error that names the action and says why it is invalid."""
        text = shorten(f"{self.name} {self.rest}".strip())
        return InvalidRecordError(
            f"action {self.label} (line {self.line}): {self.player} {text}: {problem}", line=self.line
        ).because(problem, f"{self.name} {self.rest}".strip())

    def piece_number(self, at: int) -> int:
        """Return the piece number at this index of the words."""
        number = self._whole(at)
        if kind_of(number) is None:
            raise self.fault(f"{shorten(self._word(at))} is no piece's number: White has 1–18, Black 20–37")
        return number

    def space(self, at: int) -> Space:
        """Return the space whose column and row begin at this index of the words."""
        try:
            return Space("".join(self.words[at : at + 2]))
        except PunctError as error:
            raise self.fault(error) from None

    def rotation(self, at: int) -> int:
        """Return the rotation at this index of the words."""
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
    """Yield the actions of a node. Those without a number are numbered from ``count``."""
    for name, value in node.properties:
        seat = _ALSO.get(name, name)
        match = _ACTION.fullmatch(value) if seat in seats else None
        if match:
            label = match[1][:20] if match[1] else str(count)
            yield Action(seat, seats[seat], label, match[2].lower(), match[3], node.line)
            count += 1


def _until_done(root: SgfNode, seats: Seats) -> Iterator[Action]:
    """Yield the actions of the main line before the first move was complete."""
    node: SgfNode | None = root
    while node is not None:
        for action in actions(node, seats):
            if action.name == "done":
                return
            yield action
        node = node.children[0] if node.children else None


def rules_of(root: SgfNode) -> Rules:
    """Return the rules named in the first node; the standard ones if it names none."""
    return Rules.BASIC if (root.get("RU") or "").strip().lower() == "basic" else Rules.STANDARD


def mapped_seats(root: SgfNode) -> Seats | None:
    """Return the players' colours by the seat map, or None if there is none.

    ``CM[1,0]`` says that the first player has colour 1, Black, and the second colour 0, White.
    """
    mapped = tuple(word for word in _SEPARATORS.split(root.get("CM") or "") if word)
    return DEFAULT_SEATS if mapped == ("0", "1") else _OTHER_SEATS if mapped == ("1", "0") else None


def find_seats(root: SgfNode) -> Seats:
    """Return the players' colours.

    Without a seat map the first move decides: its player adds a piece of their own colour.
    """
    seats = mapped_seats(root)
    if seats is not None:
        return seats
    drops = [action for action in _until_done(root, DEFAULT_SEATS) if action.name == "dropb"]
    number = drops[-1].words[0] if drops and drops[-1].words else ""
    if not number.isdecimal() or len(number) > 4 or kind_of(int(number)) is None:
        return DEFAULT_SEATS
    return DEFAULT_SEATS if colour_of(int(number)) is drops[-1].player else _OTHER_SEATS


def first_player(root: SgfNode, seats: Seats) -> Colour:
    """Return who starts: White, unless the last Start before the first Done says otherwise."""
    starts = Colour.WHITE
    for action in _until_done(root, seats):
        if action.name == "start":
            starts = action.named_player(seats)
    return starts
