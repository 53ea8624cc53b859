"""Accounts: making one, logging in and out, tokens for programs, an end."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from punct.server.api import present, schemas
from punct.server.api.answers import json_answer
from punct.server.api.asking import IdempotencyKey, request_key
from punct.server.api.bodies import BodyRoute
from punct.server.api.limited import limited
from punct.server.api.limits import ACCOUNTS, LOGINS, LOGINS_WANTED
from punct.server.api.routes.games import may
from punct.server.api.routes.people import about_me
from punct.server.api.services import services_of
from punct.server.api.whoami import Visit, visit_of
from punct.server.people.names import clean_name
from punct.server.people.players import Entry, Player, Session
from punct.server.people.refusals import HasAccountError, NoAccountError, StrangerError
from punct.server.store import Proof, StoreError

router = APIRouter(prefix="/api/v1", tags=["account"], route_class=BodyRoute)

PasskeyId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,512}$")]
TokenId = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]
_CHANGES = may(401, 403, 409, 413, 415, 422, 429)


@router.post("/account", status_code=201, response_model=schemas.Me, responses=_CHANGES)
@limited(ACCOUNTS)
async def make_account(wanted: schemas.AccountRequest, request: Request) -> Response:
    """Make whoever asks an account holder: they keep their games, and can log in elsewhere."""
    visit = visit_of(request)
    name = None if wanted.name is None else clean_name(wanted.name)  # before anything is made
    await visit.enter()
    visit.admit(await visit.people.players.make_account(_session(visit), wanted.login, wanted.password))
    if name is not None:
        visit.see(await visit.people.players.rename(visit.somebody(), name))
    return await about_me(request, 201)


@router.post("/account/passkey/options", responses=_CHANGES)
@limited(LOGINS_WANTED)
async def ask_for_account_passkey(wanted: schemas.PasskeyAccountRequest, request: Request) -> schemas.PasskeyOptions:
    """Return what `navigator.credentials.create` needs to make a passkey that will open a new account."""
    visit = visit_of(request)
    guest = await visit.enter()
    login = await visit.people.players.free_login(guest, wanted.login)
    options, cookie = await visit.people.passkeys.options_to_make(request, guest, login)
    visit.set_cookies.append(cookie)
    return options


@router.post("/account/passkey", status_code=201, response_model=schemas.Me, responses=_CHANGES)
@limited(ACCOUNTS)
async def make_account_by_passkey(answer: schemas.PasskeyAnswer, request: Request) -> Response:
    """Make whoever asks an account holder, by the passkey that the browser has made: the account needs no password."""
    visit = visit_of(request)
    session = _session(visit)
    if session.player.has_account:
        raise HasAccountError
    await visit.people.passkeys.make_account(request, session.player, answer.model_dump(by_alias=True))
    visit.admit(await visit.people.players.enter(session.player.id, session))
    return await about_me(request, 201)


@router.put("/account/password", response_model=schemas.Me, responses=_CHANGES)
@limited(LOGINS)
async def change_password(wanted: schemas.PasswordRequest, request: Request) -> Response:
    """Take another password, or a first one. Every other browser has to log in anew."""
    visit = visit_of(request)
    player = _holder(visit)
    proof = await _prove(request, player, schemas.ProofRequest(password=wanted.old, passkey=wanted.passkey))
    visit.admit(await visit.people.players.set_password(player, wanted.new, proof))
    return await about_me(request)


@router.post("/account/reset", response_model=schemas.Me, responses=_CHANGES)
@limited(LOGINS)
async def reset_password(wanted: schemas.ResetRequest, request: Request) -> Response:
    """Set a new password instead of a lost one, by the link that `punct admin reset-password` printed, and log in."""
    visit = visit_of(request)
    await admit(request, await visit.people.players.reset_password(wanted.secret, wanted.password, visit.session))
    return await about_me(request)


@router.post("/session", response_model=schemas.Me, responses=_CHANGES)
@limited(LOGINS)
async def log_in(wanted: schemas.LoginRequest, request: Request) -> Response:
    """Log in. What the browser's guest had becomes the account's."""
    visit = visit_of(request)
    async with visit.trying(wanted.login.strip().lower()):
        entry = await visit.people.players.log_in(wanted.login, wanted.password, visit.session)
    await admit(request, entry)
    return await about_me(request)


@router.delete("/session", status_code=204, responses=_CHANGES)
async def log_out(request: Request) -> None:
    """Log out. A guest is gone by it: nobody can be that guest again."""
    visit = visit_of(request)
    await visit.people.players.log_out(_session(visit))
    visit.leave()


@router.delete("/sessions", status_code=204, responses=_CHANGES)
async def log_out_everywhere(request: Request) -> None:
    """Log out in every browser, this one too. Tokens stay valid."""
    visit = visit_of(request)
    await visit.people.players.log_out_everywhere(_session(visit).player)
    visit.leave()


@router.delete("/me", status_code=204, responses=_CHANGES)
@limited(LOGINS)
async def delete_me(request: Request, wanted: schemas.ProofRequest | None = None) -> None:
    """Be forgotten: account, name, ratings, and the games nobody else played in. Running games are given up."""
    visit = visit_of(request)
    player = _session(visit).player
    proof = await _prove(request, player, wanted) if player.has_account else Proof(session=_session(visit).id)
    changed = await visit.people.players.delete(player, proof)
    visit.leave()
    await _show(request, changed)


@router.post("/me/bot", response_model=schemas.Me, responses=_CHANGES)
@limited(LOGINS)
async def become_bot(request: Request, wanted: schemas.ProofRequest | None = None) -> Response:
    """Mark the account as a bot's, for good: a program plays, and everybody is told so."""
    visit = visit_of(request)
    player = _holder(visit)
    if player.kind != "bot":
        visit.see(await visit.people.players.make_bot(player, await _prove(request, player, wanted)))
    return await about_me(request)


