"""Addresses of other machines, as they are counted."""

from __future__ import annotations

import ipaddress


def counted(address: str) -> str | None:
    """Return an address as it is counted; None for this machine's own, behind which a proxy may bring everybody."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:  # a household has a whole network of them
            return None if found.is_loopback else str(ipaddress.ip_network((found, 64), strict=False))
        found = found.ipv4_mapped
    return None if found.is_loopback else str(found)
