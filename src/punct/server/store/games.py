"""Games as they are stored: every change is one transaction, made for a stated revision."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import Engine, delete, func, insert, select, update
from sqlalchemy.orm import Session

from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.store.models import GameRow, SeatRow, TurnRow

SeatKind = Literal["person", "engine"]


class ConflictError(Exception):
    """Somebody else changed or deleted the game in the meantime; nothing was stored."""


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """Who plays a colour."""

    kind: SeatKind = "person"
    name: str | None = None
    level: int | None = None


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A turn; ``played`` is None if it came with a record."""

    text: str
    played: datetime | None = None
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class NewStoredGame:
    """A game to store."""

    start: str
    seats: Mapping[Colour, StoredSeat]
    turns: Sequence[StoredTurn] = ()
    outcome: Outcome | None = None
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is stored. ``turns`` are left out (None) in lists."""

    id: str
    rules: str
    start: str
    seats: Mapping[Colour, StoredSeat]
    ply: int
    revision: int
    outcome: Outcome | None
    tags: Mapping[str, str]
    created: datetime
    updated: datetime
    turns: Sequence[StoredTurn] | None = None

    @property
    def turn(self) -> Colour:
        """Who is to move: the start says who begins."""
        first = Colour.WHITE if self.start.split()[1] == "w" else Colour.BLACK
        return first if self.ply % 2 == 0 else first.other

    def with_turn(self, turn: StoredTurn, outcome: Outcome | None) -> StoredGame:
        """Return the game after ``GameStore.add_turn``."""
        return self._changed(turn.played, turns=(*(self.turns or ()), turn), ply=self.ply + 1, outcome=outcome)

    def back_to(self, ply: int, now: datetime) -> StoredGame:
        """Return the game after ``GameStore.take_back``."""
        return self._changed(now, turns=(self.turns or ())[:ply], ply=ply, outcome=None)

    def ended(self, outcome: Outcome, now: datetime) -> StoredGame:
        """Return the game after ``GameStore.end``."""
        return self._changed(now, outcome=outcome)

    def _changed(self, now: datetime | None, **values: Any) -> StoredGame:
        return replace(self, updated=now or self.updated, revision=self.revision + 1, **values)


class GameStore:
    """All games. Its methods block: call them from threads, never on the event loop."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    # ------------------------------------------------------------------ reading

    def load(self, game_id: str) -> StoredGame | None:
        """Return a game with its turns."""
        with Session(self._engine) as session:
            row = session.get(GameRow, game_id)
            if row is None:
                return None
            turns = session.execute(
                select(TurnRow.text, TurnRow.played, TurnRow.comment)
                .where(TurnRow.game_id == game_id)
                .order_by(TurnRow.ply)
            )
            seats = _seats(session, [game_id])[game_id]
            return _stored(row, seats, [StoredTurn(text, played, comment) for text, played, comment in turns])

    def page(self, offset: int, limit: int) -> tuple[list[StoredGame], int]:
        """Return some games without their turns, the last changed first, and how many there are."""
        with Session(self._engine) as session:
            newest = select(GameRow).order_by(GameRow.updated.desc(), GameRow.id.desc())
            rows = session.scalars(newest.offset(offset).limit(limit)).all()
            total = session.scalar(select(func.count()).select_from(GameRow)) or 0
            return self._with_seats(session, rows), total

    def open_with_engine(self) -> list[StoredGame]:
        """Return the unfinished games with an engine in a seat, the last changed first."""
        with Session(self._engine) as session:
            playing = select(SeatRow.game_id).where(SeatRow.kind == "engine")
            wanted = select(GameRow).where(GameRow.ending.is_(None), GameRow.id.in_(playing))
            return self._with_seats(session, session.scalars(wanted.order_by(GameRow.updated.desc())).all())

    # ------------------------------------------------------------------ writing

    def create(self, games: Iterable[NewStoredGame]) -> list[StoredGame]:
        """Store new games, all or none."""
        now = datetime.now(UTC)
        ids = []
        with Session(self._engine) as session, session.begin():
            for game in games:
                game_id = secrets.token_urlsafe(9)
                ids.append(game_id)
                row = GameRow(
                    id=game_id,
                    rules=game.start.split()[0],
                    start=game.start,
                    ply=len(game.turns),
                    revision=1,
                    tags=dict(game.tags),
                    created=now,
                    updated=now,
                    **_ending(game.outcome),
                )
                session.add(row)
                session.flush()
                seats = [
                    {"game_id": game_id, "colour": colour.letter, "kind": seat.kind, "name": seat.name,
                     "level": seat.level}
                    for colour, seat in game.seats.items()
                ]  # fmt: skip
                session.execute(insert(SeatRow), seats)
                turns = [
                    {"game_id": game_id, "ply": ply, "text": turn.text, "played": turn.played, "comment": turn.comment}
                    for ply, turn in enumerate(game.turns)
                ]
                if turns:
                    session.execute(insert(TurnRow), turns)
        stored = [self.load(game_id) for game_id in ids]
        return [game for game in stored if game is not None]

    def add_turn(self, game_id: str, revision: int, ply: int, text: str, outcome: Outcome | None) -> datetime:
        """Store a turn and how it ended the game, if it did; return when it was played."""
        now = datetime.now(UTC)
        with Session(self._engine) as session, session.begin():
            self._change(session, game_id, revision, now, ply=ply + 1, **_ending(outcome))
            session.execute(insert(TurnRow).values(game_id=game_id, ply=ply, text=text, played=now))
        return now

    def take_back(self, game_id: str, revision: int, ply: int) -> datetime:
        """Forget every turn from a ply on, and any end of the game."""
        now = datetime.now(UTC)
        with Session(self._engine) as session, session.begin():
            self._change(session, game_id, revision, now, ply=ply, **_ending(None))
            session.execute(delete(TurnRow).where(TurnRow.game_id == game_id, TurnRow.ply >= ply))
        return now

    def end(self, game_id: str, revision: int, outcome: Outcome) -> datetime:
        """Store how a game was ended without a turn."""
        now = datetime.now(UTC)
        with Session(self._engine) as session, session.begin():
            self._change(session, game_id, revision, now, **_ending(outcome))
        return now

    def delete(self, game_id: str) -> bool:
        """Forget a game; tell whether there was one."""
        with Session(self._engine) as session, session.begin():
            found = session.execute(delete(GameRow).where(GameRow.id == game_id).returning(GameRow.id)).first()
            return found is not None

    # ------------------------------------------------------------------ within

    @staticmethod
    def _change(session: Session, game_id: str, revision: int, now: datetime, **values: object) -> None:
        """Change a game if it still is at a revision. Comes first in a transaction, so that it takes the write lock."""
        changed = session.execute(
            update(GameRow)
            .where(GameRow.id == game_id, GameRow.revision == revision)
            .values(revision=revision + 1, updated=now, **values)
            .returning(GameRow.id)
        ).first()
        if changed is None:
            raise ConflictError(game_id)

    @staticmethod
    def _with_seats(session: Session, rows: Sequence[GameRow]) -> list[StoredGame]:
        seats = _seats(session, [row.id for row in rows])
        return [_stored(row, seats[row.id], None) for row in rows]


