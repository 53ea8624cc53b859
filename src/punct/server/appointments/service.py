"""Appointments: proposed, answered and cancelled by two players; the game begins when both are there.

Nobody can lose a game by a date. A clock that ran from the date on would punish whoever is late, or was not reminded,
and reward an opponent who does not come either. So the date alone begins nothing: from ten minutes before, each says to
be there, which holds as long as the page is open, and the second who says it begins the game, for both at the same
moment. A quarter of an hour after the date it lapses. If somebody vanishes just then, the game is called off like any
live game in which not both have moved, and counts for nobody.

Nothing has to happen in time for that: whether an appointment has expired or lapsed follows from what is stored, and
reminders are notices that were stored when it was agreed on.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from punct.piece import Colour
from punct.server.appointments.errors import (
    AppointmentChangedError,
    DateTakenError,
    NotOpenYetError,
    UnknownAppointmentError,
    UnsuitableDateError,
)
from punct.server.appointments.events import AppointmentsChanged
from punct.server.appointments.model import (
    MAX_DATES,
    MAX_LEAD,
    MIN_LEAD,
    AppointmentLimits,
    AppointmentState,
    StoredAppointment,
)
from punct.server.appointments.store import AppointmentStore, DateConflictError
from punct.server.auth.actor import Actor
from punct.server.auth.names import clean_words
from punct.server.clock import Now, utc_now
from punct.server.db.errors import ConflictError, MissingPlayerError, QuotaExceededError
from punct.server.db.idempotency import DuplicateRequestError, IdempotencyKey
from punct.server.events import EventBus
from punct.server.games.errors import NotPossibleError, NotYourSeatError, PlayerRemovedError
from punct.server.games.idempotency import check_previous_result, previous_result
from punct.server.games.model import NewStoredGame, SeatedPlayer, StoredSeat
from punct.server.games.service import Games
from punct.server.games.time_control import TimeControl
from punct.server.notifications.errors import UnknownZoneError
from punct.server.notifications.model import is_zone
from punct.server.relations.errors import BlockedPairError, NoChallengesError
from punct.server.relations.events import RelationChanged

MAX_PROPOSALS: Final = 10
"""How many open proposals one player may have."""
MAX_PROPOSALS_TO_ONE: Final = 3
"""How many open proposals one player may have to another."""
MAX_RECEIVED: Final = 30
"""How many open proposals to one player there may be."""
MAX_AGREED: Final = 20
"""On how many dates one player may have agreed."""
_LIMITS: Final = AppointmentLimits(MAX_PROPOSALS, MAX_PROPOSALS_TO_ONE, MAX_RECEIVED, MAX_AGREED)
_MAX_LISTED: Final = 100
_GRACE: Final = timedelta(minutes=1)
"""Dates are proposed in whole minutes, by people whose clocks differ a little."""


@dataclass(frozen=True, slots=True)
class AppointmentTerms:
    """What a player proposes."""

    to: str
    """The id of the other player."""
    dates: tuple[datetime, ...]
    time: TimeControl
    rules: str = "standard"
    colour: Colour | None = None
    rated: bool = False
    words: str | None = None
    zone: str | None = None
    """The proposer's time zone, so that the other sees which time of day it is there."""
    replaces: str | None = None
    """The proposal from the other player that this one answers."""


