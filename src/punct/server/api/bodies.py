"""How bodies are read: whatever is large beside the event loop, and no more of it than a real one would hold.

FastAPI reads every body on the event loop, and names every fault in it, were there a hundred thousand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

import orjson
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from punct.server.api.limited import LimitedRoute

LARGE: Final = 16 * 1024
"""Bytes that are read on the event loop: as many as most routes take in at all."""
MOST_PARTS: Final = 50_000
"""Values in one body. The largest review there may be has some 30,000; a record is one text."""
MOST_FAULTS: Final = 100
"""So many are named one by one; who sends more gets their number."""
_UNREAD: Final = object()


class BodyRoute(LimitedRoute):
    """A route that may be sent something."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request: its body is read first."""
        handle = super().get_route_handler()
        form = None if self.body_field is None else self.body_field.field_info.annotation
        if form is None:
            return handle
        model: TypeAdapter[Any] = TypeAdapter(form)

        async def read_and_handle(request: Request) -> Response:
            read = _Read(request.scope, request.receive)
            body = await read.body()
            if len(body) > LARGE and "json" in request.headers.get("content-type", "").lower():
                read.found = await asyncio.to_thread(_checked, model, body)
            return await handle(read)

        return read_and_handle


class _Read(Request):
    """A request whose body was read, if it is large."""

    found: Any = _UNREAD

    async def json(self) -> Any:
        """Return what the body says: as plain values, or as the model that FastAPI will ask for."""
        return orjson.loads(await self.body()) if self.found is _UNREAD else self.found


def _checked(model: TypeAdapter[Any], body: bytes) -> Any:
    """Return what a body says, as a model; raises RequestValidationError, as FastAPI does. Takes a while."""
    if parts(body) > MOST_PARTS:
        raise _malformed(("body",), f"There is too much in it: at most {MOST_PARTS:,} values")
    try:
        return model.validate_python(orjson.loads(body), from_attributes=True)  # as FastAPI does
    except orjson.JSONDecodeError as error:
        raise _malformed(("body", error.pos), "JSON decode error") from None
    except ValidationError as error:
        if (count := error.error_count()) > MOST_FAULTS:
            raise _malformed(("body",), f"There are {count:,} faults in it") from None
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        raise RequestValidationError([{**fault, "loc": ("body", *fault["loc"])} for fault in faults]) from None


def _malformed(where: tuple[str | int, ...], message: str) -> RequestValidationError:
    return RequestValidationError([{"type": "malformed", "loc": where, "msg": message}])


def parts(body: bytes) -> int:
    """Return about how many values a JSON text has, without reading it: each is in something, or follows another.

    Half a million of them fit into a megabyte, and no thread does anything else while they are made.
    """
    plain = body
    if b"\\" in body:
        plain = body.replace(b"\\\\", b"").replace(b'\\"', b"")  # what is left of quotes begins and ends texts
    quotes = plain.count(b'"')
    if quotes > 2 * MOST_PARTS:
        return quotes // 2
    outside = b"".join(plain.split(b'"')[::2])
    return len(outside) - len(outside.translate(None, b",[{"))
