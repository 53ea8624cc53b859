"""The opening explorer: moves played in a position, counted once, whatever happens to the games."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.server.game_requests import API, create_game, play_moves, post_action

from punct import Game, kernel
from punct.kernel.openings import canonical_key
from punct.move import Move
from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.db.database import Connection, open_database
from punct.server.db.errors import StoreBusyError
from punct.server.games.game import PlayedGame
from punct.server.games.model import NewStoredGame, StoredMove, StoredSeat
from punct.server.games.store import GameStore
from punct.server.openings import counter_store
from punct.server.openings.archives import ArchiveImporter, ImportResult, day_played, game_hash, mean_rating_of
from punct.server.openings.book import BOOK_PATH, Book, BookGame, read_book, shipped_book, write_book
from punct.server.openings.counter import GameCounter, counted_game
from punct.server.openings.counter_store import CountedGame, GameCountStore
from punct.server.openings.schemas import Opening
from punct.server.openings.store import OpeningStore, Source
from punct.symmetry import SYMMETRIES

TURNS = ("Ed5ne", "Tl10n", "Eg3n", "Tm9n")
SERVER = {"source": "server"}


def get_opening(client: TestClient, position: str = "standard w", **wanted: Any) -> dict[str, Any]:
    """Return the explorer's response once everything is counted, checked against its schema."""
    assert client.portal is not None
    counter: GameCounter = client.app.state.services.get(GameCounter)  # type: ignore[attr-defined]
    client.portal.call(counter.catch_up)
    answer = client.get(f"{API}/explorer", params={"position": position, **(wanted or SERVER)})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert Opening.model_validate(found).model_dump(mode="json") == found
    assert isinstance(found, dict)
    return found


def results(found: dict[str, Any]) -> tuple[int, int, int, int]:
    return found["games"], found["white"], found["draws"], found["black"]


def mirrored(symmetry: int) -> list[str]:
    """Return the turns as they are on a turned or mirrored board."""
    position, turns = kernel.Position(), []
    for text in TURNS:
        turns.append(str(SYMMETRIES[symmetry].move(text, position)))
        position.push(text)
    return turns


def test_symmetric_games_are_counted_together(client_on_both: TestClient) -> None:
    client = client_on_both
    assert results(get_opening(client)) == (0, 0, 0, 0)
    games = [play_moves(client, create_game(client), *mirrored(symmetry)) for symmetry in (0, 3, 7, 10)]
    assert get_opening(client)["games"] == 0, "none of them is over"
    for game, loser in zip(games, "bbww", strict=True):
        assert post_action(client, game, "resign", {"colour": loser})[0] == 200
    found = get_opening(client)
    assert results(found) == (4, 2, 0, 2)
    (first,) = found["moves"]
    assert (first["games"], first["white"], first["black"], first["rating"]) == (4, 2, 2, None)
    assert first["last"] == games[0]["updated"][:10]
    for symmetry in (0, 3, 7, 10):
        turns = mirrored(symmetry)
        position = kernel.Position()
        for text in turns:
            told = get_opening(client, str(position))
            assert results(told) == (4, 2, 0, 2)
            canonical, way = position.canonical()
            assert (told["position"], told["symmetry"]) == (str(canonical), way.number)
            (move,) = told["moves"]
            after, wanted = position.copy(), position.copy()
            after.push(move["turn"])
            wanted.push(text)
            assert canonical_key(after)[0] == canonical_key(wanted)[0]
            position.push(text)
        assert get_opening(client, str(position))["games"] == 0, "nobody went on from here"


