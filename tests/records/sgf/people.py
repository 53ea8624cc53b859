"""Games as people play them at Boardspace: picking up, changing their minds, seated either way, ended in any way."""

from __future__ import annotations

import random

from punct import Colour, Game, Kind, Move, Piece, Space
from punct.records.sgf.numbering import numbers_of, rotation_of

FUMBLES = ("picked up", "put back", "dropped elsewhere", "picked up again", "turned", "resigned")


class Numbers:
    """Which number each piece on the board has, told by the pieces themselves."""

    def __init__(self) -> None:
        self._pieces: dict[int, Piece] = {}

    def piece(self, number: int) -> Piece | None:
        return self._pieces.get(number)

    def number(self, piece: Piece) -> int:
        return next(number for number, found in self._pieces.items() if found == piece)

    def next_in_set(self, colour: Colour, kind: Kind) -> int:
        return next(number for number in numbers_of(colour, kind) if number not in self._pieces)

    def put(self, number: int, piece: Piece) -> None:
        self._pieces[number] = piece


class Record:
    """A game written down action by action, as its players' hands move."""

    def __init__(self, rng: random.Random, *, swapped: bool) -> None:
        self._rng = rng
        self._seats = ("P1", "P0") if swapped else ("P0", "P1")  # by colour
        self._map = "1,0" if swapped else "0,1"
        self.actions: list[tuple[str, str]] = []
        self.game = Game()
        self._numbers = Numbers()
        self._loose: tuple[int, str] | None = None  # a piece of the set that is in hand, or dropped where it says
        self._say(Colour.WHITE, f"Start {self._seats[0]}")

    def _say(self, colour: Colour, what: str) -> None:
        name = self._rng.choice((str, str, str, str.lower, str.upper))(what.split()[0])
        self.actions.append((self._seats[colour], " ".join([name, *what.split()[1:]])))

    def play(self, move: Move, *, robot: bool, fumbles: int) -> None:
        """Play a move, after so many things the player thought better of."""
        colour, position = self.game.position.turn, self.game.position
        piece = None if move.origin is None else position.top(move.origin)
        kind = move.kind if piece is None else piece.kind
        assert kind is not None
        number = self._numbers.next_in_set(colour, kind) if piece is None else self._numbers.number(piece)
        for _ in range(0 if robot else fumbles):
            self._fumble(colour)
        dropped = f"{_at(move.space)} {rotation_of(kind, move.heading)}"
        if robot and piece is not None:
            self._say(colour, f"Move {_at(piece.space)} {dropped}")
        else:
            if not robot:
                self._pick(colour, number)
                for _ in range(self._rng.randrange(3)):
                    self._say(colour, "Rotate")
            self._say(colour, f"Dropb {number} {dropped}")
        self._say(colour, "Done")
        self._loose = None
        self.game.push(move)
        landed = self.game.position.top(move.space)
        assert landed is not None
        self._numbers.put(number, landed)

    def end(self, how: str) -> None:
        """End the game without a move, by the player to move: ``Resign``, ``LoseOnTime`` or ``WinOnTime``."""
        colour = self.game.position.turn
        if self._rng.random() < 0.5:
            self._fumble(colour)
        self._say(colour, how)
        if how == "Resign":
            self._say(colour, "Done")
            self.game.resign(colour)
        else:
            self.game.lose_on_time(colour if how == "LoseOnTime" else colour.other)

    def _pick(self, colour: Colour, number: int) -> None:
        piece = self._numbers.piece(number)
        if piece is None:
            self._say(colour, f"Pick {colour.letter.upper()} {number}")
            return
        if self._loose is not None:  # what was taken from the set must go back before a piece on the board is touched
            loose, place = self._loose
            if place:
                self._say(colour, f"Pickb {place}")
            self._say(colour, f"Drop {colour.letter.upper()} {loose}")
        self._say(colour, f"Pickb {_at(self._rng.choice(piece.spaces))}")  # any of its spaces will do

    def _fumble(self, colour: Colour) -> None:
        """Do something and leave it at that, as far as the board lets one."""
        rng, position = self._rng, self.game.position
        kinds = [kind for kind, count in position.in_set(colour).items() if count]
        own = [piece for piece in position.pieces if piece.colour is colour and position.top(piece.space) == piece
               and not position.blockers(piece)]  # fmt: skip
        what = rng.choice(FUMBLES)
        if what == "resigned":
            self._say(colour, "Resign")
            self._say(colour, "Resign")
        elif what == "turned" and own:
            piece = rng.choice(own)
            number = self._numbers.number(piece)
            self._pick(colour, number)
            self._say(colour, f"Dropb {number} {_at(piece.space)} {rng.randrange(6)}")
            self._say(colour, f"Pickb {_at(piece.space)}")
            self._say(colour, f"Dropb {number} {_at(piece.space)} {rotation_of(piece.kind, piece.heading)}")
            self._loose = None
        elif kinds:
            number = self._numbers.next_in_set(colour, rng.choice(kinds))
            place = f"{_at(Space(rng.choice(('d5', 'i9', 'n12', 'c8'))))} {rng.randrange(6)}"
            self._pick(colour, number)
            self._loose = number, ""
            if what == "put back":
                self._say(colour, f"Drop {colour.letter.upper()} {number}")
                self._loose = None
            elif what in ("dropped elsewhere", "picked up again"):
                self._say(colour, f"Dropb {number} {place}")
                self._loose = number, " ".join(place.split()[:2])
                if what == "picked up again":
                    self._say(colour, f"Pickb {self._loose[1]}")
                    self._loose = number, ""

    def as_archived(self) -> str:
        """Return the record as the server's archive has it."""
        result = ""
        outcome = self.game.outcome()
        if outcome is not None and outcome.winner is not None:
            result = f"RE[Game won by {'one' if self._seats[outcome.winner] == 'P0' else 'two'}]\n"
        head = f'(;\nGM[25]VV[1]\nCM[{self._map}]\nTC[None]\nSU[punct 2 0 101]\n{result}P0[id "one"]\nP1[id "two"]\n'
        nodes = [f"; {seat}[{index} {what} ]TM[{index}]\n" for index, (seat, what) in enumerate(self.actions)]
        return head + "".join(nodes) + ";\nP0[time 0:00:00 ]\nP1[time 0:00:00 ]\n)\n"

    def as_saved(self) -> str:
        """Return the record as a player saves it."""
        head = f'(;P0[ time null]\nP1[ time null]\nGM[punct]\nTC[None]\nCM[{self._map}]\nSU[Punct]\nP0[ id "one"]\n'
        nodes = [f";TM[{index}]\n{seat}[{index} {what} ]\n" for index, (seat, what) in enumerate(self.actions)]
        return head + 'P0[country Belgium]\nP1[ id "two"]\nFF[4]\n' + "".join(nodes) + ")\n"


def _at(space: Space) -> str:
    return f"{space.name[0].upper()} {space.row}"


def played(rng: random.Random, moves: int, ending: str | None, *, swapped: bool, robot: bool, fumbles: int) -> Record:
    """Play so many random moves and end the game."""
    record = Record(rng, swapped=swapped)
    while len(record.game.moves) < moves and record.game.outcome() is None:
        legal = list(record.game.position.legal_moves)
        shifts = [move for move in legal if not move.is_add]
        move = rng.choice(shifts if shifts and rng.random() < 0.4 else legal)
        record.play(move, robot=robot, fumbles=rng.randrange(fumbles + 1))
    if ending is not None and record.game.outcome() is None:
        record.end(ending)
    return record
