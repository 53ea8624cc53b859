"""One live connection: sends messages, replies to pings, ends with its session."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from punct.server.http.errors import describe_error
from punct.server.http.security import CLOSE_INTERNAL_ERROR
from punct.server.live import messages, schemas
from punct.server.live.subscriber import Subscriber

MAX_INVALID_MESSAGES: Final = 20
"""Answered with an error before the connection is closed."""
CLOSE_NOT_FOUND, CLOSE_INVALID_MESSAGES, CLOSE_SESSION_ENDED = 4404, 4400, 4401
"""The codes with which the server closes a connection."""
_DISCONNECTED: Final = (WebSocketDisconnect, TimeoutError, RuntimeError, OSError)
"""Raised when the client has gone, which may happen in the middle of a message."""
_CLIENT_MESSAGE: Final[TypeAdapter[schemas.LivePing | schemas.LiveAnswer]] = TypeAdapter(schemas.LiveSaid)
_INVALID_MESSAGE: Final = 'Only {"type": "ping"} and the answers to probes are understood here.'

ProbeCallback = Callable[[int], None]
"""Called with the number of a probe when the client replies to it."""


async def serve_connection(
    socket: WebSocket, subscriber: Subscriber, on_reply: ProbeCallback | None = None, ended: asyncio.Event | None = None
) -> None:
    """Send the subscriber's messages and handle the client's, until it disconnects or its session has ended."""
    # Plain tasks: a TaskGroup keeps the exception that cancelled them in a reference cycle with everything they used,
    # which only the garbage collector would free.
    coroutines = [_send(socket, subscriber), _receive(socket, subscriber, on_reply)]
    if ended is not None:
        coroutines.append(_wait(ended))
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    errors = [error for task in tasks if not task.cancelled() and (error := task.exception()) is not None]
    for error in errors:
        if not isinstance(error, _DISCONNECTED):
            raise error
    if not errors:
        with contextlib.suppress(*_DISCONNECTED):
            if ended is not None and ended.is_set():
                await socket.close(CLOSE_SESSION_ENDED, "the session has ended")
            else:
                await socket.close(CLOSE_INVALID_MESSAGES, "too much that could not be understood")


async def _wait(ended: asyncio.Event) -> None:
    await ended.wait()


async def _send(socket: WebSocket, subscriber: Subscriber) -> None:
    while True:
        # The transport disconnects a client that reads nothing.
        await socket.send_text(await subscriber.take())


async def _receive(socket: WebSocket, subscriber: Subscriber, on_reply: ProbeCallback | None) -> None:
    """Reply to pings; return after too many invalid messages."""
    invalid_messages = 0
    while invalid_messages < MAX_INVALID_MESSAGES:
        event = await socket.receive()
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect
        try:
            message = _CLIENT_MESSAGE.validate_json(event.get("text") or event.get("bytes") or b"")
        except ValidationError:
            invalid_messages += 1
            subscriber.put("error", messages.error_message("malformed", _INVALID_MESSAGE))
        else:
            if isinstance(message, schemas.LivePing):
                subscriber.put("pong", messages.PONG_MESSAGE)
            elif on_reply is not None:
                on_reply(message.n)


async def refuse_connection(socket: WebSocket, error: Exception) -> None:
    """Send an error over a live connection that cannot be served, and close it."""
    status, body = describe_error(error)
    await socket.send_text(messages.error_message(body.code, body.message))
    await socket.close(CLOSE_NOT_FOUND if status == 404 else CLOSE_INTERNAL_ERROR, body.code)
