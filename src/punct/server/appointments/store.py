"""The table of appointments. Every change decides by what the row is then, so that a later one sees an earlier one.

What looks at more than the row, as at a player's other dates or at blocks, locks both players before.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    Integer,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from punct.server.appointments.model import (
    CLOSES_AFTER,
    MIN_GAP,
    OPENS_BEFORE,
    REMINDER_LEADS,
    RETENTION,
    AppointmentLimits,
    StoredAppointment,
)
from punct.server.auth.model import PlayerKind
from punct.server.db.database import Connection, Database
from punct.server.db.errors import ConflictError, MissingPlayerError, QuotaExceededError
from punct.server.db.idempotency import IdempotencyKey, raise_if_used, record_result
from punct.server.db.locks import LockedPlayer, LockStrength, lock_players
from punct.server.db.outbox import Notice, add_notices
from punct.server.db.sql import bindparams, sql
from punct.server.db.tables import APPOINTMENTS, PLAYERS, RATINGS, RELATIONS
from punct.server.db.values import from_db_bool, from_db_time, json_converters, to_db_time
from punct.server.games.model import COLOURS, NewStoredGame, SeatedPlayer, StoredGame
from punct.server.games.notices import notices_of_start
from punct.server.games.store import NewGameRows
from punct.server.relations.errors import BlockedPairError
from punct.server.relations.store import raise_if_blocked

LAPSE: Final = "lapse"
"""After an appointment's id: the notice that not both came."""
WAITING: Final = "waiting"
"""After an appointment's id: the notice that the other player is there and waits."""


class DateConflictError(ConflictError):
    """A player has agreed on another game around that time; the id is theirs."""

    def __init__(self, player_id: str) -> None:
        super().__init__(player_id)
        self.player_id = player_id


