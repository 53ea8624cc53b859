"""Attacks by addresses that players give: into the server's own network, and on the secret addresses of others."""

from __future__ import annotations

import contextlib
import json
import socket
from typing import Final

from bench.attacks.harness import Attack, Server
from bench.attacks.person import NAME, new_person
from tests.push_service import PushBrowser

from punct.server.http.rate_limits import BAD_CALENDARS, HOOKS

HOSTS: Final = (
    *(
        "127.0.0.1",
        "127.1",
        "0",
        "0.0.0.0",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "localhost",
        "localhost.",
        "a.local",
    ),
    *("[::1]", "[::]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[fe80::1%25lo]", "169.254.169.254", "10.0.0.1"),
    *(
        "metadata.google.internal",
        "user:pass@localhost",
        "example.org@127.0.0.1",
        "example.org#@127.0.0.1",
        "①②⑦.0.0.1",
    ),
    *("localhost%00.example.org", "example.org\\@127.0.0.1", "localhost\r\nX-Y: z", "example。org"),
    *("[::ffff:7f00:1]", "[::ffff:0:127.0.0.1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]", "[fd00:ec2::254]", "[::1%lo]"),
    *("017700000001", "0x7f.1", "127.0.0.1.", "0.0.0.0.", "example.org.", "ⓛocalhost", "localhoſt", "xn--localhost"),
)
PUSH_HOSTS: Final = (
    *("fcm.googleapis.com.evil.org", "evilfcm.googleapis.com", "fcm.googleapis.com.", "fcm.googleapis.com@localhost"),
    *("push.services.mozilla.com", "updates.push.services.mozilla.com.evil.org", "evilpush.services.mozilla.com"),
    *("updates.push.services.mozilla.com%2eevil.org", "updates.push.services.mozi\u0142\u0142a.com"),
    *(
        "push.apple.com",
        "web.push.apple.com:8443",
        "web.push.apple.co",
        "notify.windows.com",
        "a.notify.windows.com:80",
    ),
)
"""Names that look like those of push services."""


def inner_addresses(server: Server, attack: Attack) -> None:
    """Webhooks that would lead to this machine, where somebody listens, or into its network: none may be added."""
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as listener:
        listener.settimeout(2.0)
        port = listener.getsockname()[1]
        urls = [
            f"{scheme}://{host}{end}" for host in HOSTS for scheme in ("https", "http") for end in ("/", f":{port}/")
        ]
        each = int(str(HOOKS.player).partition("/")[0])
        for start in range(0, len(urls), each):
            eve = new_person(server)
            eve.sign_up()
            for url in urls[start : start + each]:
                attack.record(*eve.send("POST", "/hooks", {"url": url}), allowed=(422,))
            if json.loads(eve.send("GET", "/hooks")[1])["hooks"]:
                attack.add_fault("an address inside was accepted")
        with contextlib.suppress(TimeoutError):
            listener.accept()
            attack.add_fault("this machine was called")
    attack.require(422)


def inner_push_services(server: Server, attack: Attack) -> None:
    """Browsers whose push service would be this machine, its network, or one that looks like a known one."""
    keys = PushBrowser("https://localhost", "eve").subscription["keys"]
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as listener:
        listener.settimeout(2.0)
        port = listener.getsockname()[1]
        ends = ("/push", f":{port}/push")
        urls = [f"{scheme}://{host}{end}" for host in HOSTS for scheme in ("https", "http") for end in ends]
        urls += [f"https://{host}/push" for host in PUSH_HOSTS]
        eve = new_person(server)
        eve.sign_up()
        for url in urls:
            attack.record(*eve.send("PUT", "/push/devices", {"endpoint": url, "keys": keys}), allowed=(422, 429))
        if json.loads(eve.send("GET", "/push/devices")[1])["devices"]:
            attack.add_fault("a push service was accepted that is none")
        with contextlib.suppress(TimeoutError):
            listener.accept()
            attack.add_fault("this machine was called")
    attack.require(422)


def secret_addresses(server: Server, attack: Attack) -> None:
    """Calendar feeds and webhooks of others: guessed, and after their owner has renewed or removed them."""
    anna, eve = new_person(server), new_person(server)
    anna.sign_up()
    eve.sign_up()
    hook = json.loads(anna.send("POST", "/hooks", {"url": "https://chat.example.org/secret"})[1])["id"]
    for method, path in (("DELETE", f"/hooks/{hook}"), ("POST", f"/hooks/{hook}/test"), ("DELETE", "/hooks/guessed")):
        attack.record(*eve.send(method, path), allowed=(404,))
    old, new = (json.loads(anna.send("PUT", "/calendar")[1])["path"] for _ in range(2))
    allowed = int(str(BAD_CALENDARS.address).partition("/")[0])
    headers = {"Host": NAME, "X-Forwarded-Proto": "https", "X-Forwarded-For": eve.address}
    statuses = []
    for path in (old, *(f"/calendar/{number:043}.ics" for number in range(2 * allowed))):
        status, _, body = server.exchange("GET", path, None, headers)
        attack.record(status, body, allowed=(404, 429))
        statuses.append(status)
    if (tried := statuses.count(404)) > allowed:
        attack.add_fault(f"{tried} secrets tried, {allowed} allowed")
    status, _, body = server.exchange("GET", new, None, {**headers, "X-Forwarded-For": anna.address})
    if status != 200 or not body.startswith(b"BEGIN:VCALENDAR"):
        attack.add_fault("the owner's own feed does not work")
    attack.require(404, 429)


ATTACKS: Final = [inner_addresses, inner_push_services, secret_addresses]
