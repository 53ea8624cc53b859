"""Players as they are stored, with all that makes them known again: sessions, tokens, keys. Secrets only as hashes."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import BindParameter, bindparam, delete, insert, literal_column, select, update

from punct.server.store import belongings, proofs, requests
from punct.server.store.database import Connection, Database
from punct.server.store.faults import AbsentError, AgainError, ConflictError
from punct.server.store.locks import lock_player, lock_players
from punct.server.store.proofs import UNPROVED, Proof, ResetLink
from punct.server.store.ratings import Judge, count_all_of, rivals_of
from punct.server.store.requests import RequestKey
from punct.server.store.sql import named, sql, unless_there
from punct.server.store.stored import PlayerKind
from punct.server.store.tables import PLAYERS, SEATS, SECRETS, SESSIONS, TOKENS
from punct.server.store.values import flag, json_of, moment, new_id, written


@dataclass(frozen=True, slots=True)
class StoredPlayer:
    """Somebody who plays online, without what proves it."""

    id: str
    kind: PlayerKind
    name: str | None
    login: str | None
    """Account holders have one."""
    settings: Mapping[str, Any] | None
    created: datetime
    seen: datetime
    blocked: datetime | None = None
    has_password: bool = False
    """Account holders without one have a passkey."""

    @property
    def has_account(self) -> bool:
        """Whether more than a cookie knows them."""
        return self.login is not None


class StoredSession(NamedTuple):
    """A browser in which a player is known."""

    id: str
    player: StoredPlayer
    expires: datetime


class StoredToken(NamedTuple):
    """With which a program speaks for a player."""

    id: str
    name: str
    scopes: frozenset[str]
    created: datetime
    expires: datetime | None
    used: datetime | None


class Forgotten(NamedTuple):
    """What changes when a player is forgotten."""

    games: list[str]
    """Those that changed, or are gone."""
    rated: set[str]
    """The players whose ratings changed."""


class PlayerStore:
    """All players. What reads blocks, and is for threads; what changes returns at once, with the result to wait for."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    # ------------------------------------------------------------------ reading

    def get(self, player_id: str) -> StoredPlayer | None:
        """Return a player."""
        found = self._database.ask(_PLAYER, {"player": player_id})
        return _player(found[0]) if found else None

    def session(self, session_id: str) -> StoredSession | None:
        """Return a session, by the hash of its secret, with its player."""
        found = self._database.ask(_SESSION, {"session": session_id})
        return StoredSession(session_id, _player(found[0][:-1]), moment(found[0][-1])) if found else None

    def expiry(self, proof: StoredSession | StoredToken) -> datetime | None:
        """Return until when a session or a token lasts; None if it is no more."""
        if isinstance(proof, StoredSession):
            found = self._database.ask(_SESSION_EXPIRY, {"session": proof.id})
        else:
            found = self._database.ask(_TOKEN_EXPIRY, {"token": proof.id})
        if not found:
            return None
        return datetime.max.replace(tzinfo=UTC) if found[0][0] is None else moment(found[0][0])

    def credentials(self, login: str) -> tuple[str, str | None] | None:
        """Return whose login this is, and their password's hash; None if nobody has it."""
        found = self._database.ask(_CREDENTIALS, {"login": login})
        return tuple(found[0]) if found else None

    def password(self, player_id: str) -> str | None:
        """Return the hash of a player's password; None if they have none."""
        found = self._database.ask(_PASSWORD, {"player": player_id})
        return found[0][0] if found else None

    def token(self, token_id: str) -> tuple[StoredPlayer, StoredToken] | None:
        """Return a token, by its hash, and whose it is."""
        found = self._database.ask(_TOKEN, {"token": token_id})
        return (_player(found[0][: len(_OF_PLAYER)]), _token(found[0][len(_OF_PLAYER) :])) if found else None

    def tokens(self, player_id: str) -> list[StoredToken]:
        """Return a player's tokens, the newest first."""
        return [_token(row) for row in self._database.ask(_TOKENS, {"player": player_id})]

    def has_admin(self) -> bool:
        """Tell whether the server has an administrator."""
        return bool(self._database.ask(_ADMIN))

    # ------------------------------------------------------------------ writing: sessions

    def welcome(self, session_id: str, now: datetime, expires: datetime) -> Future[StoredSession]:
        """Store a new guest, and the session in which they are known."""
        player = StoredPlayer(new_id(), "guest", None, None, None, now, now)

        def store(connection: Connection) -> StoredSession:
            connection.execute(
                _NEW_PLAYER,
                {
                    "id": player.id,
                    "kind": player.kind,
                    "name": None,
                    "created": written(now),
                    "seen": written(now),
                },
            )
            _begin_session(connection, session_id, player.id, now, expires)
            return StoredSession(session_id, player, expires)

        return self._database.change(store)

    def renew(self, session: StoredSession, now: datetime, expires: datetime) -> Future[bool]:
        """Have a session last longer, and note that its player was here; False if it has ended."""

        def store(connection: Connection) -> bool:
            lock_players(connection, [session.player.id], absent_ok=True)
            if not connection.execute(_RENEW, {"session": session.id, "expires": written(expires)}).rowcount:
                return False
            connection.execute(_SEEN, {"player": session.player.id, "seen": written(now)})
            return True

        return self._database.change(store)

    def enter(
        self,
        session: tuple[str, datetime],
        player_id: str,
        now: datetime,
        before: StoredSession | None = None,
        *,
        proof: Proof = UNPROVED,
        rehashed: str | None = None,
        password: str | None = None,
    ) -> Future[list[str]]:
        """Have a player known in a browser by a new session, of which the hash of its secret and the end are given.

        All or nothing: the session it had before ends; was a guest known in it, what was the guest's is the player's,
        and the games that changed by it are returned. ``proof`` must still hold; ``rehashed`` is the same password's
        hash in a newer form; with another ``password``'s hash every other session ends too, and no link sets it any
        more; if a link has set it, every token ends as well. Raises ConflictError if there is no such player,
        OutdatedProofError if what proved who they are has changed.
        """

        def store(connection: Connection) -> list[str]:
            whose = {"player": player_id}
            # The guest as well: what is being stored for them comes first, and is the player's then.
            both = {player_id} if before is None else {player_id, before.player.id}
            locked = lock_players(connection, both, absent_ok=True)
            if player_id not in locked:
                raise AbsentError(player_id)
            proofs.check(connection, locked[player_id], proof)
            changed = []
            if before is not None:
                connection.execute(_END_SESSION, {"session": before.id})
                known = locked.get(before.player.id)
                if known is not None and known.id != player_id and not known.has_account:
                    changed = _merge(connection, known.id, player_id)
            if rehashed is not None:
                connection.execute(_SET_PASSWORD, {**whose, "password": rehashed})
            if password is not None:
                connection.execute(_SET_PASSWORD, {**whose, "password": password})
                connection.execute(_END_SESSIONS, whose)
                proofs.withdraw_link(connection, player_id)
            if proof.link is not None:
                connection.execute(_FORGET_TOKENS, whose)
            _begin_session(connection, session[0], player_id, now, session[1])
            return changed

        return self._database.change(store)

    def end_session(self, session_id: str) -> Future[None]:
        """Have a player no longer known in a browser."""

        def store(connection: Connection) -> None:
            connection.execute(_END_SESSION, {"session": session_id})

        return self._database.change(store)

    def end_sessions(self, player_id: str) -> Future[None]:
        """Have a player no longer known in any browser; raises ConflictError if there is no such player."""

        def store(connection: Connection) -> None:
            lock_player(connection, player_id)  # whoever logs in at this moment does so before it or after
            connection.execute(_END_SESSIONS, {"player": player_id})

        return self._database.change(store)

    # ------------------------------------------------------------------ writing: who they are

    def make_account(self, player_id: str, login: str, password: str) -> Future[None]:
        """Give a guest a login and a password; raises TakenError if somebody has the login.

        ConflictError for whoever has one already. With a passkey instead: see ``PasskeyStore``.
        """

        def store(connection: Connection) -> None:
            values = {"player": player_id, "login": login, "password": password}
            if connection.execute(MAKE_ACCOUNT, values).rowcount != 1:
                raise ConflictError(player_id)

        return self._database.change(store)

    def offer_reset(self, player_id: str, secret_hash: str, expires: datetime) -> Future[bool]:
        """Let whoever has a secret set an account's password once, until then; False if it is no account.

        The last such secret is worth nothing from now on.
        """

        def store(connection: Connection) -> bool:
            locked = lock_players(connection, [player_id], absent_ok=True).get(player_id)
            if locked is None or not locked.has_account:
                return False
            proofs.offer_link(connection, player_id, secret_hash, expires)
            return True

        return self._database.change(store)

    def login_to_reset(self, player_id: str, link: ResetLink) -> str | None:
        """Return the login whose password may be set with a link; None if that was never one, or no longer is."""
        with self._database.reading() as reader:
            if not proofs.link_opens(reader, player_id, link):
                return None
            logins = reader.execute(_LOGIN, {"player": player_id}).fetchall()
            return logins[0][0] if logins else None

    def make_bot(self, player_id: str, proof: Proof) -> Future[None]:
        """Mark an account as a bot's, for good; raises ConflictError after its first game with somebody else."""

        def store(connection: Connection) -> None:
            proofs.check(connection, lock_player(connection, player_id), proof)
            if connection.execute(_MAKE_BOT, {"player": player_id}).rowcount != 1:
                raise ConflictError(player_id)

        return self._database.change(store)

    def block(self, player_id: str, since: datetime | None) -> Future[bool]:
        """Shut a player out, or let them in again (None); tell whether there is one."""

        def store(connection: Connection) -> bool:
            values = {"player": player_id, "blocked": None if since is None else written(since)}
            return connection.execute(_BLOCK, values).rowcount > 0

        return self._database.change(store)

    def forget(self, player_id: str, now: datetime, judge: Judge, proof: Proof = UNPROVED) -> Future[Forgotten | None]:
        """Forget a player with everything that is theirs alone; return what changed by it, None if there is none.

        Games with somebody else stay, nameless on this side; those that were still played are given up, count for that
        other one, and are theirs from then on. ``proof`` must still hold.
        """
        whose = {"player": player_id}

        def store(connection: Connection) -> Forgotten | None:
            rivals = rivals_of(connection, player_id)
            locked = lock_players(connection, {player_id, *rivals}, absent_ok=True)
            if player_id not in locked:
                return None
            if not rivals_of(connection, player_id) <= rivals:  # what was being stored for them came first
                raise AgainError("A game of theirs is just beginning; try again in a while.")
            proofs.check(connection, locked[player_id], proof)
            games = belongings.give_up(connection, player_id, now)
            rated = count_all_of(connection, player_id, judge)
            belongings.leave(connection, player_id)
            connection.execute(_FORGET, whose)
            proofs.withdraw_link(connection, player_id)
            return Forgotten(games, rated - {player_id})

        return self._database.change(store)

    def rename(self, player_id: str, name: str | None) -> Future[None]:
        """Store the name a player has chosen."""

        def store(connection: Connection) -> None:
            connection.execute(_RENAME, {"player": player_id, "name": name})

        return self._database.change(store)

    def settle(self, player_id: str, settings: Mapping[str, Any] | None) -> Future[None]:
        """Store a player's settings."""
        chosen = _write_settings(settings)

        def store(connection: Connection) -> None:
            connection.execute(_SETTLE, {"player": player_id, "settings": chosen})

        return self._database.change(store)

    # ------------------------------------------------------------------ writing: tokens

    def add_token(
        self, player_id: str, token: StoredToken, most: int, proof: Proof, request: RequestKey | None = None
    ) -> Future[None]:
        """Store a player's new token, if a proof still holds; raises ConflictError if they have so many already.

        Asked again with the same key it takes the place of the one that was made: nobody can be told that one's secret.
        Raises RepeatedError if the key was used for something else.
        """
        row = {
            "id": token.id,
            "player_id": player_id,
            "name": token.name,
            "scopes": " ".join(sorted(token.scopes)),
            "created": written(token.created),
            "expires": None if token.expires is None else written(token.expires),
        }

        def store(connection: Connection) -> None:
            proofs.check(connection, lock_player(connection, player_id), proof)
            made = None if request is None else requests.made_by(connection, request)
            if request is not None and made is not None:
                if not made.is_asked_by(request, "token"):
                    raise requests.RepeatedError(made)
                connection.execute(_FORGET_TOKEN, {"player": player_id, "token": made.what})
                requests.note_anew(connection, request, "token", token.id)
            else:
                if len(connection.execute(_TOKENS, {"player": player_id}).fetchall()) >= most:
                    raise ConflictError(player_id)
                requests.note(connection, request, "token", token.id, token.created)
            connection.execute(_NEW_TOKEN, row)

        return self._database.change(store)

    def use_token(self, token_id: str, now: datetime) -> Future[None]:
        """Note that a token was used."""

        def store(connection: Connection) -> None:
            connection.execute(_USE_TOKEN, {"token": token_id, "used": written(now)})

        return self._database.change(store)

    def delete_token(self, player_id: str, token_id: str) -> Future[bool]:
        """Forget a token; tell whether the player had it."""

        def store(connection: Connection) -> bool:
            return connection.execute(_FORGET_TOKEN, {"player": player_id, "token": token_id}).rowcount > 0

        return self._database.change(store)

    # ------------------------------------------------------------------ writing: the server's own

    def offer_adoption(self, secret_hash: str) -> Future[bool]:
        """Let whoever has a secret become administrator; False if there is one."""

        def store(connection: Connection) -> bool:
            if connection.execute(_ADMIN).fetchall():
                return False
            connection.execute(proofs.SET_SECRET, {"name": _ADOPTION, "value": secret_hash})
            return True

        return self._database.change(store)

    def adopt(self, secret_hash: str, player_id: str) -> Future[list[str]]:
        """Make a player administrator and owner of every game that has none; return those games.

        The secret is used up by it; raises ConflictError if it is not the right one, or that is no person.
        """
        whose = {"player": player_id}

        def store(connection: Connection) -> list[str]:
            lock_player(connection, player_id)
            if not connection.execute(_IS_PERSON, whose).fetchall():
                raise ConflictError(player_id)
            if connection.execute(proofs.USE_SECRET, {"name": _ADOPTION, "value": secret_hash}).rowcount != 1:
                raise ConflictError(player_id)
            connection.execute(_MAKE_ADMIN, whose)
            return belongings.adopt(connection, player_id)

        return self._database.change(store)

    def secret(self, name: str) -> Future[str]:
        """Return a secret of the server's own, made the first time anybody asks."""
        made = secrets.token_urlsafe(32)

        def store(connection: Connection) -> str:
            connection.execute(_NEW_SECRET, {"name": name, "value": made})
            return str(connection.execute(proofs.SECRET, {"name": name}).fetchone()[0])

        return self._database.change(store)


