"""A ``punct bot`` in a process of its own: it seeks and plays games, is killed in one, and reports refusals."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from tests.polling import TIMEOUT_SECONDS
from tests.server.server_process import run_server
from tests.subprocesses import running_program

from punct import kernel
from punct.bot import Remote, RemoteError

QUICK = "1 @ nodes=5"


class Person:
    """Somebody with a browser."""

    def __init__(self, address: str) -> None:
        self._http = httpx.Client(base_url=f"{address}/api/v1", headers={"origin": address}, timeout=TIMEOUT_SECONDS)

    def __call__(self, method: str, path: str, body: object = None) -> Any:
        answer = self._http.request(method, path, json=body)
        for written in answer.headers.get_list("set-cookie"):
            for name, morsel in SimpleCookie(written).items():
                self._http.cookies.set(name, morsel.value)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def close(self) -> None:
        self._http.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with run_server(tmp_path_factory.mktemp("data"), "--online", "--port", "0") as (_, address):
        yield address


def bot_account(address: str, login: str) -> tuple[str, str]:
    """Return the id of a new bot's account, and a token for it."""
    person = Person(address)
    with contextlib.closing(person):
        person("POST", "/account", {"login": login, "password": "correct horse battery", "name": login})
        person("POST", "/me/bot", {"password": "correct horse battery"})
        wanted = {"name": "test", "scopes": ["play", "challenge", "read"], "password": "correct horse battery"}
        token = person("POST", "/tokens", wanted)["secret"]
        return person("GET", "/me")["player"]["id"], token


@contextlib.contextmanager
def running(address: str, token: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run a bot, and make sure that it ends."""
    command = [sys.executable, "-m", "punct", "bot", "--server", address, "--engine", QUICK, "--time", "none", *options]
    process = subprocess.Popen(command, env={**os.environ, "PUNCT_TOKEN": token}, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def said(process: subprocess.Popen[str], words: str) -> str:
    """Wait until a bot says something."""
    assert process.stderr is not None
    heard = []
    for line in process.stderr:
        heard.append(line)
        if words in line:
            return line
    raise AssertionError("".join(heard))


def offered_by(person: Person, bot: str) -> str:
    """Return the challenge a bot offers."""
    (found,) = [offer["id"] for offer in person("GET", "/lobby")["challenges"] if offer["challenger"]["id"] == bot]
    assert isinstance(found, str)
    return found


def answer(person: Person, game: Any, colour: str) -> Any:
    """Play the person's turn if it is theirs, as well as can be seen at a glance; return the game."""
    if game["turn"] == colour and not game["outcome"]:
        ((best, _),) = kernel.Position(game["view"]["text"]).score_moves(1)
        game = person("POST", f"/games/{game['id']}/turns", {"text": str(best), "ply": game["ply"]})
    return game


def test_a_bot_killed_in_a_game_resumes_and_finishes_it(address: str) -> None:
    bot, token = bot_account(address, "steady")
    person = Person(address)
    with contextlib.closing(person):
        with running(address, token, "--rules", "basic", "--games", "1") as process:
            said(process, "offers a game")
            game = person("POST", f"/challenges/{offered_by(person, bot)}/accept")
            assert {(seat["player"] or {}).get("kind") for seat in game["seats"].values()} == {"bot", "guest"}
            colour = "w" if (game["seats"]["b"]["player"] or {})["id"] == bot else "b"
            while game["ply"] < 4:
                game = answer(person, person("GET", f"/games/{game['id']}"), colour)
            process.send_signal(signal.SIGKILL)
        with running(address, token, "--rules", "basic", "--games", "1") as process:
            while not game["outcome"]:
                game = answer(person, person("GET", f"/games/{game['id']}"), colour)
            said(process, f"game {game['id']}: {game['result']}")
            assert process.wait(TIMEOUT_SECONDS) == 0
        assert bot not in {offer["challenger"]["id"] for offer in person("GET", "/lobby")["challenges"]}


def test_the_bot_of_the_documentation_plays(address: str) -> None:
    program = Path(__file__).parents[2] / "docs" / "online" / "bot.py"
    assert sum(line.strip() != "" for line in program.read_text(encoding="utf-8").splitlines()) <= 24
    bot, token = bot_account(address, "twenty_lines")
    person = Person(address)
    command = [sys.executable, str(program), address, token]
    with contextlib.closing(person), running_program(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "waiting" in process.stdout.readline()
        game = person("POST", f"/challenges/{offered_by(person, bot)}/accept")
        while not game["outcome"]:
            game = answer(person, person("GET", f"/games/{game['id']}"), "b")
        assert game["result"] in process.stdout.read()
        assert process.wait(TIMEOUT_SECONDS) == 0


def test_two_bots_find_each_other(address: str) -> None:
    _, first = bot_account(address, "offering")
    _, second = bot_account(address, "taking")
    with (
        running(address, first, "--games", "1") as offering,
        running(address, second, "--games", "1", "--take", "--bots") as taking,
    ):
        told = said(offering, "game ")
        assert said(taking, "game ") == told
        assert (offering.wait(TIMEOUT_SECONDS), taking.wait(TIMEOUT_SECONDS)) == (0, 0)


def test_a_program_that_breaks_down_resigns(address: str, tmp_path: Path) -> None:
    program = tmp_path / "broken.py"
    program.write_text(
        "import sys\nfor line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    if word == 'go': sys.exit('out of ideas')\n"
        "    print({'ugi': 'ugiok', 'isready': 'readyok'}.get(word, ''), flush=True)\n"
    )
    bot, token = bot_account(address, "broken")
    person = Person(address)
    with (
        contextlib.closing(person),
        running(address, token, "--games", "1", "--engine", f"{sys.executable} {program}") as process,
    ):
        said(process, "offers a game")
        game = person("POST", f"/challenges/{offered_by(person, bot)}/accept")
        colour = "w" if (game["seats"]["b"]["player"] or {})["id"] == bot else "b"
        answer(person, game, colour)
        assert "out of ideas" in said(process, "resigning")
        assert process.wait(TIMEOUT_SECONDS) == 0
        ended = person("GET", f"/games/{game['id']}")["outcome"]
        assert ended == {"winner": colour, "reason": "resignation"}


def test_an_invalid_token_is_reported(address: str) -> None:
    for wrong in ("punct_nobody", "nonsense"):
        with running(address, wrong) as process:
            _, told = process.communicate(timeout=TIMEOUT_SECONDS)
            assert process.returncode == 2
            assert "token" in told and "Traceback" not in told


@pytest.mark.parametrize("address", ["ftp://example", "", "https://"])
def test_an_unreachable_server_is_reported(address: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "punct", "bot", "--server", address],
        env={**os.environ, "PUNCT_TOKEN": "punct_x"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "https://punct.example" in done.stderr


def test_a_bot_without_a_token_says_where_to_get_one() -> None:
    bare = {name: value for name, value in os.environ.items() if name != "PUNCT_TOKEN"}
    command = [sys.executable, "-m", "punct", "bot", "--server", "http://localhost:1"]
    done = subprocess.run(command, env=bare, capture_output=True, text=True)
    assert done.returncode == 2
    assert "PUNCT_TOKEN" in done.stderr


def test_refused_requests_raise_an_error_with_its_code(address: str) -> None:
    _, token = bot_account(address, "asking")

    async def ask() -> None:
        with pytest.raises(RemoteError) as refused:
            await Remote(address, token).call("POST", "/games/nothing-here/resign")
        assert (refused.value.status, refused.value.error_code) == (404, "unknown_game")

    asyncio.run(ask())
