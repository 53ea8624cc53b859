"""Ratings: which games count, once, also after a crash; player pages, curves and the leaderboard."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.databases import Postgresql
from tests.polling import TIMEOUT_SECONDS, wait_until
from tests.server.live_client import connect_to_game, next_message
from tests.server.online_client import API, Browser, NewBrowser, error_of
from tests.server.two_player_games import EIGHT_MOVES, ManualClock, json_of, play_moves, run_timekeeper, start_and_play

from punct.glicko import MIN_DEVIATION, START_DEVIATION, Rating, after_games, after_inactivity
from punct.kernel import Position
from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.accounts.store import AccountStore
from punct.server.app import create_app
from punct.server.auth.model import StoredSession
from punct.server.auth.store import AuthStore
from punct.server.db.database import migrate_to, open_database
from punct.server.games.model import NewStoredGame, SeatedPlayer, StoredClock, StoredSeat
from punct.server.games.store import GameStore
from punct.server.ratings.service import LEVEL_RATINGS, MAX_GAMES_OF_PAIR, Ratings, rate_game
from punct.server.ratings.store import EndedGame, GameCounts, RatingLookup, RatingStore, StoredRating

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RATED_SECONDS = 0.2
"""Between two questions whether a game is rated by now: reads are limited, too."""


@pytest.fixture
def store(store_url: Path | str) -> Iterator[GameStore]:
    store = GameStore(open_database(store_url))
    yield store
    store.close()


def newcomer(store: GameStore, login: str | None) -> str:
    session: StoredSession = AuthStore(store.database).create_guest(f"session of {login}", NOW, NOW).result()
    if login is not None:
        AccountStore(store.database).create_account(session.player.id, login, "hash").result()
    return session.player.id


def seat(player: str | int) -> StoredSeat:
    if isinstance(player, int):
        return StoredSeat("engine", None, player)
    return StoredSeat("person", player=SeatedPlayer(player))


def ended(store: GameStore, white: str | int, black: str | int, **changed: Any) -> str:
    """Store a game that white has won, after four moves of each side."""
    seats = {Colour.WHITE: seat(white), Colour.BLACK: seat(black)}
    given = {"outcome": Outcome(Colour.WHITE, Ending.RESIGNATION), "rated": True, "time": "5+3", **changed}
    given.setdefault("moves", " ".join(EIGHT_MOVES))
    clock, now = None if given["time"] is None else StoredClock(1000, 1000), given.pop("now", None)
    (game,) = store.create([NewStoredGame(given.pop("start", "standard w"), seats, clock=clock, **given)], now).result()
    return game.id


def count(store: GameStore, game: str) -> list[str]:
    return asyncio.run(Ratings(RatingStore(store.database)).count(game))


def test_deleting_an_account_keeps_the_ratings_of_opponents(store: GameStore) -> None:
    """Both what was still played and what nobody had come to count yet."""
    anna, ben, carl = (newcomer(store, login) for login in ("anna", "ben", "carl"))
    lost, running = ended(store, anna, ben), ended(store, ben, carl, outcome=None)
    unrated = ended(store, carl, ben, rated=False)
    forgotten = AccountStore(store.database).delete_player(ben, NOW, rate_game).result()
    assert forgotten is not None
    assert set(forgotten.changed_games) == {lost, running, unrated} and forgotten.rated_player_ids == {anna, carl}
    for winner, game in ((anna, lost), (carl, running)):
        (rating,) = RatingStore(store.database).of_player(winner)
        assert rating.rating > 1500 and rating.games == 1
        assert [counted.game_id for counted in RatingStore(store.database).history(winner, "standard-live")] == [game]
        assert count(store, game) == []  # once is enough
    assert RatingStore(store.database).uncounted_games() == [] and RatingStore(store.database).of_player(ben) == []


def test_a_rated_game_counts_once_for_both(store: GameStore) -> None:
    anna, ben = newcomer(store, "anna"), newcomer(store, "ben")
    game = ended(store, anna, ben)
    assert sorted(count(store, game)) == sorted([anna, ben])
    assert count(store, game) == []
    (winner,), (loser,) = RatingStore(store.database).of_player(anna), RatingStore(store.database).of_player(ben)
    assert winner.pool == loser.pool == "standard-live" and winner.games == loser.games == 1
    assert winner.rating > 1500 > loser.rating and winner.rating - 1500 == pytest.approx(1500 - loser.rating)
    (told,) = RatingStore(store.database).history(anna, "standard-live")
    assert (told.game_id, told.before, told.after) == (game, 1500, winner.rating)
    assert RatingStore(store.database).game_counts(anna) == GameCounts(running=0, wins=1, draws=0, losses=0)
    assert RatingStore(store.database).game_counts(ben) == GameCounts(running=0, wins=0, draws=0, losses=1)


@pytest.mark.parametrize(
    "changed",
    [
        {"rated": False},
        {"time": None},
        {"outcome": None},
        {"start": "standard w wEd5ne bTl10n"},
    ],
)
def test_other_games_do_not_count(store: GameStore, changed: dict[str, Any]) -> None:
    anna, ben = newcomer(store, "anna"), newcomer(store, "ben")
    assert count(store, ended(store, anna, ben, **changed)) == []
    assert RatingStore(store.database).of_player(anna) == []


def test_games_of_guests_or_against_oneself_do_not_count(store: GameStore) -> None:
    anna, guest = newcomer(store, "anna"), newcomer(store, None)
    with_guest, with_oneself = ended(store, anna, guest), ended(store, anna, anna)
    assert count(store, with_guest) == count(store, with_oneself) == []
    assert RatingStore(store.database).of_player(anna) == []
    assert with_guest not in RatingStore(store.database).uncounted_games()


@pytest.mark.parametrize("moves", [0, 6, 7])
def test_a_game_with_fewer_than_four_moves_of_each_side_does_not_count(store: GameStore, moves: int) -> None:
    """Not even against a level, and not later: it is decided once."""
    anna, ben = newcomer(store, "anna"), newcomer(store, "ben")
    for game in (
        ended(store, anna, ben, moves=" ".join(EIGHT_MOVES[:moves])),
        ended(store, anna, 8, time=None, moves=" ".join(EIGHT_MOVES[:moves])),
    ):
        assert game in RatingStore(store.database).uncounted_games()
        assert count(store, game) == [] and game not in RatingStore(store.database).uncounted_games()
        (stored,) = store.list_by_ids([game])
        assert (stored.uncounted, stored.revision) == ("short", 2)
        assert count(store, game) == [] and store.list_by_ids([game]) == [stored]
    assert RatingStore(store.database).of_player(anna) == RatingStore(store.database).of_player(ben) == []


def test_rated_games_of_a_pair_are_limited_per_day_and_pool(store: GameStore) -> None:
    anna, ben, carl = (newcomer(store, login) for login in ("anna", "ben", "carl"))
    hour = timedelta(hours=1)
    games = [ended(store, *(anna, ben)[:: 1 - 2 * (n % 2)], now=NOW + n * hour) for n in range(MAX_GAMES_OF_PAIR + 2)]
    for game in games[:MAX_GAMES_OF_PAIR]:
        assert len(count(store, game)) == 2
    for game in games[MAX_GAMES_OF_PAIR:]:
        assert count(store, game) == []
        assert store.list_by_ids([game])[0].uncounted == "pair"
    (rating,) = RatingStore(store.database).of_player(anna)
    assert rating.games == MAX_GAMES_OF_PAIR and RatingStore(store.database).uncounted_games() == []
    # In another pool, with somebody else, against the computer, and a day later, they do.
    for other in (
        ended(store, anna, ben, time="3d", now=NOW + 8 * hour),
        ended(store, anna, carl, now=NOW + 8 * hour),
        *(ended(store, anna, 3, time=None, now=NOW + 8 * hour) for _ in range(MAX_GAMES_OF_PAIR + 1)),
        ended(store, anna, ben, now=NOW + timedelta(days=2)),
    ):
        assert anna in count(store, other)


def test_the_limit_of_a_pair_holds_across_processes(postgresql: Postgresql) -> None:
    """Each counts the last that may: whichever comes second sees what the first has counted."""
    address = postgresql.new_store()
    stores = [GameStore(open_database(address)) for _ in range(2)]
    anna, ben = newcomer(stores[0], "anna"), newcomer(stores[0], "ben")
    for _ in range(MAX_GAMES_OF_PAIR - 1):
        count(stores[0], ended(stores[0], anna, ben))
    last = [ended(stores[0], anna, ben) for _ in range(2)]
    held, go_on = threading.Event(), threading.Event()

    def hesitating(game: EndedGame, lookup: RatingLookup) -> Any:
        verdict = rate_game(game, lookup)
        held.set()
        assert go_on.wait(TIMEOUT_SECONDS)
        return verdict

    first = RatingStore(stores[0].database).count(last[0], hesitating)
    assert held.wait(TIMEOUT_SECONDS)
    second = RatingStore(stores[1].database).count(last[1], rate_game)
    postgresql.wait_for_lock(address)
    go_on.set()
    assert sorted(first.result().players) == sorted([anna, ben]) and second.result().players == []
    assert stores[0].list_by_ids([last[1]])[0].uncounted == "pair"
    for store in stores:
        store.close()


def test_an_unrated_game_shows_the_reason(new_browser: NewBrowser) -> None:
    """Moves that were taken back are not counted either."""
    anna, ben = new_browser(), new_browser()
    for number, person in enumerate((anna, ben)):
        json_of(person.post("/account", {"login": f"short-{number}", "password": "three blue bridges"}), 201)
    game = start_and_play(anna, ben, rated=True, time="5+3")
    path = f"/games/{game['id']}"
    json_of(anna.post(f"{path}/offers", {"kind": "undo"}))
    json_of(ben.post(f"{path}/offers/accept", {"kind": "undo"}))
    with connect_to_game(ben, game) as socket:
        assert json_of(anna.post(f"{path}/resign"))["uncounted"] is None
        shown = next_message(socket, "game")["game"]
        while shown["uncounted"] is None:
            shown = next_message(socket, "game")["game"]
    assert (shown["uncounted"], shown["rated"], shown["ply"]) == ("short", True, 6)
    assert json_of(anna.get(path))["uncounted"] == "short"
    (listed,) = json_of(anna.get("/games"))["games"]
    assert listed["uncounted"] == "short"
    assert anna.get("/me").json()["ratings"] == []


def test_a_guests_game_never_counts_after_sign_up(store: GameStore) -> None:
    session: StoredSession = AuthStore(store.database).create_guest("guest", NOW, NOW + timedelta(days=1)).result()
    won, lost = (ended(store, *pair, time=None) for pair in ((session.player.id, 8), (8, session.player.id)))
    assert count(store, won) == count(store, lost) == []
    AccountStore(store.database).create_account(session.player.id, "late", "hash").result()
    assert RatingStore(store.database).uncounted_games() == [] and count(store, won) == []
    other: StoredSession = AuthStore(store.database).create_guest("other guest", NOW, NOW + timedelta(days=1)).result()
    adopted = ended(store, other.player.id, 8, time=None)
    assert count(store, adopted) == []
    AccountStore(store.database).open_session("new", session.player.id, NOW, NOW + timedelta(days=1), other).result()
    assert store.list_by_ids([adopted])[0].seats[Colour.WHITE].player is not None
    assert (
        RatingStore(store.database).uncounted_games() == []
        and RatingStore(store.database).of_player(session.player.id) == []
    )


def test_a_guest_cannot_start_a_rated_game(new_browser: NewBrowser) -> None:
    guest = new_browser()
    rated = {"rated": True, "seats": {"b": {"type": "engine", "level": 1}}}
    assert error_of(guest.post("/games", rated)) == (403, "no_account")
    json_of(guest.post("/me", {"name": "Guest"}))
    assert error_of(guest.post("/games", rated)) == (403, "no_account")
    json_of(guest.post("/account", {"login": "rated-now", "password": "three blue bridges"}), 201)
    assert json_of(guest.post("/games", rated), 201)["rated"] is True


def test_games_of_guests_do_not_count_after_the_migration(store_url: Path | str) -> None:
    """Games of the last version, in which a guest's could be rated, and waited for an account to count."""
    with contextlib.closing(GameStore(open_database(store_url))) as store:
        guest, anna = newcomer(store, None), newcomer(store, "anna")
        of_guest, running = ended(store, guest, 8, time=None), ended(store, guest, 8, time=None, outcome=None)
        of_anna = ended(store, anna, 8, time=None)
        store.database.change(
            lambda connection: connection.execute(f"UPDATE games SET next_id = 'gone' WHERE id = '{of_anna}'").rowcount
        ).result()
    migrate_to(store_url, "0010")
    with contextlib.closing(GameStore(open_database(store_url))) as store:
        AccountStore(store.database).create_account(guest, "guest", "hash").result()
        assert RatingStore(store.database).uncounted_games() == [of_anna]
        assert [game.uncounted for game in store.list_by_ids([of_guest, running, of_anna])] == ["guest", "guest", None]
        assert store.list_by_ids([of_anna])[0].next_id is None


