"""Gymnasium: its own checks, sides and opponents, illegal actions, many agents at once."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from punct import IllegalMoveError, Move, PunctError, WrongTypeError, env, kernel
from punct.env import PunctEnv, PunctVectorEnv
from punct.kernel import EpisodeResult

ILLEGAL = kernel.Batch(["basic b"]).action(0, "Ti9n")


def first_of(position: kernel.Position) -> Move:
    return next(iter(position.legal_moves))


def legal(env: PunctEnv, info: dict[str, Any]) -> Any:
    return env.action_space.sample(info["action_mask"])


def play(env: PunctEnv, seed: int) -> tuple[list[str], float, dict[str, Any]]:
    """Play a game of random turns; return all turns, the last reward and the last info."""
    env.action_space.seed(seed)
    observation, info = env.reset(seed=seed)
    while True:
        assert observation in env.observation_space
        observation, reward, terminated, truncated, info = env.step(legal(env, info))
        if terminated or truncated:
            return [str(move) for move in env.episode.position.moves], float(reward), info
        assert reward == 0


@pytest.mark.parametrize(
    "options",
    [{}, {"opponent": "self"}, {"opponent": 1}, {"start": "basic", "side": "black"}, {"opponent": first_of}],
    ids=["random", "self", "level", "side", "function"],
)
def test_gymnasiums_own_checks(options: dict[str, Any]) -> None:
    check_env(gymnasium.make("Punct-v0", **options).unwrapped)


@pytest.mark.parametrize("opponent", ["random", "self", 1])
def test_the_same_seed_has_the_same_game(opponent: Any) -> None:
    games = [play(PunctEnv(opponent, max_plies=16), seed) for seed in (5, 5, 6)]
    assert games[0][:2] == games[1][:2]
    assert games[0][0] != games[2][0]


def test_rewards_are_the_agents() -> None:
    seen = set()
    agent = PunctEnv("random")
    for seed in range(30):
        moves, reward, info = play(agent, seed)
        standing = agent.episode.standing
        white = standing.reward(kernel.Batch(["standard"])[0].turn)
        assert reward == (white if info["side"] == "white" else -white)
        assert info["plies"] == len(moves)
        assert not info["action_mask"].any()
        seen.add((info["side"], reward))
    assert {("white", 1), ("white", -1), ("black", 1), ("black", -1)} <= seen


def test_sides() -> None:
    agent = PunctEnv("random", side="black")
    observation, info = agent.reset(seed=1)
    assert (info["side"], info["plies"]) == ("black", 1)
    assert observation[46].max() == 0  # Black looks
    observation, info = agent.reset(seed=1, options={"side": "white", "start": "basic"})
    assert (info["side"], info["plies"], str(agent.episode.position)) == ("white", 0, "basic w")
    assert observation[46].min() == 1
    drawn = [PunctEnv("random").reset(seed=seed)[1]["side"] for seed in range(20)]
    assert set(drawn) == {"white", "black"}


def test_against_itself_each_step_is_one_turn() -> None:
    agent = PunctEnv("self")
    _, info = agent.reset(seed=1)
    for ply, side in enumerate(("white", "black", "white", "black")):
        assert (info["side"], info["plies"]) == (side, ply)
        observation, *_, info = agent.step(legal(agent, info))
        assert observation[46].max() == (side == "black")


def test_an_opponent_of_ones_own() -> None:
    seen: list[kernel.Position] = []

    def choose(position: kernel.Position) -> Move:
        seen.append(position)
        return first_of(position)

    agent = PunctEnv(choose, side="white")
    _, info = agent.reset(seed=1)
    agent.step(legal(agent, info))
    assert len(seen[0].moves) == 1
    cheat = PunctEnv(lambda position: "Ti9n", side="black")
    with pytest.raises(IllegalMoveError):
        cheat.reset(seed=1)


def test_levels_know_what_stood_before() -> None:
    """A level is told the turns so far, which count for repetition."""
    agent = PunctEnv(2, side="white", max_plies=8)
    moves, _, _ = play(agent, 3)
    assert len(moves) == 8
    assert agent.episode.standing is EpisodeResult.TRUNCATED


def test_an_illegal_action_loses_with_a_reason() -> None:
    agent = PunctEnv("random", side="white")
    agent.reset(seed=1)
    observation, reward, terminated, truncated, info = agent.step(ILLEGAL)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert "central hexagon" in info["illegal"]
    assert observation in agent.observation_space
    with pytest.raises(PunctError, match="the game is over: begin a new one"):
        agent.step(ILLEGAL)
    strict = PunctEnv("random", side="white", illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(PunctError, match="central hexagon"):
        strict.step(ILLEGAL)
    assert strict.episode.plies == 0


def test_cut_off_is_truncated() -> None:
    agent = PunctEnv("self", max_plies=2)
    _, info = agent.reset(seed=1)
    assert agent.step(legal(agent, info))[2:4] == (False, False)
    _, reward, terminated, truncated, info = agent.step(np.flatnonzero(agent.action_masks())[0])
    assert (reward, terminated, truncated) == (0, False, True)


def test_what_makes_no_sense_is_refused() -> None:
    wrong: Any
    for wrong in (0, 9, True, "strong", None):
        with pytest.raises(PunctError, match=r"level|opponent"):
            PunctEnv(wrong)
    for options, sentence in (
        ({"side": "grey"}, "a side is 'white' or 'black'"),
        ({"illegal": "ignore"}, "can 'lose' the game or 'raise'"),
        ({"render_mode": "3d"}, "shown as human, ansi, rgb_array"),
        ({"opponent": "self", "side": "white"}, "has both sides"),
        ({"start": "nonsense"}, "nonsense"),
    ):
        with pytest.raises(PunctError, match=sentence):
            PunctEnv(**options)  # type: ignore[arg-type]
    with pytest.raises(PunctError, match="the options start and side, not colour"):
        PunctEnv().reset(options={"colour": "white"})


def test_pictures_and_texts(capsys: pytest.CaptureFixture[str]) -> None:
    agent = PunctEnv("self", render_mode="rgb_array", max_plies=2)
    _, info = agent.reset(seed=1)
    before = agent.render()
    agent.step(legal(agent, info))
    after = agent.render()
    assert before.dtype == np.uint8 and before.ndim == 3 and before.shape[2] == 3
    assert max(before.shape) == 512
    assert (before != after).any()
    agent = PunctEnv("self", render_mode="ansi", max_plies=2)
    _, info = agent.reset(seed=1)
    assert "White to move, standard game" in agent.render()
    _, *_, info = agent.step(legal(agent, info))
    agent.step(legal(agent, info))
    assert "Cut off after 2 moves" in agent.render()
    agent = PunctEnv("self", render_mode="human", start="standard w wEd5ne bTl10n")
    agent.reset(seed=1)
    for text in ("d5-d6ne", "l10-l11n", "d6-d5ne", "l11-l10n") * 2:
        agent.step(agent.episode.action(text))
    shown = capsys.readouterr().out
    assert shown.count("Central hexagon") == 9
    assert "Draw (threefold repetition)" in shown
    assert PunctEnv().render() is None


# ---------------------------------------------------------------------- many at once


def vector(count: int, **options: Any) -> PunctVectorEnv:
    made = gymnasium.make_vec("Punct-v0", count, vectorization_mode="vector_entry_point", **options)
    assert isinstance(made.unwrapped, PunctVectorEnv)
    return made.unwrapped


@pytest.mark.parametrize("options", [{"opponent": "random"}, {"opponent": "self", "start": "basic"}], ids=str)
def test_many_agents(options: dict[str, Any]) -> None:
    count, rng = 6, np.random.default_rng(1)
    agents = vector(count, max_plies=30, **options)
    observation, info = agents.reset(seed=3)
    ended, begins = 0, np.zeros(count, bool)
    for _ in range(120):
        assert observation in agents.observation_space
        before = agents.batch.plies()
        actions = np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in info["action_mask"]])
        observation, rewards, terminated, truncated, info = agents.step(actions)
        over = terminated | truncated
        assert (agents.batch.plies()[begins] <= 1).all() and (info["plies"] == agents.batch.plies()).all()
        assert (agents.batch.plies()[~begins] > before[~begins]).all()
        assert (rewards[~terminated] == 0).all() and set(rewards) <= {-1, 0, 1}
        assert not info["action_mask"][over].any() and info["action_mask"][~over].any(axis=1).all()
        assert (info["side"] == np.where(observation[:, 46, 0, 0] == 1, "white", "black")).all()
        if options["opponent"] == "random":
            assert (observation[~over, 46, 0, 0] == (agents.batch.turns()[~over] == 0)).all()
        ended += int(over.sum())
        begins = over
    assert ended > count


def test_many_agents_are_the_same_from_the_same_seed() -> None:
    def seen(seed: int, threads: int) -> list[float]:
        agents, sums = vector(4, threads=threads), []
        observation, info = agents.reset(seed=seed)
        for _ in range(80):
            sums.append(float(observation.sum()))
            actions = info["action_mask"].argmax(axis=1)
            observation, *_, info = agents.step(actions)
        return sums

    assert seen(1, 1) == seen(1, 3) != seen(2, 1)


def test_an_illegal_action_of_one_loses_its_game_alone() -> None:
    agents = vector(3, opponent="random", side="white")
    _, info = agents.reset(seed=1)
    actions = info["action_mask"].argmax(axis=1)
    actions[1], actions[2] = ILLEGAL, -5
    _, rewards, terminated, truncated, info = agents.step(actions)
    assert (rewards.tolist(), terminated.tolist()) == ([0, -1, -1], [False, True, True])
    assert not truncated.any()
    assert info["plies"].tolist() == [2, 0, 0]
    _, rewards, terminated, *_ = agents.step([actions[0] + 300, 0, 0])
    assert not terminated[1:].any() and rewards[1:].tolist() == [0, 0]


def test_many_agents_refuse_what_makes_no_sense() -> None:
    for options, sentence in (
        ({"opponent": 3}, "against 'random' or 'self', not 3"),
        ({"opponent": "self", "side": "white"}, "has both sides"),
        ({"render_mode": "ansi"}, "are not shown"),
    ):
        with pytest.raises(PunctError, match=sentence):
            PunctVectorEnv(2, **options)
    agents = PunctVectorEnv(2)
    with pytest.raises(PunctError, match="no options here, not start"):
        agents.reset(options={"start": "basic"})
    agents.reset(seed=1)
    with pytest.raises(PunctError, match="2 agents need as many actions"):
        agents.step([1])


def test_gymnasiums_own_vectors_take_levels() -> None:
    agents = gymnasium.make_vec("Punct-v0", 2, vectorization_mode="sync", opponent=1)
    _, info = agents.reset(seed=1)
    assert info["action_mask"].shape == (2, kernel.ACTIONS)
    _, rewards, terminated, *_ = agents.step(info["action_mask"].argmax(axis=1))
    assert rewards.tolist() == [0, 0] and not terminated.any()
    agents.close()


def test_what_is_registered() -> None:
    assert "Punct-v0" in gymnasium.registry
    assert isinstance(gymnasium.make("punct.env:Punct-v0").unwrapped, env.PunctEnv)


@pytest.mark.parametrize("action", [0.5, np.float64(0.0), "0", None, True, np.array([0])])
@pytest.mark.parametrize("illegal", ["lose", "raise"])
def test_what_is_no_whole_number_is_refused_and_costs_nothing(action: Any, illegal: Any) -> None:
    agent = PunctEnv("self", illegal=illegal)
    agent.reset(seed=1)
    with pytest.raises(WrongTypeError, match="actions are whole numbers below 52809, not"):
        agent.step(action)
    assert agent.episode.plies == 0
    for whole in (0, np.int32(0), np.array(0)):
        agent.reset(seed=1)
        assert agent.step(whole)[4]["plies"] == 1  # type: ignore[arg-type]


def test_nothing_is_legal_after_the_end() -> None:
    agent = PunctEnv("self", start="basic")
    agent.reset(seed=1)
    *_, terminated, _, info = agent.step(ILLEGAL)
    assert terminated and not info["action_mask"].any() and not agent.action_masks().any()
    _, info = agent.reset(seed=1)
    assert info["action_mask"].any() and agent.action_masks().any()
    agents = PunctVectorEnv(2, opponent="self", start="basic")
    _, info = agents.reset(seed=1)
    legal_one = int(info["action_mask"][1].argmax())
    *_, ended, _, info = agents.step([ILLEGAL, legal_one])
    assert ended.tolist() == [True, False]
    assert info["action_mask"].any(axis=1).tolist() == [False, True]
    *_, info = agents.step([0, int(info["action_mask"][1].argmax())])
    assert info["action_mask"].any(axis=1).tolist() == [True, True]


def test_a_game_cut_off_before_the_first_turn_is_refused_as_that() -> None:
    for make in (lambda: PunctEnv(side="black", max_plies=1), lambda: PunctVectorEnv(2, side="black", max_plies=1)):
        with pytest.raises(PunctError, match="the game is cut off before the agent's first move"):
            make().reset(seed=1)
