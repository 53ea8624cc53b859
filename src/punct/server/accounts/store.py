"""Accounts in the table of players: login, password, deletion, guests merged into accounts."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import BindParameter, bindparam, delete, literal_column, select, update

from punct.server.accounts import ownership_transfer
from punct.server.appointments.store import cancel_all
from punct.server.auth import proofs
from punct.server.auth.handles import search_key
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
    """What changed when a player was deleted."""

    changed_games: list[str]
    """The ids of games that changed, or were deleted."""
    rated_player_ids: set[str]
    """The players whose ratings changed."""
    awaited_by: set[str]
    """The players with whom they had arranged a date, or proposed one."""


class AccountStore:
    """Accounts.

    Methods that read block, and are for threads. Methods that write return a future at once.
    """

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def find_credentials(self, login: str) -> tuple[str, str | None] | None:
        """Return the id and the password's hash of the player with a login; None if there is none."""
        rows = self._database.fetch_all(_CREDENTIALS, {"login": login})
        return tuple(rows[0]) if rows else None

    def get_password_hash(self, player_id: str) -> str | None:
        """Return the hash of a player's password; None if they have none."""
        rows = self._database.fetch_all(_PASSWORD, {"player": player_id})
        return rows[0][0] if rows else None

    def open_session(
        self,
        session_id: str,
        player_id: str,
        now: datetime,
        expires: datetime,
        before: StoredSession | None = None,
        *,
        proof: Proof = NO_PROOF,
        rehashed: str | None = None,
        password_hash: str | None = None,
    ) -> Future[list[str]]:
        """Open a session, whose id is the hash of its secret; return the games that changed hands.

        In one transaction: ``proof`` is checked; the session before ends; if it was a guest's, the guest is merged into
        the player. ``rehashed`` is the same password's hash with newer parameters. A new ``password_hash`` also ends
        every other session and deletes the reset link; if that link was the proof, every token ends as well.
        Raises ConflictError if there is no such player, OutdatedProofError if the proof is no longer valid.
        """

        def store(connection: Connection) -> list[str]:
            # Lock the guest as well: a change of theirs that is being written comes first, and is merged too.
            player_ids = {player_id} if before is None else {player_id, before.player.id}
            locked = lock_players(connection, player_ids, missing_ok=True)
            if player_id not in locked:
                raise MissingPlayerError(player_id)
            proofs.check_proof(connection, locked[player_id], proof)
            changed_games = []
            if before is not None:
                delete_session(connection, before.id)
                guest = locked.get(before.player.id)
                if guest is not None and guest.id != player_id and not guest.has_account:
                    changed_games = _merge_guest(connection, guest.id, player_id)
            if rehashed is not None:
                connection.execute(_SET_PASSWORD, {"player": player_id, "password": rehashed})
            if password_hash is not None:
                connection.execute(_SET_PASSWORD, {"player": player_id, "password": password_hash})
                delete_sessions(connection, player_id)
            if password_hash is not None or proof.link is not None:  # a link works once
                proofs.delete_reset_link(connection, player_id)
            if proof.link is not None:
                delete_tokens(connection, player_id)
            insert_session(connection, session_id, player_id, now, expires)
            return changed_games

        return self._database.change(store)

    def create_account(self, player_id: str, login: str, password_hash: str) -> Future[None]:
        """Give a guest a login and a password; raises DuplicateKeyError if another player has the login.

        ConflictError if they have one already. With a passkey instead: see ``PasskeyStore``.
        """

        def store(connection: Connection) -> None:
            values = {"player": player_id, "login": login, "password": password_hash}
            if connection.execute(MAKE_ACCOUNT, values).rowcount != 1:
                raise ConflictError(player_id)

        return self._database.change(store)

    def store_reset_link(self, player_id: str, secret_hash: str, expires: datetime) -> Future[bool]:
        """Store the hash of a link's secret, which may reset an account's password once; False if there is no account.

        It replaces the previous link.
        """

        def store(connection: Connection) -> bool:
            player = lock_players(connection, [player_id], missing_ok=True).get(player_id)
            if player is None or not player.has_account:
                return False
            proofs.store_reset_link(connection, player_id, secret_hash, expires)
            return True

        return self._database.change(store)

    def find_login_to_reset(self, player_id: str, link: ResetLink) -> str | None:
        """Return the login whose password a link may reset; None if the link is not valid."""
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
        """Block a player, or unblock them (None); return whether the player exists."""

        def store(connection: Connection) -> bool:
            values = {"player": player_id, "blocked": None if since is None else to_db_time(since)}
            return connection.execute(_BLOCK, values).rowcount > 0

        return self._database.change(store)

    def delete_player(
        self, player_id: str, now: datetime, rate_game: RateGame, proof: Proof = NO_PROOF
    ) -> Future[DeletedPlayer | None]:
        """Delete a player with everything that is theirs alone; return what changed, None if there is no such player.

        Games with an opponent stay, without the player's name; running ones are resigned, rated for the opponent, and
        belong to the opponent from then on. Dates that were agreed on are cancelled, and the others told. ``proof``
        must still be valid.
        """

        def store(connection: Connection) -> DeletedPlayer | None:
            opponents = unrated_opponents(connection, player_id)
            locked = lock_players(connection, {player_id, *opponents}, missing_ok=True)
            if player_id not in locked:
                return None
            if not unrated_opponents(connection, player_id) <= opponents:  # a game was stored before the lock
                raise RetryError("A game of theirs is just beginning; try again in a while.")
            proofs.check_proof(connection, locked[player_id], proof)
            # In this order: resigned games are rated while their seats still name the player.
            changed_games = ownership_transfer.resign_games(connection, player_id, now)
            rated_player_ids = count_games_of(connection, player_id, rate_game)
            ownership_transfer.anonymise_games(connection, player_id)
            awaited_by = cancel_all(connection, player_id, now)
            connection.execute(_DELETE, {"player": player_id})
            proofs.delete_reset_link(connection, player_id)
            return DeletedPlayer(changed_games, rated_player_ids - {player_id}, awaited_by)

        return self._database.change(store)

    def rename(self, player_id: str, name: str | None) -> Future[None]:
        """Store the name a player has chosen."""

        def store(connection: Connection) -> None:
            key = None if name is None else search_key(name)
            connection.execute(_RENAME, {"player": player_id, "name": name, "name_key": key})

        return self._database.change(store)

    def save_settings(self, player_id: str, settings: Mapping[str, Any] | None) -> Future[None]:
        """Store a player's settings."""
        text = _write_settings(settings)

        def store(connection: Connection) -> None:
            connection.execute(_SAVE_SETTINGS, {"player": player_id, "settings": text})

        return self._database.change(store)

    def store_adoption_secret(self, secret_hash: str) -> Future[bool]:
        """Store the hash of the secret that makes its user administrator; False if there is an administrator."""

        def store(connection: Connection) -> bool:
            if connection.execute(_ADMIN).fetchall():
                return False
            connection.execute(proofs.UPSERT_SECRET, {"name": _ADOPTION, "value": secret_hash})
            return True

        return self._database.change(store)

    def make_admin(self, secret_hash: str, player_id: str) -> Future[list[str]]:
        """Make a player administrator and owner of every game that has none; return those games.

        This deletes the secret. Raises ConflictError if it is the wrong one, or the account is not a person's.
        """
        parameters = {"player": player_id}

        def store(connection: Connection) -> list[str]:
            lock_player(connection, player_id)
            if not connection.execute(_IS_PERSON, parameters).fetchall():
                raise ConflictError(player_id)
            if connection.execute(proofs.DELETE_SECRET, {"name": _ADOPTION, "value": secret_hash}).rowcount != 1:
                raise ConflictError(player_id)
            connection.execute(_MAKE_ADMIN, parameters)
            return ownership_transfer.adopt_games(connection, player_id)

        return self._database.change(store)