def test_pools_have_separate_ratings(store: GameStore) -> None:
    anna, ben = newcomer(store, "anna"), newcomer(store, "ben")
    count(store, ended(store, anna, ben))
    count(store, ended(store, anna, ben, time="3d", start="basic w"))
    count(store, ended(store, 3, anna, time=None))
    assert [rating.pool for rating in RatingStore(store.database).of_player(anna)] == [
        "basic-days",
        "standard-level",
        "standard-live",
    ]
    level = RatingStore(store.database).of_player(anna)[1]
    assert level.rating < 1500  # she has lost to one whose rating is lower, and fixed
    assert [rating.pool for rating in RatingStore(store.database).of_player(ben)] == ["basic-days", "standard-live"]


def test_games_uncounted_by_a_crash_are_rated_at_the_start(store_url: Path | str) -> None:
    store = GameStore(open_database(store_url))
    anna, ben = newcomer(store, "anna"), newcomer(store, "ben")
    first, second = ended(store, anna, ben), ended(store, ben, anna)
    assert RatingStore(store.database).uncounted_games() == [first, second]
    store.close()
    with TestClient(create_app(store_url, workers=1, online=True)) as client:

        def rated() -> Any:
            return client.get(f"{API}/players/{anna}/ratings/standard-live").json()["points"]

        wait_until(lambda: len(rated()) >= 2, RATED_SECONDS)
        points = rated()
        assert [point["game"] for point in points] == [first, second]
        assert points[0]["before"] == 1500 and points[1]["before"] == points[0]["rating"]
        page = client.get(f"{API}/players/{anna}").json()
        assert page["player"]["kind"] == "person" and "login" not in page["player"]
        assert page["counts"] == {"running": 0, "wins": 1, "draws": 0, "losses": 1}
        assert page["ratings"][0]["games"] == 2 and page["ratings"][0]["provisional"]
        board = client.get(f"{API}/leaderboard").json()
        assert board["pool"] == "standard-live"
        assert {ranked["player"]["id"] for ranked in board["players"]} == {anna, ben}
        assert all(ranked["rank"] is None for ranked in board["players"])  # nobody's rating is certain enough
        assert client.get(f"{API}/leaderboard?rules=basic&speed=days").json()["players"] == []
        assert [game["id"] for game in client.get(f"{API}/players/{anna}/games").json()["games"]] == [second, first]
        assert error_of(client.get(f"{API}/players/nobody")) == (404, "unknown_player")
    store = GameStore(open_database(store_url))
    assert RatingStore(store.database).uncounted_games() == []
    store.close()


