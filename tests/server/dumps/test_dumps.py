"""Public files of finished games: what is in them, made once whoever is killed meanwhile, without who was deleted."""

from __future__ import annotations

import errno
import gc
import gzip
import hashlib
import json
import os
import threading
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.server.online_client import PROOF, Browser, create_account, error_of
from tests.server.stored_games import Players
from tests.server.two_player_games import EIGHT_MOVES, ManualClock, json_of, start_and_play

from punct import Game
from punct.server.app import create_app
from punct.server.db.database import open_database
from punct.server.dumps.builder import PAGE_SIZE, DumpBuilder
from punct.server.dumps.errors import DamagedPartError, DumpConfigurationError, FolderInUseError
from punct.server.dumps.folder import DumpFolder
from punct.server.dumps.model import DumpConfiguration, PublicFile, bounds_of, complete_months
from punct.server.dumps.service import Dumps
from punct.server.dumps.store import DumpStore
from punct.server.games.store import GameStore
from punct.server.ratings.service import Ratings
from punct.server.ratings.store import RatingStore
from punct.server.timekeeping.heartbeat import Heartbeat

OCTOBER = datetime(2026, 10, 1, tzinfo=UTC)
DUE = datetime(2026, 11, 2, tzinfo=UTC)


class Killed(BaseException):
    """A process ends here."""


@pytest.fixture
def store(store_url: Path | str) -> Iterator[GameStore]:
    store = GameStore(open_database(store_url))
    yield store
    store.close()


@pytest.fixture
def players(store: GameStore) -> Players:
    return Players(store, "anna", "ben", "carl")


@pytest.fixture
def folder(tmp_path: Path) -> DumpFolder:
    return DumpFolder(tmp_path)


def make(store: GameStore, folder: DumpFolder, now: datetime = DUE) -> list[PublicFile]:
    """Make what is due; return the files that were made."""
    return [file for file in DumpBuilder(DumpStore(store), folder).steps(now) if file is not None]


def lines_of(folder: DumpFolder, month: str = "2026-10") -> list[dict[str, Any]]:
    """Return the games of a file, after checking what its list says of it."""
    file = folder.find(month)
    assert file is not None
    content = (folder.path / file.name).read_bytes()
    assert (len(content), hashlib.sha256(content).hexdigest()) == (file.bytes, file.sha256)
    lines = gzip.decompress(content).splitlines()
    assert len(lines) == file.games
    return [json.loads(line) for line in lines]


def files_in(folder: DumpFolder) -> set[str]:
    return {path.name for path in folder.path.iterdir()}


# ---------------------------------------------------------------------- what is in them


def test_a_file_has_the_public_rated_games_of_a_month(store: GameStore, players: Players, folder: DumpFolder) -> None:
    begin, end = bounds_of("2026-10")
    last = [*players.play(1, "anna", "ben", begin), *players.play(1, "ben", "anna", end - timedelta(microseconds=1))]
    players.play(1, "anna", "ben", begin - timedelta(microseconds=1))
    players.play(1, "anna", "ben", end)
    players.play(1, "anna", "ben", OCTOBER, listed=False)
    players.play(1, "anna", "ben", OCTOBER, rated=False)
    assert [file.month for file in make(store, folder)] == ["2026-09", "2026-10"]
    games = lines_of(folder)
    assert [game["id"] for game in games] == last
    first = games[0]
    assert first["result"] == "1-0" and first["time"] == "3d" and first["rated"] and first["start"] == "standard w"
    assert first["seats"]["w"]["player"] == {
        "id": players.ids["anna"], "name": "Anna", "handle": None, "kind": "person", "rating": 1500
    }  # fmt: skip
    assert [turn["text"] for turn in first["turns"]] == list(EIGHT_MOVES)
    assert first["turns"][0]["at"] == "2026-09-30T16:00:00Z"


def test_ratings_are_those_of_then(store: GameStore, players: Players, folder: DumpFolder) -> None:
    players.play(3, "anna", "ben", OCTOBER)
    make(store, folder)
    white = [game["seats"]["w"]["player"]["rating"] for game in lines_of(folder)]
    assert white[0] == 1500 and white == sorted(white) and len(set(white)) == 3
    now = {rating.pool: rating.rating for rating in RatingStore(store.database).of_player(players.ids["anna"])}
    assert white[2] < now["standard-days"]


