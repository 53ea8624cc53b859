"""The services of a running server, found by their class.

A server at home has fewer of them than one that is online. A route gets what it needs; a service that was not added
raises an error with a message for people, so no route has to check for None.
"""

from __future__ import annotations

import asyncio
import logging
from types import TracebackType
from typing import Final, Protocol, TypeVar, runtime_checkable

from starlette.requests import HTTPConnection

from punct.server.clock import Now, utc_now
from punct.server.errors import NotOfferedError

Service = TypeVar("Service")
_log = logging.getLogger(__name__)


@runtime_checkable
class Startable(Protocol):
    """A service with something to do before requests are served."""

    async def start(self) -> None:
        """Get ready."""


@runtime_checkable
class Runnable(Protocol):
    """A service with a background task."""

    async def run(self) -> None:
        """Work until cancelled."""


@runtime_checkable
class Finishing(Protocol):
    """A service that has begun something which is not to be cut off when the server stops."""

    async def finish(self) -> None:
        """Begin nothing more, and wait a bounded time for what has begun. All other services still work."""


@runtime_checkable
class Closable(Protocol):
    """A service with something to finish when the server stops, or when another service cannot be started."""

    async def close(self) -> None:
        """Finish what has begun, and release what is held."""


class Services:
    """Starts services in the order in which they were added, and closes them in reverse.

    A service may have ``start``, ``run``, ``finish`` and ``close``, all of them coroutines. ``run`` becomes a
    background task, and is cancelled before anything is closed; ``finish`` is called before that, while every service
    still runs. ``close`` is called even if ``start`` was not: a constructor may have opened something.
    """

    def __init__(self, *, online: bool, now: Now = utc_now) -> None:
        """Begin without services; ``online`` tells whether people play across a network, ``now`` tells the time."""
        self.online: Final = online
        self.now: Final = now
        self._services: dict[type, object] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def add(self, service: Service, kind: type | None = None) -> Service:
        """Add a service, under its own class or a base class; return it."""
        self._services[kind or type(service)] = service
        return service

    def get(self, kind: type[Service]) -> Service:
        """Return the service of a class; raises NotOfferedError if this server has none."""
        service = self._services.get(kind)
        if service is None:
            raise NotOfferedError(_MISSING)
        assert isinstance(service, kind)
        return service

    def _all(self) -> list[object]:
        """Return every service once, in the order in which they were added: one may be there under two classes."""
        return list({id(service): service for service in self._services.values()}.values())

    async def __aenter__(self) -> Services:
        """Start all services, then their background tasks. If one cannot be started, all are closed."""
        try:
            for service in self._all():
                if isinstance(service, Startable):
                    await service.start()
        except BaseException:
            await self._close()
            raise
        self._tasks = [
            asyncio.create_task(service.run(), name=type(service).__name__)
            for service in self._all()
            if isinstance(service, Runnable)
        ]
        for task in self._tasks:
            task.add_done_callback(_log_failure)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Finish what has begun, cancel the background tasks, then close everything."""
        for service in reversed(self._all()):
            if isinstance(service, Finishing):
                try:
                    await service.finish()
                except Exception:
                    _log.exception("%s could not be finished", type(service).__name__)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if errors := await self._close():
            raise errors[0]

    async def _close(self) -> list[Exception]:
        """Close all services; return what went wrong, which is logged."""
        errors = []
        for service in reversed(self._all()):
            if isinstance(service, Closable):
                try:
                    await service.close()
                except Exception as error:  # the others are closed all the same
                    _log.exception("%s could not be closed", type(service).__name__)
                    errors.append(error)
        return errors


def _log_failure(task: asyncio.Task[None]) -> None:
    """Log that a background task has failed: nothing awaits it before the server stops."""
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("%s does nothing any more: its background task failed", task.get_name(), exc_info=error)


_MISSING: Final = (
    "This server is at home: everybody sits at one screen, everything is yours, and there are no accounts."
)


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the server that a request was sent to."""
    services = connection.app.state.services
    assert isinstance(services, Services)
    return services
