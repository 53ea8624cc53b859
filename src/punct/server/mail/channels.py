"""The channels of mail: notices and digests, which can be switched off, and letters about the account."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from punct.server.auth.actor import Actor
from punct.server.auth.sessions import hash_secret, new_secret
from punct.server.clock import Now
from punct.server.db.database import Connection
from punct.server.db.errors import StoreError
from punct.server.db.outbox import NoticeKind
from punct.server.games.model import StoredGame
from punct.server.games.notices import is_correspondence, player_of
from punct.server.games.service import Games
from punct.server.http.errors import TooManyError
from punct.server.http.rate_limits import MAILS_AT_ONCE, MAILS_TO_ADDRESS, Limits
from punct.server.mail.digest_store import DIGEST, DigestStore, collect, next_evening
from punct.server.mail.model import AT_ONCE, Letter, Link, News, Row, Subscription
from punct.server.mail.sending import OUTAGE, MailSender
from punct.server.mail.store import LETTER, MAIL, MailStore, verified_address
from punct.server.mail.texts import duration, known_language, text
from punct.server.mail.tokens import TokenSigner
from punct.server.mail.writing import Envelope, plain
from punct.server.notifications.model import (
    Channel,
    Delivered,
    Delivery,
    Failed,
    Message,
    NoticeSettings,
    SendResult,
    TargetGone,
)
from punct.server.notifications.store import NotificationStore
from punct.server.workers.mail import MailResult

LINK_DURATION: Final = timedelta(days=2)
"""How long a link verifies an address."""
MAX_GAMES: Final = 100
"""Looked at for a digest; those that wait for the player come first."""
_VERIFY_PAGE, _UNSUBSCRIBE_PAGE, _SETTINGS_PAGE = "/verify-mail", "/unsubscribe", "/settings"
CreateResetLink = Callable[[str, datetime], str | None]
"""Returns the path of a link that resets an account's password, by the player's id; None without an account. Blocks."""


class _MailingChannel(Channel):
    """What both channels have in common."""

    def __init__(self, store: MailStore, notifications: NotificationStore, sender: MailSender, limits: Limits) -> None:
        self._store, self._notifications, self._sender, self._limits = store, notifications, sender, limits
        self._url = sender.configuration.public_url
        self._host = urlsplit(self._url).netloc

    def targets(self, connection: Connection, player_id: str, kind: NoticeKind) -> list[str]:
        """Return nothing: letters are no notices."""
        return []

    async def forget(self, target: str) -> None:
        """Send no more mails to a player whose mailbox is gone."""
        await asyncio.wrap_future(self._store.unverify(target))

    def refuse_waiting(self) -> None:
        """Begin to send nothing more."""
        self._sender.refuse_waiting()

    async def _settings(self, player_id: str) -> NoticeSettings:
        found = await asyncio.to_thread(self._notifications.settings, player_id)
        return found or NoticeSettings({})

    async def _result(self, result: MailResult, player_id: str, address: str) -> SendResult:
        """Return what a mail server's answer means, and note what it says of a verified address."""
        match result.outcome:
            case "sent":
                with contextlib.suppress(StoreError):  # it has arrived; that is noted the next time
                    await asyncio.wrap_future(self._store.note_arrival(player_id))
                return Delivered()
            case "no_mailbox":
                if await asyncio.wrap_future(self._store.note_refusal(player_id, address)):
                    return TargetGone()
                return Failed(result.reason, is_final=True)
            case "refused":
                return Failed(result.reason, is_final=True)
            case "unreachable":
                return Failed(result.reason, retry_after=OUTAGE)
            case "later":
                return Failed(result.reason)


