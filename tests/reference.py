"""The rules once more: slowly, straight from their wording, and without a line of the library.

Spaces are (column, row) pairs counted from the centre, the board is a dictionary of stacks, and every placement is
looked at one by one. Tests compare the library with this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

Space = tuple[int, int]

DIRECTIONS: dict[str, Space] = {"n": (0, 1), "ne": (1, 1), "se": (1, 0), "s": (0, -1), "sw": (-1, -1), "nw": (-1, 0)}
CLOCKWISE = list(DIRECTIONS)
COUNTS = {"T": 6, "C": 2, "E": 4, "M": 2, "L": 2, "R": 2}


class Lying(NamedTuple):
    """A piece on the board."""

    colour: str
    kind: str
    punct: Space
    heading: str
    level: int


def across(space: Space) -> tuple[int, int, int]:
    """Return how far a space is from the centre on each of the three axes."""
    q, r = space
    return q, r, q - r


def is_on_board(space: Space) -> bool:
    distances = [abs(distance) for distance in across(space)]
    return max(distances) <= 8 and distances.count(8) < 2


def is_central(space: Space) -> bool:
    return max(abs(distance) for distance in across(space)) <= 2


BOARD = [(q, r) for q in range(-8, 9) for r in range(-8, 9) if is_on_board((q, r))]


def read_space(text: str) -> Space:
    return ord(text[0]) - ord("i"), int(text[1:]) - 9


def write_space(space: Space) -> str:
    return f"{chr(ord('i') + space[0])}{space[1] + 9}"


def step(space: Space, heading: str, turned: int = 0) -> Space:
    q, r = DIRECTIONS[CLOCKWISE[(CLOCKWISE.index(heading) + turned) % 6]]
    return space[0] + q, space[1] + r


def dots(kind: str, punct: Space, heading: str) -> list[Space]:
    """Return PÜNCT, first and second minor dot."""
    first = step(punct, heading)
    second = {
        "T": step(punct, heading, 1),
        "C": step(punct, heading, 3),
        "E": step(first, heading),
        "M": step(punct, heading, 2),
        "L": step(first, heading, -1),
        "R": step(first, heading, 1),
    }[kind]
    return [punct, first, second]


def headings(kind: str) -> list[str]:
    return CLOCKWISE[:3] if kind == "C" else CLOCKWISE


def is_at_rest(kind: str, levels: list[int]) -> bool:
    """Tell whether a piece rests on floors of these levels (PÜNCT first): flat, or as a bridge."""
    if len(set(levels)) == 1:
        return True
    if kind == "T":
        return False
    middle = 0 if kind in "CM" else 1
    ends = [level for dot, level in enumerate(levels) if dot != middle]
    return ends[0] == ends[1] > levels[middle]


class Board:
    """A position, read from its text."""

    def __init__(self, text: str) -> None:
        self.rules, self.turn, *words = text.split()
        self.stacks: dict[Space, list[Lying]] = {space: [] for space in BOARD}
        self.in_set = {colour: dict(COUNTS) for colour in "wb"}
        for word in words:
            colour, kind, rest = word[0], word[1], word[2:]
            digits = "".join(filter(str.isdigit, rest))
            punct, heading = read_space(rest[0] + digits), rest[1 + len(digits) :]
            levels = [self.level(dot) for dot in dots(kind, punct, heading)]
            assert is_at_rest(kind, levels)
            piece = Lying(colour, kind, punct, heading, max(levels) + 1)
            for dot in dots(kind, punct, heading):
                self.stacks[dot].append(piece)
            self.in_set[colour][kind] -= 1

    def level(self, space: Space) -> int:
        return self.stacks[space][-1].level if self.stacks[space] else 0

    def shows(self, space: Space) -> str | None:
        return self.stacks[space][-1].colour if self.stacks[space] else None

    def pieces(self) -> set[Lying]:
        return {piece for stack in self.stacks.values() for piece in stack}

    # ------------------------------------------------------------------ turns

    def legal(self) -> set[str]:
        """Return every legal turn as text."""
        if self.outcome() is not None:
            return set()
        return set(self.adds()) | set(self.moves())

    def adds(self) -> Iterator[str]:
        first_of_all = self.turn == "w" and self.in_set["w"] == COUNTS
        closed = self.rules == "standard" or first_of_all
        for kind, count in self.in_set[self.turn].items():
            for punct in BOARD if count else ():
                for heading in headings(kind):
                    covered = dots(kind, punct, heading)
                    if not all(map(is_on_board, covered)) or any(self.stacks[dot] for dot in covered):
                        continue
                    if closed and any(map(is_central, covered)):
                        continue
                    yield f"{kind}{write_space(punct)}{heading}"

    def moves(self) -> Iterator[str]:
        for piece in self.pieces():
            covered = dots(piece.kind, piece.punct, piece.heading)
            if piece.colour != self.turn or any(self.stacks[dot][-1] != piece for dot in covered):
                continue
            for dot in covered:
                self.stacks[dot].pop()
            for punct in self.in_line(piece.punct):
                for heading in headings(piece.kind):
                    unchanged = punct == piece.punct and heading == piece.heading
                    if not unchanged and self.may_rest(piece, punct, heading):
                        yield f"{write_space(piece.punct)}-{write_space(punct)}{heading}"
            for dot in covered:
                self.stacks[dot].append(piece)

    @staticmethod
    def in_line(origin: Space) -> Iterator[Space]:
        yield origin
        for heading in CLOCKWISE:
            space = step(origin, heading)
            while is_on_board(space):
                yield space
                space = step(space, heading)

    def may_rest(self, piece: Lying, punct: Space, heading: str) -> bool:
        """Tell whether a lifted piece may be put down here."""
        target = dots(piece.kind, punct, heading)
        if not all(map(is_on_board, target)):
            return False
        levels = [self.level(dot) for dot in target]
        if not is_at_rest(piece.kind, levels):
            return False
        return max(levels) == 0 or self.shows(punct) == piece.colour

    # ------------------------------------------------------------------ the end

    def joins_sides(self, colour: str) -> bool:
        showing = {space for space in BOARD if self.shows(space) == colour}
        for axis in range(3):
            reached = [space for space in showing if across(space)[axis] == 8]
            seen = set(reached)
            while reached:
                space = reached.pop()
                if across(space)[axis] == -8:
                    return True
                near = {step(space, heading) for heading in CLOCKWISE} & showing - seen
                seen |= near
                reached.extend(near)
        return False

    def outcome(self) -> tuple[str, str] | None:
        """Return the result and why, in words; None while the game goes on. Having no turn is left out."""
        mover = "b" if self.turn == "w" else "w"
        for colour in (mover, self.turn):
            if self.joins_sides(colour):
                return "1-0" if colour == "w" else "0-1", "connection"
        if all(sum(left.values()) for left in self.in_set.values()):
            return None
        if self.rules == "basic":
            return "1/2-1/2", "last piece placed"
        central = [self.shows(space) for space in BOARD if is_central(space)]
        white, black = central.count("w"), central.count("b")
        return "1-0" if white > black else "0-1" if black > white else "1/2-1/2", "centre count"
