"""Accounts: making one, logging in and out, tokens for programs, an end."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from punct.server.accounts import presenter, schemas
from punct.server.accounts.errors import HasAccountError
from punct.server.accounts.passkeys import Passkeys
from punct.server.accounts.player_routes import me_response
from punct.server.accounts.service import Accounts
from punct.server.auth.errors import NoAccountError, UnauthenticatedError
from punct.server.auth.identity import IdempotencyHeader, RequestIdentity, idempotency_key_of, identity_of
from punct.server.auth.model import StoredPlayer, StoredSession
from punct.server.auth.names import clean_name
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
_CHANGES = error_responses(401, 403, 409, 413, 415, 422, 429)


@router.post("/account", status_code=201, response_model=schemas.Me, responses=_CHANGES)
@limited(ACCOUNTS)
async def make_account(wanted: schemas.AccountRequest, request: Request) -> Response:
    """Make whoever asks an account holder: they keep their games, and can log in elsewhere."""
    identity = identity_of(request)
    name = None if wanted.name is None else clean_name(wanted.name)  # before anything is made
    await identity.get_or_create_player()
    identity.log_in(
        await services_of(request).get(Accounts).create_account(_session(identity), wanted.login, wanted.password)
    )
    if name is not None:
        identity.update_player(await services_of(request).get(Accounts).rename(identity.require_player(), name))
    return await me_response(request, 201)


@router.post("/account/passkey/options", responses=_CHANGES)
@limited(LOGIN_CHECKS)
async def ask_for_account_passkey(wanted: schemas.PasskeyAccountRequest, request: Request) -> schemas.PasskeyOptions:
    """Return what `navigator.credentials.create` needs to make a passkey that will open a new account."""
    identity = identity_of(request)
    guest = await identity.get_or_create_player()
    login = await services_of(request).get(Accounts).require_free_login(guest, wanted.login)
    options, cookie = await services_of(request).get(Passkeys).new_account_options(request, guest, login)
    identity.set_cookies.append(cookie)
    return options


@router.post("/account/passkey", status_code=201, response_model=schemas.Me, responses=_CHANGES)
@limited(ACCOUNTS)
async def make_account_by_passkey(answer: schemas.PasskeyAnswer, request: Request) -> Response:
    """Make whoever asks an account holder, by the passkey that the browser has made: the account needs no password."""
    identity = identity_of(request)
    session = _session(identity)
    if session.player.has_account:
        raise HasAccountError
    await services_of(request).get(Passkeys).create_account(request, session.player, answer.model_dump(by_alias=True))
    identity.log_in(await services_of(request).get(Accounts).open_session(session.player.id, session))
    return await me_response(request, 201)


@router.put("/account/password", response_model=schemas.Me, responses=_CHANGES)
@limited(LOGINS)
async def change_password(wanted: schemas.PasswordRequest, request: Request) -> Response:
    """Take another password, or a first one. Every other browser has to log in anew."""
    identity = identity_of(request)
    player = _holder(identity)
    proof = await _prove(request, player, schemas.ProofRequest(password=wanted.old, passkey=wanted.passkey))
    identity.log_in(await services_of(request).get(Accounts).set_password(player, wanted.new, proof))
    return await me_response(request)


@router.post("/account/reset", response_model=schemas.Me, responses=_CHANGES)
@limited(LOGINS)
async def reset_password(wanted: schemas.ResetRequest, request: Request) -> Response:
    """Set a new password instead of a lost one, by the link that `punct admin reset-password` printed, and log in."""
    identity = identity_of(request)
    await _log_in_as(
        request,
        await services_of(request).get(Accounts).reset_password(wanted.secret, wanted.password, identity.session),
    )
    return await me_response(request)


@router.post("/session", response_model=schemas.Me, responses=_CHANGES)
@limited(LOGINS)
async def log_in(wanted: schemas.LoginRequest, request: Request) -> Response:
    """Log in. What the browser's guest had becomes the account's."""
    identity = identity_of(request)
    async with identity.count_password_attempt(wanted.login.strip().lower()):
        entry = await services_of(request).get(Accounts).log_in(wanted.login, wanted.password, identity.session)
    await _log_in_as(request, entry)
    return await me_response(request)


@router.delete("/session", status_code=204, responses=_CHANGES)
@open_to_blocked
async def log_out(request: Request) -> None:
    """Log out. A guest is gone by it: nobody can be that guest again."""
    identity = identity_of(request)
    await identity.sessions.end(_session(identity))
    identity.log_out()


@router.delete("/sessions", status_code=204, responses=_CHANGES)
@open_to_blocked
async def log_out_everywhere(request: Request) -> None:
    """Log out in every browser, this one too. Tokens stay valid."""
    identity = identity_of(request)
    await identity.sessions.end_all(_session(identity).player)
    identity.log_out()


@router.delete("/me", status_code=204, responses=_CHANGES)
@limited(LOGINS)
@open_to_blocked
async def delete_me(request: Request, wanted: schemas.ProofRequest | None = None) -> None:
    """Be forgotten: account, name, ratings, and the games nobody else played in. Running games are given up."""
    identity = identity_of(request)
    player = _session(identity).player
    proof = await _prove(request, player, wanted) if player.has_account else Proof(session=_session(identity).id)
    changed = await services_of(request).get(Accounts).delete(player, proof)
    identity.log_out()
    await _show(request, changed)


@router.post("/me/bot", response_model=schemas.Me, responses=_CHANGES)
@limited(LOGINS)
async def become_bot(request: Request, wanted: schemas.ProofRequest | None = None) -> Response:
    """Mark the account as a bot's, for good: a program plays, and everybody is told so."""
    identity = identity_of(request)
    player = _holder(identity)
    if player.kind != "bot":
        identity.update_player(
            await services_of(request).get(Accounts).mark_as_bot(player, await _prove(request, player, wanted))
        )
    return await me_response(request)