_write_settings, _ = json_converters(PLAYERS.c.settings)
_ADOPTION: Final = "adoption"
_PLAYER_ID: Final[BindParameter[str]] = bindparam("player")
_IS_PLAYER: Final = PLAYERS.c.id == _PLAYER_ID
_ADMIN: Final = sql(select(PLAYERS.c.id).where(PLAYERS.c.kind == literal_column("'admin'")))
_CREDENTIALS: Final = sql(select(PLAYERS.c.id, PLAYERS.c.password).where(PLAYERS.c.login == bindparam("login")))
_LOGIN: Final = sql(select(PLAYERS.c.login).where(_IS_PLAYER, PLAYERS.c.login.is_not(None)))
_PASSWORD: Final = sql(select(PLAYERS.c.password).where(_IS_PLAYER))
_RENAME: Final = sql(update(PLAYERS).where(_IS_PLAYER).values(bindparams("name", "name_key")))
_SAVE_SETTINGS: Final = sql(update(PLAYERS).where(_IS_PLAYER).values(bindparams("settings")))
_SET_PASSWORD: Final = sql(update(PLAYERS).where(_IS_PLAYER).values(bindparams("password")))
_BLOCK: Final = sql(update(PLAYERS).where(_IS_PLAYER).values(bindparams("blocked")))
MAKE_ACCOUNT: Final = sql(
    update(PLAYERS)
    .where(_IS_PLAYER, PLAYERS.c.login.is_(None))
    .values(kind=literal_column("'person'"), **bindparams("login", "password"))
)
"""The caller stores a credential in the same transaction: no account is without one."""
_PERSON: Final = (_IS_PLAYER, PLAYERS.c.kind == literal_column("'person'"))
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
_MOVE_NAME: Final = sql(
    update(PLAYERS)
    .where(PLAYERS.c.id == bindparam("account"), PLAYERS.c.name.is_(None))
    .values(
        {
            column: select(_GUEST.c[column]).where(_GUEST.c.id == _PLAYER_ID).scalar_subquery()
            for column in ("name", "name_key")
        }
    )
)
_MOVE_SETTINGS: Final = sql(
    update(PLAYERS)
    .where(PLAYERS.c.id == bindparam("account"), PLAYERS.c.settings.is_(None))
    .values(settings=select(_GUEST.c.settings).where(_GUEST.c.id == _PLAYER_ID).scalar_subquery())
)
_DELETE: Final = sql(delete(PLAYERS).where(_IS_PLAYER))


def _merge_guest(connection: Connection, guest_id: str, account_id: str) -> list[str]:
    """Merge a guest into an account, and delete the guest; return the games that changed.

    In a game where the account holder sits on the other side, the guest's seat stays: nobody plays it from then on.
    """
    parameters = {"player": guest_id, "account": account_id}
    changed_games = ownership_transfer.transfer_games(connection, guest_id, account_id)
    connection.execute(_MOVE_NAME, parameters)
    connection.execute(_MOVE_SETTINGS, parameters)
    connection.execute(_DELETE, parameters)
    return changed_games