_write_settings, _read_settings = json_of(PLAYERS.c.settings)
_ADOPTION: Final = "adoption"
_OF_PLAYER: Final = (
    *(PLAYERS.c[name] for name in ("id", "kind", "name", "login", "settings", "created", "seen", "blocked")),
    PLAYERS.c.password.is_not(None),
)
_OF_TOKEN: Final = ("id", "name", "scopes", "created", "expires", "used")
_PLAYER_ID: Final[BindParameter[str]] = bindparam("player")
_ITS_PLAYER: Final = PLAYERS.c.id == _PLAYER_ID
_PLAYERS: Final = select(*_OF_PLAYER)

_PLAYER: Final = sql(_PLAYERS.where(_ITS_PLAYER))
_ADMIN: Final = sql(select(PLAYERS.c.id).where(PLAYERS.c.kind == literal_column("'admin'")))
_CREDENTIALS: Final = sql(select(PLAYERS.c.id, PLAYERS.c.password).where(PLAYERS.c.login == bindparam("login")))
_LOGIN: Final = sql(select(PLAYERS.c.login).where(_ITS_PLAYER, PLAYERS.c.login.is_not(None)))
_PASSWORD: Final = sql(select(PLAYERS.c.password).where(_ITS_PLAYER))
_NEW_PLAYER: Final = sql(insert(PLAYERS).values(named("id", "kind", "name", "created", "seen")))
_SEEN: Final = sql(update(PLAYERS).where(_ITS_PLAYER).values(named("seen")))
_RENAME: Final = sql(update(PLAYERS).where(_ITS_PLAYER).values(named("name")))
_SETTLE: Final = sql(update(PLAYERS).where(_ITS_PLAYER).values(named("settings")))
_SET_PASSWORD: Final = sql(update(PLAYERS).where(_ITS_PLAYER).values(named("password")))
_BLOCK: Final = sql(update(PLAYERS).where(_ITS_PLAYER).values(named("blocked")))
MAKE_ACCOUNT: Final = sql(
    update(PLAYERS)
    .where(_ITS_PLAYER, PLAYERS.c.login.is_(None))
    .values(kind=literal_column("'person'"), **named("login", "password"))
)
"""For whoever stores with it what opens the account: there is none that nothing opens."""
_PERSON: Final = (_ITS_PLAYER, PLAYERS.c.kind == literal_column("'person'"))
_IS_PERSON: Final = sql(select(PLAYERS.c.id).where(*_PERSON))
_MAKE_ADMIN: Final = sql(update(PLAYERS).where(*_PERSON).values(kind=literal_column("'admin'")))