def test_the_count_follows_changes_of_a_game(client_on_both: TestClient) -> None:
    client = client_on_both
    start = "standard w wCh9n bCj3n"
    one, two = (play_moves(client, create_game(client, position=start), "Ed5ne", "Tl10n") for _ in range(2))
    for game in (one, two):
        post_action(client, game, "resign", {"colour": "w"})
    assert results(get_opening(client, start)) == (2, 0, 0, 2)
    post_action(client, one, "undo")
    assert results(get_opening(client, start)) == (1, 0, 0, 1), "the game goes on"
    post_action(client, one, "draw")
    assert results(get_opening(client, start)) == (2, 0, 1, 1), "and ends otherwise"
    for _ in range(2):
        post_action(client, one, "undo")
    played = play_moves(client, {**one, "ply": 1}, "Tc8n")
    post_action(client, played, "resign", {"colour": "b"})
    assert results(get_opening(client, start)) == (2, 1, 0, 1)
    after = kernel.Position(start)
    after.push("Ed5ne")
    assert {move["turn"] for move in get_opening(client, str(after))["moves"]} == {"Tl10n", "Tc8n"}
    assert client.delete(f"{API}/games/{two['id']}").status_code == 204
    assert results(get_opening(client, start)) == (1, 1, 0, 0)
    assert [move["turn"] for move in get_opening(client, str(after))["moves"]] == ["Tc8n"]
    assert client.delete(f"{API}/games/{one['id']}").status_code == 204
    assert results(get_opening(client, start)) == (0, 0, 0, 0)
    assert get_opening(client, start)["moves"] == []


def test_a_game_against_an_engine_counts_with_the_levels_rating(client: TestClient) -> None:
    start = "standard w wCh9n bCj3n wTb9ne"
    game = create_game(client, position=start, seats={"b": {"type": "engine", "level": 3}})
    post_action(client, play_moves(client, game, "Ed5ne"), "resign")
    (move,) = get_opening(client, start)["moves"]
    assert (move["games"], move["rating"]) == (1, 1200)


def test_imported_games_are_not_counted_as_played_here(client: TestClient) -> None:
    start = "standard w wCh9n bCj3n wTb9ne bTm9n"
    text = f'[Position "{start}"]\n[Termination "resignation"]\n\nEd5ne Tl10n 1-0\n'
    assert client.post(f"{API}/records", json={"text": text}).status_code == 201
    assert results(get_opening(client, start)) == (0, 0, 0, 0)


def test_sources_are_counted_separately(client: TestClient) -> None:
    found = get_opening(client, source=["book"])
    assert (
        found["games"]
        == found["sources"]["book"]
        == sum(game.start == "standard w" for game in read_book(BOOK_PATH.read_bytes()))
    )
    assert sum(move["games"] for move in found["moves"]) == found["games"]
    assert [move["games"] for move in found["moves"]] == sorted(
        (move["games"] for move in found["moves"]), reverse=True
    )
    everything = client.get(f"{API}/explorer").json()
    assert everything["games"] == sum(everything["sources"].values())
    assert get_opening(client, source=["archives"])["games"] == 0


@pytest.mark.parametrize(
    "asked", [{"position": "chess w"}, {"position": "standard w wXx"}, {"source": "elsewhere"}, {"position": ""}]
)
def test_invalid_requests_are_refused(client: TestClient, asked: dict[str, str]) -> None:
    answer = client.get(f"{API}/explorer", params=asked)
    assert answer.status_code == 422
    assert answer.json()["error"]["message"]


# ---------------------------------------------------------------------- the store


def finished(store: GameStore, moves: list[str], winner: Colour | None) -> str:
    """Return the id of a game that was played and ended."""
    seats = {colour: StoredSeat() for colour in Colour}
    (stored,) = store.create([NewStoredGame("standard w", seats)]).result()
    game = PlayedGame.replay(stored, [])
    for text in moves:
        game = game.push(text)
        store.add_moves(game.stored, StoredMove(text, game.stored.updated)).result()
    outcome = Outcome(winner, Ending.AGREEMENT if winner is None else Ending.RESIGNATION)
    store.update(game.end(outcome).stored).result()
    return stored.id


def counted(store: GameStore) -> Counter[tuple[int, ...]]:
    """Return all that is counted, row by row."""
    names = "position, source, move, white, draws, black, rated, rating, last"
    return Counter(tuple(row) for row in store.database.fetch_all(f"SELECT {names} FROM explored"))


def count_due(store: GameStore) -> None:
    """Count what is due, as a server would."""

    async def catch_up() -> None:
        await GameCounter(store, {}, lambda: None).catch_up()

    asyncio.run(catch_up())