class AppointmentStore:
    """All appointments. Reads block; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def get(self, appointment_id: str) -> StoredAppointment | None:
        """Return an appointment; None if there is none."""
        rows = self._database.fetch_all(_SELECT, {"appointment": appointment_id})
        return _from_row(rows[0]) if rows else None

    def of_player(self, player_id: str, now: datetime, limit: int) -> list[StoredAppointment]:
        """Return the appointments that a player should know of, the next first.

        Proposals that wait, and those of theirs that were declined; dates that were agreed on, until a day after; and
        those that the other player has cancelled, until the date.
        """
        values = {
            "player": player_id,
            "now": to_db_time(now),
            "lapsed": to_db_time(now - RETENTION),
            "limit": limit,
        }
        return [_from_row(row) for row in self._database.fetch_all(_SELECT_OF_PLAYER, values)]

    def for_calendar(self, player_id: str, now: datetime, limit: int) -> list[StoredAppointment]:
        """Return the games on whose date a player has agreed, cancelled ones too, from yesterday on."""
        values = {"player": player_id, "lapsed": to_db_time(now - RETENTION), "limit": limit}
        return [_from_row(row) for row in self._database.fetch_all(_SELECT_FOR_CALENDAR, values)]

    # ------------------------------------------------------------------ proposals

    def create(
        self, appointment: StoredAppointment, key: IdempotencyKey | None, limits: AppointmentLimits
    ) -> Future[None]:
        """Store a proposal, and tell the other player; the proposal that it replaces is declined by it.

        Raises QuotaExceededError if there are too many open ones, BlockedPairError, MissingPlayerError if a player is
        deleted or takes none, ConflictError if the proposal to replace is not open any more.
        """
        one, other, now = appointment.proposer.id, appointment.to.id, appointment.created
        row = {
            "id": appointment.id,
            "player_id": one,
            "to_id": other,
            "rules": appointment.rules,
            "colour": None if appointment.colour is None else appointment.colour.letter,
            "time": appointment.time,
            "rated": appointment.rated,
            "dates": _write_dates([to_db_time(date) for date in appointment.dates]),
            "words": appointment.words,
            "zone": appointment.zone,
            "created": to_db_time(now),
            "updated": to_db_time(now),
            "expires": to_db_time(appointment.expires),
            "replaces": appointment.replaces,
        }

        def store(connection: Connection) -> None:
            locked = lock_players(connection, (one, other))  # exclusively: else two processes might count at once
            raise_if_used(connection, key)  # now: another process that was handling the same request has ended
            _check_other(connection, one, locked[other])
            sent = connection.execute(_SELECT_SENT, {"player": one, "now": to_db_time(now)}).fetchall()
            received = connection.execute(_COUNT_RECEIVED, {"player": other, "now": to_db_time(now)}).fetchone()[0]
            if len(sent) >= limits.proposals:
                raise QuotaExceededError(one)
            if sum(to_id == other for (to_id,) in sent) >= limits.proposals_to_one:
                raise QuotaExceededError(other)
            if received >= limits.proposals_received:
                raise BlockedPairError(other)
            if appointment.replaces is not None:  # last: an error must have changed nothing
                replaced = {"appointment": appointment.replaces, "proposer": other, "player": one, "reply": None}
                if connection.execute(_DECLINE, {**replaced, "now": to_db_time(now)}).rowcount != 1:
                    raise ConflictError(appointment.replaces)
            record_result(connection, key, "appointment", appointment.id, now)
            connection.execute(_INSERT, row)
            add_notices(connection, [Notice(other, "appointment", appointment.id, now)], now)

        return self._database.change(store)

    def accept(
        self,
        appointment: StoredAppointment,
        date: datetime,
        zone: str | None,
        now: datetime,
        key: IdempotencyKey | None,
        limits: AppointmentLimits,
    ) -> Future[None]:
        """Agree on a date for the player to whom it was proposed; tell both, now and before the date.

        Raises BlockedPairError, MissingPlayerError, DateConflictError, QuotaExceededError, and ConflictError if the
        proposal is not open any more.
        """
        proposer_id, player_id = appointment.player_ids
        values = {
            "appointment": appointment.id,
            "player": player_id,
            "date": to_db_time(date),
            "expires": to_db_time(date + CLOSES_AFTER),
            "zone": zone,
            "now": to_db_time(now),
        }

        def store(connection: Connection) -> None:
            locked = lock_players(connection, appointment.player_ids)
            raise_if_used(connection, key)  # now: another process that was handling the same request has ended
            _check_other(connection, player_id, locked[proposer_id])
            for each in (player_id, proposer_id):
                others = {"player": each, "appointment": appointment.id, "now": values["now"]}
                agreed = connection.execute(_SELECT_AGREED_DATES, others).fetchall()
                if any(abs(from_db_time(other) - date) < MIN_GAP for (other,) in agreed):
                    raise DateConflictError(each)
                if len(agreed) >= limits.agreed:
                    raise QuotaExceededError(each)
            if connection.execute(_ACCEPT, values).rowcount != 1:
                raise ConflictError(appointment.id)
            record_result(connection, key, "appointment", appointment.id, now)
            add_notices(connection, _notices_of_agreement(appointment, date, now), now)

        return self._database.change(store)

    # ------------------------------------------------------------------ endings

    def decline(
        self, appointment: StoredAppointment, reply: str | None, now: datetime, key: IdempotencyKey | None
    ) -> Future[None]:
        """Decline a proposal for the player to whom it is, and tell its proposer; raises ConflictError if not open."""
        proposer_id, player_id = appointment.player_ids
        values = {"appointment": appointment.id, "proposer": proposer_id, "player": player_id, "reply": reply}

        def store(connection: Connection) -> None:
            raise_if_used(connection, key)
            if connection.execute(_DECLINE, {**values, "now": to_db_time(now)}).rowcount != 1:
                raise_if_used(connection, key)  # another process may have handled the same request meanwhile
                raise ConflictError(appointment.id)
            record_result(connection, key, "appointment", appointment.id, now)
            add_notices(connection, [Notice(proposer_id, "appointment", appointment.id, now)], now)

        return self._database.change(store)

    def cancel(
        self,
        appointment: StoredAppointment,
        player_id: str,
        reply: str | None,
        now: datetime,
        key: IdempotencyKey | None,
    ) -> Future[None]:
        """Cancel a date for one of the two, and tell the other; raises ConflictError if none waits any more."""
        other_id = appointment.other(player_id).id

        def store(connection: Connection) -> None:
            raise_if_used(connection, key)
            if not _cancel(connection, appointment.id, player_id, reply, now):
                raise_if_used(connection, key)
                raise ConflictError(appointment.id)
            record_result(connection, key, "appointment", appointment.id, now)
            add_notices(connection, [Notice(other_id, "appointment", appointment.id, now)], now)

        return self._database.change(store)

    def delete(
        self, appointment: StoredAppointment, player_id: str, now: datetime, key: IdempotencyKey | None
    ) -> Future[bool]:
        """Delete a player's own proposal, declined or not, or a date that the other cancelled; False for others."""
        values = {"appointment": appointment.id, "player": player_id}

        def store(connection: Connection) -> bool:
            raise_if_used(connection, key)
            if connection.execute(_DELETE, values).rowcount == 0:
                raise_if_used(connection, key)
                return False
            record_result(connection, key, "gone", appointment.id, now)
            return True

        return self._database.change(store)

    def end_between(self, connection: Connection, player_id: str, other_id: str, now: datetime) -> bool:
        """End what a player has arranged with another whom they block, in that change; return whether there was any.

        Dates are cancelled, and the other is told. Own proposals are withdrawn without a word; those of the other are
        hidden as long as the block lasts, so that nobody learns of it by them.
        """
        pair = {"player": player_id, "other": other_id, "now": to_db_time(now)}
        cancelled = [row[0] for row in connection.execute(_SELECT_AGREED_BETWEEN, pair).fetchall()]
        for appointment_id in cancelled:
            if _cancel(connection, appointment_id, player_id, None, now):
                add_notices(connection, [Notice(other_id, "appointment", appointment_id, now)], now)
        withdrawn: int = connection.execute(_WITHDRAW_BETWEEN, pair).rowcount
        return bool(cancelled) or withdrawn > 0

    # ------------------------------------------------------------------ the game

    def arrive(
        self, appointment: StoredAppointment, player_id: str, game: NewStoredGame, now: datetime
    ) -> Future[StoredGame | None]:
        """Store that a player is there. If the other is there too, store the game that begins, and return it.

        Of two who say it at once, one comes first: their update locks the row, and the other's sees it. Raises
        ConflictError if nobody is expected at this time, or a game has begun already.
        """
        rows = NewGameRows([game], now)
        other_id = appointment.other(player_id).id
        is_proposer = player_id == appointment.proposer.id
        values = {
            "appointment": appointment.id,
            "now": to_db_time(now),
            "opened": to_db_time(now + OPENS_BEFORE),
        }

        def store(connection: Connection) -> StoredGame | None:
            locked = lock_players(connection, appointment.player_ids, LockStrength.KEY_SHARE)
            raise_if_blocked(connection, player_id, other_id)
            before = connection.execute(_LOCK, {"appointment": appointment.id}).fetchone()
            arrival = _PROPOSER_ARRIVES if is_proposer else _OTHER_ARRIVES
            if before is None or connection.execute(arrival, values).rowcount != 1:
                raise ConflictError(appointment.id)
            current = _from_row(connection.execute(_SELECT, {"appointment": appointment.id}).fetchone())
            if not current.is_here(other_id, now) or locked[other_id].is_blocked:
                if before[0 if is_proposer else 1] is None:  # once, not with every sign of life
                    waiting = Notice(other_id, "reminder", f"{appointment.id}/{WAITING}", now)
                    add_notices(connection, [waiting], now)
                return None
            (begun,) = rows.insert(connection)
            connection.execute(_BEGIN, {"appointment": appointment.id, "game": begun.id, "now": values["now"]})
            add_notices(connection, notices_of_start(begun, now, by=player_id), now)
            return begun

        return self._database.change(store)

    def leave(self, appointment: StoredAppointment, player_id: str, now: datetime) -> Future[None]:
        """Store that a player who was there is not there any more, if no game has begun."""
        statement = _PROPOSER_LEAVES if player_id == appointment.proposer.id else _OTHER_LEAVES
        # A time long enough ago for any process's clock, not none: the other is told of the first arrival alone.
        values = {"appointment": appointment.id, "gone": to_db_time(now - RETENTION)}

        def store(connection: Connection) -> None:
            connection.execute(statement, values)

        return self._database.change(store)