_OWN, _OTHERS = SEATS.alias("own"), SEATS.alias("others")
_PLAYED_WITH_OTHERS: Final = (
    select(_OWN.c.game_id)
    .join(_OTHERS, _OTHERS.c.game_id == _OWN.c.game_id)
    .where(_OWN.c.player_id == _PLAYER_ID, _OTHERS.c.player_id != _PLAYER_ID)
)
_MAKE_BOT: Final = sql(
    update(PLAYERS).where(*_PERSON, ~_PLAYED_WITH_OTHERS.exists()).values(kind=literal_column("'bot'"))
)

_SESSION: Final = sql(
    _PLAYERS.add_columns(SESSIONS.c.expires)
    .join(SESSIONS, SESSIONS.c.player_id == PLAYERS.c.id)
    .where(SESSIONS.c.id == bindparam("session"))
)
_SESSION_EXPIRY: Final = sql(select(SESSIONS.c.expires).where(SESSIONS.c.id == bindparam("session")))
_NEW_SESSION: Final = sql(insert(SESSIONS).values(named("id", "player_id", "created", "expires")))
_RENEW: Final = sql(update(SESSIONS).where(SESSIONS.c.id == bindparam("session")).values(named("expires")))
_END_SESSION: Final = sql(delete(SESSIONS).where(SESSIONS.c.id == bindparam("session")))
_END_SESSIONS: Final = sql(delete(SESSIONS).where(SESSIONS.c.player_id == _PLAYER_ID))

