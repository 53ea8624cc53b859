"""The broker between the processes of one server: publish/subscribe and leases.

``broker`` is the interface, ``redis`` its implementation for several processes.
"""

from __future__ import annotations

from punct.server.broker.broker import Broker, LocalBroker

__all__ = ["Broker", "LocalBroker", "open_broker"]


def open_broker(url: str | None) -> Broker:
    """Return the broker at a URL, or a local one for a server of one process. Must be called on the event loop."""
    if url is None:
        return LocalBroker()
    from punct.server.broker.redis import RedisBroker  # its client is optional

    return RedisBroker(url)
