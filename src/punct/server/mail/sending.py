"""Sends mails by the workers, and leaves a mail server alone that does not answer."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import Final

from punct.server.mail.model import Letter, MailConfiguration
from punct.server.mail.writing import Envelope, write_mail
from punct.server.workers.mail import MailResult, seal
from punct.server.workers.pool import JobError, JobNotStartedError, WorkerPool, run_with_queue_timeout

_log = logging.getLogger(__name__)
OUTAGE_SECONDS: Final = 60.0
"""A mail server that does not answer is left alone for so long: mails must not keep other messages waiting."""
OUTAGE: Final = timedelta(seconds=OUTAGE_SECONDS)


class MailSender:
    """Sends mails of this server."""

    def __init__(self, configuration: MailConfiguration, pool: WorkerPool) -> None:
        """Send by the workers of a pool."""
        self.configuration, self._pool = configuration, pool
        self._silent_until = 0.0

    async def send(self, envelope: Envelope, letter: Letter) -> MailResult:
        """Send a mail; return what became of it."""
        now = asyncio.get_running_loop().time()
        if now < self._silent_until:
            return MailResult("unreachable", "the mail server did not answer just now")
        content = write_mail(self.configuration, envelope, letter)
        job = seal(self.configuration.smtp_url, self.configuration.sender_address, envelope.recipient, content)
        try:
            result = await run_with_queue_timeout(self._pool, job)
        except JobNotStartedError:
            raise
        except JobError as error:
            result = MailResult("unreachable", str(error))
        if result.outcome == "unreachable":
            self._silent_until = asyncio.get_running_loop().time() + OUTAGE_SECONDS
            _log.error("no mail can be sent: %s", result.reason)
        return result

    def refuse_waiting(self) -> None:
        """Begin to send nothing more."""
        self._pool.refuse_waiting()

    async def close(self) -> None:
        """Stop the workers."""
        await self._pool.close()
