"""How much a first visit loads, measured on the wire of the real server."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import expect

from .table import Table
from .watch import OpenPage

MOST = 250_000
"""Bytes, compressed: page, script, style, typeface, board and position together, with what the protocol adds."""
MOST_AT_HOME = 135_000
"""The same for the home page, without what the protocol adds. Moves that wait for the server, games as last known and
storage that may be blocked are part of it: 3 kB."""


def test_a_first_visit_is_light(open_page: OpenPage, table: Table) -> None:
    table.id = table.server.begin(
        position="standard w wTc2n wCc6se bEe3sw wRe4ne wEe6ne bMe8se bTg4sw bRh4n bTh6n wEh9ne bLi8ne bCj3se wMk7se"
    )
    for path in ("/", f"/game/{table.id}", "/how-to-play"):
        page = open_page(fresh=True)  # knows nothing yet
        wire = page.context.new_cdp_session(page)
        loaded: dict[str, float] = {}
        wire.on(
            "Network.loadingFinished",
            lambda event, loaded=loaded: loaded.update({event["requestId"]: event["encodedDataLength"]}),
        )
        content: Counter[str] = Counter()
        wire.on(
            "Network.dataReceived",
            lambda event, content=content: content.update({event["requestId"]: event["encodedDataLength"]}),
        )
        drawn: set[str] = set()  # games that others have left here: a first visitor has none
        wire.on(
            "Network.responseReceived",
            lambda event, drawn=drawn: drawn.update(
                {event["requestId"]} if "/picture" in event["response"]["url"] else ()
            ),
        )
        wire.send("Network.enable")
        page.goto(table.server.address + path)
        page.wait_for_load_state("networkidle")
        expect(page.get_by_test_id("board").first).to_be_attached()
        assert 30_000 < sum(loaded.values()) < MOST, (path, sum(loaded.values()))
        own = sum(size for request, size in content.items() if request not in drawn)
        assert path != "/" or 60_000 < own < MOST_AT_HOME, own
        page.close()


def test_nothing_is_asked_of_other_machines(table: Table) -> None:
    asked: list[str] = []
    table.page.on("request", lambda request: asked.append(request.url))
    table.begin("Ed5ne")
    for path in ("/", "/how-to-play", "/settings", "/about"):
        table.page.goto(table.server.address + path)
        table.page.wait_for_load_state("networkidle")
    assert asked and all(url.startswith((table.server.address, "data:", "blob:")) for url in asked), asked