@router.post("/passkeys/options", responses=_CHANGES)
@limited(LOGINS)
async def ask_for_passkey(request: Request, wanted: schemas.ProofRequest | None = None) -> schemas.PasskeyOptions:
    """Return what `navigator.credentials.create` needs to make a passkey for an account, to whoever proves it theirs.

    Without it no passkey is taken in: it is for this browser, and for five minutes.
    """
    identity = identity_of(request)
    player = _holder(identity)
    await _prove(request, player, wanted)
    options, cookie = await services_of(request).get(Passkeys).new_passkey_options(request, player)
    identity.set_cookies.append(cookie)
    return options


@router.post("/passkeys", status_code=201, response_model=schemas.PasskeyView, responses=_CHANGES)
async def add_passkey(answer: schemas.PasskeyAnswer, request: Request) -> Response:
    """Take in a passkey that the browser has made: one may log in with it from then on."""
    identity = identity_of(request)
    _holder(identity)
    found = await services_of(request).get(Passkeys).add(request, _session(identity), answer.model_dump(by_alias=True))
    return json_response(presenter.passkey(found), 201)


@router.get("/passkeys", response_model=schemas.PasskeyList, responses=error_responses(401, 403, 409))
async def list_passkeys(request: Request) -> Response:
    """List one's passkeys, the oldest first."""
    identity = identity_of(request)
    return json_response(presenter.passkeys(await services_of(request).get(Passkeys).list_passkeys(_holder(identity))))


@router.delete("/passkeys/{passkey_id}", status_code=204, responses={**_CHANGES, **error_responses(404)})
@limited(LOGINS)
async def delete_passkey(passkey_id: PasskeyId, request: Request, wanted: schemas.ProofRequest | None = None) -> None:
    """Have a passkey open nothing any more. The only way into an account stays."""
    identity = identity_of(request)
    player = _holder(identity)
    await services_of(request).get(Passkeys).delete(player, passkey_id, await _prove(request, player, wanted))


@router.post("/passkeys/proof/options", responses=_CHANGES)
@open_to_blocked
async def ask_for_own_proof(request: Request) -> schemas.PasskeyOptions:
    """Return what `navigator.credentials.get` needs to prove with a passkey what others prove with their password."""
    identity = identity_of(request)
    options, cookie = await services_of(request).get(Passkeys).reauthentication_options(request, _holder(identity))
    identity.set_cookies.append(cookie)
    return options


@router.post("/session/passkey/options", responses=_CHANGES)
async def ask_for_proof(request: Request) -> schemas.PasskeyOptions:
    """Return what `navigator.credentials.get` needs to prove with a passkey who somebody is."""
    identity = identity_of(request)
    options, cookie = services_of(request).get(Passkeys).login_options(request)
    identity.set_cookies.append(cookie)
    return options


