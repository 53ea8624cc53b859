"""One game in numbers: in lockstep with ``punct.Game``, the same again from the same seed, bad actions refused."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punct import Colour, Game, IllegalMoveError, PunctError, Rules, WrongTypeError, env, kernel
from punct.env import Episode
from punct.kernel import LEAVE, EpisodeResult

RESULTS = {
    "*": EpisodeResult.OPEN,
    "1-0": EpisodeResult.WHITE_WON,
    "0-1": EpisodeResult.BLACK_WON,
    "1/2-1/2": EpisodeResult.DRAWN,
}
TO_AND_FRO = ("d5-d6ne", "l10-l11n", "d6-d5ne", "l11-l10n")
START = "standard w wEd5ne bTl10n"


def agree(episode: Episode, game: Game) -> None:
    """Hold an episode to a game: who is to move, what is legal, how it stands."""
    assert episode.standing is RESULTS[game.result()]
    assert episode.over == (game.outcome() is not None)
    assert str(episode.position) == str(game.position)
    assert episode.position.moves == game.moves
    assert episode.plies == len(game.moves)
    actions = episode.legal_actions().tolist()
    legal = set() if episode.over else set(game.position.legal_moves)
    assert {episode.move(action) for action in actions} == legal
    assert len(actions) == len(legal)
    mask = episode.legal_mask()
    assert np.flatnonzero(mask).tolist() == sorted(actions)
    assert (np.unpackbits(episode.legal_bits(), count=kernel.ACTIONS, bitorder="little") == mask).all()


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("seed", range(3))
def test_in_lockstep_with_a_game(rules: Rules, seed: int) -> None:
    episode, game, rng = Episode(rules, max_plies=None, seed=seed), Game(rules), Random(seed)
    while not episode.over:
        assert episode.turn is game.position.turn
        if rng.random() < 0.2:
            agree(episode, game)
        action = episode.sample()
        move = episode.move(action)
        assert move is not None
        game.push(move)
        standing = episode.step(action)
        assert standing == RESULTS[game.result()]
        for colour in Colour:
            [planes] = kernel.Batch([game.position]).planes(colours=np.array([colour], np.int8))
            assert (episode.planes(colour) == planes).all()
    agree(episode, game)


def test_shuffled_pieces_come_to_a_draw_as_in_a_game() -> None:
    """Random turns of two pieces on a small stretch: they repeat sooner or later, and both notice at the same ply."""
    for seed in range(4):
        rng, episode, game = Random(seed), Episode(START, max_plies=None), Game(START)
        while not episode.over:
            own = [move for move in game.position.legal_moves if move.origin is not None and move.space.name[0] in "dl"]
            move = rng.choice(
                sorted((move for move in own if move.heading in (0, 1) and move.space.row in (5, 6, 10, 11)), key=str)
            )
            game.push(move)
            assert episode.step(episode.action(move)) == RESULTS[game.result()]
            assert episode.repetitions <= 3
        assert episode.standing is EpisodeResult.DRAWN
        assert str(game.outcome()) == "Draw (threefold repetition)"


def test_a_repeated_game_is_over() -> None:
    episode = Episode(START)
    for text in TO_AND_FRO * 2:
        assert not episode.over
        episode.step(episode.action(text))
    assert episode.standing is EpisodeResult.DRAWN
    assert episode.sample() == LEAVE
    assert not episode.legal_mask().any()
    assert not episode.is_legal(kernel.Batch([START]).action(0, TO_AND_FRO[0]))
    with pytest.raises(PunctError, match="the game is over"):
        episode.step(kernel.Batch([START]).action(0, TO_AND_FRO[0]))
    with pytest.raises(IllegalMoveError):
        episode.action(TO_AND_FRO[0])


def test_the_same_seed_has_the_same_game() -> None:
    def played(seed: int) -> tuple[str, ...]:
        episode = Episode(seed=seed)
        while not episode.step(episode.sample()):
            pass
        return tuple(map(str, episode.position.moves))

    assert played(1) == played(1) != played(2)
    episode = Episode(seed=1)
    first = [episode.sample() for _ in range(5)]
    episode.reset(seed=1)
    assert [episode.sample() for _ in range(5)] == first
    episode.reset()
    assert [episode.sample() for _ in range(5)] != first


def test_cut_off() -> None:
    episode = Episode(max_plies=5, seed=1)
    standings = [episode.step(episode.sample()) for _ in range(5)]
    assert standings == [0, 0, 0, 0, EpisodeResult.TRUNCATED]
    assert episode.over and episode.sample() == LEAVE
    assert Episode().max_plies == env.MAX_PLIES
    episode.reset()
    assert (episode.plies, episode.standing) == (0, EpisodeResult.OPEN)


def test_copies_go_on_by_themselves() -> None:
    episode = Episode("basic", max_plies=50, seed=3)
    for _ in range(20):
        episode.step(episode.sample())
    for again in (episode.copy(), copy.copy(episode), copy.deepcopy(episode), pickle.loads(pickle.dumps(episode))):
        assert again.position.moves == episode.position.moves
        assert again.max_plies == 50
        twin = episode.copy()
        while not again.step(again.sample()):
            twin.step(twin.sample())
        assert again.plies > episode.plies == 20
        assert again.position.moves[:-1] == twin.position.moves


@pytest.mark.parametrize("action", [-2, LEAVE, kernel.ACTIONS, kernel.ACTIONS - 1, 2**63, 2**70, 1.5, "7", None, np.pi])
def test_bad_actions_are_refused_with_a_sentence(action: Any) -> None:
    episode = Episode()
    with pytest.raises(PunctError, match=r"is not an action in standard w|whole numbers below 52809, not"):
        episode.step(action)
    assert episode.plies == 0


def test_an_illegal_action_is_explained() -> None:
    episode = Episode()
    action = kernel.Batch(["basic b"]).action(0, "Ti9n")
    assert not episode.is_legal(action)
    with pytest.raises(PunctError, match="Ti9n: in the standard game a new piece may not touch the central hexagon"):
        episode.step(action)
    assert episode.step(np.int64(episode.action("Ed5ne"))) == 0


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(PunctError, match="the game is over in basic b"):
        Episode("basic b wEh1n wEh4n wEh7n wEh10n wCi14n wTj16n")
    with pytest.raises(PunctError, match="max_plies is a whole number"):
        Episode(max_plies=0)
    wrong: Any
    for wrong in ("1", 1.5, True):
        with pytest.raises(WrongTypeError, match="a seed is a whole number"):
            Episode(seed=wrong)
    with pytest.raises(PunctError, match="nonsense"):
        Episode("nonsense")
    with pytest.raises(PunctError, match=r"planes: .* shape"):
        Episode().planes(out=np.zeros((1, 17, 17), np.uint8))
    with pytest.raises(WrongTypeError, match=r"Colour\.WHITE"):
        Episode().planes(0)  # type: ignore[arg-type]


@given(st.integers(1, 2**70))
def test_a_seed_below_zero_is_not_taken_for_another(seed: int) -> None:
    Episode(seed=seed)
    for begin in (lambda: Episode(seed=-seed), lambda: Episode().reset(-seed), lambda: env.VectorEnv(2, seed=-seed)):
        with pytest.raises(PunctError, match="a seed is a whole number from 0 on, or None, not '-"):
            begin()


@pytest.mark.parametrize("action", [True, False, 1.0, np.float64(0), np.bool_(True)])
def test_what_only_looks_like_a_number_is_no_action(action: Any) -> None:
    episode = Episode()
    assert episode.is_legal(0) and episode.is_legal(1)
    with pytest.raises(PunctError, match="actions are whole numbers below 52809, not"):
        episode.step(action)
    assert episode.plies == 0


def test_a_game_that_was_cut_off_says_so() -> None:
    episode = Episode(max_plies=1)
    episode.step(episode.sample())
    with pytest.raises(PunctError, match="the game is over: it was cut off after 1 moves"):
        episode.step(0)