def _seats(session: Session, ids: Sequence[str]) -> dict[str, dict[Colour, StoredSeat]]:
    found: dict[str, dict[Colour, StoredSeat]] = {game_id: {} for game_id in ids}
    for row in session.scalars(select(SeatRow).where(SeatRow.game_id.in_(ids))):
        kind: SeatKind = "engine" if row.kind == "engine" else "person"
        colour = Colour.WHITE if row.colour == "w" else Colour.BLACK
        found[row.game_id][colour] = StoredSeat(kind, row.name, row.level)
    return found


def _stored(row: GameRow, seats: Mapping[Colour, StoredSeat], turns: Sequence[StoredTurn] | None) -> StoredGame:
    outcome = None
    if row.ending is not None:
        winner = None if row.winner is None else Colour.WHITE if row.winner == "w" else Colour.BLACK
        outcome = Outcome(winner, Ending[row.ending.upper()])
    return StoredGame(
        row.id, row.rules, row.start, seats, row.ply, row.revision, outcome, row.tags, row.created, row.updated, turns
    )


def _ending(outcome: Outcome | None) -> dict[str, str | None]:
    if outcome is None:
        return {"winner": None, "ending": None}
    return {
        "winner": None if outcome.winner is None else outcome.winner.letter,
        "ending": outcome.reason.name.lower(),
    }
