"""Games of the engine against itself: the same for the same seed, legal, and told as they went."""

from __future__ import annotations

import pytest

from punct import Move, Position
from punct.training.samples import MAX_MOVES
from punct.training.selfplay import SelfPlayGame, SelfPlayJob, play_game
from punct.training.settings import Settings

FEW = Settings(nodes=24)


@pytest.fixture(scope="module")
def games() -> list[SelfPlayGame]:
    return [play_game(SelfPlayJob(number, FEW), None) for number in range(12)]


def test_a_game_follows_from_its_number_and_seed(games: list[SelfPlayGame]) -> None:
    assert play_game(SelfPlayJob(5, FEW), None) == games[5]
    assert play_game(SelfPlayJob(5, Settings(nodes=24, seed=1)), None).samples != games[5].samples
    assert len({game.samples[0].position for game in games}) == len(games)  # no two begin alike


def test_one_game_of_six_is_basic(games: list[SelfPlayGame]) -> None:
    assert [game.number for game in games if game.rules == "basic"] == [5, 11]
    assert all(sample.position.startswith(game.rules) for game in games for sample in game.samples)
    assert play_game(SelfPlayJob(5, Settings(nodes=24, basic_every=0)), None).rules == "standard"


def test_samples_tell_what_the_search_thought_and_how_it_ended(games: list[SelfPlayGame]) -> None:
    for game in games:
        assert [sample.ply for sample in game.samples] == list(range(game.samples[0].ply, game.plies))
        assert 1 <= game.samples[0].ply <= 6
        for sample in game.samples:
            position = Position(sample.position)
            assert str(position) == sample.position
            assert 0.0 <= sample.score <= 1.0
            assert sample.game == game.number
            assert sample.result == {"1-0": 1.0 - position.turn, "0-1": float(position.turn)}.get(game.result, 0.5)
            assert len(sample.moves) == len(sample.visits) <= MAX_MOVES
            assert not (sample.proven and sample.moves)
            assert all(Move.parse(move) in position.legal_moves for move in sample.moves)
            assert all(visits > 0 for visits in sample.visits)


def test_who_sees_a_win_takes_it(games: list[SelfPlayGame]) -> None:
    won = [sample for game in games for sample in game.samples if sample.proven > 0]
    assert won and all(sample.result == 1.0 for sample in won)
