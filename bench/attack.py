"""Attack a real server, and see that it holds: ``make attack``, some three minutes.

Every attack goes against a server of its own folder on this machine, while an innocent client keeps getting a game and
the list. The table shows how many requests an attack made, how many were refused, the innocent client's usual and worst
response time meanwhile, and whether the guard held. Times are printed, not judged: they are the machine's. What is
judged: no response in the 500s but those documented, no innocent request failed, no internals revealed, and neither log
nor memory grows without end. The exit code is 1 if a guard failed.

Here is what would wear a server out; what would get past its guards, by accounts, names and commands, is in
`bench.attacks`.
"""

from __future__ import annotations

import contextlib
import json
import random
import select
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Final

from bench.attacks import accounts, addresses, commands, names
from bench.attacks.harness import API, TIMEOUT_SECONDS, Attack, Server, innocent_client, run_server
from bench.attacks.person import NAME

from punct import kernel

MEGABYTE: Final = 1024 * 1024 - 200
LONG_GAME_PLIES: Final = 280
"""Turns of a long game: a record of a megabyte has some hundreds such games, and a hundred thousand turns."""
STORM_SECONDS: Final = 8.0
MAX_LOG_BYTES: Final = 100_000
MAX_MEMORY_MB: Final = 1500
UNEXPECTED_ERRORS: Final = ("a request broke down", "Exception in ASGI", "never retrieved")
"""What the log says of faults that nobody expected."""