class MailChannel(_MailingChannel):
    """Mails notices: at once what cannot wait, the rest once a day."""

    name = MAIL

    def __init__(
        self,
        store: MailStore,
        notifications: NotificationStore,
        sender: MailSender,
        limits: Limits,
        digests: DigestStore,
        games: Games,
        signer: TokenSigner,
        now: Now,
    ) -> None:
        """Read games to tell what waits for a player."""
        super().__init__(store, notifications, sender, limits)
        self._digests, self._games, self._signer, self._now = digests, games, signer, now

    def targets(self, connection: Connection, player_id: str, kind: NoticeKind) -> list[str]:
        """Return the player if a kind is mailed at once to their address."""
        return [player_id] if kind in AT_ONCE and verified_address(connection, player_id) is not None else []

    def collect(self, connection: Connection, player_id: str, message: Message, settings: NoticeSettings) -> None:
        """Keep a message for the digest, unless it is mailed at once."""
        if message.kind in AT_ONCE or verified_address(connection, player_id) is None:
            return
        # Games that wait are looked up when the digest is sent.
        news = None if message.kind == "turn" else News(message.title, message.body, message.path)
        collect(connection, player_id, next_evening(player_id, settings.zone, self._now()), news)

    async def send(self, delivery: Delivery) -> SendResult:
        """Send a notice or a digest."""
        address = await asyncio.to_thread(self._store.get, delivery.player_id)
        if address is None or address.verified is None:
            return Delivered()  # removed meanwhile: nobody wants it
        settings = await self._settings(delivery.player_id)
        language = known_language(settings.language)
        is_digest = delivery.subject == DIGEST
        letter = await (self._digest if is_digest else self._notice)(delivery, settings, language)
        if letter is None:
            return Delivered()
        subscription: Subscription = "digest" if is_digest else delivery.kind
        token = self._signer.sign(delivery.player_id, subscription, address.address)
        unsubscribe_url = f"{self._url}{_UNSUBSCRIBE_PAGE}/{token}"
        envelope = Envelope(
            recipient=address.address,
            language=language,
            message_id=delivery.id,
            date=self._now(),
            topic=subscription,
            unsubscribe_url=unsubscribe_url,
            thread=None if is_digest else f"about-{delivery.subject}",
        )
        links = (
            Link(text(language, "footer.settings"), f"{self._url}{_SETTINGS_PAGE}"),
            Link(text(language, "footer.unsubscribe"), unsubscribe_url),
        )
        why = text(language, "footer.why", host=self._host)
        letter = Letter(letter.subject, letter.paragraphs, letter.rows, letter.button, (why,), links)
        return await self._result(await self._sender.send(envelope, letter), delivery.player_id, address.address)

    async def _notice(self, delivery: Delivery, settings: NoticeSettings, language: str) -> Letter | None:
        """Return what a notice says; None if it is out of date, or if there were too many today."""
        payload = delivery.payload
        if not await self._is_up_to_date(delivery):
            return None
        if delivery.kind != "time" and delivery.attempts == 0:
            try:
                await self._limits.hit(MAILS_AT_ONCE, player=delivery.player_id)
            except TooManyError:
                return None
        button = Link(text(language, "notice.button"), self._url + payload["path"])
        return Letter(plain(payload["title"]), (plain(payload["body"]),), button=button)

    async def _is_up_to_date(self, delivery: Delivery) -> bool:
        """Tell whether a notice of a game is still so: it may have waited for the mail server."""
        if delivery.kind == "time":
            waiting = await self._waiting_games(delivery.player_id)
            return any(game.id == delivery.subject for game in waiting)
        if delivery.kind == "seat":  # a live game is over before somebody has read the mail
            running, _ = await self._games.list_for(0, MAX_GAMES, Actor(delivery.player_id), running=True)
            return any(game.id == delivery.subject and is_correspondence(game) for game in running)
        return True

    async def _digest(self, delivery: Delivery, settings: NoticeSettings, language: str) -> Letter | None:
        """Return what a digest says; None if there is nothing to say."""
        waiting = await self._waiting_games(delivery.player_id) if settings.wants("turn", MAIL) else []
        news = [News(**item) for item in delivery.payload["news"]]
        begun = self._digests.begin(
            delivery.player_id,
            delivery.created,
            [game.updated for game in waiting],
            bool(news),
            self._now(),
            settings.zone,
        )
        if not await asyncio.wrap_future(begun):
            return None
        opponents = [self._opponent(game, delivery.player_id, language) for game in waiting]
        if len(waiting) == 1:
            subject = text(language, "digest.subject_one", opponent=opponents[0])
        else:
            subject = text(language, "digest.subject" if waiting else "digest.subject_news", n=len(waiting))
        rows = [
            Row(
                text(language, "digest.against", opponent=opponent),
                self._time_left(game, language),
                f"{self._url}/game/{game.id}",
            )
            for game, opponent in zip(waiting, opponents, strict=True)
        ]
        rows += [Row(plain(item.title), plain(item.body), self._url + item.path) for item in news]
        lead = (text(language, "digest.lead"),) if waiting else ()
        return Letter(subject, lead, tuple(rows), Link(text(language, "digest.button"), f"{self._url}/"))

    async def _waiting_games(self, player_id: str) -> list[StoredGame]:
        """Return the games that wait for a player's move, the most urgent first."""
        running, _ = await self._games.list_for(0, MAX_GAMES, Actor(player_id), running=True)
        waiting = [
            game
            for game in running
            if game.outcome is None
            and is_correspondence(game)
            and (game.clock is None or not game.clock.pauses)
            and player_of(game, game.turn) == player_id
            and player_of(game, game.turn.other) not in (None, player_id)
        ]
        return sorted(waiting, key=lambda game: (_deadline(game) is None, _deadline(game) or game.updated))

    def _opponent(self, game: StoredGame, player_id: str, language: str) -> str:
        colour = game.turn.other if player_of(game, game.turn) == player_id else game.turn
        return plain(game.seats[colour].display_name or text(language, "nobody"))

    def _time_left(self, game: StoredGame, language: str) -> str:
        deadline = _deadline(game)
        if deadline is None:
            return text(language, "digest.no_clock")
        return text(language, "digest.left", time=duration(language, deadline - self._now()))


