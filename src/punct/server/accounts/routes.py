"""Routes of accounts: creation, login and logout, passkeys, tokens for programs, deletion."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Path, Request, Response

from punct.server.accounts import presenter, schemas
from punct.server.accounts.errors import HasAccountError
from punct.server.accounts.passkeys import Passkeys
from punct.server.accounts.player_routes import me_response
from punct.server.accounts.service import Accounts
from punct.server.auth.errors import NoAccountError, UnauthenticatedError
from punct.server.auth.identity import IdempotencyHeader, RequestIdentity, idempotency_key_of, identity_of
from punct.server.auth.model import StoredPlayer, StoredSession
from punct.server.auth.names import clean_name, normalise_login
from punct.server.auth.proofs import Proof
from punct.server.auth.routing import ApiRoute, limited, open_to_blocked
from punct.server.auth.sessions import NewSession
from punct.server.db.errors import StoreError
from punct.server.games.service import Games
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import ACCOUNTS, LOGIN_CHECKS, LOGINS
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response

router = APIRouter(prefix="/api/v1", tags=["account"], route_class=ApiRoute)

PasskeyId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,512}$")]
TokenId = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]
_CHANGE_ERRORS: Final = error_responses(401, 403, 409, 413, 415, 422, 429)
"""Of routes that change an account or a session."""


@router.post("/account", status_code=201, response_model=schemas.Me, responses=_CHANGE_ERRORS)
@limited(ACCOUNTS)
async def make_account(body: schemas.AccountRequest, request: Request) -> Response:
    """Give the player an account: they keep their games, and can log in elsewhere."""
    identity = identity_of(request)
    name = None if body.name is None else clean_name(body.name)  # before anything is stored
    await identity.get_or_create_player()
    identity.log_in(await _accounts(request).create_account(_session(identity), body.login, body.password))
    if name is not None:
        identity.update_player(await _accounts(request).rename(identity.require_player(), name))
    return await me_response(request, 201)


@router.post("/account/passkey/options", responses=_CHANGE_ERRORS)
@limited(LOGIN_CHECKS)
async def ask_for_account_passkey(body: schemas.PasskeyAccountRequest, request: Request) -> schemas.PasskeyOptions:
    """Return what `navigator.credentials.create` needs to create a passkey for a new account."""
    identity = identity_of(request)
    guest = await identity.get_or_create_player()
    login = await _accounts(request).require_free_login(guest, body.login)
    options, cookie = await _passkeys(request).new_account_options(request, guest, login)
    identity.cookie_headers.append(cookie)
    return options


@router.post("/account/passkey", status_code=201, response_model=schemas.Me, responses=_CHANGE_ERRORS)
@limited(ACCOUNTS)
async def make_account_by_passkey(answer: schemas.PasskeyAnswer, request: Request) -> Response:
    """Give the player an account with the passkey that the browser has created: it needs no password."""
    identity = identity_of(request)
    session = _session(identity)
    if session.player.has_account:
        raise HasAccountError
    await _passkeys(request).create_account(request, session.player, answer.model_dump(by_alias=True))
    identity.log_in(await _accounts(request).open_session(session.player.id, session))
    return await me_response(request, 201)


@router.put("/account/password", response_model=schemas.Me, responses=_CHANGE_ERRORS)
@limited(LOGINS)
async def change_password(body: schemas.PasswordRequest, request: Request) -> Response:
    """Change the password, or set a first one. This ends every other session."""
    identity = identity_of(request)
    player = holder_of(identity)
    proof = await reauthenticate(request, player, schemas.ProofRequest(password=body.old, passkey=body.passkey))
    identity.log_in(await _accounts(request).set_password(player, body.new, proof))
    return await me_response(request)


@router.post("/account/reset", response_model=schemas.Me, responses=_CHANGE_ERRORS)
@limited(LOGINS)
async def reset_password(body: schemas.ResetRequest, request: Request) -> Response:
    """Reset the password by the link that `punct admin reset-password` printed, and log in."""
    identity = identity_of(request)
    session = await _accounts(request).reset_password(body.secret, body.password, identity.session)
    await _log_in_as(request, session)
    return await me_response(request)


@router.post("/session", response_model=schemas.Me, responses=_CHANGE_ERRORS)
@limited(LOGINS)
async def log_in(body: schemas.LoginRequest, request: Request) -> Response:
    """Log in. The browser's guest is merged into the account."""
    identity = identity_of(request)
    async with identity.count_password_attempt(normalise_login(body.login)):
        session = await _accounts(request).log_in(body.login, body.password, identity.session)
    await _log_in_as(request, session)
    return await me_response(request)