_ITS_TOKEN: Final = TOKENS.c.id == bindparam("token")
_TOKEN: Final = sql(
    _PLAYERS.add_columns(*(TOKENS.c[name] for name in _OF_TOKEN))
    .join(TOKENS, TOKENS.c.player_id == PLAYERS.c.id)
    .where(_ITS_TOKEN)
)
_TOKEN_EXPIRY: Final = sql(select(TOKENS.c.expires).where(_ITS_TOKEN))
_TOKENS: Final = sql(
    select(*(TOKENS.c[name] for name in _OF_TOKEN))
    .where(TOKENS.c.player_id == _PLAYER_ID)
    .order_by(TOKENS.c.created.desc(), TOKENS.c.id)
)
_NEW_TOKEN: Final = sql(insert(TOKENS).values(named("id", "player_id", "name", "scopes", "created", "expires")))
_USE_TOKEN: Final = sql(update(TOKENS).where(_ITS_TOKEN).values(named("used")))
_FORGET_TOKENS: Final = sql(delete(TOKENS).where(TOKENS.c.player_id == _PLAYER_ID))
_FORGET_TOKEN: Final = sql(delete(TOKENS).where(_ITS_TOKEN, TOKENS.c.player_id == _PLAYER_ID))

_NEW_SECRET: Final = unless_there(SECRETS)
_GUEST: Final = PLAYERS.alias("guest")
_INHERIT_NAME: Final = sql(
    update(PLAYERS)
    .where(PLAYERS.c.id == bindparam("heir"), PLAYERS.c.name.is_(None))
    .values(name=select(_GUEST.c.name).where(_GUEST.c.id == _PLAYER_ID).scalar_subquery())
)
_INHERIT_SETTINGS: Final = sql(
    update(PLAYERS)
    .where(PLAYERS.c.id == bindparam("heir"), PLAYERS.c.settings.is_(None))
    .values(settings=select(_GUEST.c.settings).where(_GUEST.c.id == _PLAYER_ID).scalar_subquery())
)
_FORGET: Final = sql(delete(PLAYERS).where(_ITS_PLAYER))


