"""Passkeys by WebAuthn: a device proves that it has a private key by signing a challenge.

The browser keeps the challenge in a signed cookie until it answers: so any process can verify the answer.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import secrets
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any, Final, Literal, TypeVar
from urllib.parse import urlsplit

from starlette.requests import Request

from punct.server.accounts.errors import LastWayInError, LoginTakenError
from punct.server.accounts.passkey_store import PasskeyStore, StoredPasskey
from punct.server.auth.errors import BadPasskeyError, TooLateError
from punct.server.auth.model import StoredPlayer, StoredSession
from punct.server.auth.proofs import Proof
from punct.server.auth.verification import wait_for_proved_change
from punct.server.db.errors import ConflictError, DuplicateKeyError
from punct.server.errors import NotOfferedError

Result = TypeVar("Result")

COOKIE_NAME: Final = "punct_passkey"
CHALLENGE_SECONDS: Final = 300
"""How long a challenge may be answered."""
MAX_PASSKEYS: Final = 10
"""Per player."""
_NAME: Final = "PÜNCT"


Purpose = Literal["make", "add", "enter", "prove"]
"""Create an account; add a passkey to one; log in; reauthenticate, where others enter their password."""


class Passkeys:
    """Registers passkeys and authenticates with them."""

    def __init__(
        self, store: PasskeyStore, key: str, now: Callable[[], datetime], origins: Collection[str] | None = None
    ) -> None:
        """Sign cookies with a key.

        ``origins`` are those of the server's own pages, as ``https://punct.example``; None if they are not configured:
        then the request's own origin is accepted.
        """
        from itsdangerous import BadData, TimestampSigner

        self._store, self._now = store, now
        self._origins = None if origins is None else frozenset(origins)
        self._signer = TimestampSigner(key, salt="punct.passkey", key_derivation="hmac", digest_method=hashlib.sha256)
        self._bad_signature = BadData

    async def new_account_options(
        self, request: Request, guest: StoredPlayer, login: str
    ) -> tuple[dict[str, Any], str]:
        """Return registration options for the passkey of a new account, and the cookie with the challenge."""
        return await self._registration_options("make", request, guest, login)

    async def new_passkey_options(self, request: Request, player: StoredPlayer) -> tuple[dict[str, Any], str]:
        """Return registration options for another passkey of a player, and the cookie with the challenge."""
        return await self._registration_options("add", request, player, player.login or player.id)

    async def _registration_options(
        self, purpose: Purpose, request: Request, player: StoredPlayer, login: str
    ) -> tuple[dict[str, Any], str]:
        from webauthn import generate_registration_options
        from webauthn.helpers import base64url_to_bytes, options_to_json_dict
        from webauthn.helpers.structs import (
            AuthenticatorSelectionCriteria,
            PublicKeyCredentialDescriptor,
            ResidentKeyRequirement,
            UserVerificationRequirement,
        )

        passkeys = await self.list_passkeys(player)
        challenge = secrets.token_bytes(32)
        options = generate_registration_options(
            rp_id=self._relying_party_id(request),
            rp_name=_NAME,
            user_id=player.id.encode(),
            user_name=login,
            user_display_name=player.name or login,
            challenge=challenge,
            timeout=CHALLENGE_SECONDS * 1000,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(passkey.id)) for passkey in passkeys],
        )
        return options_to_json_dict(options), self._cookie(purpose, player.id, login, challenge, request)

    def login_options(self, request: Request) -> tuple[dict[str, Any], str]:
        """Return authentication options to log in with any passkey, and the cookie with the challenge."""
        return self._authentication_options("enter", request, "", [])

    async def reauthentication_options(self, request: Request, player: StoredPlayer) -> tuple[dict[str, Any], str]:
        """Return authentication options for a player's own passkeys, and the cookie with the challenge."""
        passkeys = await self.list_passkeys(player)
        return self._authentication_options("prove", request, player.id, [passkey.id for passkey in passkeys])

    def _authentication_options(
        self, purpose: Purpose, request: Request, player_id: str, passkey_ids: list[str]
    ) -> tuple[dict[str, Any], str]:
        from webauthn import generate_authentication_options
        from webauthn.helpers import base64url_to_bytes, options_to_json_dict
        from webauthn.helpers.structs import PublicKeyCredentialDescriptor, UserVerificationRequirement

        challenge = secrets.token_bytes(32)
        options = generate_authentication_options(
            rp_id=self._relying_party_id(request),
            challenge=challenge,
            timeout=CHALLENGE_SECONDS * 1000,
            allow_credentials=[
                PublicKeyCredentialDescriptor(base64url_to_bytes(passkey_id)) for passkey_id in passkey_ids
            ],
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return options_to_json_dict(options), self._cookie(purpose, player_id, "", challenge, request)

    async def create_account(self, request: Request, guest: StoredPlayer, credential: dict[str, Any]) -> None:
        """Give a guest the account whose options they requested, with their new passkey.

        Raises BadPasskeyError if the answer does not fit the challenge, LoginTakenError if the login is taken by now.
        """
        login, challenge = self._read_challenge(request, "make", guest.id)
        passkey = await self._verify_registration(request, guest, challenge, credential)
        try:
            await asyncio.wrap_future(self._store.create_account(passkey, login, challenge))
        except DuplicateKeyError:
            raise LoginTakenError from None
        except ConflictError:
            raise BadPasskeyError from None

    async def add(self, request: Request, session: StoredSession, credential: dict[str, Any]) -> StoredPasskey:
        """Store a player's new passkey; raises BadPasskeyError if the answer does not fit the challenge."""
        player = session.player
        _, challenge = self._read_challenge(request, "add", player.id)
        passkey = await self._verify_registration(request, player, challenge, credential)
        try:
            await wait_for_proved_change(self._store.add(passkey, challenge, MAX_PASSKEYS, Proof(session=session.id)))
        except DuplicateKeyError:
            raise BadPasskeyError from None
        except ConflictError:
            raise TooLateError(f"Nobody has more than {MAX_PASSKEYS} passkeys; and none is added twice.") from None
        return passkey

    async def _verify_registration(
        self, request: Request, player: StoredPlayer, challenge: bytes, credential: dict[str, Any]
    ) -> StoredPasskey:
        """Return a player's new passkey; raises BadPasskeyError if the answer does not fit the challenge."""
        from webauthn import verify_registration_response
        from webauthn.helpers import bytes_to_base64url

        proof = await _verify(
            lambda: verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=self._relying_party_id(request),
                expected_origin=self._origins_for(request),
                require_user_verification=True,
            )
        )
        key = bytes(proof.credential_public_key)
        passkey_id = bytes_to_base64url(proof.credential_id)
        return StoredPasskey(passkey_id, player.id, key, proof.sign_count, self._now())

    async def authenticate(self, request: Request, credential: dict[str, Any]) -> tuple[str, Proof]:
        """Return the player whose passkey answers the challenge, and the proof; raises BadPasskeyError if none does."""
        return await self._verify_authentication("enter", "", request, credential)

    async def reauthenticate(self, request: Request, player: StoredPlayer, credential: dict[str, Any]) -> Proof:
        """Return the proof that a player's own passkey answers the challenge; raises BadPasskeyError if it does not."""
        _, proof = await self._verify_authentication("prove", player.id, request, credential)
        return proof

    async def _verify_authentication(
        self, purpose: Purpose, player_id: str, request: Request, credential: dict[str, Any]
    ) -> tuple[str, Proof]:
        """Return the player whose passkey answers the challenge; with a ``player_id`` only that player's count."""
        from webauthn import verify_authentication_response

        _, challenge = self._read_challenge(request, purpose, player_id)
        passkey = await asyncio.to_thread(self._store.get, str(credential.get("id", "")))
        if passkey is None or player_id not in ("", passkey.player_id):
            raise BadPasskeyError
        proof = await _verify(
            lambda: verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=self._relying_party_id(request),
                expected_origin=self._origins_for(request),
                credential_public_key=passkey.public_key,
                credential_current_sign_count=passkey.used_times,
                require_user_verification=True,
            )
        )
        try:
            await asyncio.wrap_future(self._store.record_use(passkey, proof.new_sign_count, challenge, self._now()))
        except ConflictError:
            raise BadPasskeyError from None
        return passkey.player_id, Proof(passkey=passkey.id)

    async def list_passkeys(self, player: StoredPlayer) -> list[StoredPasskey]:
        """Return a player's passkeys, the oldest first."""
        return await asyncio.to_thread(self._store.list_passkeys, player.id)

    async def delete(self, player: StoredPlayer, passkey_id: str, proof: Proof) -> None:
        """Delete a passkey; raises BadPasskeyError if it is not the player's, LastWayInError if it is the last one."""
        try:
            is_deleted = await wait_for_proved_change(self._store.delete(player.id, passkey_id, proof))
        except ConflictError:
            raise LastWayInError from None
        if not is_deleted:
            raise BadPasskeyError

    def _relying_party_id(self, request: Request) -> str:
        """Return the relying party's id: the one of the server's names that the request was sent to."""
        name = request.url.hostname or ""
        if self._origins is not None and not any(urlsplit(origin).hostname == name for origin in self._origins):
            raise NotOfferedError(
                "Passkeys are bound to a server's name, and this is none of its names. Its operator can set one: punct "
                "serve --name NAME."
            )
        return name

    def _origins_for(self, request: Request) -> list[str]:
        """Return the origins at which the device may have answered. The request's own headers are no proof of them."""
        if self._origins is None:
            return [request.headers.get("origin") or f"{request.url.scheme}://{request.headers.get('host', '')}"]
        name = self._relying_party_id(request)
        return sorted(origin for origin in self._origins if urlsplit(origin).hostname == name)

    def _cookie(self, purpose: Purpose, player_id: str, login: str, challenge: bytes, request: Request) -> str:
        challenge_text = f"{purpose}:{player_id}:{login}:{base64.urlsafe_b64encode(challenge).decode()}"
        value = self._signer.sign(base64.urlsafe_b64encode(challenge_text.encode())).decode()
        secure = "; Secure" if request.url.scheme == "https" else ""
        return f"{COOKIE_NAME}={value}; Max-Age={CHALLENGE_SECONDS}; Path=/api/v1; HttpOnly; SameSite=Strict{secure}"

    def _read_challenge(self, request: Request, purpose: Purpose, player_id: str) -> tuple[str, bytes]:
        """Return the login and the challenge in the cookie, which must be for this purpose and player."""
        cookie = request.cookies.get(COOKIE_NAME, "")
        try:
            challenge_text = base64.urlsafe_b64decode(self._signer.unsign(cookie, max_age=CHALLENGE_SECONDS)).decode()
            for_purpose, for_player, login, challenge = challenge_text.split(":")
            if (for_purpose, for_player) == (purpose, player_id):
                return login, base64.urlsafe_b64decode(challenge)
        except (self._bad_signature, binascii.Error, ValueError):
            pass
        raise BadPasskeyError


async def _verify(check: Callable[[], Result]) -> Result:
    """Return the verified answer; raises BadPasskeyError if the verification fails."""
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        return await asyncio.to_thread(check)
    except (WebAuthnException, LookupError, TypeError, ValueError):
        raise BadPasskeyError from None