@router.delete("/session", status_code=204, responses=_CHANGE_ERRORS)
@open_to_blocked
async def log_out(request: Request) -> None:
    """Log out. A guest cannot log in again."""
    identity = identity_of(request)
    await identity.sessions.end(_session(identity))
    identity.log_out()


@router.delete("/sessions", status_code=204, responses=_CHANGE_ERRORS)
@open_to_blocked
async def log_out_everywhere(request: Request) -> None:
    """Log out in every browser, this one too. Tokens stay valid."""
    identity = identity_of(request)
    await identity.sessions.end_all(_session(identity).player)
    identity.log_out()


@router.delete("/me", status_code=204, responses=_CHANGE_ERRORS)
@limited(LOGINS)
@open_to_blocked
async def delete_me(request: Request, body: schemas.ProofRequest | None = None) -> None:
    """Delete the player: account, name, ratings, and games without an opponent. Running games are resigned."""
    identity = identity_of(request)
    player = _session(identity).player
    proof = await reauthenticate(request, player, body) if player.has_account else Proof(session=_session(identity).id)
    changed_games = await _accounts(request).delete(player, proof)
    identity.log_out()
    await _publish_games(request, changed_games)


@router.post("/me/bot", response_model=schemas.Me, responses=_CHANGE_ERRORS)
@limited(LOGINS)
async def become_bot(request: Request, body: schemas.ProofRequest | None = None) -> Response:
    """Mark the account as a bot's, for good: a program plays, and everybody sees that."""
    identity = identity_of(request)
    player = holder_of(identity)
    if player.kind != "bot":
        identity.update_player(
            await _accounts(request).mark_as_bot(player, await reauthenticate(request, player, body))
        )
    return await me_response(request)


@router.post("/passkeys/options", responses=_CHANGE_ERRORS)
@limited(LOGINS)
async def ask_for_passkey(request: Request, body: schemas.ProofRequest | None = None) -> schemas.PasskeyOptions:
    """Return what `navigator.credentials.create` needs to create another passkey; needs reauthentication.

    A passkey is accepted only with these options, in this browser, within five minutes.
    """
    identity = identity_of(request)
    player = holder_of(identity)
    await reauthenticate(request, player, body)
    options, cookie = await _passkeys(request).new_passkey_options(request, player)
    identity.cookie_headers.append(cookie)
    return options


@router.post("/passkeys", status_code=201, response_model=schemas.PasskeyView, responses=_CHANGE_ERRORS)
async def add_passkey(answer: schemas.PasskeyAnswer, request: Request) -> Response:
    """Add a passkey that the browser has created; from then on it can log in."""
    identity = identity_of(request)
    holder_of(identity)
    passkey = await _passkeys(request).add(request, _session(identity), answer.model_dump(by_alias=True))
    return json_response(presenter.passkey(passkey), 201)


@router.get("/passkeys", response_model=schemas.PasskeyList, responses=error_responses(401, 403, 409))
async def list_passkeys(request: Request) -> Response:
    """List one's passkeys, the oldest first."""
    identity = identity_of(request)
    return json_response(presenter.passkeys(await _passkeys(request).list_passkeys(holder_of(identity))))


@router.delete("/passkeys/{passkey_id}", status_code=204, responses={**_CHANGE_ERRORS, **error_responses(404)})
@limited(LOGINS)
async def delete_passkey(passkey_id: PasskeyId, request: Request, body: schemas.ProofRequest | None = None) -> None:
    """Delete a passkey. The last credential of an account cannot be deleted."""
    identity = identity_of(request)
    player = holder_of(identity)
    await _passkeys(request).delete(player, passkey_id, await reauthenticate(request, player, body))


@router.post("/passkeys/proof/options", responses=_CHANGE_ERRORS)
@open_to_blocked
async def ask_for_own_proof(request: Request) -> schemas.PasskeyOptions:
    """Return what `navigator.credentials.get` needs to reauthenticate with a passkey instead of a password."""
    identity = identity_of(request)
    options, cookie = await _passkeys(request).reauthentication_options(request, holder_of(identity))
    identity.cookie_headers.append(cookie)
    return options


