"""What is proved by looking at every reply, held to looking at everything in a plainer way."""

from __future__ import annotations

import itertools
import json
import math
import pickle
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.analysis import plain_prover
from tests.kernel.lockstep import PREFERENCES

from punct import Colour, Move, Position, PunctError, WrongTypeError, _kernel, kernel
from punct.analysis import Answer, Prover, Undecided, defences, last_piece_wins, wins_at_once

TACTICS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "engine" / "tactics.jsonl").read_text(encoding="utf-8").splitlines()
]
ONE_TURN_TO_WIN = "basic w wEh1n wEh4n wEh7n wEh10n wCi14n bTa2n bTa5n bTc3n bTd5n bTm9n"
TWO_TURNS = "standard b wEc9se bEc3nw bEd3se bCf5ne bCl9ne bRn11se wCg4n"
"""Black wins in two turns."""
WON = "basic b wEh1n wEh4n wEh7n wEh10n wCi14n wTj16n"

NEAR = 4
"""What one piece or two may join, as the search reckons distances."""


def tactics(kind: str) -> list[str]:
    """Return the positions of all tactics of a kind."""
    return [str(tactic["position"]) for tactic in TACTICS if tactic["kind"] == kind]


def tactic(kind: str) -> str:
    """Return the position of the first tactic of a kind."""
    return tactics(kind)[0]


def played(count: int, least: int, most: int) -> list[str]:
    """Return open positions after random turns of both games, some with many jumps and bridges."""
    found: list[str] = []
    for seed in itertools.count(1):
        position = randomly_played(seed, least + seed * 7 % (most - least))
        if position.outcome() is None:
            found.append(str(position))
            if len(found) == count:
                break
    return found


def nearly_won(count: int) -> list[str]:
    """Return positions in which the side to move is near a chain but cannot win at once, each from a game of its own.

    Both sides build, and get in each other's way.
    """
    found: list[str] = []
    for seed in itertools.count(1):
        dice = random.Random(seed)
        position = randomly_played(seed, seed % 20)
        while position.outcome() is None:
            if _kernel.nearest_distance(position.track, position.turn) <= NEAR and not wins_at_once(position):
                found.append(str(position))
                break
            moves, to_go, _ = _kernel.greedy_moves(position.track)
            best = min(to_go)
            near = [move for move, left in zip(moves, to_go, strict=True) if left <= best + 1]
            position.push(kernel.Move(dice.choice(near if dice.random() < 0.7 else moves)))
        if len(found) == count:
            break
    return found


def randomly_played(seed: int, turns: int) -> kernel.Position:
    position = kernel.Position(("standard w", "basic w")[seed % 2])
    preference = PREFERENCES[seed % len(PREFERENCES)]
    position.play_random(seed, turns, raised=preference.raised, bridge=preference.bridge, moved=preference.moved)
    return position


def won_by(position: kernel.Position, colour: Colour) -> set[Move]:
    """Return the turns after which the rules say that this player has won."""
    found = set()
    for move in list(position.legal_moves):
        position.push(move)
        outcome = position.outcome()
        if outcome is not None and outcome.winner is colour:
            found.add(move)
        position.pop()
    return found


def proved(text: str, turns: int) -> dict[int, int]:
    """Return what the kernel proves: winning turns, and the number each takes."""
    found = _kernel.Prover().wins(plain_prover.track_of(text), turns)
    assert found is not None
    assert [within for _, within in found] == sorted(within for _, within in found)
    return dict(found)


@pytest.mark.parametrize("text", [ONE_TURN_TO_WIN, *map(tactic, ("win-1", "bridge", "centre", "defence"))])
def test_wins_at_once_are_those_the_rules_know(text: str) -> None:
    position = kernel.Position(text)
    assert set(wins_at_once(text)) == won_by(position, position.turn)


def test_defences_leave_the_opponent_no_win() -> None:
    position = kernel.Position(tactic("defence"))
    me, held = position.turn, set(defences(position))
    assert held
    for move in list(position.legal_moves)[::40] + sorted(held, key=str):
        position.push(move)
        outcome = position.outcome()
        lost = outcome.winner is me.other if outcome is not None else bool(won_by(position, me.other))
        position.pop()
        assert lost == (move not in held)
    assert len(defences(position, 1)) == 1


# ---------------------------------------------------------------------- against the plain prover


@pytest.mark.parametrize("text", [tactic["position"] for tactic in TACTICS])
def test_wins_in_two_of_the_tactics_are_the_plain_prover_s(text: str) -> None:
    assert proved(text, 2) == plain_prover.wins(plain_prover.track_of(text), 2)


def test_wins_in_two_of_random_games_are_the_plain_prover_s() -> None:
    """All turns of both sides are looked at, also those that threaten nothing."""
    counts: Counter[int] = Counter()
    for text in nearly_won(60) + played(10, 20, 60):
        found = proved(text, 2)
        assert found == plain_prover.wins(plain_prover.track_of(text), 2), text
        counts.update(found.values())
    assert counts[2] > 10


