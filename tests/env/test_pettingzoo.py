"""PettingZoo: its own checks, and two agents whose game is a game of ``punct``."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pettingzoo.test import api_test, render_test, seed_test

from punct import Colour, Game, PunctError, WrongTypeError, kernel
from punct.env import aec_env, raw_env
from punct.kernel import ACTIONS

ILLEGAL = kernel.Batch(["basic b"]).action(0, "Ti9n")

# What the check recommends to environments without masks: boxes and plain arrays.
usual = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably should:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
)


@usual
@pytest.mark.parametrize("make", [aec_env, raw_env])
@pytest.mark.parametrize("start", ["standard", "basic"])
def test_pettingzoos_api_test(make: Any, start: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(make(start=start), num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out


def test_pettingzoos_seed_test() -> None:
    seed_test(aec_env, num_cycles=40)


def test_pettingzoos_render_test(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(aec_env)
    assert "Black to move, standard game" in capsys.readouterr().out


@pytest.mark.parametrize("start", ["standard", "basic"])
def test_the_game_is_a_game(start: str) -> None:
    """In lockstep with the library: whose turn it is, what the mask allows, what each agent gets in the end."""
    env, game, rng = aec_env(start=start), Game(start), Random(4)
    env.reset(seed=4)
    got: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        mask, planes = observation["action_mask"], observation["observation"]
        if terminated or truncated:
            got[agent] = reward
            assert not mask.any()
            env.step(None)
            continue
        turn = game.position.turn
        assert agent == ("white_0", "black_0")[turn] and reward == 0
        other = env.observe(("black_0", "white_0")[turn])
        assert not other["action_mask"].any()
        assert (other["observation"][3] == planes[4]).all()
        if rng.random() < 0.1:
            legal = {env.unwrapped.episode.move(int(action)) for action in np.flatnonzero(mask)}
            assert legal == set(game.position.legal_moves)
        action = rng.choice(np.flatnonzero(mask).tolist())
        game.push(env.unwrapped.episode.move(action))
        env.step(action)
    outcome = game.outcome()
    assert outcome is not None
    expected = {"white_0": 0.0, "black_0": 0.0}
    if outcome.winner is not None:
        expected = (
            {"white_0": 1.0, "black_0": -1.0} if outcome.winner is Colour.WHITE else {"white_0": -1.0, "black_0": 1.0}
        )
    assert got == expected


def test_an_illegal_action_loses_or_raises() -> None:
    env = aec_env()
    env.reset(seed=1)
    env.step(ILLEGAL)
    assert env.terminations == {"white_0": True, "black_0": True}
    assert env.rewards == {"white_0": -1, "black_0": 0}
    raw = raw_env()
    raw.reset(seed=1)
    with pytest.raises(PunctError, match="central hexagon"):
        raw.step(ILLEGAL)
    with pytest.raises(PunctError, match="it is white_0's turn"):
        raw.step(None)
    assert raw.episode.plies == 0


def test_cut_off_is_truncated() -> None:
    env = aec_env(max_plies=2)
    env.reset(seed=1)
    for _ in range(2):
        assert not any(env.truncations.values())
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert set(env.rewards.values()) == {0}


def test_games_begin_where_they_are_told_to() -> None:
    env = raw_env("basic")
    env.reset(options={"start": "standard b wEd5ne"})
    assert env.agent_selection == "black_0"
    env.reset()
    assert str(env.episode.position) == "basic w"
    with pytest.raises(PunctError, match="nonsense"):
        env.reset(options={"start": "nonsense"})


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(PunctError, match="shown as"):
        raw_env(render_mode="loud")
    with pytest.raises(PunctError, match="the agents are white_0 and black_0, not 'grey'"):
        raw_env().observation_space("grey")
    env = raw_env()
    assert env.observation_space("white_0") is env.observation_space("white_0")
    assert env.action_space("white_0") is not env.action_space("black_0")


def test_nothing_is_legal_after_an_illegal_action(capsys: pytest.CaptureFixture[str]) -> None:
    game = aec_env("basic")
    game.reset(seed=1)
    game.step(ILLEGAL)
    assert all(game.terminations.values())
    for agent in game.possible_agents:
        assert not game.observe(agent)["action_mask"].any()


@pytest.mark.parametrize("make", [aec_env, raw_env])
def test_kept_observations_never_change(make: Any) -> None:
    """Every observation has arrays of its own: the game goes on, others are written into, and it stays as it was."""
    env = make("basic")
    env.reset(seed=1)
    kept: list[tuple[Any, Any]] = []
    for agent in env.agent_iter(30):
        for each in env.possible_agents:
            observation = env.observe(each)
            kept.append((observation, copy.deepcopy(observation)))
            scratch = env.observe(each)
            for array in scratch.values():
                array.fill(1)
        mask = env.last()[0]["action_mask"]
        env.step(env.action_space(agent).sample(mask))
    for observation, before in kept:
        for name, array in observation.items():
            assert array.flags.writeable and (array == before[name]).all()


@pytest.mark.parametrize("make", [aec_env, raw_env])
def test_nothing_is_played_before_reset_or_after_the_end(make: Any) -> None:
    env = make("basic", max_plies=1)
    for call in (env.last, lambda: env.step(0), lambda: env.observe("white_0")):
        with pytest.raises(PunctError, match=r"begin one with reset\(\)"):
            call()
    assert not hasattr(env, "rewards")  # as PettingZoo has it
    env.reset(seed=1)
    env.step(int(env.observe("white_0")["action_mask"].argmax()))
    for _ in env.possible_agents:
        env.step(None)
    with pytest.raises(PunctError, match=r"begin a new one with reset\(\)"):
        env.step(None)


@pytest.mark.parametrize("make", [aec_env, raw_env])
@pytest.mark.parametrize("action", [None, -1, ACTIONS, 10**30, 1.0, "0", b"0", True, [0]])
def test_what_is_no_action_is_refused(make: Any, action: Any) -> None:
    env = make()
    env.reset(seed=1)
    with pytest.raises(PunctError) as caught:
        env.step(action)
    assert isinstance(caught.value, WrongTypeError) == (action is not None and type(action) is not int)
    assert env.episode.plies == 0 and not any(env.terminations.values())


def test_an_illegal_action_is_explained_to_its_agent() -> None:
    env = aec_env()
    env.reset(seed=1)
    env.step(ILLEGAL)
    assert "central hexagon" in env.infos["white_0"]["illegal"] and not env.infos["black_0"]


# ---------------------------------------------------------------------- drawing from a mask


@given(st.sets(st.integers(0, ACTIONS - 1), max_size=40), st.integers(0, 2**32))
def test_only_what_the_mask_allows_is_drawn(allowed: set[int], seed: int) -> None:
    """However few there are; the first action where there is none, as Gymnasium does."""
    space = raw_env().action_space("white_0")
    space.seed(seed)
    mask = np.zeros(ACTIONS, np.int8)
    mask[list(allowed)] = 1
    drawn = [space.sample(mask) for _ in range(3)]
    assert set(drawn) <= (allowed or {0}) and all(isinstance(action, np.int64) for action in drawn)
    space.seed(seed)
    assert [space.sample(mask) for _ in range(3)] == drawn


@pytest.mark.parametrize("count", [5, 300, 3000])
def test_all_that_a_mask_allows_is_equally_likely(count: int) -> None:
    space, rng = raw_env().action_space("white_0"), Random(count)
    space.seed(count)
    allowed = rng.sample(range(ACTIONS), count)
    mask = np.zeros(ACTIONS, np.int8)
    mask[allowed] = 1
    draws = 20 * count
    counts = np.bincount([space.sample(mask) for _ in range(draws)], minlength=ACTIONS)[allowed]
    chi_squared = float(((counts - 20) ** 2 / 20).sum())
    assert abs(chi_squared - (count - 1)) < 5 * (2 * count) ** 0.5


def test_a_space_of_actions_is_copied_with_what_it_will_draw() -> None:
    env = raw_env()
    env.reset(seed=1)
    space, mask = env.action_space("white_0"), env.observe("white_0")["action_mask"]
    space.seed(3)
    space.sample(mask)
    for twin in (copy.deepcopy(space), pickle.loads(pickle.dumps(space))):
        assert twin == space
        original = copy.deepcopy(space)
        assert [twin.sample(mask) for _ in range(400)] == [original.sample(mask) for _ in range(400)]


@pytest.mark.parametrize("mask", [np.ones(ACTIONS), np.ones(3, np.int8), np.full(ACTIONS, 2, np.int8), [1]])
def test_masks_of_another_kind_are_refused_as_by_gymnasium(mask: Any) -> None:
    with pytest.raises(AssertionError, match="sample mask"):
        raw_env().action_space("white_0").sample(mask)
