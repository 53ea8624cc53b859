"""Names and paths that are written to look like others: of sites, of this machine, and of what is asked for."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any, Final

from bench.attacks.harness import API, Attack, Server
from bench.attacks.person import NAME, PASSWORD, new_person
from tests.server.passkey_device import PasskeyDevice

DESCRIPTION: Final = Path(__file__).parents[2] / "web" / "openapi.json"
ELSEWHERE: Final = "elsewhere.example"
CONTROLS: Final = ("%0A", "%0a", "%0D", "%0D%0A", "%00", "%09", "%7F", "%C2%85")
"""Control characters, of which a pattern may end before one."""


def line_breaks(server: Server, attack: Attack) -> None:
    """Control characters after every path of the API, and within it: no route by another name, which nobody limits."""
    eve = new_person(server)
    for path, methods in json.loads(DESCRIPTION.read_text())["paths"].items():
        plain = path.replace("{form}", "svg").replace("{ply}", "1").replace("{", "").replace("}", "").removeprefix(API)
        for method in methods:
            for written in (*(plain + control for control in CONTROLS), "%0A" + plain):
                attack.record(*eve.send(method.upper(), written, {}), allowed=(404,))
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13"}
    upgrade["Sec_WebSocket_Key"] = "dGhlIHNhbXBsZSBub25jZQ=="
    for control in CONTROLS:
        attack.record(*eve.send("GET", f"/lobby/live{control}", **upgrade), allowed=(403, 404))
        for number in range(30):
            wrong = {"login": "anna", "password": f"guess number {number}"}
            attack.record(*eve.send("POST", f"/session{control}", wrong), allowed=(404,))


def rebinding(server: Server, attack: Attack) -> None:
    """Names of other sites that point at this machine; the server listens on every address."""
    for host, status in (
        ("elsewhere.example", 403),
        ("elsewhere.example:80", 403),
        ("127.0.0.1.elsewhere.example", 403),
        ("localhost.elsewhere.example", 403),
        ("", 403),
        ("localhost", 200),
        ("127.0.0.1:8000", 200),
        ("192.0.2.1", 200),
        ("[::1]:8000", 200),
        ("punct.example", 200),
    ):
        for path in ("/games", "/health"):
            given, body = server.request("GET", path, headers={"Host": host})
            attack.record(given, body, allowed=(status,))


def two_hosts(server: Server, attack: Attack) -> None:
    """Requests with two Host headers, of which a proxy may have looked at the other one."""
    for names in ((NAME, "127.0.0.1"), ("127.0.0.1", NAME), (NAME, NAME), (NAME, ELSEWHERE), (ELSEWHERE, NAME)):
        hosts = "".join(f"Host: {name}\r\n" for name in names)
        for request in ("GET /", f"GET {API}/health", "GET /metrics", f"POST {API}/session/passkey/options"):
            with server.connect() as line:
                line.sendall(f"{request} HTTP/1.1\r\n{hosts}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())
                response = _all_of(line)
            attack.record(int((response.split() or [b"", b"0"])[1]), response, allowed=(400,))


def _all_of(line: socket.socket) -> bytes:
    parts = []
    while part := line.recv(65536):
        parts.append(part)
    return b"".join(parts)


def forged_figures(server: Server, attack: Attack) -> None:
    """Figures are for this machine: whoever only says that they are on it gets none."""
    here = f"127.0.0.1:{server.port}"
    forged: tuple[dict[str, str], ...] = (
        {"Host": NAME},
        {"Host": "192.0.2.1"},
        {"Host": "127.0.0.1.nip.example"},
        {"Host": here, "X-Forwarded-For": "127.0.0.1"},
        {"Host": here, "X-Forwarded-For": "::1, 127.0.0.1"},
        {"Host": here, "X-Real-IP": "127.0.0.1"},
        {"Host": here, "Forwarded": "for=127.0.0.1;host=localhost"},
        {"Host": here, "X-Forwarded-Host": "localhost"},
        {"Host": here, "Via": "1.1 localhost"},
        {"Host": NAME, "X-Forwarded-Host": "localhost", "X-Forwarded-For": "127.0.0.1"},
        {"Host": NAME, "Origin": "http://localhost"},
    )
    for headers in forged:
        status, _, body = server.exchange("GET", "/metrics", headers=headers)
        attack.record(status, body, allowed=(403,))
    status, _, body = server.exchange("GET", "/metrics", headers={"Host": here})
    attack.record(status, body, allowed=(200,))  # else nothing was tried


def forged_passkeys(server: Server, attack: Attack) -> None:
    """Passkeys asked for and answered by pages of other sites, whatever a request says of where it comes from."""
    device, ours, theirs = PasskeyDevice(7), f"https://{NAME}", f"https://{ELSEWHERE}"
    anna, eve = new_person(server), new_person(server)
    anna.sign_up()
    options = _options(anna.send("POST", "/passkeys/options", {"password": PASSWORD}))
    attack.record(*anna.send("POST", "/passkeys", device.make(options, origin=theirs)), allowed=(401,))
    attack.record(*anna.send("POST", "/passkeys", device.make(options, origin=ours, site=ELSEWHERE)), allowed=(401,))
    attack.record(*anna.send("POST", "/passkeys", device.make(options, origin=ours)), allowed=(201,))
    refused: tuple[dict[str, str], ...] = (
        {"Host": ELSEWHERE},
        {"Host": ELSEWHERE, "Origin": theirs},
        {"Origin": theirs},
        {"Origin": f"http://{NAME}"},
        {"Origin": "null"},
        {"Host": "192.0.2.1", "Origin": "https://192.0.2.1"},
    )
    unheard: tuple[dict[str, str], ...] = (
        {"X_Forwarded_Host": ELSEWHERE},
        {"Forwarded": f"host={ELSEWHERE};proto=https"},
        {"X_Forwarded_Server": ELSEWHERE, "X_Original_Host": ELSEWHERE},
    )
    for headers in (*refused, *unheard):
        status, body = new_person(server).send("POST", "/session/passkey/options", **headers)
        attack.record(status, body, allowed=(403, 409) if headers in refused else (200,))
        if status == 200 and json.loads(body)["rpId"] != NAME:
            attack.add_fault(f"{headers} had a passkey asked for of {json.loads(body)['rpId']}")
        options = _options(eve.send("POST", "/session/passkey/options"))
        attack.record(
            *eve.send("POST", "/session/passkey", device.prove(options, origin=theirs), **headers),
            allowed=(401, 403, 409),
        )
    proof = device.prove(options, origin=ours, site=ELSEWHERE)
    attack.record(*eve.send("POST", "/session/passkey", proof), allowed=(401,))
    if eve.me() is not None:
        attack.add_fault("a page of another site has logged in")
    options = _options(eve.send("POST", "/session/passkey/options"))
    attack.record(*eve.send("POST", "/session/passkey", device.prove(options, origin=ours)), allowed=(200,))


def _options(response: tuple[int, bytes]) -> Any:
    status, body = response
    assert status == 200, body
    return json.loads(body)


BROUGHT: Final = [line_breaks, forged_passkeys]
"""By a proxy that says whom it brings."""
DIRECT: Final = [rebinding, two_hosts, forged_figures]