@pytest.mark.parametrize("text", tactics("win-3"))
def test_after_a_threat_and_a_defence_wins_in_two_are_the_plain_prover_s(text: str) -> None:
    position = kernel.Position(text)
    for move in Prover().line(position, 3)[:2]:
        position.push(move)
    found = proved(str(position), 2)
    assert 2 in found.values()
    assert found == plain_prover.wins(position.track, 2)


@pytest.mark.parametrize("text", [tactic("win-3"), tactics("win-2")[7], *tactics("centre")[::3]])
def test_wins_in_three_are_the_plain_prover_s(text: str) -> None:
    assert proved(text, 3) == plain_prover.wins(plain_prover.track_of(text), 3)


def test_whoever_is_no_approach_threatens_no_chain() -> None:
    kept = left_out = threats = 0
    for text in played(60, 12, 70) + nearly_won(60) + [tactic["position"] for tactic in TACTICS]:
        track = plain_prover.track_of(text)
        approaches = _kernel.approaches(track)
        if approaches is None:
            continue
        me = track.turn
        listed = set(approaches)
        for turn in track.numbers():
            track.push(turn)
            threatens = not track.over() and bool(_kernel.wins(track, me))
            track.pop()
            threats += threatens
            assert turn in listed or not threatens, text
        kept += len(listed)
        left_out += track.count() - len(listed)
    assert threats > 500
    assert left_out > 3 * kept


def after_the_win(kind: str, number: int) -> str:
    """Return the position of a tactic after the turn that solves it."""
    position = kernel.Position(tactics(kind)[number])
    position.push(next(tactic["best"][0] for tactic in TACTICS if tactic["position"] == tactics(kind)[number]))
    return str(position)


@pytest.mark.parametrize(
    ("text", "turns"),
    [(text, turns) for turns in (1, 2) for text in tactics("defence")[::3] + tactics("centre")[::3] + played(6, 20, 60)]
    + [(after_the_win("win-2", 0), 1), (after_the_win("centre", -1), 1), (after_the_win("win-3", 0), 2)],
)
def test_an_answer_is_the_plain_prover_s(text: str, turns: int) -> None:
    found = Prover().answer(text, turns)
    assert found.reply is not None
    position = kernel.Position(text)
    fate = plain_prover.fate(position.track, position.pack(found.reply), turns)
    assert fate == (found.turns if found.lost else None)
    if fate is not None:
        fates = [plain_prover.fate(position.track, turn, turns) for turn in position.track.numbers()]
        assert fate == max(fate for fate in fates if fate is not None)
        assert None not in fates


@pytest.mark.parametrize("text", [*tactics("win-2")[::6], *tactics("win-3")[::4]])
def test_after_a_winning_turn_every_answer_loses(text: str) -> None:
    prover = Prover()
    position = kernel.Position(text)
    turns = 2 if text in tactics("win-2") else 3
    position.push(prover.wins_in(position, turns, 1)[0])
    answer = prover.answer(position, turns - 1)
    assert (answer.lost, answer.turns) == (True, turns - 1)
    if turns > 2:
        assert not prover.answer(position, turns - 2).lost


# ---------------------------------------------------------------------- what holds of every proof


