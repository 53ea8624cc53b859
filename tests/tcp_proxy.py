"""A TCP proxy on loopback that can go silent: it takes bytes and passes nothing on, and closes nothing.

So does a firewall that has forgotten a connection, or a machine that hangs. A connection that was made before or while
it was silent stays so for ever, as bytes of it are lost; those made afterwards are passed on.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator

from tests.polling import wait_until_async


class TcpProxy:
    """Passes on what comes to ``port``, unless it is silent."""

    def __init__(self, target: int) -> None:
        """Pass everything on to another port of this machine."""
        self.port = 0
        self.swallowed = 0
        """How many bytes were not passed on."""
        self._target = target
        self._generation, self._is_silent = 0, False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._pipes: set[asyncio.Task[None]] = set()
        self._ready, self._end = threading.Event(), asyncio.Event()

    def start(self) -> None:
        """Listen."""
        self._thread.start()
        self._ready.wait()

    def close(self) -> None:
        """Close every connection, and listen no more."""
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def silence(self) -> None:
        """Pass nothing on, from this moment."""
        self._is_silent = True
        self._generation += 1

    def speak(self) -> None:
        """Pass on what comes by new connections."""
        self._generation += 1
        self._is_silent = False

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._end.wait()
        server.close()
        for pipe in self._pipes:
            pipe.cancel()
        await wait_until_async(lambda: not self._pipes)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        generation = self._generation
        with contextlib.closing(writer):
            try:
                upstream_reader, upstream_writer = await asyncio.open_connection("127.0.0.1", self._target)
            except OSError:
                return
            with contextlib.closing(upstream_writer):
                pipes = [
                    asyncio.create_task(self._pass(reader, upstream_writer, generation)),
                    asyncio.create_task(self._pass(upstream_reader, writer, generation)),
                ]
                self._pipes.update(pipes)
                await asyncio.wait(pipes, return_when=asyncio.FIRST_COMPLETED)
                for pipe in pipes:
                    pipe.cancel()
                await asyncio.wait(pipes)
                self._pipes.difference_update(pipes)

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, generation: int) -> None:
        with contextlib.suppress(OSError):
            while content := await source.read(65536):
                if self._is_silent or self._generation != generation:
                    self.swallowed += len(content)
                else:
                    target.write(content)
                    await target.drain()


@contextlib.contextmanager
def run_tcp_proxy(target: int) -> Iterator[TcpProxy]:
    """Run a proxy in front of a port of this machine."""
    proxy = TcpProxy(target)
    proxy.start()
    try:
        yield proxy
    finally:
        proxy.close()