@router.post("/passkeys/options", responses=_CHANGES)
@limited(LOGINS)
async def ask_for_passkey(request: Request, wanted: schemas.ProofRequest | None = None) -> schemas.PasskeyOptions:
    """Return what `navigator.credentials.create` needs to make a passkey for an account, to whoever proves it theirs.

    Without it no passkey is taken in: it is for this browser, and for five minutes.
    """
    visit = visit_of(request)
    player = _holder(visit)
    await _prove(request, player, wanted)
    options, cookie = await visit.people.passkeys.options_to_add(request, player)
    visit.set_cookies.append(cookie)
    return options


@router.post("/passkeys", status_code=201, response_model=schemas.PasskeyView, responses=_CHANGES)
async def add_passkey(answer: schemas.PasskeyAnswer, request: Request) -> Response:
    """Take in a passkey that the browser has made: one may log in with it from then on."""
    visit = visit_of(request)
    _holder(visit)
    found = await visit.people.passkeys.add(request, _session(visit), answer.model_dump(by_alias=True))
    return json_answer(present.passkey(found), 201)


@router.get("/passkeys", response_model=schemas.PasskeyList, responses=may(401, 403, 409))
async def list_passkeys(request: Request) -> Response:
    """List one's passkeys, the oldest first."""
    visit = visit_of(request)
    return json_answer(present.passkeys(await visit.people.passkeys.of(_holder(visit))))


@router.delete("/passkeys/{passkey_id}", status_code=204, responses={**_CHANGES, **may(404)})
@limited(LOGINS)
async def delete_passkey(passkey_id: PasskeyId, request: Request, wanted: schemas.ProofRequest | None = None) -> None:
    """Have a passkey open nothing any more. The only way into an account stays."""
    visit = visit_of(request)
    player = _holder(visit)
    await visit.people.passkeys.delete(player, passkey_id, await _prove(request, player, wanted))


@router.post("/passkeys/proof/options", responses=_CHANGES)
async def ask_for_own_proof(request: Request) -> schemas.PasskeyOptions:
    """Return what `navigator.credentials.get` needs to prove with a passkey what others prove with their password."""
    visit = visit_of(request)
    options, cookie = await visit.people.passkeys.options_to_prove(request, _holder(visit))
    visit.set_cookies.append(cookie)
    return options


