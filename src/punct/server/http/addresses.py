"""The keys by which rate limits count client addresses."""

from __future__ import annotations

import ipaddress


def rate_limit_key(address: str) -> str | None:
    """Return the key of a client's address: for IPv6 its /64 network, as one household has a whole network.

    None for this machine's own address, since a proxy on it may forward everybody; and for what is no address.
    """
    try:
        client = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    if isinstance(client, ipaddress.IPv6Address):
        if client.ipv4_mapped is None:
            return None if client.is_loopback else str(ipaddress.ip_network((client, 64), strict=False))
        client = client.ipv4_mapped
    return None if client.is_loopback else str(client)
