"""OpenSpiel: its own checks on the game, its algorithms, and the game in lockstep with ``punct``."""

from __future__ import annotations

import copy
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import evaluate_bots, mcts
from open_spiel.python.bots import uniform_random

from punct import Game, PunctError, Rules, kernel
from punct.env import openspiel_game

# generate_playthrough imports these games only to register them; they need SciPy, which the tests do without.
sys.modules.setdefault("open_spiel.python.mfg.games", ModuleType("games"))
from open_spiel.python.algorithms import generate_playthrough  # noqa: E402


@pytest.mark.parametrize("start", ["standard", "basic"])
def test_openspiels_random_simulation(start: str) -> None:
    pyspiel.random_sim_test(openspiel_game(start, max_plies=60), num_sims=1, serialize=True, verbose=False)


def test_a_playthrough_can_be_played_again(tmp_path: Path) -> None:
    """OpenSpiel's record of everything that can be asked of a game, made twice."""
    flags.FLAGS.mark_as_parsed()  # of which there are none
    openspiel_game()
    written = tmp_path / "punct.txt"
    actions = [kernel.Batch(["standard"]).action(0, move) for move in ("Ed5ne", "Tl5n")]
    written.write_text(generate_playthrough.playthrough("python_punct(max_plies=2)", actions), "utf-8")
    original, again = generate_playthrough.replay(str(written))
    assert original == again
    for line in (
        "NumDistinctActions() = 52809",
        "MaxGameLength() = 2",
        '# Apply action "Ed5ne"',
        "IsTerminal() = True",
    ):
        assert line in original


@pytest.mark.parametrize("rules", Rules)
def test_in_lockstep_with_a_game(rules: Rules) -> None:
    game, rng = Game(rules), Random(2)
    state = openspiel_game(rules).new_initial_state()
    while not state.is_terminal():
        assert state.current_player() == game.position.turn
        assert str(state) == str(game.position)
        actions = state.legal_actions()
        if rng.random() < 0.1:
            assert actions == sorted(set(actions))
            assert {state.action_to_string(action) for action in actions} == set(map(str, game.position.legal_moves))
        action = rng.choice(actions)
        game.push(state.action_to_string(action))
        state.apply_action(action)
    outcome = game.outcome()
    assert outcome is not None
    white = 0.0 if outcome.winner is None else 1.0 - 2.0 * outcome.winner
    assert state.returns() == [white, -white]
    assert state.current_player() == pyspiel.PlayerId.TERMINAL


def test_states_are_copied_and_written_down() -> None:
    game = openspiel_game("basic", max_plies=30)
    state = game.new_initial_state()
    rng = Random(1)
    for _ in range(10):
        state.apply_action(rng.choice(state.legal_actions()))
    for again in (state.clone(), copy.deepcopy(state), game.deserialize_state(state.serialize())):
        assert str(again) == str(state) and again.history() == state.history()
        again.apply_action(again.legal_actions()[0])
        assert len(state.history()) == 10
    assert pyspiel.load_game(str(game)).max_game_length() == 30


def test_each_player_sees_planes_of_its_own() -> None:
    state = openspiel_game().new_initial_state()
    state.apply_action(kernel.Batch(["standard"]).action(0, "Ed5ne"))
    [black] = kernel.Batch([str(state)]).planes()
    [white] = kernel.Batch([str(state)]).planes(colours=np.zeros(1, np.int8))
    assert state.observation_tensor(1) == black.ravel().tolist()
    assert state.observation_tensor(0) == white.ravel().tolist()
    assert state.observation_string(0) == str(state)


def test_cut_off_is_a_draw() -> None:
    state = openspiel_game(max_plies=1).new_initial_state()
    state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and state.returns() == [0, 0]


def test_its_algorithms_play() -> None:
    """A tree search against chance: every turn legal, the game played to its end."""
    game, chance = openspiel_game(max_plies=8), np.random.RandomState(1)
    search = mcts.MCTSBot(game, 2, 5, mcts.RandomRolloutEvaluator(1, chance), random_state=chance)
    state = game.new_initial_state()
    assert evaluate_bots.evaluate_bots(state, [search, uniform_random.UniformRandomBot(1, chance)], chance) == [0, 0]


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(PunctError, match="nonsense"):
        openspiel_game("nonsense")
    with pytest.raises(PunctError, match="max_plies is a whole number"):
        openspiel_game(max_plies=0)
    state = openspiel_game().new_initial_state()
    with pytest.raises(PunctError, match="central hexagon"):
        state.apply_action(kernel.Batch(["basic b"]).action(0, "Ti9n"))
    with pytest.raises(PunctError, match="parameter start"):
        openspiel_game().new_initial_state("standard w")
