"""A bot sends its token to the server it was given, and to no other."""

from __future__ import annotations

import asyncio

import pytest
from tests.stub_server import run_stub_server

from punct.bot.remote import Remote, RemoteError


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("how", ["GET", "POST", "listen"])
def test_a_redirect_is_told_and_not_followed(status: int, how: str) -> None:
    with run_stub_server(200) as (elsewhere, stolen):
        scheme = "ws" if how == "listen" else "http"
        with run_stub_server(status, f"{scheme}://{elsewhere}/api/v1/me") as (address, told):
            remote = Remote(f"http://{address}", "punct_secret")

            async def ask() -> None:
                if how == "listen":
                    async for _ in remote.listen("/lobby/live"):
                        raise AssertionError("nobody speaks there")
                else:
                    await remote.call(how, "/me", {} if how == "POST" else None)

            with pytest.raises(RemoteError, match=elsewhere) as refusal:
                asyncio.run(ask())
            assert refusal.value.status == status
        assert told == ["Bearer punct_secret"] and stolen == []
