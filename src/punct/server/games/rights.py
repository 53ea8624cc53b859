"""Rights in a game: a seat belongs to its holder, and between two players both must agree."""

from __future__ import annotations

from dataclasses import dataclass

from punct.piece import Colour
from punct.server.auth.actor import Actor
from punct.server.games.errors import NotPossibleError, NotYourSeatError, NotYourTurnError
from punct.server.games.model import StoredGame


@dataclass(frozen=True, slots=True)
class Rights:
    """The rights of an actor in a game. They do not change while the game is played."""

    seats: tuple[Colour, ...] = ()
    """The seats of persons that the actor holds."""
    is_owner: bool = False
    is_sole_player: bool = False
    """The actor holds every seat of a person: nobody else has to agree to undo, to a draw or to hints."""
    can_delete: bool = False
    can_offer: bool = False
    """The actor plays against another player: whatever needs both is offered."""


def holds_seat(game: StoredGame, colour: Colour, actor: Actor) -> bool:
    """Return whether an actor holds a person's seat: as its player; or as the owner of a game without players."""
    seat = game.seats[colour]
    if seat.kind != "person":
        return False
    if actor.is_unrestricted:
        return True
    if actor.player_id is None:
        return False
    if seat.player is not None:
        return seat.player.id == actor.player_id
    return game.owner == actor.player_id and all(other.player is None for other in game.seats.values())


def rights_of(game: StoredGame, actor: Actor) -> Rights:
    """Return the rights of an actor in a game."""
    persons = [colour for colour in Colour if game.seats[colour].kind == "person"]
    seats = tuple(colour for colour in persons if holds_seat(game, colour, actor))
    is_owner = actor.is_unrestricted or (actor.player_id is not None and game.owner == actor.player_id)
    # A rated game has no sole player, not even when it is over: its effect on a rating stays.
    is_sole_player = is_owner and len(seats) == len(persons) and (actor.is_unrestricted or not game.rated)
    return Rights(
        seats,
        is_owner,
        is_sole_player,
        can_delete=is_sole_player or actor.is_admin,
        can_offer=len(seats) == 1 and len(persons) == 2,
    )


def is_turn_of(game: StoredGame, actor: Actor) -> bool:
    """Return whether a game waits for a move of the actor."""
    return game.outcome is None and holds_seat(game, game.turn, actor)


def check_turn(game: StoredGame, colour: Colour, actor: Actor) -> None:
    """Raise NotYourTurnError, or NotYourSeatError, if an actor may not move for a colour."""
    if holds_seat(game, colour, actor):
        return
    if any(holds_seat(game, other, actor) for other in Colour):
        whose = "The computer" if game.seats[colour].kind == "engine" else "The other player"
        raise NotYourTurnError(f"{whose} is to move.", ply=game.ply, revision=game.revision)
    raise NotYourSeatError


def check_sole_player(game: StoredGame, actor: Actor) -> None:
    """Raise an error unless the actor is the sole player of a game."""
    rights = rights_of(game, actor)
    if rights.is_sole_player:
        return
    if rights.can_offer:
        raise NotPossibleError("The other player has to agree: offer it.")
    if rights.is_owner and game.rated:
        raise NotPossibleError("This game is rated: nothing is taken back, and nobody helps.")
    raise NotYourSeatError


def require_two_player_seat(game: StoredGame, actor: Actor) -> Colour:
    """Return the colour of an actor who plays against another player; raises an error for everybody else."""
    rights = rights_of(game, actor)
    if rights.can_offer:
        return rights.seats[0]
    if rights.seats or rights.is_owner:
        raise NotPossibleError("There is no other player in this game.")
    raise NotYourSeatError


def check_delete(game: StoredGame, actor: Actor) -> None:
    """Raise an error unless the actor may delete a game."""
    rights = rights_of(game, actor)
    if rights.can_delete:
        return
    if rights.can_offer or rights.is_owner:
        raise NotPossibleError("A rated game is kept." if game.rated else "A game between two players is kept.")
    raise NotYourSeatError