@router.post("/session/passkey/options", responses=_CHANGES)
async def ask_for_proof(request: Request) -> schemas.PasskeyOptions:
    """Return what `navigator.credentials.get` needs to prove with a passkey who somebody is."""
    visit = visit_of(request)
    options, cookie = visit.people.passkeys.options_to_enter(request)
    visit.set_cookies.append(cookie)
    return options


@router.post("/session/passkey", response_model=schemas.Me, responses=_CHANGES)
@limited(LOGINS)
async def log_in_by_passkey(answer: schemas.PasskeyAnswer, request: Request) -> Response:
    """Log in with a passkey. What the browser's guest had becomes the account's."""
    visit = visit_of(request)
    player_id, proof = await visit.people.passkeys.enter(request, answer.model_dump(by_alias=True))
    await admit(request, await visit.people.players.enter(player_id, visit.session, proof))
    return await about_me(request)


@router.get("/tokens", response_model=schemas.Tokens, responses=may(401, 403, 409))
async def list_tokens(request: Request) -> Response:
    """List one's tokens, the newest first."""
    visit = visit_of(request)
    return json_answer(present.tokens(await visit.people.players.tokens(_session(visit).player)))


@router.post("/tokens", status_code=201, response_model=schemas.NewToken, responses=_CHANGES)
@limited(LOGINS)
async def make_token(wanted: schemas.TokenRequest, request: Request, key: IdempotencyKey = None) -> Response:
    """Make a token, with which a program speaks for an account holder."""
    visit = visit_of(request)
    player = _holder(visit)
    proof = await _prove(request, player, wanted)
    lasting = None if wanted.days is None else timedelta(days=wanted.days)
    wish = wanted.model_dump_json(exclude={"password", "passkey"}).encode()  # of a password nothing is kept
    asked = await request_key(request, player.id, key, wish)
    token, secret = await visit.people.players.make_token(player, wanted.name, wanted.scopes, lasting, proof, asked)
    return json_answer(present.new_token(token, secret), 201)


@router.delete("/tokens/{token_id}", status_code=204, responses=may(401, 403, 404, 409, 422, 429))
async def delete_token(token_id: TokenId, request: Request) -> None:
    """Have a token no longer speak for anybody."""
    visit = visit_of(request)
    await visit.people.players.delete_token(_session(visit).player, token_id)


@router.post("/admin/adopt", response_model=schemas.Adoption, responses=_CHANGES)
@limited(LOGINS)
async def adopt_games(wanted: schemas.AdoptionRequest, request: Request) -> Response:
    """Become the administrator, by the link that `punct serve` printed: every game without an owner becomes theirs."""
    visit = visit_of(request)
    adopted = await visit.people.players.adopt(_session(visit).player, wanted.secret)
    return json_answer(present.adoption(adopted))


async def admit(request: Request, entry: Entry) -> None:
    """Know a visitor who has proved who they are, and show everybody whose games now are theirs."""
    visit_of(request).admit(entry)
    await _show(request, entry.changed)


async def _show(request: Request, changed: list[str]) -> None:
    """Show everybody games that have another player now. What was done is done, even if the store is gone since."""
    with contextlib.suppress(StoreError):
        await services_of(request).games.refresh(changed)


def _session(visit: Visit) -> Session:
    """Return the session in which somebody is known: what is about an account itself, no token may ask for."""
    if visit.session is None:
        raise StrangerError
    return visit.session


def _holder(visit: Visit) -> Player:
    """Return the account holder who asks, at a browser."""
    player = _session(visit).player
    if not player.has_account:
        raise NoAccountError
    return player


async def _prove(request: Request, player: Player, wanted: schemas.ProofRequest | None) -> Proof:
    """Have an account holder prove who they are once more, by their password or by a passkey.

    What they do then takes the proof along: it is done only if that, and the session, is good at that very moment.
    """
    visit = visit_of(request)
    people = visit.people
    if wanted is not None and wanted.passkey is not None:
        proof = await people.passkeys.prove(request, player, wanted.passkey.model_dump(by_alias=True))
    else:
        async with visit.trying(player.login or ""):
            proof = await people.players.prove(player, (wanted and wanted.password) or "")
    return replace(proof, session=_session(visit).id)
