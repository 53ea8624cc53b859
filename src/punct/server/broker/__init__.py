"""Between the processes of one server: what happened, who is there, and work that any machine may do.

``broker`` is what the rest of the server knows; ``redis`` the one for several processes, ``jobs`` its queue of work.
"""

from __future__ import annotations

from punct.server.broker.broker import Broker, BrokerError, LocalBroker

__all__ = ["Broker", "BrokerError", "LocalBroker", "open_broker"]


def open_broker(address: str | None) -> Broker:
    """Return the broker at an address, or none at all for a server of one process. Must be called on the event loop."""
    if address is None:
        return LocalBroker()
    from punct.server.broker.redis import RedisBroker  # its client is not everybody's

    return RedisBroker(address)
