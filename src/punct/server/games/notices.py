"""What the players of a game are to be told after a change, for those who are not looking.

Only of games between two players. In a live game both are at the board: they are told only that it has begun.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.db.outbox import Notice, NoticeKind
from punct.server.games.model import NewStoredGame, StoredGame, StoredSeat
from punct.server.games.time_control import TimeControl

TURN_DELAY: Final = timedelta(seconds=20)
"""How long a player who is at the board has to answer before being told that it is their turn."""
MAX_REMINDER_LEAD: Final = timedelta(days=1)
"""How long before a deadline its player is reminded, at most: a quarter of the time that was left if that is less."""


def notices_of_change(before: StoredGame, after: StoredGame, now: datetime) -> Iterator[Notice]:
    """Return what the players are to be told of a change of their game."""
    if not is_correspondence(after) or player_of(after, Colour.WHITE) is None or player_of(after, Colour.BLACK) is None:
        return
    if after.outcome is not None and before.outcome is None:
        for colour in _to_tell_of_end(before, after.outcome):
            yield _notice(after, colour, "over", now, _names(after))
    elif after.outcome is None and (after.ply != before.ply or before.outcome is not None):
        yield _notice(after, after.turn, "turn", now + TURN_DELAY)
        reminder = reminder_of(after)
        if reminder is not None:
            yield reminder
    elif after.outcome is None and has_resumed(before, after):
        yield from notices_of_resumption(after, now)
    if after.offer is not None and after.offer != before.offer:
        yield _notice(after, after.offer.by.other, "offer", now)


def notices_of_start(game: StoredGame, now: datetime, by: str | None) -> Iterator[Notice]:
    """Return what the players are to be told of a new game; ``by`` is the player who began it by accepting."""
    for colour in Colour:
        player_id = player_of(game, colour)
        if player_id is not None and player_id != by and player_of(game, colour.other) is not None:
            yield _notice(game, colour, "seat", now)
    reminder = reminder_of(game)
    if reminder is not None and is_correspondence(game):
        yield reminder


def has_resumed(before: StoredGame, after: StoredGame) -> bool:
    """Tell whether the clock of a game runs again after a pause."""
    return before.clock is not None and after.clock is not None and bool(before.clock.pauses) > bool(after.clock.pauses)


def notices_of_resumption(game: StoredGame, now: datetime) -> Iterator[Notice]:
    """Return what the player to move is to be told of a game that goes on after a pause."""
    if player_of(game, game.turn) is not None:
        yield _notice(game, game.turn, "turn", now + TURN_DELAY, {"resumed": True})
    reminder = reminder_of(game)
    if reminder is not None:
        yield reminder


def notices_of_abort(game: StoredGame, now: datetime) -> Iterator[Notice]:
    """Return what the players are to be told of a game that was called off: it is deleted."""
    for colour in Colour:
        if player_of(game, colour) is not None and player_of(game, colour.other) is not None:
            yield _notice(game, colour, "aborted", now, _names(game))


def reminder_of(game: StoredGame) -> Notice | None:
    """Return the reminder of the current deadline; None without one, as in a pause."""
    player_id = player_of(game, game.turn)
    if game.clock is None or game.clock.deadline is None or player_id is None:
        return None
    return Notice(player_id, "time", game.id, game.clock.deadline - reminder_lead(game))


def reminder_lead(game: StoredGame) -> timedelta:
    """Return how long before a deadline its player is reminded."""
    if game.clock is None:
        return timedelta()
    left = game.clock.left_w if game.turn is Colour.WHITE else game.clock.left_b
    return min(MAX_REMINDER_LEAD, timedelta(milliseconds=left) / 4)


def is_correspondence(game: NewStoredGame | StoredGame) -> bool:
    """Tell whether the players of a game need not be at the board together."""
    return game.time is None or TimeControl.parse(game.time).speed == "days"


def player_of(game: NewStoredGame | StoredGame, colour: Colour) -> str | None:
    """Return the id of the player of a colour."""
    seat: StoredSeat = game.seats[colour]
    return seat.player.id if seat.kind == "person" and seat.player is not None else None


def _to_tell_of_end(before: StoredGame, outcome: Outcome) -> tuple[Colour, ...]:
    """Return who may not know yet that a game has ended: not the player who ended it."""
    if outcome.reason is Ending.TIME:
        return Colour.WHITE, Colour.BLACK
    if outcome.reason is Ending.RESIGNATION:
        return () if outcome.winner is None else (outcome.winner,)
    if outcome.reason is Ending.AGREEMENT and before.offer is not None:
        return (before.offer.by,)
    return (before.turn.other,)


def _names(game: StoredGame) -> dict[str, Any]:
    """Return what the text needs even if the game is deleted: names by colour, and the result."""
    names = {colour.letter: game.seats[colour].display_name for colour in Colour}
    return {"names": names, "result": None if game.outcome is None else game.outcome.result()}


def _notice(
    game: StoredGame, colour: Colour, kind: NoticeKind, due: datetime, data: dict[str, Any] | None = None
) -> Notice:
    player_id = player_of(game, colour)
    assert player_id is not None
    return Notice(player_id, kind, game.id, due, {"colour": colour.letter, **(data or {})})
