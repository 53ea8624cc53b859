"""Which mail addresses are accepted."""

from __future__ import annotations

import re
from typing import Final

from punct.server.mail.errors import InvalidAddressError

MAX_LENGTH: Final = 254
"""RFC 5321."""
_LOCAL: Final = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN: Final = re.compile(rf"(?:{_LABEL}\.)+(?:[a-z]{{2,63}}|xn--[a-z0-9-]{{1,59}})")


def clean_address(text: str) -> str:
    """Return a mail address in small letters, as it is stored; raises InvalidAddressError.

    Only ASCII: many mail servers do not deliver to other letters, and look-alikes would lead a mail to somebody else. A
    domain with other letters may be written in its ASCII form (``xn--…``). No quoted local parts, no addresses in
    numbers.
    """
    address = text.strip().lower()
    if not address.isascii():
        raise InvalidAddressError(
            "Only addresses in plain Latin letters work everywhere; write a domain with others in its form xn--…"
        )
    local, _, domain = address.rpartition("@")
    if len(address) > MAX_LENGTH or len(local) > 64 or not _LOCAL.fullmatch(local) or not _DOMAIN.fullmatch(domain):
        raise InvalidAddressError("This is not a mail address.")
    return address
