"""Conversion between the model and the rows of the tables. Damaged rows are detected when they are read."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, get_args

from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.auth.model import PlayerKind
from punct.server.db.errors import UnreadableGameError
from punct.server.db.tables import GAMES, RECORDS
from punct.server.db.values import from_db_bool, from_db_time, json_converters, to_db_time
from punct.server.games.model import (
    COLOURS,
    OfferKind,
    Pause,
    SeatedPlayer,
    SeatKind,
    StoredClock,
    StoredGame,
    StoredMove,
    StoredOffer,
    StoredSeat,
)

_SEAT_KINDS: Final = get_args(SeatKind)
_PLAYER_KINDS: Final = get_args(PlayerKind)
_OFFER_KINDS: Final = get_args(OfferKind)
GAME_COLUMNS: Final = (
    *("id", "rules", "start", "ply", "revision", "winner", "ending", "tags", "created", "updated", "undone"),
    *("owner_id", "listed", "rated", "time", "left_w", "left_b", "ticking", "deadline"),
    *("offer", "offered_by", "next_id", "uncounted", "lag_w", "lag_b", "pauses"),
)
"""The columns of a game, in the order in which they are read."""
REVISION_COLUMNS: Final = (
    *("ply", "revision", "winner", "ending", "updated", "undone"),
    *("left_w", "left_b", "ticking", "deadline", "offer", "offered_by", "next_id", "lag_w", "lag_b", "pauses"),
)
"""The columns that every change writes."""
_AGREED: Final = "a"
"""The letter of a pause that both agreed to; else it is that of the side on vacation."""
SEAT_COLUMN_COUNT: Final = 8
"""How many columns follow for each seat: of the seat, its player and their rating."""
_write_tags, _read_tags = json_converters(GAMES.c.tags)
_write_undone, _read_undone = json_converters(GAMES.c.undone)
_write_comments, _read_comments = json_converters(RECORDS.c.comments)


# ---------------------------------------------------------------------- reading


@contextlib.contextmanager
def _unreadable_if_damaged(game_id: object) -> Iterator[None]:
    """Raise UnreadableGameError instead of the errors that a damaged row causes."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise UnreadableGameError(f"game {game_id} is stored wrongly: {type(error).__name__}: {error}") from error


def read_game(row: Sequence[Any]) -> StoredGame:
    """Return the game of a row: ``GAME_COLUMNS``, then White's seat and Black's, as in ``statements``.

    Raises UnreadableGameError if the row is damaged.
    """
    game_id, rules, start, ply, revision, winner, ending, tags, created, updated, undone = row[:11]
    owner, listed, rated, time, left_w, left_b, ticking, deadline, offer, offered_by, next_id = row[11:22]
    uncounted, lag_w, lag_b, pauses = row[22:26]
    seats = row[26:]
    with _unreadable_if_damaged(game_id):
        outcome = None
        if ending is not None:
            outcome = Outcome(None if winner is None else COLOURS[winner], Ending[ending.upper()])
        start_rules, first, *_ = start.split(maxsplit=2)
        if start_rules != rules or first not in COLOURS:
            raise ValueError(f"a game by the rules {rules!r} does not start from {start!r}")
        return StoredGame(
            id=_text(game_id),
            rules=rules,
            start=start,
            seats={
                Colour.WHITE: _read_seat(*seats[:SEAT_COLUMN_COUNT]),
                Colour.BLACK: _read_seat(*seats[SEAT_COLUMN_COUNT:]),
            },
            ply=_number(ply),
            revision=_number(revision),
            outcome=outcome,
            tags={_text(name): _text(value) for name, value in _read_tags(tags).items()},
            created=from_db_time(created),
            updated=from_db_time(updated),
            undone=tuple(_read_move(*move) for move in _read_undone(undone) or ()),
            owner=owner,
            listed=from_db_bool(listed),
            rated=from_db_bool(rated),
            time=time,
            clock=None
            if time is None
            else _read_clock(left_w, left_b, ticking, deadline, lag_w or 0, lag_b or 0, pauses),
            offer=None if offer is None else _read_offer(offer, offered_by),
            next_id=next_id,
            uncounted=uncounted,
        )


def _read_clock(
    left_w: Any, left_b: Any, ticking: Any, deadline: Any, lag_w: Any, lag_b: Any, pauses: Any
) -> StoredClock:
    is_running = ticking is not None  # else the deadline is that of the pauses
    return StoredClock(
        _number(left_w),
        _number(left_b),
        from_db_time(ticking) if is_running else None,
        from_db_time(deadline) if is_running and deadline is not None else None,
        _number(lag_w),
        _number(lag_b),
        () if pauses is None else tuple(map(_read_pause, pauses.split())),
    )


def _read_pause(text: str) -> Pause:
    by, until = text[0], datetime.fromtimestamp(int(text[1:]), UTC)
    return Pause(None if by == _AGREED else COLOURS[by], until)


def _read_offer(kind: Any, by: Any) -> StoredOffer:
    if kind not in _OFFER_KINDS:
        raise ValueError(f"an offer of {kind!r}")
    return StoredOffer(kind, COLOURS[by])