def test_the_library_reads_a_file(store: GameStore, players: Players, folder: DumpFolder) -> None:
    players.play(1, "anna", "ben", OCTOBER)
    make(store, folder)
    (line,) = lines_of(folder)
    game = Game(line["start"], line["tags"])
    for turn in line["turns"]:
        game.push(turn["text"])
    assert len(game.moves) == len(EIGHT_MOVES)


def test_months_are_made_when_they_are_over() -> None:
    first = datetime(2025, 11, 30, 23, 59, tzinfo=UTC)
    assert list(complete_months(first, datetime(2025, 12, 1, 23, tzinfo=UTC))) == []
    assert list(complete_months(first, datetime(2026, 2, 1, tzinfo=UTC))) == ["2025-11", "2025-12"]
    assert list(complete_months(first, datetime(2026, 2, 2, tzinfo=UTC))) == ["2025-11", "2025-12", "2026-01"]


def test_a_month_without_games_has_an_empty_file(store: GameStore, players: Players, folder: DumpFolder) -> None:
    assert make(store, folder) == []
    players.play(1, "anna", "ben", datetime(2026, 8, 1, tzinfo=UTC))
    assert [file.games for file in make(store, folder)] == [1, 0, 0]
    assert lines_of(folder, "2026-09") == []


def test_a_past_month_stays_as_it_is(store: GameStore, players: Players, folder: DumpFolder) -> None:
    first, *_ = players.play(3, "anna", "ben", OCTOBER)
    (made,) = make(store, folder)
    players.accounts.rename(players.ids["anna"], "Hanna").result()
    assert store.delete(first).result()
    players.play(1, "carl", "anna", OCTOBER + timedelta(days=3))  # counted late
    assert make(store, folder) == [] and folder.files() == [made]
    assert [game["seats"]["w"]["name"] for game in lines_of(folder)] == ["Anna"] * 3


# ---------------------------------------------------------------------- deleted players


def test_a_deleted_players_name_disappears(store: GameStore, players: Players, folder: DumpFolder) -> None:
    with_anna = players.play(2, "anna", "ben", OCTOBER)
    players.play(2, "ben", "carl", OCTOBER + timedelta(days=1))
    players.play(1, "ben", "carl", OCTOBER - timedelta(days=1))
    make(store, folder)
    before, september = lines_of(folder), folder.find("2026-09")
    names = files_in(folder)
    players.accounts.rename(players.ids["ben"], "Benno").result()
    players.delete("anna")
    (made,) = make(store, folder)
    assert made.month == "2026-10" and folder.find("2026-09") == september
    after = lines_of(folder)
    assert after[2:] == before[2:]  # nothing else has changed
    for game, old in zip(after[:2], before[:2], strict=True):
        white = old["seats"]["w"]
        nobody = {"id": game["id"], "name": None, "handle": None, "kind": "guest", "rating": white["player"]["rating"]}
        assert game == {**old, "seats": {**old["seats"], "w": {**white, "name": None, "player": nobody}}}
    assert [game["id"] for game in after[:2]] == with_anna
    assert b"Anna" not in b"".join(gzip.decompress(path.read_bytes()) for path in folder.path.glob("*.gz"))
    assert len(files_in(folder)) == len(names)  # the old file is gone
    assert make(store, folder) == []