def cancel_all(connection: Connection, player_id: str, now: datetime) -> set[str]:
    """Tell those who have agreed on a date with a player that it is cancelled: the player is deleted in this change.

    Return everybody with whom the player had anything arranged or proposed. The rows are deleted with the player.
    """
    others = set()
    for row in connection.execute(_SELECT_ALL, {"player": player_id, "now": to_db_time(now)}).fetchall():
        appointment = _from_row(row)
        other_id = appointment.other(player_id).id
        others.add(other_id)
        if appointment.state(now) == "agreed" and appointment.date is not None:
            player = appointment.proposer if player_id == appointment.proposer.id else appointment.to
            data = {"name": player.name, "date": appointment.date.isoformat()}
            add_notices(connection, [Notice(other_id, "appointment", appointment.id, now, data)], now)
    return others


def _check_other(connection: Connection, player_id: str, other: LockedPlayer) -> None:
    """Raise MissingPlayerError or BlockedPairError if a player may arrange nothing with another; both are locked."""
    if not other.has_account or other.is_blocked:
        raise MissingPlayerError(other.id)
    raise_if_blocked(connection, player_id, other.id)


def _cancel(connection: Connection, appointment_id: str, player_id: str, reply: str | None, now: datetime) -> bool:
    values = {"appointment": appointment_id, "player": player_id, "reply": reply, "now": to_db_time(now)}
    return bool(connection.execute(_CANCEL, values).rowcount == 1)