def test_counts_match_the_games_after_random_changes(store_url: Path | str, tmp_path: Path) -> None:
    """Many games come and go; in the end everything is as if those left had been counted in one go."""
    dice = random.Random(1)
    store = GameStore(open_database(store_url))
    left: dict[str, tuple[list[str], Colour | None]] = {}
    for _ in range(4):
        for _ in range(5):
            position = kernel.Position()
            for ply in range(4):
                position.play_random(10 * ply + dice.randrange(2), 1)
            moves, winner = [str(move) for move in position.moves], dice.choice([*Colour, None])
            left[finished(store, moves, winner)] = moves, winner
        count_due(store)
        for game_id in dice.sample([*left], 2):
            del left[game_id]
            assert store.delete(game_id).result()
    count_due(store)
    found = counted(store)
    assert sum(row[3] + row[4] + row[5] for row in found if row[0] == 0) == len(left) == 12
    sizes = OpeningStore(store.database).sizes()
    assert sizes[Source.SERVER] == (12, found.total()) and sizes[Source.ARCHIVES] == (0, 0)
    store.close()
    other = GameStore(open_database(tmp_path / "other"))
    for moves, winner in left.values():
        finished(other, moves, winner)
    count_due(other)
    assert counted(other) == found
    other.close()


def test_removing_a_game_corrects_the_last_day(store_url: Path | str) -> None:
    store = GameStore(open_database(store_url))
    counts = GameCountStore(store.database)
    ids = [finished(store, ["Ed5ne", turn], None) for turn in ("Tl10n", "Tl10n", "Tc8n")]
    for day, game_id in enumerate(ids, 100):
        found = store.load(game_id)
        assert found is not None
        counts.count_game(game_id, counted_game(*found, {})._replace(day=day)).result()
    assert [row.last for row in OpeningStore(store.database).move_counts(0)] == [102]
    counts.count_game(ids[2], None).result()
    find_stale_days(counts)
    assert [row.last for row in OpeningStore(store.database).move_counts(0)] == [101]
    counts.count_game(ids[1], None).result()
    find_stale_days(counts)
    assert [row.last for row in OpeningStore(store.database).move_counts(0)] == [100]
    counts.count_game(ids[0], None).result()
    assert counted(store) == Counter()
    store.close()


def find_stale_days(counts: GameCountStore) -> None:
    for stale in counts.stale_steps(9):
        assert counts.store_last_day(stale, counts.find_last_day(stale)).result()
    assert counts.stale_steps(9) == []


