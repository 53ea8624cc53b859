"""The store of games: revisions, conflicts, results, imports."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from punct import Colour
from punct.outcome import Ending, Outcome
from punct.server.db import sqlite
from punct.server.db.database import open_database
from punct.server.db.errors import ConflictError, StoreError
from punct.server.db.tables import METADATA
from punct.server.games.model import NewStoredGame, StoredMove, StoredSeat, Tally
from punct.server.games.store import GameStore

SEATS = {Colour.WHITE: StoredSeat("person", "Änne"), Colour.BLACK: StoredSeat("engine", level=4)}


def test_a_change_is_made_for_one_revision_only(store_url: Path | str) -> None:
    store = GameStore(open_database(store_url))
    (game,) = store.create([NewStoredGame("standard w", SEATS)]).result()
    now = datetime.now(UTC)
    played = game.next_revision(now, 1, None)
    store.add_moves(played, StoredMove("Ed5ne", now)).result()
    agreed = Outcome(None, Ending.AGREEMENT)
    for late in (
        store.add_moves(played, StoredMove("Td5n", now)),
        store.take_back(game.next_revision(now, 0, None)),
        store.update(game.next_revision(now, 0, agreed)),
        store.update(replace(played, id="nobody-knows")),
    ):
        with pytest.raises(ConflictError):
            late.result()
    assert store.load(game.id) == (played, [StoredMove("Ed5ne", now)])
    assert (played.revision, played.ply, played.turn, played.outcome) == (2, 1, Colour.BLACK, None)
    assert store.revision(game.id) == 2 and store.revision("nobody-knows") is None
    assert store.waiting_for_engine() == [played]
    ended = played.next_revision(now, 1, Outcome(Colour.WHITE, Ending.RESIGNATION))
    store.update(ended).result()
    assert store.waiting_for_engine() == []
    undone = (StoredMove("Ed5ne", now, "good"), StoredMove("Tl5s"))
    back = ended.next_revision(now, 0, None, undone)
    store.take_back(back).result()
    assert store.load(game.id) == (back, []) and back.undone == undone
    again = back.next_revision(now, 2, None)
    store.add_moves(again, *undone).result()
    assert store.load(game.id) == (again, list(undone)) and again.undone == ()
    assert store.delete(game.id).result() and not store.delete(game.id).result()
    assert store.load(game.id) is None
    store.close()


def test_games_that_wait_for_an_engine(store_url: Path | str) -> None:
    store = GameStore(open_database(store_url))
    swapped = {Colour.WHITE: SEATS[Colour.BLACK], Colour.BLACK: SEATS[Colour.WHITE]}
    wanted = [
        NewStoredGame("standard w", swapped),
        NewStoredGame("basic b wTd5n", SEATS),
        NewStoredGame("standard w", SEATS, "Ed5ne"),
        NewStoredGame("basic b wTd5n", swapped, "Tl5s"),
    ]
    others = [
        NewStoredGame("standard w", SEATS),
        NewStoredGame("basic b wTd5n", swapped),
        NewStoredGame("standard w", swapped, outcome=Outcome(None, Ending.AGREEMENT)),
        NewStoredGame("standard w", dict.fromkeys(Colour, StoredSeat())),
    ]
    made = store.create([*wanted, *others], datetime.now(UTC)).result()
    assert {game.id for game in store.waiting_for_engine()} == {game.id for game in made[:4]}
    assert all(game.seats[game.turn].kind == "engine" for game in store.waiting_for_engine())
    store.close()


def test_results_are_counted_by_rules_and_level(store_url: Path | str) -> None:
    store = GameStore(open_database(store_url))
    person, strong = StoredSeat("person"), StoredSeat("engine", level=5)
    white_wins, drawn = Outcome(Colour.WHITE, Ending.CONNECTION), Outcome(None, Ending.REPETITION)
    against = {Colour.WHITE: strong, Colour.BLACK: person}
    stored = [
        NewStoredGame("standard w", SEATS, outcome=white_wins),
        NewStoredGame("standard w", SEATS, outcome=white_wins),
        NewStoredGame("standard w", SEATS, outcome=drawn),
        NewStoredGame("standard w", {**SEATS, Colour.BLACK: strong}, outcome=white_wins),
        NewStoredGame("standard w", against, outcome=white_wins),
        NewStoredGame("basic w", against, outcome=Outcome(Colour.BLACK, Ending.RESIGNATION)),
        # Not counted: games that go on, that began from a position, between two persons, between two engines.
        NewStoredGame("standard w", SEATS),
        NewStoredGame("standard w wEd5ne", SEATS, outcome=white_wins),
        NewStoredGame("standard b", SEATS, outcome=white_wins),
        NewStoredGame("standard w", dict.fromkeys(Colour, person), outcome=white_wins),
        NewStoredGame("standard w", dict.fromkeys(Colour, strong), outcome=white_wins),
        # Those that came with a record that does not say so, or of another level.
        NewStoredGame("standard w", against, "Ed5ne Tl10n", outcome=white_wins),
        NewStoredGame("standard w", against, "Ed5ne", tags={"White": "PÜNCT level 3"}, outcome=white_wins),
        NewStoredGame("standard w", against, "Ed5ne", tags={"Black": "PÜNCT level 5"}, outcome=white_wins),
    ]
    assert store.tallies() == []
    store.create(stored).result()
    assert store.tallies() == [
        Tally("basic", 5, wins=1, draws=0, losses=0),
        Tally("standard", 4, wins=2, draws=1, losses=0),
        Tally("standard", 5, wins=1, draws=0, losses=1),
    ]
    store.close()


def test_nothing_of_a_failed_import_is_stored(store_url: Path | str) -> None:
    store = GameStore(open_database(store_url))
    nobody = {**SEATS, Colour.BLACK: StoredSeat(None)}  # type: ignore[arg-type]
    good, bad = NewStoredGame("standard w", SEATS, "Ed5ne Tl5s"), NewStoredGame("standard w", nobody)
    with pytest.raises(StoreError):
        store.create([good, bad]).result()
    assert store.list_all(0, 10) == ([], 0)
    with store._database.read_transaction() as connection:
        for table in METADATA.tables:
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    store.close()


def test_rows_of_an_import_do_not_grow_with_its_moves(tmp_path: Path) -> None:
    """A hundred thousand rows held everybody's turns up for seconds; now a game is four rows, however long it is."""
    store = GameStore(open_database(tmp_path))
    store.create([]).result()
    assert isinstance(store._database, sqlite.SqliteDatabase) and store._database._writer is not None
    writer = store._database._writer
    for moves in ("Ed5ne Tl5s", " ".join(["d5-d6ne", "l5-l6s"] * 1000)):
        before = writer.total_changes
        store.create([NewStoredGame("standard w", SEATS, moves)] * 50).result()
        assert writer.total_changes - before == 50 * 4
    store.close()