@router.post("/session/passkey", response_model=schemas.Me, responses=_CHANGES)
@limited(LOGINS)
async def log_in_by_passkey(answer: schemas.PasskeyAnswer, request: Request) -> Response:
    """Log in with a passkey. What the browser's guest had becomes the account's."""
    identity = identity_of(request)
    player_id, proof = await services_of(request).get(Passkeys).authenticate(request, answer.model_dump(by_alias=True))
    await _log_in_as(request, await services_of(request).get(Accounts).open_session(player_id, identity.session, proof))
    return await me_response(request)


@router.get("/tokens", response_model=schemas.Tokens, responses=error_responses(401, 403, 409))
async def list_tokens(request: Request) -> Response:
    """List one's tokens, the newest first."""
    identity = identity_of(request)
    return json_response(
        presenter.tokens(await services_of(request).get(Accounts).list_tokens(_session(identity).player))
    )


@router.post("/tokens", status_code=201, response_model=schemas.NewToken, responses=_CHANGES)
@limited(LOGINS)
async def make_token(wanted: schemas.TokenRequest, request: Request, key: IdempotencyHeader = None) -> Response:
    """Make a token, with which a program speaks for an account holder."""
    identity = identity_of(request)
    player = _holder(identity)
    proof = await _prove(request, player, wanted)
    lasting = None if wanted.days is None else timedelta(days=wanted.days)
    wish = wanted.model_dump_json(exclude={"password", "passkey"}).encode()  # of a password nothing is kept
    asked = await idempotency_key_of(request, player.id, key, wish)
    token, secret = (
        await services_of(request).get(Accounts).create_token(player, wanted.name, wanted.scopes, lasting, proof, asked)
    )
    return json_response(presenter.new_token(token, secret), 201)


@router.delete("/tokens/{token_id}", status_code=204, responses=error_responses(401, 403, 404, 409, 422, 429))
async def delete_token(token_id: TokenId, request: Request) -> None:
    """Have a token no longer speak for anybody."""
    identity = identity_of(request)
    await services_of(request).get(Accounts).delete_token(_session(identity).player, token_id)


@router.post("/admin/adopt", response_model=schemas.Adoption, responses=_CHANGES)
@limited(LOGINS)
async def adopt_games(wanted: schemas.AdoptionRequest, request: Request) -> Response:
    """Become the administrator, by the link that `punct serve` printed: every game without an owner becomes theirs."""
    identity = identity_of(request)
    adopted = await services_of(request).get(Accounts).make_admin(_session(identity).player, wanted.secret)
    return json_response(presenter.adoption(adopted))


async def _log_in_as(request: Request, entry: NewSession) -> None:
    """Know a visitor who has proved who they are, and show everybody whose games now are theirs."""
    identity_of(request).log_in(entry)
    await _show(request, entry.changed)


async def _show(request: Request, changed: list[str]) -> None:
    """Show everybody games that have another player now. What was done is done, even if the store is gone since."""
    with contextlib.suppress(StoreError):
        await services_of(request).get(Games).refresh(changed)


def _session(identity: RequestIdentity) -> StoredSession:
    """Return the session in which somebody is known: what is about an account itself, no token may ask for."""
    if identity.session is None:
        raise UnauthenticatedError
    return identity.session


def _holder(identity: RequestIdentity) -> StoredPlayer:
    """Return the account holder who asks, at a browser."""
    player = _session(identity).player
    if not player.has_account:
        raise NoAccountError
    return player


async def _prove(request: Request, player: StoredPlayer, wanted: schemas.ProofRequest | None) -> Proof:
    """Have an account holder prove who they are once more, by their password or by a passkey.

    What they do then takes the proof along: it is done only if that, and the session, is good at that very moment.
    """
    identity = identity_of(request)
    if wanted is not None and wanted.passkey is not None:
        proof = (
            await services_of(request)
            .get(Passkeys)
            .reauthenticate(request, player, wanted.passkey.model_dump(by_alias=True))
        )
    else:
        async with identity.count_password_attempt(player.login or ""):
            proof = await services_of(request).get(Accounts).verify_password(player, (wanted and wanted.password) or "")
    return replace(proof, session=_session(identity).id)