def positions(count: int, offset: int = 0) -> list[str]:
    """Return paths of pictures of so many different positions with a few pieces."""
    spaces = [f"{column}{row}" for column in "ghijklm" for row in range(7, 12)]
    kinds = [(kind, heading) for kind in "TE" for heading in ("n", "ne", "se", "s", "sw", "nw")]
    paths = []
    for index in range(offset, offset + count):
        kind, heading = kinds[index % len(kinds)]
        space = spaces[index // len(kinds) % len(spaces)]
        paths.append(f"/picture.png?size={2048 - index % 64}&position=basic%20b%20w{kind}{space}{heading}")
    return paths


def png_storm(server: Server, attack: Attack) -> None:
    """Four clients that want ever different pictures, as large as may be."""
    end = time.monotonic() + STORM_SECONDS

    def want(offset: int) -> None:
        for path in positions(1000, offset):
            if time.monotonic() > end:
                return
            status, body = server.request("GET", path)
            attack.record(status, body if status != 200 else b"", allowed=(200, 429))

    with ThreadPoolExecutor(16) as threads:  # more than may wait, so that some are refused
        list(threads.map(want, range(0, 16_000, 1000)))
    attack.require(200, 429)


def dropped_pictures(server: Server, attack: Attack) -> None:
    """Many who ask for large pictures and hang up: whoever comes then must not wait for all of them to be drawn."""
    for path in positions(60, 50_000):
        with server.connect() as line:
            line.sendall(f"GET {API}{path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            attack.statuses[0] += 1
            time.sleep(0.02)
    start = time.monotonic()
    while True:
        status, body = server.request("GET", "/picture.png?size=64&position=basic%20b%20wTi9n")
        attack.record(status, b"" if status == 200 else body, allowed=(200, 429))
        if status == 200 or time.monotonic() - start > TIMEOUT_SECONDS:
            break
        time.sleep(0.1)
    spent = time.monotonic() - start
    attack.remark = f"the next picture took {spent:.1f} s"
    if spent > 15:
        attack.add_fault(f"a small picture took {spent:.0f} s after sixty dropped requests")


def other_sites(server: Server, attack: Attack) -> None:
    """Pages of another site that want pictures, records, openings or results, or to change something."""
    game = f"/games/{server.create_game()['id']}"
    costly = (f"{game}/record", f"{game}/record?format=sgf", f"{game}/animation.gif", "/explorer", "/results")
    for number, picture in enumerate(positions(50)):
        for path in (picture, costly[number % len(costly)]):
            attack.record(*server.request("GET", path, headers={"Sec-Fetch-Site": "cross-site"}), allowed=(403,))
        attack.record(*server.request("POST", "/games", {}, {"Origin": "https://elsewhere.example"}), allowed=(403,))


def _full(text: str) -> str:
    return text * (MEGABYTE // len(text))


HOSTILE_RECORDS: Final[dict[str, Callable[[], str]]] = {
    "games without end": lambda: _full("* "),
    "trees without end": lambda: _full("(;)"),
    "variations within variations": lambda: "Ed5ne " + _full("(Ed6ne "),
    "trees within trees": lambda: _full("(;"),
    "variations beside variations": lambda: "Ed5ne " + _full("(Ed6ne) "),
    "trees beside trees": lambda: "(;" + _full("(;)") + ")",
    "nodes without end": lambda: "(" + _full(";") + ")",
    "one huge comment": lambda: "Ed5ne {" + _full("x") + "} *",
    "comments without end": lambda: "Ed5ne " + _full("{x} "),
    "properties repeated": lambda: "(;C" + _full("[x]") + ")",
    "tags repeated": lambda: _full('[A "b"]'),
    "brackets never closed": lambda: _full("["),
}


def hostile_records(server: Server, attack: Attack) -> None:
    """A megabyte each of what is cheap to send and dear to read, six at a time; who waits too long gives up."""
    given_up = 0

    def send(make: Callable[[], str]) -> None:
        nonlocal given_up
        try:
            response = server.request("POST", "/records", {"text": make()}, timeout=STORM_SECONDS)
            attack.record(*response, allowed=(201, 413, 422, 429))
        except TimeoutError:
            given_up += 1
            attack.statuses[0] += 1
        memory = server.memory_mb()
        if memory is not None and memory > MAX_MEMORY_MB:
            attack.add_fault(f"{memory:,.0f} MB of memory")

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(send, HOSTILE_RECORDS.values()))
    memory = server.memory_mb()
    attack.remark = f"{given_up} given up, {memory or 0:,.0f} MB of memory afterwards"


def _filled(first: bytes, each: bytes, last: bytes = b"", size: int = MEGABYTE) -> bytes:
    return first + each * ((size - len(first) - len(last)) // len(each)) + last


HOSTILE_BODIES: Final[dict[str, bytes]] = {
    "objects side by side": _filled(b'{"text":"*","x":[{}', b",{}", b"]}"),
    "lists within lists": _filled(b'{"text":"*","x":[', b"[[],[]],", b"0]}"),
    "a list as deep as it is long": _filled(b'{"text":"*","x":', b"["),
    "names nobody knows": _filled(b'{"text":"*"', b',"x":0', b"}"),
    "a thousand faults": b'{"text":"*",%b}' % b",".join(b'"%d %b":0' % (at, b"x" * 900) for at in range(1000)),
    "texts for a text": _filled(b'{"text":["*"', b',"*"', b"]}"),
    "a text that never ends": _filled(b'{"text":"', b"\\\\"),
    "nothing but braces": _filled(b"", b"{"),
}


def hostile_bodies(server: Server, attack: Attack) -> None:
    """A megabyte each of JSON that is cheap to send and dear to read, or to find fault with; six at a time."""
    game = server.create_game()["id"]
    places = (("POST", "/records", MEGABYTE), ("POST", "/analyses", 250_000), ("PUT", f"/games/{game}/review", 250_000))
    requests = [(*place, body) for body in HOSTILE_BODIES.values() for place in places] * 3

    def send(request: tuple[str, str, int, bytes]) -> None:
        method, path, size, body = request
        attack.record(*server.request(method, path, body[:size]), allowed=(422,))

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(send, requests))
    attack.require(422)


def hostile_beginnings(server: Server, attack: Attack) -> None:
    """The same in small, where a game begins from a record."""
    for text in ("* " * 7000, "(;)" * 5000, "Ed5ne " + "(Ed6ne) " * 1900, "Ed5ne " + "(Ed6ne " * 2000):
        with ThreadPoolExecutor(6) as threads:
            answers = threads.map(lambda _, text=text: server.request("POST", "/games", {"record": text}), range(6))
            for status, body in answers:
                attack.record(status, body if status != 201 else b"", allowed=(201, 413, 422, 429))


@cache
def long_game(turns: int) -> str:
    """Return a legal game of so many turns, as a record: random ones, most of which move a piece."""
    rng = random.Random(1)
    while True:
        position, played = kernel.Position(), 0
        while played < turns and position.outcome() is None:
            moves = list(position.legal_moves)
            shifts = [move for move in moves if not move.is_add]
            position.push(rng.choice(shifts if shifts and rng.random() < 0.8 else moves))
            played += 1
        if position.outcome() is None:
            return " ".join(map(str, position.moves)) + " *\n"


def huge_imports(server: Server, attack: Attack) -> None:
    """Legal records, as large as may be, while somebody plays; every import is stored whole."""
    game = long_game(LONG_GAME_PLIES)
    games = min(500, MEGABYTE // len(json.dumps(game)))
    times: list[float] = []
    done = threading.Event()

    def play() -> None:
        while not done.is_set():
            place = f"/games/{server.create_game()['id']}/turns"
            for ply, text in enumerate(["Ed5ne", "Tl5s", "d5-d6ne", "l5-l6s", "d6-d5ne", "l6-l5s"]):
                start = time.monotonic()
                attack.record(*server.request("POST", place, {"text": text, "ply": ply}), allowed=(200,))
                times.append(time.monotonic() - start)

    with ThreadPoolExecutor(1) as threads:
        playing = threads.submit(play)
        for _ in range(3):
            status, body = server.request("POST", "/records", {"text": game * games})
            attack.record(status, body, allowed=(201, 413))  # too much for a machine with other things to do
            if status == 201 and len(json.loads(body)["games"]) != games:
                attack.add_fault(f"{len(json.loads(body)['games'])} games came of {games}")
        done.set()
        playing.result()
    worst = max(times) * 1000
    attack.remark = (
        f"{games} games of {LONG_GAME_PLIES} moves at a time; of {len(times)} moves meanwhile the slowest took "
        f"{worst:.0f} ms"
    )


def list_against_delete(server: Server, attack: Attack) -> None:
    """Lists asked for while games come and go."""
    end = time.monotonic() + STORM_SECONDS

    def come_and_go() -> None:
        while time.monotonic() < end:
            game = server.create_game()["id"]
            attack.record(*server.request("GET", f"/games/{game}"), allowed=(200,))
            attack.record(*server.request("DELETE", f"/games/{game}"), allowed=(204,))

    def read() -> None:
        while time.monotonic() < end:
            attack.record(*server.request("GET", "/games?limit=100"), allowed=(200,))

    with ThreadPoolExecutor(6) as threads:
        for work in (come_and_go, come_and_go, come_and_go, read, read, read):
            threads.submit(work)


def two_servers(server: Server, attack: Attack) -> None:
    """A second server on the same folder: what one has done the other knows when it is asked."""
    turns = ["Ed5ne", "Tl5s", "d5-d6ne", "l5-l6s", "d6-d5ne", "l6-l5s"]
    with run_server(server.folder) as second:
        for _ in range(10):
            game = server.create_game()["id"]
            for ply, text in enumerate(turns):
                player, other = (server, second) if ply % 2 == 0 else (second, server)
                move = {"text": text, "ply": ply}
                attack.record(*player.request("POST", f"/games/{game}/turns", move), allowed=(200,))
                status, body = other.request("GET", f"/games/{game}")
                attack.record(status, body, allowed=(200,))
                if status == 200 and json.loads(body)["ply"] != ply + 1:
                    attack.add_fault(f"the other server is at ply {json.loads(body)['ply']}, not {ply + 1}")
            attack.record(*server.request("DELETE", f"/games/{game}"), allowed=(204,))
            attack.record(*second.request("GET", f"/games/{game}"), allowed=(404,))


def foreign_lock(server: Server, attack: Attack) -> None:
    """Another program that keeps the store locked: whoever reads does not notice, whoever writes is told."""
    game = server.create_game()["id"]
    computer = server.create_game(seats={"w": {"type": "engine", "level": 8}})[
        "id"
    ]  # it thinks for a second, and then writes
    with contextlib.closing(sqlite3.connect(server.folder / "punct.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for path in (f"/games/{game}", "/games"):
            attack.record(*server.request("GET", path), allowed=(200,))
        for method, path, body in (
            ("POST", f"/games/{game}/turns", {"text": "Ed5ne", "ply": 0}),
            ("POST", "/games", {}),
            ("POST", "/records", {"text": "*"}),
            ("DELETE", f"/games/{game}", None),
        ):
            status, content = server.request(method, path, body)
            attack.record(status, content, allowed=(503,))
            if b'"store_busy"' not in content:
                attack.add_fault(f"{method} {path} was not told of the lock: {content[:120]!r}")
        end = time.monotonic() + TIMEOUT_SECONDS
        while (thinking := json.loads(server.request("GET", f"/games/{computer}")[1])["thinking"])["state"] != "failed":
            if time.monotonic() > end:
                attack.add_fault(f"the computer did not meet the lock: {thinking}")
                break
            time.sleep(0.1)
        attack.check_reveals_nothing(json.dumps(thinking).encode())
        other.execute("ROLLBACK")
    for _ in range(2):  # the second time it is known to have been played
        attack.record(*server.request("POST", f"/games/{game}/turns", {"text": "Ed5ne", "ply": 0}), allowed=(200,))
    attack.require(200, 503)


def silent_connections(server: Server, attack: Attack) -> None:
    """Three hundred connections that say nothing, to a server that may open 128 files."""
    before = server.processor_seconds()
    seconds = 5.0
    with contextlib.ExitStack() as lines:
        for _ in range(300):
            lines.enter_context(server.connect())
            attack.statuses[0] += 1
        time.sleep(seconds)
    after = server.processor_seconds()
    if before is not None and after is not None:
        attack.remark = f"{(after - before) / seconds:.0%} of a core"
        if after - before > 0.7 * seconds:
            attack.add_fault(f"{after - before:.1f} s of processor time in {seconds:g} s")


def slow_requests(server: Server, attack: Attack) -> None:
    """Requests that come a byte at a time, and never to an end."""
    start = time.monotonic()
    request = f"GET {API}/health HTTP/1.1\r\nHost: localhost\r\nX: ".encode()
    with contextlib.ExitStack() as lines:
        slow = [lines.enter_context(server.connect()) for _ in range(60)]
        for at in range(40):
            for line in slow:
                with contextlib.suppress(OSError):
                    line.send(request[at : at + 1])
            time.sleep(0.5)
            # A connection that is answered sends no more: that would cut the response off.
            answered, _, _ = select.select(slow, [], [], 0)
            for line in answered:
                response = line.recv(4096)
                attack.record(int((response.split() or [b"", b"0"])[1]), response, allowed=(408,))
            slow = [line for line in slow if line not in answered]
            if not slow:
                break
    if slow:
        attack.add_fault(f"{len(slow)} slow requests were never hung up on")
    attack.require(408)
    attack.remark = f"the last hung up on after {time.monotonic() - start:.0f} s"


def nonsense(server: Server, attack: Attack) -> None:
    """What is not HTTP, and requests cut off anywhere."""
    request = f'POST {API}/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{{"'.encode()
    pieces = [b"\x16\x03\x01\x02\x00" * 50, b"\r\n" * 100, b"GET / HTTP/9.9\r\n\r\n", b"A" * 100_000]
    for at in range(400):
        with server.connect() as line, contextlib.suppress(OSError):
            line.sendall(pieces[at % 8] if at % 8 < len(pieces) else request[: at % len(request)])
            attack.statuses[0] += 1


# ---------------------------------------------------------------------- all of them


def run(server: Server, work: Callable[[Server, Attack], None], faults: list[Attack]) -> None:
    """Attack a server while somebody plays on it, and print the row."""
    attack = Attack(work.__name__.replace("_", " "))
    try:
        with innocent_client(server, attack):
            work(server, attack)
        if server.request("GET", "/health")[0] != 200:
            attack.add_fault("the server is not well afterwards")
    except Exception as error:
        attack.add_fault(f"the attack broke down: {error!r}")
    print(attack.row(), flush=True)
    for fault in attack.faults:
        print(f"    {fault}", flush=True)
    if attack.faults:
        faults.append(attack)


def main() -> None:
    began = time.monotonic()
    failed: list[Attack] = []
    long_game(LONG_GAME_PLIES)  # now, as whoever measures must not be kept busy by it
    print(f"{'attack':34} {'requests':>8} {'refused':>8} {'usual':>7} {'worst':>7}  verdict")
    print(f"{'':52} {'ms, innocent':>15}")
    servers: list[tuple[tuple[str, ...], int | None, Sequence[Callable[[Server, Attack], None]]]] = [
        (
            (),
            None,
            [png_storm, dropped_pictures, other_sites, hostile_records, hostile_bodies, hostile_beginnings,
             huge_imports, list_against_delete, two_servers, foreign_lock, slow_requests, nonsense],
        ),
        (("--name", NAME), None, [*accounts.ATTACKS, *addresses.ATTACKS, *names.BROUGHT, *commands.ATTACKS]),
        (("--host", "0.0.0.0", "--name", NAME), None, names.DIRECT),
        ((), 128, [silent_connections]),
    ]  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="punct-attack-") as folder:
        for number, (options, files, attacks) in enumerate(servers):
            place = Path(folder) / str(number)
            place.mkdir()
            with run_server(place, *options, files=files) as server:
                for work in attacks:
                    run(server, work, failed)
            log = server.log.read_text()
            end = Attack("its end, by SIGTERM")
            if server.process.returncode not in (0, -signal.SIGTERM):
                end.add_fault(f"it ended with {server.process.returncode}")
            if len(log) > MAX_LOG_BYTES or any(words in log for words in UNEXPECTED_ERRORS):
                end.add_fault(f"{len(log):,} bytes of log: {log[:3000]}")
            end.remark = f"{len(log):,} bytes of log"
            print(end.row())
            for fault in end.faults:
                print(f"    {fault}")
            if end.faults:
                failed.append(end)
    print(f"{time.monotonic() - began:.0f} s; {'every guard held' if not failed else f'{len(failed)} guards failed'}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