def _player(row: Any) -> StoredPlayer:
    player_id, kind, name, login, settings, created, seen, blocked, has_password = row
    return StoredPlayer(
        player_id,
        kind,
        name,
        login,
        _read_settings(settings),
        moment(created),
        moment(seen),
        None if blocked is None else moment(blocked),
        flag(has_password),
    )


def _token(row: Any) -> StoredToken:
    token_id, name, scopes, created, expires, used = row
    return StoredToken(
        token_id,
        name,
        frozenset(scopes.split()),
        moment(created),
        None if expires is None else moment(expires),
        None if used is None else moment(used),
    )


def _begin_session(connection: Connection, session_id: str, player_id: str, now: datetime, expires: datetime) -> None:
    row = {"id": session_id, "player_id": player_id, "created": written(now), "expires": written(expires)}
    connection.execute(_NEW_SESSION, row)


def _merge(connection: Connection, guest_id: str, account_id: str) -> list[str]:
    """Make what was a guest's an account holder's, and forget the guest; return the games that changed.

    In a game where they would sit on both sides, the guest's seat stays as it is: nobody plays it from then on.
    """
    both = {"player": guest_id, "heir": account_id}
    changed = belongings.inherit(connection, guest_id, account_id)
    connection.execute(_INHERIT_NAME, both)
    connection.execute(_INHERIT_SETTINGS, both)
    connection.execute(_FORGET, both)
    return changed