def test_a_replaced_file_is_removed_though_its_process_was_killed(
    store: GameStore, players: Players, folder: DumpFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    players.play(1, "anna", "ben", OCTOBER)
    (made,) = make(store, folder)
    players.delete("anna")

    unlink = Path.unlink

    def kill(path: Path, missing_ok: bool = False) -> None:
        if path.name == made.name:
            raise Killed
        unlink(path, missing_ok)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", kill)
        with pytest.raises(Killed):
            make(store, folder)
    assert made.name in files_in(folder)  # with Anna's name, though the list names another file
    assert make(store, folder) == [] and made.name not in files_in(folder)


def test_a_file_made_after_a_deletion_has_no_name_either(
    store: GameStore, players: Players, folder: DumpFolder
) -> None:
    players.play(1, "anna", "ben", OCTOBER)
    players.play(1, "carl", "ben", OCTOBER + timedelta(days=1))
    players.delete("anna")
    make(store, folder)
    first, second = lines_of(folder)
    assert first["seats"]["w"]["name"] is None and first["seats"]["w"]["player"]["id"] == first["id"]
    assert first["seats"]["b"]["name"] == "Ben" and second["seats"]["w"]["name"] == "Carl"
    players.delete("carl")  # what was anonymous from the start stays as it is
    make(store, folder)
    assert lines_of(folder)[0] == first


def test_when_everybody_is_gone_the_file_names_nobody(store: GameStore, players: Players, folder: DumpFolder) -> None:
    players.play(1, "anna", "ben", OCTOBER)
    make(store, folder)
    players.delete("anna")
    players.delete("ben")  # the game itself is deleted with them
    assert DumpStore(store).first_end() is None
    assert [file.games for file in make(store, folder)] == [1]
    (game,) = lines_of(folder)
    assert {seat["name"] for seat in game["seats"].values()} == {None}


def test_a_player_deleted_while_a_file_is_made_is_not_in_it(
    store: GameStore, players: Players, folder: DumpFolder
) -> None:
    players.play(PAGE_SIZE + 1, "anna", "ben", OCTOBER)
    players.play(1, "carl", "ben", OCTOBER + timedelta(days=1))
    steps = DumpBuilder(DumpStore(store), folder).steps(DUE)
    assert next(steps) is None  # the first page names Anna
    players.delete("anna")
    assert len([file for file in steps if file is not None]) == 2  # complete, and then without her
    assert {game["seats"]["w"]["name"] for game in lines_of(folder)} == {None, "Carl"}


def test_a_player_deleted_while_nobody_writes_is_not_in_what_was_begun(
    store: GameStore, players: Players, folder: DumpFolder
) -> None:
    players.play(PAGE_SIZE + 1, "anna", "ben", OCTOBER)
    steps = DumpBuilder(DumpStore(store), folder).steps(DUE)
    next(steps)
    steps.close()  # killed
    players.delete("anna")
    assert len(make(store, folder)) == 1  # begun again: the name was never published
    assert {game["seats"]["w"]["name"] for game in lines_of(folder)} == {None}


# ---------------------------------------------------------------------- killed while writing


def test_a_process_killed_at_any_step_is_continued(
    store: GameStore, players: Players, folder: DumpFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often it is killed, and wherever: the file is the one that is made in one go, byte by byte."""
    ids = players.play(2 * PAGE_SIZE + 5, "anna", "ben", OCTOBER)
    reference = DumpFolder(folder.path / "reference")
    reference.path.mkdir()
    make(store, reference)
    pages: list[str] = []
    page = DumpStore.page

    def counted(self: DumpStore, *arguments: Any) -> Any:
        pages.append("page")
        return page(self, *arguments)

    monkeypatch.setattr(DumpStore, "page", counted)
    for number in range(100):
        with monkeypatch.context() as patched:
            _kill_at(patched, number)
            try:
                if make(store, folder) == []:
                    break  # it was there already
            except Killed:
                assert folder.files() == [] or folder.find("2026-10") == folder.files()[0]
    assert number > 6  # it was killed at several steps of each page
    assert [game["id"] for game in lines_of(folder)] == ids
    name = folder.files()[0].name
    assert (folder.path / name).read_bytes() == (reference.path / name).read_bytes()
    assert not [each for each in files_in(folder) if each.endswith((".part", ".progress", ".new"))]
    assert len(pages) < 20  # it was continued, not begun anew each time


def _kill_at(patched: pytest.MonkeyPatch, number: int) -> None:
    """Let the process end at one of its next steps to the disk: before it if the number is even, else after it."""
    steps, target = iter(range(10**6)), number % 13

    def kill_in(owner: Any, name: str) -> None:
        function = getattr(owner, name)

        def killed(*arguments: Any, **options: Any) -> Any:
            is_target = next(steps) == target
            if is_target and number % 2 == 0:
                raise Killed
            result = function(*arguments, **options)
            if is_target:
                raise Killed
            return result

        patched.setattr(owner, name, killed)

    kill_in(os, "fsync")
    kill_in(os, "truncate")
    kill_in(Path, "replace")
    kill_in(Path, "unlink")
    kill_in(gzip, "compress")


def test_half_a_page_is_cut_off(store: GameStore, players: Players, folder: DumpFolder) -> None:
    ids = players.play(PAGE_SIZE + 1, "anna", "ben", OCTOBER)
    steps = DumpBuilder(DumpStore(store), folder).steps(DUE)
    next(steps)
    steps.close()
    with (folder.path / ".punct-2026-10.part").open("ab") as file:
        file.write(b"half a page")
    make(store, folder)
    assert [game["id"] for game in lines_of(folder)] == ids


def test_a_damaged_part_is_made_again(store: GameStore, players: Players, folder: DumpFolder) -> None:
    ids = players.play(PAGE_SIZE + 1, "anna", "ben", OCTOBER)
    steps = DumpBuilder(DumpStore(store), folder).steps(DUE)
    next(steps)
    steps.close()
    part = folder.path / ".punct-2026-10.part"
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 0xFF
    part.write_bytes(content)
    assert make(store, folder) == [] and folder.files() == []  # nothing damaged is published
    make(store, folder)
    assert [game["id"] for game in lines_of(folder)] == ids


def test_no_part_is_published_that_is_damaged_anywhere(folder: DumpFolder) -> None:
    lines = b"".join(b'{"id": "%d"}\n' % number for number in range(2000))
    for position in range(10, 3000, 97):  # behind the header
        part = folder.resume("2026-10", "")
        folder.append(part, lines, 2000, None, is_last=True)
        path = folder.path / ".punct-2026-10.part"
        content = bytearray(path.read_bytes())
        content[position] ^= 0xFF
        path.write_bytes(content)
        with pytest.raises(DamagedPartError):
            folder.publish(part, DUE)
    assert files_in(folder) == set()


def test_a_damaged_file_is_made_from_the_games_when_a_player_is_deleted(
    store: GameStore, players: Players, folder: DumpFolder
) -> None:
    ids = players.play(20, "anna", "ben", OCTOBER)
    players.play(1, "ben", "carl", OCTOBER + timedelta(days=32))
    (made,) = make(store, folder)
    content = bytearray((folder.path / made.name).read_bytes())
    content[len(content) // 2] ^= 0xFF
    (folder.path / made.name).write_bytes(content)
    players.delete("anna")
    assert [file.month for file in make(store, folder, DUE + timedelta(days=31))] == ["2026-10", "2026-11"]
    games = lines_of(folder)
    assert [game["id"] for game in games] == ids
    assert {game["seats"]["w"]["name"] for game in games} == {None}


def test_a_list_that_cannot_be_read_keeps_no_other_month_from_being_made(
    store: GameStore, players: Players, folder: DumpFolder
) -> None:
    players.play(1, "anna", "ben", OCTOBER - timedelta(days=1))
    players.play(1, "anna", "ben", OCTOBER)
    (folder.path / "punct-2026-09.json").mkdir()
    with pytest.raises(OSError, match=r"punct-2026-09\.json"):
        make(store, folder)
    assert [file.month for file in folder.files()] == ["2026-10"]


def test_damaged_lists_are_made_again(store: GameStore, players: Players, folder: DumpFolder) -> None:
    players.play(1, "anna", "ben", OCTOBER)
    (made,) = make(store, folder)
    for damage in (b"", b"[]", b'{"month": 1}'):
        (folder.path / "punct-2026-10.json").write_bytes(damage)
        assert folder.files() == []
        assert [file.sha256 for file in make(store, folder)] == [made.sha256]
    (folder.path / made.name).unlink()
    assert folder.files() == [] and len(make(store, folder)) == 1


def test_a_folder_that_cannot_be_locked_is_told(
    store: GameStore, players: Players, folder: DumpFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process in the folder is nothing to tell; a file system without locks is."""
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    players.play(1, "anna", "ben", OCTOBER)
    with pytest.raises(OSError, match="No locks available"):
        make(store, folder)


def test_one_process_writes_at_a_time(store: GameStore, players: Players, folder: DumpFolder) -> None:
    players.play(1, "anna", "ben", OCTOBER)
    with folder.locked(), pytest.raises(FolderInUseError):
        make(store, DumpFolder(folder.path))
    assert len(make(store, folder)) == 1


# ---------------------------------------------------------------------- memory


def test_memory_does_not_grow_with_the_games(tmp_path: Path) -> None:
    """Sixteen times as many games take about as much memory: a page of them, and garbage that is not collected yet.

    In a process that has many objects, that is much: it is collected when it has grown by a share of them all.
    """
    peaks = []
    for count in (50, 250, 4000):  # the first time, modules and caches are filled too
        store = GameStore(open_database(tmp_path / str(count)))
        players = Players(store, "anna", "ben")
        players.play(count, "anna", "ben", OCTOBER)
        folder = DumpFolder(tmp_path / f"files {count}")
        folder.path.mkdir()
        gc.collect()
        tracemalloc.start()
        try:
            make(store, folder)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
        assert folder.files()[0].games == count
        players.delete("ben")
        make(store, folder)
        store.close()
    assert peaks[2] < 4 * peaks[1], peaks


# ---------------------------------------------------------------------- on a server


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def server(
    store_url: Path | str, tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TestClient]:
    monkeypatch.setattr(Heartbeat.__init__, "__kwdefaults__", {"min_outage": timedelta.max})
    monkeypatch.setattr("punct.server.timekeeping.service.CHECK_SECONDS", 1e6)
    monkeypatch.setattr("punct.server.dumps.service.CHECK_SECONDS", 1e6)  # tests say when
    configuration = DumpConfiguration(tmp_path / "files", "CC0 1.0")
    configuration.prepare(online=True)
    with TestClient(create_app(store_url, workers=1, online=True, now=clock, dumps=configuration)) as client:
        yield client


def make_on(server: TestClient) -> None:
    """Make what is due, now."""
    assert server.portal is not None
    dumps: Dumps = server.app.state.services.get(Dumps)  # type: ignore[attr-defined]
    server.portal.call(dumps.make_due, 0.0)


def test_files_are_listed_and_downloaded(server: TestClient, clock: ManualClock, record_threads: Any) -> None:
    threads = record_threads(DumpStore, "page")
    anna, ben = (create_account(lambda: Browser(server), name=name)[0] for name in ("Anna", "Ben"))
    game = start_and_play(anna, ben, time="5+3", rated=True, listed=True)
    json_of(ben.post(f"/games/{game['id']}/resign"))
    ratings: Ratings = server.app.state.services.get(Ratings)  # type: ignore[attr-defined]
    server.portal.call(ratings._tasks.finish)  # type: ignore[union-attr]
    assert json_of(anna.get("/dumps")) == {"offered": True, "licence": "CC0 1.0", "files": []}
    month = f"{clock.time:%Y-%m}"
    clock.advance(days=33)
    make_on(server)
    (listed,) = [file for file in json_of(anna.get("/dumps"))["files"] if file["month"] == month]
    response = server.get(listed["url"])
    assert response.status_code == 200 and response.headers["content-type"] == "application/gzip"
    content = response.content
    assert len(content) == listed["bytes"] == int(response.headers["content-length"])
    assert hashlib.sha256(content).hexdigest() == listed["sha256"]
    (line,) = map(json.loads, gzip.decompress(content).splitlines())
    assert line["id"] == game["id"] and line["seats"]["b"]["name"] == "Ben"
    own = anna.client.get("/api/v1/me/games/download?format=jsonl", headers=anna.headers)
    assert json.loads(own.text).keys() == line.keys()  # one form for both
    etag = response.headers["etag"]
    assert server.get(listed["url"], headers={"if-none-match": etag}).status_code == 304
    part = server.get(listed["url"], headers={"range": "bytes=10-19", "if-range": etag})
    assert part.status_code == 206 and part.content == content[10:20]
    assert part.headers["content-range"] == f"bytes 10-19/{len(content)}"
    rest = server.get(listed["url"], headers={"range": "bytes=10-"})
    assert rest.content == content[10:]
    outdated = server.get(listed["url"], headers={"range": "bytes=10-", "if-range": '"other"'})
    assert outdated.status_code == 200 and outdated.content == content
    beyond = server.get(listed["url"], headers={"range": f"bytes={len(content)}-"})
    assert beyond.status_code == 416 and beyond.headers["content-range"] == f"bytes */{len(content)}"
    assert error_of(anna.get("/dumps/punct-2020-01.jsonl.gz")) == (404, "unknown_dump")
    assert error_of(anna.get("/dumps/punct-2020-13.jsonl.gz"))[0] == 422
    assert anna.delete("/me", PROOF).status_code == 204
    make_on(server)
    assert b"Anna" not in gzip.decompress(server.get(listed["url"]).content)
    assert b"Ben" in gzip.decompress(server.get(listed["url"]).content)
    assert server.portal is not None
    assert threads and server.portal.call(_thread_of_the_event_loop) not in threads


async def _thread_of_the_event_loop() -> int:
    return threading.get_ident()


def test_a_server_without_a_folder_offers_none(empty_client: TestClient, online: TestClient) -> None:
    for client in (empty_client, online):
        assert json_of(client.get("/api/v1/dumps")) == {"offered": False, "licence": None, "files": []}
        assert error_of(client.get("/api/v1/dumps/punct-2026-10.jsonl.gz")) == (409, "not_offered")


def test_wrong_settings_are_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DumpConfigurationError, match="cannot be written to"):
        DumpConfiguration(tmp_path / "file" / "folder").prepare(online=True)
    with pytest.raises(DumpConfigurationError, match="--online"):
        DumpConfiguration(tmp_path).prepare(online=False)
    with pytest.raises(DumpConfigurationError, match="one line"):
        DumpConfiguration(tmp_path, "CC0\n1.0").prepare(online=True)