def test_imported_moves_belong_to_the_game(store_url: Path | str) -> None:
    store = GameStore(open_database(store_url))
    new = NewStoredGame("standard w", SEATS, "Ed5ne Tl5s d5-d6ne", {1: "tight", 2: '\N{PARTY POPPER} "so"\n'})
    (game,) = store.create([new]).result()
    came = [StoredMove("Ed5ne"), StoredMove("Tl5s", None, "tight"), StoredMove("d5-d6ne", None, new.comments[2])]
    assert store.load(game.id) == (game, came) and new.imported_moves() == came and game.ply == 3
    now = datetime.now(UTC)

    played = StoredMove("l5-l6s", now)
    game = game.next_revision(now, 4, None)
    store.add_moves(game, played).result()
    assert store.load(game.id) == (game, [*came, played])
    game = game.next_revision(now, 3, None, (played,))  # only what was played here
    store.take_back(game).result()
    assert store.load(game.id) == (game, came)
    game = game.next_revision(now, 1, None, (*came[1:], played))  # and what it came with
    store.take_back(game).result()
    assert store.load(game.id) == (game, came[:1])
    game = game.next_revision(now, 2, None)
    other = StoredMove("Tl6s", now)
    store.add_moves(game, other).result()
    assert store.load(game.id) == (game, [came[0], other])
    assert store.delete(game.id).result()
    with store._database.read_transaction() as connection:
        assert connection.execute("SELECT count(*) FROM records").fetchone() == (0,)
    store.close()
