"""The tables of players, for accounts: login, password, deletion, and what becomes of a guest."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import BindParameter, bindparam, delete, literal_column, select, update

from punct.server.accounts import ownership_transfer
from punct.server.auth import proofs
from punct.server.auth.model import StoredSession
from punct.server.auth.proofs import NO_PROOF, Proof, ResetLink
from punct.server.auth.store import delete_session, delete_sessions, delete_tokens, insert_session
from punct.server.db.database import Connection, Database
from punct.server.db.errors import ConflictError, MissingPlayerError, RetryError
from punct.server.db.locks import lock_player, lock_players
from punct.server.db.sql import bindparams, sql
from punct.server.db.tables import PLAYERS, SEATS
from punct.server.db.values import json_converters, to_db_time
from punct.server.ratings.store import RateGame, count_games_of, unrated_opponents


class DeletedPlayer(NamedTuple):
    """What changes when a player is forgotten."""

    games: list[str]
    """Those that changed, or are gone."""
    rated: set[str]
    """The players whose ratings changed."""


class AccountStore:
    """Accounts.

    Methods that read block, and are for threads. Methods that write return a future at once.
    """

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def find_credentials(self, login: str) -> tuple[str, str | None] | None:
        """Return whose login this is, and their password's hash; None if nobody has it."""
        found = self._database.fetch_all(_CREDENTIALS, {"login": login})
        return tuple(found[0]) if found else None

    def get_password_hash(self, player_id: str) -> str | None:
        """Return the hash of a player's password; None if they have none."""
        found = self._database.fetch_all(_PASSWORD, {"player": player_id})
        return found[0][0] if found else None

    def open_session(
        self,
        session: tuple[str, datetime],
        player_id: str,
        now: datetime,
        before: StoredSession | None = None,
        *,
        proof: Proof = NO_PROOF,
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
            locked = lock_players(connection, both, missing_ok=True)
            if player_id not in locked:
                raise MissingPlayerError(player_id)
            proofs.check_proof(connection, locked[player_id], proof)
            changed = []
            if before is not None:
                delete_session(connection, before.id)
                known = locked.get(before.player.id)
                if known is not None and known.id != player_id and not known.has_account:
                    changed = _merge(connection, known.id, player_id)
            if rehashed is not None:
                connection.execute(_SET_PASSWORD, {**whose, "password": rehashed})
            if password is not None:
                connection.execute(_SET_PASSWORD, {**whose, "password": password})
                delete_sessions(connection, player_id)
                proofs.delete_reset_link(connection, player_id)
            if proof.link is not None:
                delete_tokens(connection, player_id)
            insert_session(connection, session[0], player_id, now, session[1])
            return changed

        return self._database.change(store)

    def create_account(self, player_id: str, login: str, password: str) -> Future[None]:
        """Give a guest a login and a password; raises DuplicateKeyError if somebody has the login.

        ConflictError for whoever has one already. With a passkey instead: see ``PasskeyStore``.
        """

        def store(connection: Connection) -> None:
            values = {"player": player_id, "login": login, "password": password}
            if connection.execute(MAKE_ACCOUNT, values).rowcount != 1:
                raise ConflictError(player_id)

        return self._database.change(store)

    def store_reset_link(self, player_id: str, secret_hash: str, expires: datetime) -> Future[bool]:
        """Let whoever has a secret set an account's password once, until then; False if it is no account.

        The last such secret is worth nothing from now on.
        """

        def store(connection: Connection) -> bool:
            locked = lock_players(connection, [player_id], missing_ok=True).get(player_id)
            if locked is None or not locked.has_account:
                return False
            proofs.store_reset_link(connection, player_id, secret_hash, expires)
            return True

        return self._database.change(store)

    def find_login_to_reset(self, player_id: str, link: ResetLink) -> str | None:
        """Return the login whose password may be set with a link; None if that was never one, or no longer is."""
        with self._database.read_transaction() as reader:
            if not proofs.is_valid_reset_link(reader, player_id, link):
                return None
            logins = reader.execute(_LOGIN, {"player": player_id}).fetchall()
            return logins[0][0] if logins else None

    def mark_as_bot(self, player_id: str, proof: Proof) -> Future[None]:
        """Mark an account as a bot's, for good; raises ConflictError after its first game with somebody else."""

        def store(connection: Connection) -> None:
            proofs.check_proof(connection, lock_player(connection, player_id), proof)
            if connection.execute(_MAKE_BOT, {"player": player_id}).rowcount != 1:
                raise ConflictError(player_id)

        return self._database.change(store)

    def set_blocked(self, player_id: str, since: datetime | None) -> Future[bool]:
        """Shut a player out, or let them in again (None); tell whether there is one."""

        def store(connection: Connection) -> bool:
            values = {"player": player_id, "blocked": None if since is None else to_db_time(since)}
            return connection.execute(_BLOCK, values).rowcount > 0

        return self._database.change(store)

    def delete_player(
        self, player_id: str, now: datetime, rate_game: RateGame, proof: Proof = NO_PROOF
    ) -> Future[DeletedPlayer | None]:
        """Forget a player with everything that is theirs alone; return what changed by it, None if there is none.

        Games with somebody else stay, nameless on this side; those that were still played are given up, count for that
        other one, and are theirs from then on. ``proof`` must still hold.
        """
        whose = {"player": player_id}

        def store(connection: Connection) -> DeletedPlayer | None:
            rivals = unrated_opponents(connection, player_id)
            locked = lock_players(connection, {player_id, *rivals}, missing_ok=True)
            if player_id not in locked:
                return None
            if not unrated_opponents(connection, player_id) <= rivals:  # what was being stored for them came first
                raise RetryError("A game of theirs is just beginning; try again in a while.")
            proofs.check_proof(connection, locked[player_id], proof)
            games = ownership_transfer.resign_games(connection, player_id, now)
            rated = count_games_of(connection, player_id, rate_game)
            ownership_transfer.anonymise_games(connection, player_id)
            connection.execute(_FORGET, whose)
            proofs.delete_reset_link(connection, player_id)
            return DeletedPlayer(games, rated - {player_id})

        return self._database.change(store)

    def rename(self, player_id: str, name: str | None) -> Future[None]:
        """Store the name a player has chosen."""

        def store(connection: Connection) -> None:
            connection.execute(_RENAME, {"player": player_id, "name": name})

        return self._database.change(store)

    def save_settings(self, player_id: str, settings: Mapping[str, Any] | None) -> Future[None]:
        """Store a player's settings."""
        chosen = _write_settings(settings)

        def store(connection: Connection) -> None:
            connection.execute(_SETTLE, {"player": player_id, "settings": chosen})

        return self._database.change(store)

    def store_adoption_secret(self, secret_hash: str) -> Future[bool]:
        """Let whoever has a secret become administrator; False if there is one."""

        def store(connection: Connection) -> bool:
            if connection.execute(_ADMIN).fetchall():
                return False
            connection.execute(proofs.UPSERT_SECRET, {"name": _ADOPTION, "value": secret_hash})
            return True

        return self._database.change(store)

    def make_admin(self, secret_hash: str, player_id: str) -> Future[list[str]]:
        """Make a player administrator and owner of every game that has none; return those games.

        The secret is used up by it; raises ConflictError if it is not the right one, or that is no person.
        """
        whose = {"player": player_id}

        def store(connection: Connection) -> list[str]:
            lock_player(connection, player_id)
            if not connection.execute(_IS_PERSON, whose).fetchall():
                raise ConflictError(player_id)
            if connection.execute(proofs.DELETE_SECRET, {"name": _ADOPTION, "value": secret_hash}).rowcount != 1:
                raise ConflictError(player_id)
            connection.execute(_MAKE_ADMIN, whose)
            return ownership_transfer.adopt_games(connection, player_id)

        return self._database.change(store)


_write_settings, _ = json_converters(PLAYERS.c.settings)
_ADOPTION: Final = "adoption"
_PLAYER_ID: Final[BindParameter[str]] = bindparam("player")
_ITS_PLAYER: Final = PLAYERS.c.id == _PLAYER_ID
_ADMIN: Final = sql(select(PLAYERS.c.id).where(PLAYERS.c.kind == literal_column("'admin'")))
_CREDENTIALS: Final = sql(select(PLAYERS.c.id, PLAYERS.c.password).where(PLAYERS.c.login == bindparam("login")))
_LOGIN: Final = sql(select(PLAYERS.c.login).where(_ITS_PLAYER, PLAYERS.c.login.is_not(None)))
_PASSWORD: Final = sql(select(PLAYERS.c.password).where(_ITS_PLAYER))
_RENAME: Final = sql(update(PLAYERS).where(_ITS_PLAYER).values(bindparams("name")))
_SETTLE: Final = sql(update(PLAYERS).where(_ITS_PLAYER).values(bindparams("settings")))
_SET_PASSWORD: Final = sql(update(PLAYERS).where(_ITS_PLAYER).values(bindparams("password")))
_BLOCK: Final = sql(update(PLAYERS).where(_ITS_PLAYER).values(bindparams("blocked")))
MAKE_ACCOUNT: Final = sql(
    update(PLAYERS)
    .where(_ITS_PLAYER, PLAYERS.c.login.is_(None))
    .values(kind=literal_column("'person'"), **bindparams("login", "password"))
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


def _merge(connection: Connection, guest_id: str, account_id: str) -> list[str]:
    """Make what was a guest's an account holder's, and forget the guest; return the games that changed.

    In a game where they would sit on both sides, the guest's seat stays as it is: nobody plays it from then on.
    """
    both = {"player": guest_id, "heir": account_id}
    changed = ownership_transfer.merge_player(connection, guest_id, account_id)
    connection.execute(_INHERIT_NAME, both)
    connection.execute(_INHERIT_SETTINGS, both)
    connection.execute(_FORGET, both)
    return changed