@pytest.mark.parametrize("text", [tactic("win-1"), *tactics("win-2")[::4], *tactics("win-3")[::3]])
def test_a_line_is_played_to_the_win_against_the_longest_resistance(text: str) -> None:
    prover = Prover()
    position = kernel.Position(text)
    me = position.turn
    turns = next(n for n in (1, 2, 3) if prover.wins_in(position, n, 1))
    line = prover.line(position, 3)
    assert len(line) == 2 * turns - 1
    for ply, move in enumerate(line):
        left = turns - (ply + 1) // 2
        if ply % 2 == 0:
            assert move in prover.wins_in(position, left)
        else:
            assert prover.answer(position, left).turns == left
        position.push(move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner is me
    assert line == Prover().line(text, 3)


def test_the_last_reply_leaves_as_few_wins_as_any() -> None:
    position = kernel.Position(tactic("win-2"))
    first, reply, _ = Prover().line(position, 2)
    position.push(first)
    left = {}
    for move in list(position.legal_moves):
        position.push(move)
        left[move] = len(wins_at_once(position))
        position.pop()
    assert left[reply] == min(count for count in left.values() if count) < max(left.values())


@pytest.mark.parametrize("text", [tactic("win-2"), tactic("win-3"), tactic("defence"), tactic("centre")])
def test_in_slices_it_proves_the_same(text: str) -> None:
    track = plain_prover.track_of(text)
    whole, sliced = _kernel.Prover(), _kernel.Prover()
    assert whole.wins(track, 3) == sliced.wins(track, 3, slice=1)
    assert whole.answer(track, 2) == sliced.answer(track, 2, slice=7)
    assert whole.variation(track, 3) == sliced.variation(track, 3, slice=1)


def test_experience_changes_no_proof() -> None:
    texts = [*tactics("win-2")[:3], *tactics("win-3")[:2], *played(3, 20, 50)]
    experienced = Prover()
    for text in texts * 2:
        assert experienced.wins_in(text, 2) == Prover().wins_in(text, 2)
        assert experienced.line(text, 3) == Prover().line(text, 3)


@pytest.mark.parametrize("text", [tactic("win-2"), tactic("bridge"), tactics("centre")[-1]])
@pytest.mark.parametrize("symmetry", [1, 4, 6, 9])
def test_images_have_the_images_of_the_wins(text: str, symmetry: int) -> None:
    track = plain_prover.track_of(text)
    image = _kernel.transformed(track, symmetry)
    expected = {_kernel.transformed_move(turn, symmetry): within for turn, within in proved(text, 2).items()}
    assert proved(image.text(), 2) == expected
    here, there = Prover().answer(text, 1), Prover().answer(image.text(), 1)
    assert (here.lost, here.turns) == (there.lost, there.turns)


def test_a_budget_that_does_not_suffice_is_told() -> None:
    text = tactic("win-3")
    prover = Prover()
    for budget in (0, 1, 100, 1000):
        with pytest.raises(Undecided, match="budget"):
            prover.wins_in(text, 3, budget=budget)
        with pytest.raises(Undecided):
            prover.line(text, 3, budget=budget)
    after = kernel.Position(text)
    after.push(prover.wins_in(text, 3, 1)[0])
    with pytest.raises(Undecided):
        Prover().answer(after, 2, budget=10)
    assert prover.wins_in(text, 3) == Prover().wins_in(text, 3)
    assert prover.wins_in(text, 3, budget=10**9) == prover.wins_in(text, 3)


def test_a_prover_can_be_asked_from_several_threads() -> None:
    prover = Prover()
    texts = tactics("win-2")[:6]
    with ThreadPoolExecutor(3) as threads:
        together = list(threads.map(lambda text: prover.wins_in(text, 2), texts))
    assert together == [Prover().wins_in(text, 2) for text in texts]


def test_no_win_in_three_where_there_is_nothing_to_threaten_with() -> None:
    assert Prover().wins_in("standard w wEd5n bTl5n", 3) == []
    assert Prover().line("standard w wEd5n bTl5n", 3) == []


@pytest.mark.parametrize("make", [str, Position, kernel.Position])
def test_a_position_of_any_kind_is_left_as_it_is(make: type) -> None:
    position = make(ONE_TURN_TO_WIN)
    assert wins_at_once(position)
    assert len(defences(position, 2)) == 2
    assert Prover().wins_in(position, 2, 1)
    assert not last_piece_wins(position, Colour.WHITE)
    assert Position(position) == Position(ONE_TURN_TO_WIN)


def test_a_game_that_is_over_has_nothing_to_prove() -> None:
    assert wins_at_once(WON) == defences(WON) == Prover().wins_in(WON, 3) == Prover().line(WON, 3) == []
    assert Prover().answer(WON, 2) == Answer(True, None, 0)
    assert Prover().answer(WON.replace("basic b", "basic w"), 2) == Answer(False, None, 0)


@pytest.mark.parametrize("turns", [0, -1, 17])
def test_a_number_of_turns_that_makes_no_sense_is_refused(turns: int) -> None:
    with pytest.raises(PunctError, match=f"within 1 to 16 moves, not {turns}"):
        Prover().wins_in(ONE_TURN_TO_WIN, turns)


@pytest.mark.parametrize("wrong", [-1, 1.5, "5", True, math.inf, -(10**30)])
def test_numbers_that_make_no_sense_are_refused_in_words(wrong: Any) -> None:
    prover = Prover()
    for ask in (prover.wins_in, prover.answer, prover.line):
        with pytest.raises(PunctError, match="a budget is a whole number from 0 on"):
            ask(TWO_TURNS, 1, budget=wrong)
        with pytest.raises(PunctError, match="wins are proved within 1 to"):
            ask(TWO_TURNS, wrong)
    with pytest.raises(PunctError, match="a number of moves is a whole number from 0 on"):
        prover.wins_in(TWO_TURNS, 1, most=wrong)
    with pytest.raises(PunctError, match="a number of moves is a whole number from 0 on"):
        defences(TWO_TURNS, wrong)


def test_any_budget_from_0_on_will_do() -> None:
    prover = Prover()
    with pytest.raises(Undecided):
        prover.wins_in(TWO_TURNS, 2, budget=0)
    assert prover.wins_in(TWO_TURNS, 2, budget=10**30) == prover.wins_in(TWO_TURNS, 2)
    assert defences(TWO_TURNS, 10**30) == defences(TWO_TURNS)


def test_a_prover_says_why_it_cannot_be_pickled() -> None:
    with pytest.raises(WrongTypeError, match="create one in each process"):
        pickle.dumps(Prover())
