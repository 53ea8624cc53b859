"""A stored game, set up to be played on and told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC

from punct.game import Game
from punct.move import Move
from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.api import schemas
from punct.server.play.view import COLOURS, Play, told_outcome, told_result
from punct.server.store import StoredGame, StoredSeat

DECLARED = frozenset({Ending.RESIGNATION, Ending.AGREEMENT, Ending.TIME})
"""Ends that no turn brought about."""

IDLE = schemas.Thinking(state="idle", colour=None, level=None, since=None, message=None)


class Table:
    """A game in memory. What it tells is made once for each revision."""

    def __init__(self, stored: StoredGame, play: Play | None = None) -> None:
        """Play a stored game through, unless it is given as played."""
        assert stored.turns is not None
        self.stored = stored
        if play is None:
            play = Play(stored.start, [turn.text for turn in stored.turns])
            if stored.outcome is not None and stored.outcome.reason in DECLARED:
                declare(play.game, stored.outcome)
        self.play = play
        self._answer: schemas.Game | None = None

    @property
    def id(self) -> str:
        """The game's id."""
        return self.stored.id

    @property
    def ply(self) -> int:
        """How many turns were played."""
        return self.stored.ply

    @property
    def turn(self) -> Colour:
        """Who is to move."""
        return self.play.position.turn

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, if it did."""
        return self.play.game.outcome()

    @property
    def seats(self) -> Mapping[Colour, StoredSeat]:
        """Who plays which colour."""
        return self.stored.seats

    def persons(self) -> list[Colour]:
        """Return the colours played by persons."""
        return [colour for colour in Colour if self.seats[colour].kind == "person"]

    def undo_ply(self) -> int | None:
        """Return to which ply an undo leads: the current one to take back a declared end; None if it cannot."""
        persons = self.persons()
        if not persons:
            return None
        if self.play.game.node.declared is not None:
            return self.ply
        for ply in range(self.ply - 1, -1, -1):
            if (self.turn if (self.ply - ply) % 2 == 0 else self.turn.other) in persons:
                return ply
        return None

    def view_at(self, ply: int) -> schemas.PositionView:
        """Return an earlier position, or the current one."""
        return self.answer().view if ply == self.ply else self.play_to(ply).view()

    def play_to(self, ply: int) -> Play:
        """Play the game again, up to a ply."""
        assert self.stored.turns is not None
        return Play(self.stored.start, [turn.text for turn in self.stored.turns[:ply]])

    def answer(self) -> schemas.Game:
        """Return the game as clients get it; whether an engine thinks is for others to add."""
        if self._answer is None:
            assert self.stored.turns is not None
            over = self.outcome is not None
            self._answer = schemas.Game(
                **dict(summary(self.stored)),
                revision=self.stored.revision,
                start=self.stored.start,
                turns=[
                    schemas.TurnView(
                        ply=ply,
                        text=told.text,
                        colour=told.colour,
                        kind=told.kind,
                        manner=told.manner,
                        at=turn.played,
                        comment=turn.comment,
                    )
                    for ply, (told, turn) in enumerate(zip(self.play.told, self.stored.turns, strict=True))
                ],
                view=self.play.view(),
                repetitions=self.play.game.repetitions,
                may_undo=self.undo_ply() is not None,
                may_resign=not over and bool(self.persons()),
                may_draw=not over and len(self.persons()) == 2,
                thinking=IDLE,
            )
        return self._answer

    def record(self) -> Game:
        """Return the game as a record: with its comments, players and date."""
        assert self.stored.turns is not None
        game = Game(self.stored.start, self.stored.tags)
        for colour in Colour:
            seat = self.seats[colour]
            name = seat.name or (f"PÜNCT level {seat.level}" if seat.kind == "engine" else None)
            if name:
                game.tags[str(colour)] = name
        game.tags.setdefault("Date", self.stored.created.astimezone(UTC).strftime("%Y-%m-%d"))
        for turn in self.stored.turns:
            game.push(Move.parse(turn.text))
            game.comment = turn.comment or ""
        if self.outcome is not None and self.outcome.reason in DECLARED:
            declare(game, self.outcome)
        return game


def declare(game: Game, outcome: Outcome) -> None:
    """End a game as it was ended without a turn."""
    match outcome:
        case Outcome(reason=Ending.AGREEMENT):
            game.agree_draw()
        case Outcome(winner=Colour() as winner, reason=Ending.TIME):
            game.lose_on_time(winner.other)
        case Outcome(winner=Colour() as winner, reason=Ending.RESIGNATION):
            game.resign(winner.other)
        case _:
            raise ValueError(f"nobody declares {outcome}")


def summary(stored: StoredGame) -> schemas.GameSummary:
    """Return a game as lists show it."""
    return schemas.GameSummary.model_validate(
        {
            "id": stored.id,
            "rules": stored.rules,
            "seats": {colour.letter: _seat(seat) for colour, seat in stored.seats.items()},
            "ply": stored.ply,
            "turn": COLOURS[stored.turn],
            "result": told_result(stored.outcome),
            "outcome": told_outcome(stored.outcome),
            "created": stored.created,
            "updated": stored.updated,
        }
    )


def _seat(seat: StoredSeat) -> schemas.SeatView:
    return schemas.SeatView(type=seat.kind, name=seat.name, level=seat.level)
