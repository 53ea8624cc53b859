"""What one of two players offers the other: a draw, a move taken back, another game, a pause. One offer at a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.games.errors import NotPossibleError
from punct.server.games.game import PlayedGame
from punct.server.games.model import NewStoredGame, OfferKind, StoredOffer
from punct.server.games.pauses import agree_pause, check_may_pause
from punct.server.games.time_control import TimeControl


def make_offer(game: PlayedGame, kind: OfferKind, by: Colour, now: datetime) -> PlayedGame:
    """Return the game with an offer, which replaces an earlier one of the same side."""
    current = game.stored.offer
    if current == (kind, by):
        return game
    if current is not None and current.by is not by:
        raise NotPossibleError("The other player has offered something: answer that first.", revision=game.revision)
    match kind:
        case "draw":
            game.check_open()
        case "undo":
            game.check_open()
            _last_move_of(game, by)
        case "rematch":
            if game.outcome is None:
                raise NotPossibleError("The game is not over yet.")
            if game.stored.next_id is not None:
                raise NotPossibleError("The next game has begun already.", next=game.stored.next_id)
        case "pause":
            game.check_open()
            check_may_pause(game.stored)
    return _with_offer(game, StoredOffer(kind, by), now)


def withdraw_offer(game: PlayedGame, now: datetime) -> PlayedGame:
    """Return the game without an offer, after it was declined or withdrawn."""
    return game if game.stored.offer is None else _with_offer(game, None, now)


def check_offer(game: PlayedGame, kind: OfferKind, to: Colour) -> None:
    """Raise NotPossibleError unless the other side has made this offer."""
    if game.stored.offer != (kind, to.other):
        raise NotPossibleError(
            "This is not on offer, or not any more.", offer=game.stored.offer and game.stored.offer.kind
        )


def accept_offer(game: PlayedGame, now: datetime) -> PlayedGame:
    """Return the game after its offer was accepted. A rematch is a game of its own, which is not stored here."""
    assert game.stored.offer is not None
    match game.stored.offer.kind:
        case "draw":
            return game.end(Outcome(None, Ending.AGREEMENT), now)
        case "undo":
            return game.take_back(_last_move_of(game, game.stored.offer.by), now)
        case "rematch":
            return _with_offer(game, None, now)
        case "pause":
            return game.with_stored(agree_pause(game.stored, now))


def new_rematch(game: PlayedGame, now: datetime) -> NewStoredGame:
    """Return the rematch: a game with the same start, and the colours swapped."""
    before = game.stored
    time = None if before.time is None else TimeControl.parse(before.time)
    return NewStoredGame(
        before.start,
        {colour: before.seats[colour.other] for colour in Colour},
        owner=before.owner,
        listed=before.listed,
        rated=before.rated,
        time=before.time,
        clock=None if time is None else time.new_clock(now),
    )


def _last_move_of(game: PlayedGame, colour: Colour) -> int:
    """Return the ply of a side's last move."""
    for ply in range(game.ply - 1, -1, -1):
        if game.moves[ply].colour is colour:
            return ply
    raise NotPossibleError("There is no turn of yours to take back.")


def _with_offer(game: PlayedGame, offer: StoredOffer | None, now: datetime) -> PlayedGame:
    return game.with_stored(replace(game.stored, revision=game.revision + 1, updated=now, offer=offer))