def _notices_of_agreement(appointment: StoredAppointment, date: datetime, now: datetime) -> list[Notice]:
    """Return what both are told of a date: that it is agreed, reminders before, and whether not both have come."""
    notices = []
    for player_id in appointment.player_ids:
        notices.append(Notice(player_id, "appointment", appointment.id, now))
        notices.append(Notice(player_id, "appointment", f"{appointment.id}/{LAPSE}", date + CLOSES_AFTER))
        for lead in REMINDER_LEADS:
            if date - lead > now:
                subject = f"{appointment.id}/{lead // timedelta(minutes=1)}"
                notices.append(Notice(player_id, "reminder", subject, date - lead))
    return notices


_COLUMNS: Final = (
    *("id", "rules", "colour", "time", "rated", "dates", "words", "zone", "to_zone", "created", "updated", "expires"),
    *("date", "ended", "ended_by", "reply", "replaces", "here", "to_here", "game_id"),
)
_PROPOSER, _OTHER = PLAYERS.alias("proposer"), PLAYERS.alias("other_player")
_RATING, _OTHER_RATING = RATINGS.alias("rating"), RATINGS.alias("other_rating")
_POOL: Final = APPOINTMENTS.c.rules + literal_column("'-live'")
_ANSWER: Final = APPOINTMENTS.alias("answer")
_REPLACED_BY: Final = (
    select(func.min(_ANSWER.c.id))
    .where(_ANSWER.c.player_id == APPOINTMENTS.c.to_id, _ANSWER.c.replaces == APPOINTMENTS.c.id)
    .correlate(APPOINTMENTS)
    .scalar_subquery()
)
_APPOINTMENTS: Final = (
    select(
        *(APPOINTMENTS.c[name] for name in _COLUMNS),
        _REPLACED_BY,
        *(
            column
            for player, rating in ((_PROPOSER, _RATING), (_OTHER, _OTHER_RATING))
            for column in (*(player.c[name] for name in ("id", "name", "kind", "handle")), rating.c.rating)
        ),
    )
    .select_from(APPOINTMENTS)
    .join(_PROPOSER, _PROPOSER.c.id == APPOINTMENTS.c.player_id)
    .join(_OTHER, _OTHER.c.id == APPOINTMENTS.c.to_id)
    .join(_RATING, and_(_RATING.c.player_id == _PROPOSER.c.id, _RATING.c.pool == _POOL), isouter=True)
    .join(_OTHER_RATING, and_(_OTHER_RATING.c.player_id == _OTHER.c.id, _OTHER_RATING.c.pool == _POOL), isouter=True)
)
_IS_APPOINTMENT: Final = APPOINTMENTS.c.id == bindparam("appointment")
_NOW: Final[BindParameter[str]] = bindparam("now")
_IS_MINE: Final = APPOINTMENTS.c.player_id == bindparam("player")
_IS_TO_ME: Final = APPOINTMENTS.c.to_id == bindparam("player")
_IS_RUNNING: Final = and_(APPOINTMENTS.c.ended.is_(None), APPOINTMENTS.c.game_id.is_(None))
_IS_PROPOSED: Final = and_(APPOINTMENTS.c.date.is_(None), _IS_RUNNING, APPOINTMENTS.c.expires > _NOW)
_IS_AGREED: Final = and_(APPOINTMENTS.c.date.is_not(None), _IS_RUNNING, APPOINTMENTS.c.expires > _NOW)
_HAS_BLOCKED: Final = exists().where(
    RELATIONS.c.player_id == bindparam("player"),
    RELATIONS.c.other_id == APPOINTMENTS.c.player_id,
    RELATIONS.c.kind == literal_column("'block'"),
)
_ENDED_BY_OTHER: Final = and_(
    APPOINTMENTS.c.ended_by != bindparam("player"), APPOINTMENTS.c.expires > _NOW, APPOINTMENTS.c.game_id.is_(None)
)
_OFFSET: Final = literal_column("0", Integer)
"""SQLite needs one, and SQLAlchemy would add a parameter for it."""
_SELECT: Final = sql(_APPOINTMENTS.where(_IS_APPOINTMENT))
_SELECT_OF_PLAYER: Final = sql(
    _APPOINTMENTS.where(
        or_(_IS_MINE, _IS_TO_ME),
        or_(
            and_(_IS_PROPOSED, or_(_IS_MINE, and_(_PROPOSER.c.blocked.is_(None), ~_HAS_BLOCKED))),
            and_(
                APPOINTMENTS.c.date.is_not(None),
                APPOINTMENTS.c.ended.is_(None),
                APPOINTMENTS.c.expires > bindparam("lapsed"),
                or_(APPOINTMENTS.c.game_id.is_(None), APPOINTMENTS.c.expires > _NOW),
            ),
            and_(_ENDED_BY_OTHER, APPOINTMENTS.c.date.is_not(None)),
            and_(_ENDED_BY_OTHER, _IS_MINE, _REPLACED_BY.is_(None)),
        ),
    )
    .order_by(func.coalesce(APPOINTMENTS.c.date, APPOINTMENTS.c.expires), APPOINTMENTS.c.id)
    .offset(_OFFSET)
    .limit(bindparam("limit"))
)
_SELECT_FOR_CALENDAR: Final = sql(
    _APPOINTMENTS.where(
        or_(_IS_MINE, _IS_TO_ME), APPOINTMENTS.c.date.is_not(None), APPOINTMENTS.c.date > bindparam("lapsed")
    )
    .order_by(APPOINTMENTS.c.date, APPOINTMENTS.c.id)
    .offset(_OFFSET)
    .limit(bindparam("limit"))
)
_SELECT_ALL: Final = sql(_APPOINTMENTS.where(or_(_IS_MINE, _IS_TO_ME), APPOINTMENTS.c.expires > _NOW))
_SELECT_SENT: Final = sql(select(APPOINTMENTS.c.to_id).where(_IS_MINE, _IS_PROPOSED))
_COUNT_RECEIVED: Final = sql(select(func.count()).select_from(APPOINTMENTS).where(_IS_TO_ME, _IS_PROPOSED))
_SELECT_AGREED_DATES: Final = sql(
    select(APPOINTMENTS.c.date).where(or_(_IS_MINE, _IS_TO_ME), ~_IS_APPOINTMENT, _IS_AGREED)
)
_ARE_THE_TWO: Final = or_(
    and_(_IS_MINE, APPOINTMENTS.c.to_id == bindparam("other")),
    and_(_IS_TO_ME, APPOINTMENTS.c.player_id == bindparam("other")),
)
_SELECT_AGREED_BETWEEN: Final = sql(
    select(APPOINTMENTS.c.id).where(_ARE_THE_TWO, _IS_AGREED).order_by(APPOINTMENTS.c.id).with_for_update()
)
_INSERT: Final = sql(
    insert(APPOINTMENTS).values(
        bindparams(
            *("id", "player_id", "to_id", "rules", "colour", "time", "rated", "dates", "words", "zone"),
            *("created", "updated", "expires", "replaces"),
        )
    )
)
_ACCEPT: Final = sql(
    update(APPOINTMENTS)
    .where(_IS_APPOINTMENT, _IS_TO_ME, _IS_PROPOSED)
    .values(date=bindparam("date"), expires=bindparam("expires"), to_zone=bindparam("zone"), updated=_NOW)
)
_ENDED: Final = {"ended": _NOW, "updated": _NOW, "ended_by": bindparam("player"), "reply": bindparam("reply")}
_DECLINE: Final = sql(
    update(APPOINTMENTS)
    .where(_IS_APPOINTMENT, _IS_TO_ME, APPOINTMENTS.c.player_id == bindparam("proposer"), _IS_PROPOSED)
    .values(_ENDED)
)
_CANCEL: Final = sql(update(APPOINTMENTS).where(_IS_APPOINTMENT, or_(_IS_MINE, _IS_TO_ME), _IS_AGREED).values(_ENDED))
_WITHDRAW_BETWEEN: Final = sql(
    update(APPOINTMENTS)
    .where(_IS_MINE, APPOINTMENTS.c.to_id == bindparam("other"), _IS_PROPOSED)
    .values(ended=_NOW, updated=_NOW, ended_by=bindparam("player"))
)
_DELETE: Final = sql(
    delete(APPOINTMENTS).where(
        _IS_APPOINTMENT,
        APPOINTMENTS.c.game_id.is_(None),
        or_(
            and_(_IS_MINE, APPOINTMENTS.c.date.is_(None)),
            and_(
                or_(_IS_MINE, _IS_TO_ME),
                APPOINTMENTS.c.date.is_not(None),
                APPOINTMENTS.c.ended_by != bindparam("player"),
            ),
        ),
    )
)
_LOCK: Final = sql(select(APPOINTMENTS.c.here, APPOINTMENTS.c.to_here).where(_IS_APPOINTMENT).with_for_update())
_IS_EXPECTED: Final = (_IS_APPOINTMENT, _IS_AGREED, APPOINTMENTS.c.date <= bindparam("opened"))
_PROPOSER_ARRIVES: Final = sql(update(APPOINTMENTS).where(*_IS_EXPECTED).values(here=_NOW))
_OTHER_ARRIVES: Final = sql(update(APPOINTMENTS).where(*_IS_EXPECTED).values(to_here=_NOW))
_BEGIN: Final = sql(update(APPOINTMENTS).where(_IS_APPOINTMENT).values(game_id=bindparam("game"), updated=_NOW))
_NOT_BEGUN: Final = (_IS_APPOINTMENT, APPOINTMENTS.c.game_id.is_(None))
_PROPOSER_LEAVES: Final = sql(
    update(APPOINTMENTS).where(*_NOT_BEGUN, APPOINTMENTS.c.here.is_not(None)).values(here=bindparam("gone"))
)
_OTHER_LEAVES: Final = sql(
    update(APPOINTMENTS).where(*_NOT_BEGUN, APPOINTMENTS.c.to_here.is_not(None)).values(to_here=bindparam("gone"))
)
_write_dates, _read_dates = json_converters(APPOINTMENTS.c.dates)