def read_moves(game_id: str, record: Sequence[Any] | None, rows: Sequence[Sequence[Any]]) -> list[StoredMove]:
    """Return a game's moves: the imported ones that were not taken back, and those played since."""
    with _unreadable_if_damaged(game_id):
        imported = []
        if record is not None:
            moves, comment_json, length = record
            comments = _read_comments(comment_json) or {}
            texts = moves.split()[: _number(length)]
            imported = [_read_move(text, None, comments.get(str(ply))) for ply, text in enumerate(texts)]
        return [*imported, *(_read_move(*row) for row in rows)]


def _read_seat(
    kind: Any, name: Any, level: Any, player_id: Any, player_name: Any, player_kind: Any, handle: Any, rating: Any
) -> StoredSeat:
    if kind not in _SEAT_KINDS:
        raise ValueError(f"a seat for {kind!r}")
    return StoredSeat(
        kind,
        None if name is None else _text(name),
        None if level is None and kind == "person" else _number(level),
        None if player_id is None else _read_player(player_id, player_name, player_kind, handle, rating),
    )


def _read_player(player_id: Any, name: Any, kind: Any, handle: Any, rating: Any) -> SeatedPlayer:
    if kind is None:  # the player was deleted
        return SeatedPlayer(_text(player_id))
    if kind not in _PLAYER_KINDS:
        raise ValueError(f"a player of kind {kind!r}")
    return SeatedPlayer(_text(player_id), name, kind, None if rating is None else round(rating), handle)


def _read_move(text: Any, played: Any, comment: Any, seconds: Any = None) -> StoredMove:
    return StoredMove(
        _text(text),
        None if played is None else from_db_time(played),
        None if comment is None else _text(comment),
        None if seconds is None else _number(seconds),
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def _number(value: Any) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not a number")
    return value


# ---------------------------------------------------------------------- writing


def game_row(game: StoredGame) -> dict[str, object]:
    """Return the row of a new game."""
    return {
        "id": game.id,
        "rules": game.rules,
        "start": game.start,
        "tags": _write_tags(dict(game.tags)),
        "created": to_db_time(game.created),
        "owner_id": game.owner,
        "listed": game.listed,
        "rated": game.rated,
        "time": game.time,
        "uncounted": game.uncounted,
        **revision_values(game),
    }


def revision_values(game: StoredGame) -> dict[str, object]:
    """Return the values that every change of a game writes."""
    undone = [
        [move.text, None if move.played_at is None else to_db_time(move.played_at), move.comment]
        for move in game.undone
    ]
    outcome, clock, offer = game.outcome, game.clock, game.offer
    return {
        "ply": game.ply,
        "revision": game.revision,
        "winner": None if outcome is None or outcome.winner is None else outcome.winner.letter,
        "ending": None if outcome is None else outcome.reason.name.lower(),
        "updated": to_db_time(game.updated),
        "undone": _write_undone(undone or None),
        "left_w": clock and clock.left_w,
        "left_b": clock and clock.left_b,
        "ticking": None if clock is None or clock.running_since is None else to_db_time(clock.running_since),
        "deadline": None if clock is None else _deadline_of(clock),
        "offer": offer and offer.kind,
        "offered_by": offer and offer.by.letter,
        "next_id": game.next_id,
        "lag_w": clock and clock.lag_w,
        "lag_b": clock and clock.lag_b,
        "pauses": None if clock is None else " ".join(map(_pause_text, clock.pauses)) or None,
    }


def _deadline_of(clock: StoredClock) -> str | None:
    """Return when the timekeeper has to look at a clock: at its deadline, or when the first of its pauses ends."""
    deadline = min((pause.until for pause in clock.pauses), default=clock.deadline)
    return None if deadline is None else to_db_time(deadline)


def _pause_text(pause: Pause) -> str:
    return f"{_AGREED if pause.by is None else pause.by.letter}{math.ceil(pause.until.timestamp())}"


def seat_rows(game: StoredGame) -> list[dict[str, object]]:
    """Return the rows of both seats."""
    return [
        {
            "game_id": game.id,
            "colour": colour.letter,
            "kind": seat.kind,
            "name": seat.name,
            "level": seat.level,
            "player_id": seat.player and seat.player.id,
        }
        for colour, seat in game.seats.items()
    ]


def record_row(game: StoredGame, moves: str, comments: Mapping[int, str]) -> dict[str, object]:
    """Return the row of a game's imported moves."""
    return {
        "game_id": game.id,
        "moves": moves,
        "comments": _write_comments(dict(comments) or None),
        "ply": game.ply,
    }


def move_row(game_id: str, ply: int, move: StoredMove) -> dict[str, object]:
    """Return the row of a move that was played here."""
    played = None if move.played_at is None else to_db_time(move.played_at)
    return {
        "game_id": game_id,
        "ply": ply,
        "text": move.text,
        "played": played,
        "comment": move.comment,
        "seconds": move.seconds,
    }