def test_private_games_are_listed_for_their_players_only(store_url: Path | str) -> None:
    with TestClient(create_app(store_url, workers=1, online=True)) as client:
        store = GameStore(open_database(store_url))
        anna, eve = Browser(client), Browser(client)
        player = anna.post("/me").json()["player"]["id"]
        hidden = ended(store, player, newcomer(store, "ben"), rated=False)
        shown = ended(store, player, newcomer(store, "carl"), rated=False, listed=True)
        store.close()
        path = f"/players/{player}/games"
        assert [game["id"] for game in eve.get(path).json()["games"]] == [shown]
        assert {game["id"] for game in anna.get(path).json()["games"]} == {shown, hidden}
        assert eve.get(path).json()["total"] == 1


def test_the_leaderboard_sorts_by_rating_and_puts_provisional_last(store: GameStore) -> None:
    players = [newcomer(store, f"player-{number}") for number in range(4)]
    for day in range(12):
        for strong, weak in [(0, 1), (1, 2), (0, 2)]:
            count(store, ended(store, players[strong], players[weak], now=NOW + timedelta(days=2 * day)))
    count(store, ended(store, players[3], players[0], now=NOW + timedelta(days=24)))
    ranked = RatingStore(store.database).leaderboard("standard-live", 150, 10)
    assert [found.player_id for found in ranked] == players
    assert ranked[3].rating.rating > ranked[1].rating.rating