class Appointments:
    """All appointments of this server."""

    def __init__(self, store: AppointmentStore, games: Games, bus: EventBus | None = None, now: Now = utc_now) -> None:
        """Use a store; what is agreed on becomes one of these games."""
        self._store, self._games, self._bus, self._now = store, games, bus or EventBus(), now
        self._bus.subscribe(RelationChanged, self._on_relation)

    # ------------------------------------------------------------------ reading

    async def get(self, appointment_id: str, player_id: str | None) -> StoredAppointment:
        """Return an appointment of a player; raises UnknownAppointmentError for those of others, too."""
        appointment = await asyncio.to_thread(self._store.get, appointment_id)
        if appointment is None or player_id not in appointment.player_ids:
            raise UnknownAppointmentError
        return appointment

    async def of_player(self, player_id: str) -> list[StoredAppointment]:
        """Return the appointments that a player should know of, the next first."""
        return await asyncio.to_thread(self._store.of_player, player_id, self._now(), _MAX_LISTED)

    # ------------------------------------------------------------------ arranging

    async def propose(
        self, terms: AppointmentTerms, actor: Actor, key: IdempotencyKey | None = None
    ) -> StoredAppointment:
        """Propose dates for a game; for a repeated idempotency key, return what was proposed with it."""
        player_id = _id_of(actor)
        # First: when a lost answer is asked for again, the dates may have come nearer than they may be.
        appointment_id = await self._games.idempotency.find_result(key, "appointment")
        if appointment_id is not None:
            return await self.get(appointment_id, player_id)
        now = self._now()
        dates = _clean_dates(terms.dates, now)
        if terms.to == player_id:
            raise NotPossibleError("This is you: play somebody else.")
        if terms.time.speed != "live":
            raise NotPossibleError("Only a game with a live clock is played at a date.")
        appointment = StoredAppointment(
            id=secrets.token_urlsafe(16),
            proposer=SeatedPlayer(player_id),
            to=SeatedPlayer(terms.to),
            rules=terms.rules,
            colour=terms.colour,
            time=str(terms.time),
            rated=terms.rated,
            dates=dates,
            words=clean_words(terms.words or "") or None,
            zone=await _checked_zone(terms.zone),
            created=now,
            updated=now,
            expires=dates[-1],
            replaces=terms.replaces,
        )
        try:
            await asyncio.wrap_future(self._store.create(appointment, key, _LIMITS))
        except DuplicateRequestError as error:
            return await self.get(previous_result(error.result, key, "appointment"), player_id)
        except BlockedPairError as error:
            raise error.for_player(player_id) from None
        except MissingPlayerError as error:
            raise (NoChallengesError() if error.args[0] == terms.to else PlayerRemovedError()) from None
        except QuotaExceededError as error:
            message = f"{MAX_PROPOSALS} dates of yours wait for an answer; withdraw one first."
            if error.args[0] == terms.to:
                message = "This player has not answered what you proposed before."
            raise NotPossibleError(message) from None
        except ConflictError:
            raise UnknownAppointmentError from None
        return await self._changed(appointment.id, player_id)

    async def accept(
        self, appointment_id: str, date: datetime, zone: str | None, actor: Actor, key: IdempotencyKey | None = None
    ) -> StoredAppointment:
        """Agree on one of the dates that were proposed to a player."""
        player_id = _id_of(actor)
        appointment = await self.get(appointment_id, player_id)
        if player_id != appointment.to.id:
            raise NotYourSeatError
        if appointment.date == date and appointment.ended is None:
            return appointment  # the answer got lost
        now, zone = self._now(), await _checked_zone(zone)
        self._check_state(appointment, "proposed")
        if date not in appointment.dates or date <= now:
            raise UnsuitableDateError("This date was not proposed, or it is past.")
        try:
            await asyncio.wrap_future(self._store.accept(appointment, date, zone, now, key, _LIMITS))
        except DuplicateRequestError as error:
            check_previous_result(error.result, key, appointment_id, "appointment")
            return await self.get(appointment_id, player_id)
        except DateConflictError as error:
            who = "You have" if error.player_id == player_id else "This player has"
            raise DateTakenError(f"{who} agreed on another game around that time.") from None
        except BlockedPairError as error:
            raise error.for_player(player_id) from None
        except MissingPlayerError:
            await self.get(appointment_id, player_id)  # raises if the other was deleted; else it takes none
            raise NoChallengesError from None
        except QuotaExceededError as error:
            who = "You have" if error.args[0] == player_id else "This player has"
            raise NotPossibleError(f"{who} agreed on {MAX_AGREED} dates already.") from None
        except ConflictError:
            current = await self.get(appointment_id, player_id)
            if current.date == date and current.ended is None:
                return current  # accepted from two devices at once
            raise AppointmentChangedError(current.state(self._now()), game=current.game_id) from None
        return await self._changed(appointment_id, player_id)

    async def decline(
        self, appointment_id: str, reply: str | None, actor: Actor, key: IdempotencyKey | None = None
    ) -> StoredAppointment:
        """Decline a proposal to a player, perhaps with a few words."""
        player_id = _id_of(actor)
        appointment = await self.get(appointment_id, player_id)
        if player_id != appointment.to.id:
            raise NotYourSeatError
        if not await self._games.idempotency.is_repeat(key, appointment_id, "appointment"):
            self._check_state(appointment, "proposed")
        try:
            await asyncio.wrap_future(
                self._store.decline(appointment, clean_words(reply or "") or None, self._now(), key)
            )
        except DuplicateRequestError as error:
            check_previous_result(error.result, key, appointment_id, "appointment")
            return await self.get(appointment_id, player_id)
        except ConflictError:
            raise await self._overtaken(appointment_id, player_id) from None
        return await self._changed(appointment_id, player_id)

    async def cancel(
        self, appointment_id: str, reply: str | None, actor: Actor, key: IdempotencyKey | None = None
    ) -> StoredAppointment:
        """Cancel a date that was agreed on, before the game has begun; the other player is told."""
        player_id = _id_of(actor)
        appointment = await self.get(appointment_id, player_id)
        if not await self._games.idempotency.is_repeat(key, appointment_id, "appointment"):
            self._check_state(appointment, "agreed")
        try:
            words = clean_words(reply or "") or None
            await asyncio.wrap_future(self._store.cancel(appointment, player_id, words, self._now(), key))
        except DuplicateRequestError as error:
            check_previous_result(error.result, key, appointment_id, "appointment")
            return await self.get(appointment_id, player_id)
        except ConflictError:
            raise await self._overtaken(appointment_id, player_id) from None
        return await self._changed(appointment_id, player_id)

    async def delete(self, appointment_id: str, actor: Actor, key: IdempotencyKey | None = None) -> None:
        """Withdraw a proposal of one's own, or remove one that the other player has declined or cancelled."""
        if await self._games.idempotency.is_repeat(key, appointment_id, "gone"):
            return
        player_id = _id_of(actor)
        appointment = await self.get(appointment_id, player_id)
        try:
            is_deleted = await asyncio.wrap_future(self._store.delete(appointment, player_id, self._now(), key))
        except DuplicateRequestError as error:
            check_previous_result(error.result, key, appointment_id, "gone")
            return
        if not is_deleted:
            if appointment.state(self._now()) == "proposed" and player_id == appointment.to.id:
                raise NotYourSeatError
            raise await self._overtaken(appointment_id, player_id)
        self._bus.publish(AppointmentsChanged(appointment.player_ids))

    # ------------------------------------------------------------------ the game

    async def arrive(self, appointment_id: str, actor: Actor) -> StoredAppointment:
        """Say that a player is there: the second of the two begins the game. It is to be said again every minute."""
        player_id = _id_of(actor)
        appointment = await self.get(appointment_id, player_id)
        if appointment.game_id is not None:
            return appointment
        self._check_state(appointment, "agreed")
        if appointment.opens is not None and self._now() < appointment.opens:
            raise NotOpenYetError(appointment.opens.isoformat().replace("+00:00", "Z"))
        return await self._games.run_to_completion(self._arrive(appointment, player_id))

    async def _arrive(self, appointment: StoredAppointment, player_id: str) -> StoredAppointment:
        now, new = self._now(), self._new_game(appointment)
        try:
            begun = await asyncio.wrap_future(self._store.arrive(appointment, player_id, new, now))
        except BlockedPairError as error:
            raise error.for_player(player_id) from None
        except MissingPlayerError:
            await self.get(appointment.id, player_id)
            raise PlayerRemovedError from None
        except ConflictError:
            current = await self.get(appointment.id, player_id)
            if current.game_id is not None:  # the other player was quicker, or it is said again
                return current
            raise await self._overtaken(appointment.id, player_id) from None
        if begun is not None:
            await self._games.publish_new(begun.id)
        elif appointment.is_here(player_id, now):
            return await self.get(appointment.id, player_id)  # nothing has changed that anybody sees
        return await self._changed(appointment.id, player_id)

    async def leave(self, appointment_id: str, actor: Actor) -> StoredAppointment:
        """Say that a player is not there any more."""
        player_id = _id_of(actor)
        appointment = await self.get(appointment_id, player_id)
        await asyncio.wrap_future(self._store.leave(appointment, player_id, self._now()))
        return await self._changed(appointment_id, player_id)

    def _new_game(self, appointment: StoredAppointment) -> NewStoredGame:
        colour = appointment.colour
        if colour is None:
            colour = secrets.choice(list(Colour))
        players = {colour: appointment.proposer, colour.other: appointment.to}
        return NewStoredGame(
            f"{appointment.rules} w",
            {seat: StoredSeat("person", player=players[seat]) for seat in Colour},
            owner=appointment.proposer.id,
            rated=appointment.rated,
            time=appointment.time,
            clock=TimeControl.parse(appointment.time).new_clock(self._now()),
        )

    # ------------------------------------------------------------------ what both have in common

    def _check_state(self, appointment: StoredAppointment, expected: AppointmentState) -> None:
        state = appointment.state(self._now())
        if state != expected:
            raise AppointmentChangedError(state, game=appointment.game_id)

    async def _overtaken(self, appointment_id: str, player_id: str) -> AppointmentChangedError:
        """Return the error of a change that came too late; raises UnknownAppointmentError if it is gone."""
        appointment = await self.get(appointment_id, player_id)
        return AppointmentChangedError(appointment.state(self._now()), game=appointment.game_id)

    async def _changed(self, appointment_id: str, player_id: str) -> StoredAppointment:
        """Return an appointment after a change, and publish that it has changed."""
        appointment = await self.get(appointment_id, player_id)
        self._bus.publish(AppointmentsChanged(appointment.player_ids))
        return appointment

    def _on_relation(self, event: RelationChanged) -> None:
        """A block hides what is proposed to a player. The other hears of it only by what has ended."""
        self._bus.publish(AppointmentsChanged((event.player_id, *([event.other_id] if event.has_ended else []))))


def _id_of(actor: Actor) -> str:
    if actor.player_id is None:
        raise NotPossibleError("At home everybody sits at one screen: there is nobody to meet.")
    return actor.player_id


def _clean_dates(dates: tuple[datetime, ...], now: datetime) -> tuple[datetime, ...]:
    """Return dates in order and in whole minutes; raises UnsuitableDateError."""
    cleaned = tuple(sorted({date.replace(second=0, microsecond=0) for date in dates}))
    if not 1 <= len(cleaned) <= MAX_DATES:
        raise UnsuitableDateError(f"Propose one to {MAX_DATES} dates.")
    if cleaned[0] < now + MIN_LEAD - _GRACE or cleaned[-1] > now + MAX_LEAD:
        minutes, days = MIN_LEAD // timedelta(minutes=1), MAX_LEAD.days
        raise UnsuitableDateError(f"A date is at least {minutes} minutes and at most {days} days away.")
    return cleaned


async def _checked_zone(zone: str | None) -> str | None:
    """Return a time zone; raises UnknownZoneError."""
    if zone is not None and not await asyncio.to_thread(is_zone, zone):
        raise UnknownZoneError(zone)
    return zone