class LetterChannel(_MailingChannel):
    """Mails letters about the account. The secret of a link is made when its letter is sent, and stored as a hash."""

    name = LETTER
    has_notices = False

    def __init__(
        self,
        store: MailStore,
        notifications: NotificationStore,
        sender: MailSender,
        limits: Limits,
        create_reset_link: CreateResetLink,
        now: Now,
    ) -> None:
        """Use accounts' own links for lost passwords."""
        super().__init__(store, notifications, sender, limits)
        self._create_reset_link, self._now = create_reset_link, now

    async def send(self, delivery: Delivery) -> SendResult:
        """Send a letter."""
        player_id, kind = delivery.player_id, delivery.subject
        stored = await asyncio.to_thread(self._store.get, player_id)
        address: str | None = delivery.payload.get("address")  # of the mailbox that is told of a change
        if address is None:
            if stored is None or (stored.verified is None) != (kind == "verify"):
                return Delivered()  # the address was removed or verified meanwhile
            address = stored.address
            if delivery.attempts == 0:
                try:
                    await self._limits.hit(MAILS_TO_ADDRESS, player=hash_secret(address))
                except TooManyError:
                    return Failed("too many links to one address today", is_final=True)
        path = await self._link(kind, player_id, address)
        if kind == "reset" and await asyncio.to_thread(self._store.get, player_id) != stored:
            return Delivered()  # the player has another address by now: nobody gets this link
        if path is None and kind in ("verify", "reset"):
            return Delivered()
        language = known_language((await self._settings(player_id)).language)
        login = plain(await asyncio.to_thread(self._store.get_login, player_id))
        about = "changed" if kind == "removed" else kind
        letter = Letter(
            text(language, f"{kind}.subject"),
            (text(language, f"{kind}.text", host=self._host, login=login),),
            button=None if path is None else Link(text(language, f"{kind}.button"), self._url + path),
            notes=(text(language, f"{about}.note"),),
        )
        # Each attempt has a link of its own, and the last one works: it is another mail.
        message_id = f"{delivery.id}.{delivery.attempts}"
        envelope = Envelope(address, language, message_id, self._now(), "account")
        result = await self._sender.send(envelope, letter)
        if kind != "reset" and result.outcome == "no_mailbox":
            return Failed(result.reason, is_final=True)
        return await self._result(result, player_id, address)

    async def _link(self, kind: str, player_id: str, address: str) -> str | None:
        """Return the path of a new link; None if it is of no use any more, and for letters without one."""
        if kind == "reset":
            return await asyncio.to_thread(self._create_reset_link, player_id, self._now())
        if kind == "verify":
            secret = new_secret()
            expires = self._now() + LINK_DURATION
            if await asyncio.wrap_future(self._store.store_secret(player_id, address, hash_secret(secret), expires)):
                return f"{_VERIFY_PAGE}#{player_id}/{secret}"
        return None


def _deadline(game: StoredGame) -> datetime | None:
    return None if game.clock is None else game.clock.deadline