def test_inactivity_raises_the_deviation_on_leaderboard_and_page(store: GameStore) -> None:
    players = [newcomer(store, f"player-{number}") for number in range(3)]
    long_ago, today = datetime(2010, 1, 1, tzinfo=UTC), datetime.now(UTC)
    for number, (player, updated) in enumerate(zip(players, (long_ago, today, today), strict=True)):
        rating = StoredRating("standard-live", 1900 - 100 * number, 60.0, 0.06, 50, updated)
        game = ended(store, player, players[number - 1])
        RatingStore(store.database).count(game, lambda *_, told=(player, rating): {told[0]: (1500.0, told[1])}).result()
    ranked = asyncio.run(Ratings(RatingStore(store.database)).leaderboard("standard-live"))
    assert [found.player_id for found in ranked] == [players[1], players[2], players[0]]
    (page,) = asyncio.run(Ratings(RatingStore(store.database)).of_player(players[0]))
    assert ranked[2].rating.deviation == pytest.approx(page.deviation) and page.deviation > 150


def test_a_rated_game_that_is_played_changes_both_ratings(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    for number, person in enumerate((anna, ben)):
        person.post("/account", {"login": f"rated-{number}", "password": "three blue bridges", "name": f"R{number}"})
    game = start_and_play(anna, ben, rated=True, time="5+3")
    assert ben.post(f"/games/{game['id']}/resign").json()["result"] == "1-0"
    wait_until(lambda: anna.get("/me").json()["ratings"], RATED_SECONDS)
    ratings = anna.get("/me").json()["ratings"]
    assert [(found["pool"], found["games"]) for found in ratings] == [("standard-live", 1)]
    assert ratings[0]["rating"] > 1500 > ben.get("/me").json()["ratings"][0]["rating"]
    ranked = anna.get("/leaderboard").json()["players"]
    assert {"R0", "R1"} <= {found["player"]["name"] for found in ranked}
    (point,) = ben.get(f"/players/{anna.me()['id']}/ratings/standard-live").json()["points"]
    assert (point["game"], point["before"], point["rating"]) == (game["id"], 1500, ratings[0]["rating"])


def test_rated_losses_to_engines_stay_and_abandoned_games_are_lost(tmp_path: Path) -> None:
    clock = ManualClock()
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        anna = Browser(client)
        anna.post("/account", {"login": "anna", "password": "three blue bridges"})
        rated = {"rated": True, "rules": "basic", "seats": {"b": {"type": "engine", "level": 1}}}

        def begun() -> str:
            """Return a game in which each side has played four moves."""
            game = json_of(anna.post("/games", rated), 201)
            while game["ply"] < 8:
                if game["turn"] == "w":
                    ((best, _),) = Position(game["view"]["text"]).score_moves(1)
                    game = play_moves(game, (anna, str(best)))
                else:
                    game = json_of(anna.get(f"/games/{game['id']}"))
            return str(game["id"])

        def counted(games: int) -> list[str]:
            def points() -> list[dict[str, Any]]:
                curve: dict[str, Any] = json_of(anna.get(f"/players/{anna.me()['id']}/ratings/basic-level"))
                return list(curve["points"])

            wait_until(lambda: len(points()) >= games, RATED_SECONDS)
            return [point["game"] for point in points()]

        lost = begun()
        json_of(anna.post(f"/games/{lost}/resign"))
        assert counted(1) == [lost]
        assert error_of(anna.delete(f"/games/{lost}")) == (409, "not_possible")
        assert counted(1) == [lost]
        hasty = json_of(anna.post("/games", rated), 201)["id"]
        json_of(anna.post(f"/games/{hasty}/resign"))
        left, alone = begun(), json_of(anna.post("/games", {**rated, "rated": False}), 201)["id"]
        clock.advance(days=7)
        kept = begun()
        run_timekeeper(client)
        assert counted(2) == [lost, left]
        assert json_of(anna.get(f"/games/{left}"))["outcome"] == {"winner": "b", "reason": "resignation"}
        assert all(json_of(anna.get(f"/games/{game}"))["outcome"] is None for game in (alone, kept))


def test_ratings_converge() -> None:
    """Somebody who scores as level 5 would, against level 5, ends near its rating, and is never quite certain."""
    rating = Rating()
    level = Rating(LEVEL_RATINGS[5], 60)
    for game in range(400):
        rating = after_games(rating, [(level, game % 2)])
    assert abs(rating.rating - LEVEL_RATINGS[5]) < 40
    assert MIN_DEVIATION <= rating.deviation < 80
    assert after_inactivity(rating, timedelta(days=36500)).deviation == START_DEVIATION
    assert after_inactivity(rating, timedelta(days=-1)) == rating
