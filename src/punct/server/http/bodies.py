"""Request bodies: large ones are parsed in a thread, and only as far as a real one could need.

FastAPI parses every body on the event loop, and lists every fault in it, even a hundred thousand.
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

MAX_EVENT_LOOP_BYTES: Final = 16 * 1024
"""Size of bodies that are parsed on the event loop: most routes accept no larger ones at all."""
MAX_VALUES: Final = 50_000
"""In one body. The largest possible review has some 30,000; a record is one string."""
MAX_FAULTS: Final = 100
"""Listed one by one; of more, only the number is sent."""
_UNPARSED: Final = object()

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def parse_large_bodies(handle: Handler, model: Any) -> Handler:
    """Return a handler that parses and validates large JSON bodies in a thread, before FastAPI's own sees them."""
    adapter: TypeAdapter[Any] = TypeAdapter(model)

    async def parse_and_handle(request: Request) -> Response:
        parsed = _ParsedRequest(request.scope, request.receive)
        body = await parsed.body()
        if len(body) > MAX_EVENT_LOOP_BYTES and "json" in request.headers.get("content-type", "").lower():
            parsed.value = await asyncio.to_thread(_parse, adapter, body)
        return await handle(parsed)

    return parse_and_handle


class _ParsedRequest(Request):
    """A request whose body was parsed already, if it is large."""

    value: Any = _UNPARSED

    async def json(self) -> Any:
        """Return the body as plain values; or as the model, which FastAPI then accepts as it is."""
        return orjson.loads(await self.body()) if self.value is _UNPARSED else self.value


def _parse(adapter: TypeAdapter[Any], body: bytes) -> Any:
    """Return a body as a model; raises RequestValidationError, as FastAPI does. Slow: for threads."""
    if count_values(body) > MAX_VALUES:
        raise _malformed(("body",), f"There is too much in it: at most {MAX_VALUES:,} values")
    try:
        return adapter.validate_python(orjson.loads(body), from_attributes=True)  # as FastAPI does
    except orjson.JSONDecodeError as error:
        raise _malformed(("body", error.pos), "JSON decode error") from None
    except ValidationError as error:
        if (count := error.error_count()) > MAX_FAULTS:
            raise _malformed(("body",), f"There are {count:,} faults in it") from None
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        raise RequestValidationError([{**fault, "loc": ("body", *fault["loc"])} for fault in faults]) from None


def _malformed(where: tuple[str | int, ...], message: str) -> RequestValidationError:
    return RequestValidationError([{"type": "malformed", "loc": where, "msg": message}])


def count_values(body: bytes) -> int:
    """Return about how many values a JSON text has, without parsing it: commas and opening brackets outside strings.

    Half a million values fit into a megabyte, and while they are parsed no other thread runs.
    """
    plain = body
    if b"\\" in body:
        plain = body.replace(b"\\\\", b"").replace(b'\\"', b"")  # the quotes that are left begin and end strings
    quotes = plain.count(b'"')
    if quotes > 2 * MAX_VALUES:
        return quotes // 2
    outside = b"".join(plain.split(b'"')[::2])
    return len(outside) - len(outside.translate(None, b",[{"))