def _from_row(row: Sequence[Any]) -> StoredAppointment:
    values = dict(zip(_COLUMNS, row, strict=False))
    count = len(_COLUMNS)
    times = {
        name: None if values[name] is None else from_db_time(values[name])
        for name in ("created", "updated", "expires", "date", "ended", "here", "to_here")
    }
    created, updated, expires = times["created"], times["updated"], times["expires"]
    assert created is not None and updated is not None and expires is not None
    return StoredAppointment(
        id=values["id"],
        proposer=_player(*row[count + 1 : count + 6]),
        to=_player(*row[count + 6 :]),
        rules=values["rules"],
        colour=None if values["colour"] is None else COLOURS[values["colour"]],
        time=values["time"],
        rated=from_db_bool(values["rated"]),
        dates=tuple(from_db_time(date) for date in _read_dates(values["dates"])),
        words=values["words"],
        zone=values["zone"],
        created=created,
        updated=updated,
        expires=expires,
        to_zone=values["to_zone"],
        date=times["date"],
        ended=times["ended"],
        ended_by=values["ended_by"],
        reply=values["reply"],
        replaces=values["replaces"],
        replaced_by=row[count],
        here=times["here"],
        to_here=times["to_here"],
        game_id=values["game_id"],
    )


def _player(
    player_id: str, name: str | None, kind: PlayerKind, handle: str | None, rating: float | None
) -> SeatedPlayer:
    return SeatedPlayer(player_id, name, kind, None if rating is None else round(rating), handle)
