"""What one of two players offers the other: a draw, a move taken back, another game. One offer at a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.play.clock import TimeControl
from punct.server.play.game import PlayedGame
from punct.server.play.refusals import NotPossibleError
from punct.server.store import NewStoredGame, OfferKind, StoredOffer


def offered(game: PlayedGame, kind: OfferKind, by: Colour, now: datetime) -> PlayedGame:
    """Return the game with an offer on the table, in place of an earlier one of the same side."""
    standing = game.stored.offer
    if standing == (kind, by):
        return game
    if standing is not None and standing.by is not by:
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
    return _with_offer(game, StoredOffer(kind, by), now)


def withdrawn(game: PlayedGame, now: datetime) -> PlayedGame:
    """Return the game with nothing on the table: it was declined, or not meant."""
    return game if game.stored.offer is None else _with_offer(game, None, now)


def check_offer(game: PlayedGame, kind: OfferKind, to: Colour) -> None:
    """Refuse to accept what is not on the table."""
    if game.stored.offer != (kind, to.other):
        raise NotPossibleError(
            "This is not on offer, or not any more.", offer=game.stored.offer and game.stored.offer.kind
        )


def agreed(game: PlayedGame, kind: OfferKind, now: datetime) -> PlayedGame:
    """Return the game after a draw, or a move taken back, was agreed on."""
    assert game.stored.offer is not None
    if kind == "draw":
        return game.end(Outcome(None, Ending.AGREEMENT), now)
    return game.taken_back(_last_move_of(game, game.stored.offer.by), now)


def rematch(game: PlayedGame, now: datetime) -> NewStoredGame:
    """Return the next game: as this one began, with colours swapped."""
    before = game.stored
    time = None if before.time is None else TimeControl.parse(before.time)
    return NewStoredGame(
        before.start,
        {colour: before.seats[colour.other] for colour in Colour},
        owner=before.owner,
        listed=before.listed,
        rated=before.rated,
        time=before.time,
        clock=None if time is None else time.begin(now),
    )


def _last_move_of(game: PlayedGame, colour: Colour) -> int:
    """Return at which ply a side played last."""
    for ply in range(game.ply - 1, -1, -1):
        if game.moves[ply].colour is colour:
            return ply
    raise NotPossibleError("There is no turn of yours to take back.")


def _with_offer(game: PlayedGame, offer: StoredOffer | None, now: datetime) -> PlayedGame:
    return game.with_stored(replace(game.stored, revision=game.revision + 1, updated=now, offer=offer))