@router.post("/session/passkey/options", responses=_CHANGE_ERRORS)
async def ask_for_proof(request: Request) -> schemas.PasskeyOptions:
    """Return what `navigator.credentials.get` needs to log in with a passkey."""
    identity = identity_of(request)
    options, cookie = _passkeys(request).login_options(request)
    identity.cookie_headers.append(cookie)
    return options


@router.post("/session/passkey", response_model=schemas.Me, responses=_CHANGE_ERRORS)
@limited(LOGINS)
async def log_in_by_passkey(answer: schemas.PasskeyAnswer, request: Request) -> Response:
    """Log in with a passkey. The browser's guest is merged into the account."""
    identity = identity_of(request)
    player_id, proof = await _passkeys(request).authenticate(request, answer.model_dump(by_alias=True))
    await _log_in_as(request, await _accounts(request).open_session(player_id, identity.session, proof))
    return await me_response(request)


@router.get("/tokens", response_model=schemas.Tokens, responses=error_responses(401, 403, 409))
async def list_tokens(request: Request) -> Response:
    """List one's tokens, the newest first."""
    identity = identity_of(request)
    return json_response(presenter.tokens(await _accounts(request).list_tokens(_session(identity).player)))


@router.post("/tokens", status_code=201, response_model=schemas.NewToken, responses=_CHANGE_ERRORS)
@limited(LOGINS)
async def make_token(body: schemas.TokenRequest, request: Request, key: IdempotencyHeader = None) -> Response:
    """Create a token, with which a program acts for an account holder."""
    identity = identity_of(request)
    player = holder_of(identity)
    proof = await reauthenticate(request, player, body)
    lifetime = None if body.days is None else timedelta(days=body.days)
    fingerprint = body.model_dump_json(exclude={"password", "passkey"}).encode()  # stores nothing of a password
    idempotency_key = await idempotency_key_of(request, player.id, key, fingerprint)
    token, secret = await _accounts(request).create_token(
        player, body.name, body.scopes, lifetime, proof, idempotency_key
    )
    return json_response(presenter.new_token(token, secret), 201)


@router.delete("/tokens/{token_id}", status_code=204, responses=error_responses(401, 403, 404, 409, 422, 429))
async def delete_token(token_id: TokenId, request: Request) -> None:
    """Revoke a token."""
    identity = identity_of(request)
    await _accounts(request).delete_token(_session(identity).player, token_id)


@router.post("/admin/adopt", response_model=schemas.Adoption, responses=_CHANGE_ERRORS)
@limited(LOGINS)
async def adopt_games(body: schemas.AdoptionRequest, request: Request) -> Response:
    """Become the administrator, by the link that `punct serve` printed: they adopt every game without an owner."""
    identity = identity_of(request)
    game_ids = await _accounts(request).make_admin(_session(identity).player, body.secret)
    return json_response(presenter.adoption(game_ids))


def _accounts(request: Request) -> Accounts:
    return services_of(request).get(Accounts)


def _passkeys(request: Request) -> Passkeys:
    return services_of(request).get(Passkeys)


async def _log_in_as(request: Request, session: NewSession) -> None:
    """Log in to a new session, and publish the guest's games that belong to its player now."""
    identity_of(request).log_in(session)
    await _publish_games(request, session.changed_games)


async def _publish_games(request: Request, game_ids: list[str]) -> None:
    """Reload and publish games that have another player now. Their change is stored: a failing store is no error."""
    with contextlib.suppress(StoreError):
        await services_of(request).get(Games).refresh(game_ids)


def _session(identity: RequestIdentity) -> StoredSession:
    """Return the session of the request; raises UnauthenticatedError for tokens too: they do not manage accounts."""
    if identity.session is None:
        raise UnauthenticatedError
    return identity.session


def holder_of(identity: RequestIdentity) -> StoredPlayer:
    """Return the account holder of the session; raises NoAccountError for a guest."""
    player = _session(identity).player
    if not player.has_account:
        raise NoAccountError
    return player


async def reauthenticate(request: Request, player: StoredPlayer, body: schemas.ProofRequest | None) -> Proof:
    """Reauthenticate an account holder by their password or by a passkey.

    The change that needs the proof checks it, and the session, once more in its own transaction.
    """
    identity = identity_of(request)
    if body is not None and body.passkey is not None:
        proof = await _passkeys(request).reauthenticate(request, player, body.passkey.model_dump(by_alias=True))
    else:
        async with identity.count_password_attempt(player.login or ""):
            proof = await _accounts(request).verify_password(player, (body and body.password) or "")
    return replace(proof, session=_session(identity).id)
