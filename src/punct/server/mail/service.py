"""Players' mail addresses, lost passwords, and unsubscribing."""

from __future__ import annotations

import asyncio
from typing import Final, get_args

from punct.server.auth.errors import BadLinkError, NoAccountError
from punct.server.auth.model import StoredPlayer
from punct.server.auth.proofs import Proof
from punct.server.auth.sessions import hash_secret
from punct.server.auth.verification import wait_for_proved_change
from punct.server.clock import Now, utc_now
from punct.server.db.outbox import NoticeKind
from punct.server.mail.addresses import clean_address
from punct.server.mail.errors import NoAddressError
from punct.server.mail.model import AT_ONCE, StoredAddress, Subscription
from punct.server.mail.store import MailStore
from punct.server.mail.tokens import TokenSigner, UnsubscribeToken, read_token
from punct.server.tasks import BackgroundTasks

_KINDS: Final[frozenset[NoticeKind]] = frozenset(get_args(NoticeKind))


class Mail:
    """What players do about mail; a server has it only if its operator has named a mail server."""

    def __init__(self, store: MailStore, signer: TokenSigner, now: Now = utc_now) -> None:
        """Use a store; ``MailChannel`` and ``LetterChannel`` send what it stores."""
        self._store, self._signer, self._now = store, signer, now
        self._recoveries = BackgroundTasks("recovering a lost password")

    async def close(self) -> None:
        """Finish what was asked for."""
        await self._recoveries.finish()

    async def get_address(self, player: StoredPlayer) -> StoredAddress | None:
        """Return a player's address; None without one."""
        return await asyncio.to_thread(self._store.get, player.id)

    async def set_address(self, player: StoredPlayer, address: str | None, proof: Proof) -> StoredAddress | None:
        """Store another address, or none, and mail a link that verifies it; raises InvalidAddressError."""
        if not player.has_account:
            raise NoAccountError
        cleaned = None if address is None else clean_address(address)
        await wait_for_proved_change(self._store.set_address(player.id, cleaned, proof, self._now()))
        return await self.get_address(player)

    async def verify_again(self, player: StoredPlayer) -> None:
        """Mail another link that verifies the address; raises NoAddressError."""
        if not await asyncio.wrap_future(self._store.verify_again(player.id, self._now())):
            raise NoAddressError

    async def verify(self, link: str) -> None:
        """Verify an address by a link that works once; raises BadLinkError."""
        player_id, _, secret = link.partition("/")
        if not await asyncio.wrap_future(self._store.verify(player_id, hash_secret(secret), self._now())):
            raise BadLinkError

    def recover(self, login_or_address: str) -> None:
        """Mail a link that resets a lost password, if an account with a verified address is known by this.

        It returns at once, whether there is one or not: neither answer nor time tell.
        """

        async def work() -> None:
            await asyncio.wrap_future(self._store.ask_for_reset(login_or_address, self._now()))

        self._recoveries.start(work())

    async def read_subscription(self, token: str) -> Subscription:
        """Return what a link unsubscribes from; raises BadLinkError."""
        return _subscription_of(await self._check(token))

    async def unsubscribe(self, token: str, *, everything: bool = False) -> None:
        """Send no more mails of the kind that a link is for, or none at all; raises BadLinkError."""
        checked = await self._check(token)
        subscription = _subscription_of(checked)
        kinds = _KINDS - AT_ONCE if subscription == "digest" else frozenset({subscription})
        if not await asyncio.wrap_future(self._store.mute(checked.player_id, _KINDS if everything else kinds)):
            raise BadLinkError

    async def _check(self, token: str) -> UnsubscribeToken:
        """Return what a token says, if this server has made it for the player's present address."""
        content = read_token(token)
        if content is None:
            raise BadLinkError
        address = await asyncio.to_thread(self._store.get, content.player_id)
        if not self._signer.is_signed(content, "" if address is None else address.address) or address is None:
            raise BadLinkError
        return content


def _subscription_of(token: UnsubscribeToken) -> Subscription:
    for known in (*_KINDS, "digest"):
        if token.subscription == known:
            subscription: Subscription = known  # type: ignore[assignment]
            return subscription
    raise BadLinkError  # of a version that had other kinds
