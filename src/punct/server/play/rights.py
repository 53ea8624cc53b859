"""Who may do what in a game: a seat is its holder's, and between two players nothing happens without both."""

from __future__ import annotations

from dataclasses import dataclass

from punct.piece import Colour
from punct.server.play.actor import Actor
from punct.server.play.refusals import NotPossibleError, NotYourSeatError, NotYourTurnError
from punct.server.store import StoredGame


@dataclass(frozen=True, slots=True)
class Rights:
    """What somebody is in a game. It does not change while the game is played."""

    seats: tuple[Colour, ...] = ()
    """The persons' seats they hold."""
    owner: bool = False
    alone: bool = False
    """Every person's seat is theirs: they take back, agree on draws and have hints as they like."""
    delete: bool = False
    offer: bool = False
    """They play somebody else: what both must want is offered."""


def holds(game: StoredGame, colour: Colour, actor: Actor) -> bool:
    """Tell whether a person's seat is somebody's: by their name on it; or nobody's name is on any, and they own it."""
    seat = game.seats[colour]
    if seat.kind != "person":
        return False
    if actor.everything:
        return True
    if actor.player is None:
        return False
    if seat.player is not None:
        return seat.player.id == actor.player
    return game.owner == actor.player and all(other.player is None for other in game.seats.values())


def rights_of(game: StoredGame, actor: Actor) -> Rights:
    """Return what somebody is in a game."""
    persons = [colour for colour in Colour if game.seats[colour].kind == "person"]
    seats = tuple(colour for colour in persons if holds(game, colour, actor))
    owner = actor.everything or (actor.player is not None and game.owner == actor.player)
    # A rated game is nobody's alone, not even when it is over: what it did to a rating stays.
    alone = owner and len(seats) == len(persons) and (actor.everything or not game.rated)
    return Rights(seats, owner, alone, delete=alone or actor.admin, offer=len(seats) == 1 and len(persons) == 2)


def is_your_turn(game: StoredGame, actor: Actor) -> bool:
    """Tell whether a game waits for somebody's move."""
    return game.outcome is None and holds(game, game.turn, actor)


def check_turn(game: StoredGame, colour: Colour, actor: Actor) -> None:
    """Refuse a move for a colour that is not theirs to play."""
    if holds(game, colour, actor):
        return
    if any(holds(game, other, actor) for other in Colour):
        whose = "The computer" if game.seats[colour].kind == "engine" else "The other player"
        raise NotYourTurnError(f"{whose} is to move.", ply=game.ply, revision=game.revision)
    raise NotYourSeatError


def check_alone(game: StoredGame, actor: Actor) -> None:
    """Refuse what one may only do in a game of one's own."""
    rights = rights_of(game, actor)
    if rights.alone:
        return
    if rights.offer:
        raise NotPossibleError("The other player has to agree: offer it.")
    if rights.owner and game.rated:
        raise NotPossibleError("This game is rated: nothing is taken back, and nobody helps.")
    raise NotYourSeatError


def seat_of(game: StoredGame, actor: Actor) -> Colour:
    """Return which of two players somebody is; refuses who is none of them, and who has nobody across the board."""
    rights = rights_of(game, actor)
    if rights.offer:
        return rights.seats[0]
    if rights.seats or rights.owner:
        raise NotPossibleError("There is no other player in this game.")
    raise NotYourSeatError


def check_delete(game: StoredGame, actor: Actor) -> None:
    """Refuse to forget a game that is not theirs alone."""
    rights = rights_of(game, actor)
    if rights.delete:
        return
    if rights.offer or rights.owner:
        raise NotPossibleError("A rated game is kept." if game.rated else "A game between two players is kept.")
    raise NotYourSeatError
