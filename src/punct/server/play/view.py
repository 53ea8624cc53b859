"""Positions as clients get them: pieces with names that stay, what is legal, and what the last turn changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from punct.game import Game
from punct.geometry import LINE, Heading, Space
from punct.legal import landings
from punct.move import Move
from punct.outcome import Outcome
from punct.piece import Colour, Kind, Piece
from punct.position import Position
from punct.server.api import schemas
from punct.server.api.board import HEADINGS, KINDS
from punct.server.api.masks import pack
from punct.server.api.threats import threats

COLOURS: tuple[schemas.ColourLetter, schemas.ColourLetter] = ("w", "b")


class Play:
    """A game on its way: every piece keeps its name, and the last turn is remembered."""

    def __init__(self, start: str | Position, turns: Iterable[str] = ()) -> None:
        """Set up the start and play the turns; raises PunctError for what makes no sense or is not legal."""
        self.game = Game(start)
        self.told: list[schemas.LastTurn] = []
        self._ids: dict[Piece, str] = {}
        counts: dict[tuple[Colour, Kind], int] = {}
        for piece in self.position.pieces:
            number = counts[piece.colour, piece.kind] = counts.get((piece.colour, piece.kind), 0) + 1
            self._ids[piece] = f"{piece.colour.letter}{piece.kind}{number}"
        for turn in turns:
            self.push(turn)

    @property
    def position(self) -> Position:
        """The current position; not to be changed."""
        return self.game.position

    @property
    def ply(self) -> int:
        """How many turns were played."""
        return len(self.told)

    def push(self, turn: str) -> schemas.LastTurn:
        """Play a turn and return what it changed; raises PunctError, and then nothing has changed."""
        position, colour = self.position, self.position.turn
        origin = Move.parse(turn).origin
        before = position.top(origin) if origin else None
        move = self.game.push(turn)
        after = position.top(move.space)
        assert after is not None
        if before is None:
            number = after.kind.count - position.in_set(colour)[after.kind]
            self._ids[after] = f"{colour.letter}{after.kind}{number}"
        else:
            self._ids[after] = self._ids.pop(before)
        self.told.append(self._told(move, before, after))
        return self.told[-1]

    def view(self) -> schemas.PositionView:
        """Return the position as clients get it."""
        position, outcome = self.position, self.game.outcome()
        over = outcome is not None
        white, black = position.centre_count()
        return schemas.PositionView(
            ply=self.ply,
            text=str(position),
            rules=position.rules.value,
            turn=COLOURS[position.turn],
            pieces=[self._piece(piece) for piece in position.pieces],
            sets=schemas.Sets(w=_left(position.in_set(Colour.WHITE)), b=_left(position.in_set(Colour.BLACK))),
            centre=schemas.CentreCount(w=white, b=black),
            chain=[space.name for space in position.winning_chain],
            outcome=told_outcome(outcome),
            result=told_result(outcome),
            legal=legal(position, over=over),
            threats=threats(position, over=over),
            last=self.told[-1] if self.told else None,
        )

    def _piece(self, piece: Piece) -> schemas.PieceView:
        blockers = self.position.blockers(piece)
        punct, first, second = piece.spaces
        return schemas.PieceView(
            id=self._ids[piece],
            colour=COLOURS[piece.colour],
            kind=KINDS[piece.kind],
            space=piece.space.name,
            heading=HEADINGS[piece.heading],
            level=piece.level,
            spaces=(punct.name, first.name, second.name),
            bridge=self.position.is_bridge(piece),
            free=not blockers,
            blocked_by=[schemas.Blocker(space=space.name, piece=self._ids[above]) for space, above in blockers.items()],
        )

    def _told(self, move: Move, before: Piece | None, after: Piece) -> schemas.LastTurn:
        position = self.position
        below = {space: stack[-2] for space in after.spaces if len(stack := position.stack(space)) > 1}
        left = [space for space in before.spaces if space not in after.spaces] if before else []
        tops = {space: position.top(space) for space in left}
        return schemas.LastTurn(
            text=str(move),
            colour=COLOURS[after.colour],
            kind=KINDS[after.kind],
            piece=self._ids[after],
            manner=self._manner(move, after),
            origin=before.space.name if before else None,
            origin_heading=HEADINGS[before.heading] if before else None,
            origin_level=before.level if before else None,
            space=after.space.name,
            heading=HEADINGS[after.heading],
            level=after.level,
            path=[space.name for space in _path(move.origin or move.space, move.space)],
            covered=[schemas.Blocker(space=space.name, piece=self._ids[piece]) for space, piece in below.items()],
            uncovered=[
                schemas.Blocker(space=space.name, piece=self._ids[piece]) for space, piece in tops.items() if piece
            ],
            emptied=[space.name for space, piece in tops.items() if piece is None],
        )

    def _manner(self, move: Move, after: Piece) -> schemas.Manner:
        if move.is_add:
            return "add"
        if self.position.is_bridge(after):
            return "bridge"
        if move.is_turn_in_place:
            return "turn"
        return "jump" if after.level > 1 else "move"


def legal(position: Position, *, over: bool = False) -> schemas.LegalTurns:
    """Return every legal turn, as one mask for each piece and heading."""
    adds: dict[schemas.KindLetter, dict[schemas.HeadingWord, str]] = {}
    moves: dict[str, dict[schemas.HeadingWord, str]] = {}
    count = 0
    if not over:
        for piece, kind, heading, mask in landings(position):
            count += mask.bit_count()
            found = adds.setdefault(KINDS[kind], {}) if piece is None else moves.setdefault(piece.space.name, {})
            found[HEADINGS[heading]] = pack(mask)
    return schemas.LegalTurns(count=count, adds=adds, moves=moves)


def told_outcome(outcome: Outcome | None) -> schemas.Outcome | None:
    """Return how a game ended, as clients get it."""
    if outcome is None:
        return None
    winner = None if outcome.winner is None else COLOURS[outcome.winner]
    return schemas.Outcome.model_validate({"winner": winner, "reason": outcome.reason.name.lower()})


def told_result(outcome: Outcome | None) -> schemas.Result:
    """Return the result's text."""
    if outcome is None:
        return "*"
    if outcome.winner is None:
        return "1/2-1/2"
    return "1-0" if outcome.winner is Colour.WHITE else "0-1"


def _left(in_set: Mapping[Kind, int]) -> schemas.PiecesLeft:
    return schemas.PiecesLeft.model_validate({kind.value: count for kind, count in in_set.items()})


def _path(origin: Space, space: Space) -> list[Space]:
    """Return the spaces from one to another on its line, both included."""
    for heading in Heading:
        line = LINE[origin.bit][heading]
        if space in line:
            return [origin, *line[: line.index(space) + 1]]
    return [space]