@pytest.fixture
def counted_games(store_url: Path | str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[GameStore, list[str]]]:
    """A store with games on several days, each with the same first move, counted; and their ids."""
    monkeypatch.setattr(counter_store, "MAX_SEARCHED", 3)
    store = GameStore(open_database(store_url))
    ids = [finished(store, ["Ed5ne", turn], None) for turn in ("Tl10n", *["Tc8n"] * 9, "Tl10n")]
    for number, game_id in enumerate(ids):
        GameCountStore(store.database).count_game(game_id, counted_at(store, game_id, 100 + number // 2)).result()
    yield store, ids
    store.close()


def counted_at(store: GameStore, game_id: str, day: int) -> CountedGame:
    found = store.load(game_id)
    assert found is not None
    return counted_game(*found, {})._replace(day=day)


def last_days(store: GameStore) -> list[int]:
    return sorted(last for (last,) in store.database.fetch_all("SELECT last FROM explored"))


def test_no_change_scans_the_counted_games(
    counted_games: tuple[GameStore, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer is one for everybody: it must not look through hundreds of thousands of games."""
    store, ids = counted_games
    statements = note_changes(store, monkeypatch)
    counts = GameCountStore(store.database)
    assert counts.count_game(ids[-1], None).result()
    find_stale_days(counts)
    asked = [text for text in statements if "explored_games" in text]
    assert asked and all("explored_games.id =" in text for text in asked), asked
    assert last_days(store) == [100, 104, 104]  # Tl10n, Ed5ne, Tc8n


def note_changes(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have every statement noted that the writer sends."""
    statements: list[str] = []
    writing = store.database.write_transaction

    class Noting:
        def __init__(self, connection: Connection) -> None:
            self._connection = connection

        def execute(self, statement: str, *values: Any) -> Any:
            statements.append(statement)
            return self._connection.execute(statement, *values)

        def executemany(self, statement: str, values: Any) -> Any:
            statements.append(statement)
            return self._connection.executemany(statement, values)

    @contextlib.contextmanager
    def noted() -> Iterator[Any]:
        with writing() as connection:
            yield Noting(connection)

    monkeypatch.setattr(store.database, "write_transaction", noted)
    return statements


def test_a_stale_last_day_is_repaired_at_the_start(
    counted_games: tuple[GameStore, list[str]],
) -> None:
    store, ids = counted_games
    GameCountStore(store.database).count_game(ids[-1], None).result()  # and then the server was killed
    assert last_days(store) == [104, 105, 105]
    store.delete(ids[-1]).result()
    count_due(store)
    assert GameCountStore(store.database).stale_steps(9) == []
    names = "SELECT day FROM explored_games"
    assert max(last_days(store)) == max(day for (day,) in store.database.fetch_all(names))


def test_a_last_day_is_searched_again_after_another_count(
    counted_games: tuple[GameStore, list[str]],
) -> None:
    store, ids = counted_games
    counts = GameCountStore(store.database)
    counts.count_game(ids[-1], None).result()
    late = finished(store, ["Ed5ne", "Tl10n"], Colour.WHITE)
    found = {stale: counts.find_last_day(stale) for stale in counts.stale_steps(9)}
    assert len(found) == 2
    counts.count_game(late, counted_at(store, late, 103)).result()
    assert not any(counts.store_last_day(stale, day).result() for stale, day in found.items())
    find_stale_days(counts)
    assert last_days(store) == [103, 104, 104]


def test_an_unchanged_game_is_not_counted_again(
    counted_games: tuple[GameStore, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rematch is offered in a game that is over: it has another revision, and nothing else."""
    store, ids = counted_games
    counts = GameCountStore(store.database)
    before = counted(store)
    found = store.load(ids[0])
    assert found is not None
    game = PlayedGame.replay(*found)
    store.update(
        game.with_stored(game.stored.next_revision(game.stored.updated, game.ply, game.outcome)).stored
    ).result()
    again = counted_at(store, ids[0], 100)
    statements = note_changes(store, monkeypatch)
    assert counts.count_game(ids[0], again).result() is False
    assert counted(store) == before and not any("DELETE" in text or "explored SET" in text for text in statements)
    assert store.database.fetch_all(f"SELECT revision FROM explored_games WHERE id = '{ids[0]}'") == [(again.revision,)]
    assert counts.count_game(ids[0], again._replace(rating=1500, day=110)).result()
    assert last_days(store) == [104, 110, 110]
    assert sum(row[6] for row in counted(store)) == 2 and sum(row[7] for row in counted(store)) == 3000


def test_a_game_changed_meanwhile_is_not_counted_as_it_was(tmp_path: Path) -> None:
    store = GameStore(open_database(tmp_path))
    game_id = finished(store, ["Ed5ne"], None)
    found = store.load(game_id)
    assert found is not None
    old = counted_game(*found, {})
    store.take_back(PlayedGame.replay(*found).undo().stored).result()
    assert GameCountStore(store.database).count_game(game_id, old).result() is False
    assert counted(store) == Counter()
    store.close()


def test_an_unreadable_game_is_tried_once(tmp_path: Path) -> None:
    store = GameStore(open_database(tmp_path))
    broken, sound = finished(store, ["Ed5ne"], None), finished(store, ["Ed5ne"], None)
    store.database.change(
        lambda connection: connection.execute(f"UPDATE turns SET text = 'x' WHERE game_id = '{broken}'")
    ).result()
    count_due(store)
    assert counted(store).total() == 1 and sound
    count_due(store)
    assert OpeningStore(store.database).sizes()[Source.SERVER] == (2, 1)
    store.close()


def test_a_game_that_cannot_be_read_at_the_moment_is_counted_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = GameStore(open_database(tmp_path))
    game_id = finished(store, ["Ed5ne"], None)

    def fail(_: str) -> None:
        raise StoreBusyError("The store is busy.")

    async def run() -> None:
        counter = GameCounter(store, {}, lambda: None)
        counter._count_soon(game_id)
        with monkeypatch.context() as disk, pytest.raises(StoreBusyError):
            disk.setattr(store, "load", fail)
            await counter._count_pending()
        await counter._count_pending()

    asyncio.run(run())
    assert counted(store).total() == 1
    store.close()


# ---------------------------------------------------------------------- archives


def played(*turns: str, winner: Colour | None = Colour.WHITE, **tags: str) -> Game:
    game = Game(tags={"White": "Anna", "Black": "Ben", **tags})
    for turn in turns:
        game.push(Move.parse(turn))
    if winner is None:
        game.agree_draw()
    else:
        game.resign(winner.other)
    return game


def test_a_game_of_an_archive_counts_once(store_url: Path | str) -> None:
    store = GameStore(open_database(store_url))
    openings = OpeningStore(store.database)
    game = played("Ed5ne", "Tl10n", Date="2026-02-03", WhiteElo="1500", BlackRating="1700")
    other_date = played("Ed5ne", "Tl10n", Date="Feb 3, 2026")
    for _ in range(2):
        archives = ArchiveImporter(openings)
        verdicts = [archives.add(one) for one in (game, other_date, Game(), played("Ed5ne", winner=None))]
        archives.finish()
    assert verdicts == [ImportResult.KNOWN, ImportResult.KNOWN, ImportResult.UNFINISHED, ImportResult.KNOWN]
    (row,) = openings.move_counts(0)
    assert (row.source, row.white, row.draws, row.black, row.rated, row.rating) == (Source.ARCHIVES, 1, 1, 0, 1, 1600)
    assert openings.sizes()[Source.ARCHIVES] == (2, 2)
    assert openings.delete_archives().result() == 2
    assert counted(store) == Counter()
    store.close()


def test_two_concurrent_imports_count_a_game_once(store_url: Path | str) -> None:
    store = GameStore(open_database(store_url))
    openings = OpeningStore(store.database)
    one, two = ArchiveImporter(openings), ArchiveImporter(openings)
    for archives, more in ((one, "Tl10n"), (two, "Tc8n")):
        archives.add(played("Ed5ne"))
        archives.add(played("Ed5ne", more))
    one.finish()
    two.finish()
    assert (one.stored, two.stored) == (2, 1)
    assert [row.white for row in openings.move_counts(0)] == [3]
    store.close()


def test_day_and_rating_are_read_from_tags() -> None:
    assert day_played(played("Ed5ne", Date="1970-01-02")) == 1
    assert day_played(played("Ed5ne", Date="2026.02.30")) == day_played(played("Ed5ne", Date="????")) == 0
    assert mean_rating_of(played("Ed5ne", BlackElo="1400")) == 1400
    assert mean_rating_of(played("Ed5ne", BlackElo="strong", WhiteElo="٣")) is None
    one, two = played("Ed5ne"), played("Ed5ne", White="ANNA", Event="elsewhere")
    assert game_hash(one, "s", "m", "1-0") == game_hash(two, "s", "m", "1-0") != game_hash(one, "s", "m", "0-1")


# ---------------------------------------------------------------------- the book


def test_the_shipped_book_is_as_documented() -> None:
    assert BOOK_PATH.stat().st_size <= 300_000
    games = read_book(BOOK_PATH.read_bytes())
    assert shipped_book().games == len(games) >= 2000
    assert {game.start for game in games} == {"standard w", "basic w"}
    assert {game.result for game in games} == {"1-0", "0-1", "1/2-1/2"}


def test_a_book_is_read_as_it_was_written() -> None:
    games = [BookGame("standard w", ("Ed5ne", "Tl10n"), "1-0"), BookGame("basic w", ("Ed5ne",), "1/2-1/2")]
    assert read_book(write_book(games)) == games
    ((move, *ends),) = Book(games).move_counts(0)
    assert ends == [1, 0, 0] and move
    assert Book(games).move_counts(12345) == Book(()).move_counts(0) == []


@pytest.mark.parametrize("content", [b"no book", write_book([])[:-4], write_book([BookGame("standard w", (), "*")])])
def test_an_invalid_book_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="book"):
        read_book(content)


def test_a_book_of_impossible_games_is_refused() -> None:
    with pytest.raises(ValueError, match="game 1 of the book"):
        Book([BookGame("standard w", ("Ed5ne", "Ed5ne"), "1-0")])
