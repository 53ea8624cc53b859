"""Puts notices about challenges into words, by what the challenge is now: nobody is told what is no longer so."""

from __future__ import annotations

from datetime import datetime

from punct.server.challenges.alerts import SeatAlerts
from punct.server.challenges.errors import UnknownChallengeError
from punct.server.challenges.model import StoredChallenge
from punct.server.challenges.service import Challenges
from punct.server.games.model import SeatedPlayer
from punct.server.notifications.model import Message, NoticeSettings, StoredNotice
from punct.server.notifications.service import Notifications
from punct.server.notifications.texts import text
from punct.server.relations.service import Relations


class ChallengeMessages:
    """The words of notices about challenges."""

    def __init__(self, challenges: Challenges, alerts: SeatAlerts, relations: Relations) -> None:
        """Read challenges; seats that are wanted are told of by ``alerts``. Nobody hears of whom they have blocked."""
        self._challenges, self._alerts, self._relations = challenges, alerts, relations

    def register(self, notifications: Notifications) -> None:
        """Write the notices of these kinds from now on."""
        notifications.add_writer("challenge", self._write)
        notifications.add_writer("declined", self._write)
        notifications.add_writer("wanted", self._write_wanted)

    async def _write(self, notice: StoredNotice, settings: NoticeSettings, now: datetime) -> Message | None:
        """Write that a player was challenged, or that a challenge of theirs was declined or changed."""
        challenge = await self._find(notice.subject, notice.player_id)
        if challenge is None or challenge.game_id is not None or challenge.to is None:
            return None
        is_to_player = challenge.to.id == notice.player_id
        if is_to_player == (challenge.declined is not None):  # answered meanwhile, or not declined
            return None
        language, other = settings.language, challenge.challenger if is_to_player else challenge.to
        if await self._relations.has_blocked(notice.player_id, other.id):
            return None
        body = None if is_to_player else challenge.words
        key = "declined" if not is_to_player else "challenge" if challenge.replaces is None else "changed"
        return Message(
            notice.kind,
            challenge.id,
            text(language, f"{key}.title", opponent=_name(other, language)),
            body or text(language, f"{key}.body"),
            f"/join/{challenge.id}",
            now,
        )

    async def _write_wanted(self, notice: StoredNotice, settings: NoticeSettings, now: datetime) -> Message | None:
        """Write that a seat is offered as a player wants it; or find out who wants it, and have these told."""
        challenge = await self._find(notice.subject, notice.player_id)
        if challenge is None or challenge.game_id is not None or not challenge.listed:
            return None
        if challenge.challenger.id == notice.player_id:
            await self._alerts.spread(challenge)
            return None
        if await self._relations.has_blocked(notice.player_id, challenge.challenger.id):
            return None
        return Message(
            notice.kind,
            challenge.id,
            text(settings.language, "wanted.title"),
            text(settings.language, "wanted.body", opponent=_name(challenge.challenger, settings.language)),
            f"/join/{challenge.id}",
            now,
        )

    async def _find(self, challenge_id: str, player_id: str) -> StoredChallenge | None:
        try:
            return await self._challenges.get(challenge_id, player_id)
        except UnknownChallengeError:
            return None


def _name(player: SeatedPlayer, language: str) -> str:
    handle = None if player.handle is None else f"@{player.handle}"
    return player.name or handle or text(language, "nobody")
