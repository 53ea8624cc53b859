"""Matches between networks: paired, the same wherever they are played, over as soon as the test is sure."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from punct import Game
from punct.match.game import FinishedGame
from punct.match.statistics import Sprt, Verdict
from punct.training.errors import TrainingError
from punct.training.gatekeeper import MatchJob, NetworkMatch, play_match_game
from punct.training.settings import DEMO, Settings, read_settings

FEW = Settings(match_nodes=10, basic_every=2)
PLAYERS = ("new", "old")
BOTH = {"new": None, "old": None}


def test_a_pair_begins_alike_and_changes_colours() -> None:
    one, two = (play_match_game(MatchJob(3, white, PLAYERS, FEW), BOTH) for white in (0, 1))
    assert one.start == two.start == "basic w"
    assert one.moves[:4] == two.moves[:4]
    assert (one.white, two.white) == (0, 1)
    assert play_match_game(MatchJob(3, 0, PLAYERS, FEW), BOTH) == one
    other = play_match_game(MatchJob(2, 0, PLAYERS, FEW), BOTH)
    assert other.start == "standard w" and other.moves[:4] != one.moves[:4]
    game = Game(one.start)
    for move in one.moves:
        game.push(move)
    assert game.outcome() is not None and game.result() == one.result


def finished(pair: int, white: int, points: float) -> FinishedGame:
    result = "1/2-1/2" if points == 0.5 else "1-0" if (points == 1.0) == (white == 0) else "0-1"
    return FinishedGame(pair, white, "standard w", ("Ed5ne",), result, "connection")


def results(pairs: int, chance: float) -> list[FinishedGame]:
    dice = random.Random(7)
    return [finished(pair, white, float(dice.random() < chance)) for pair in range(pairs) for white in (0, 1)]


@pytest.mark.parametrize(("chance", "verdict"), [(0.8, Verdict.ACCEPTED), (0.3, Verdict.REJECTED)])
def test_the_verdict_does_not_depend_on_who_came_first(tmp_path: Path, chance: float, verdict: Verdict) -> None:
    games = results(80, chance)
    scores = []
    for number in range(4):
        match = NetworkMatch(tmp_path / f"{number}.jsonl", PLAYERS, FEW, 80, Sprt(0, 50))
        shuffled = games[:]
        if number:
            random.Random(number).shuffle(shuffled)
        for game in shuffled:
            match.add(game)
        assert match.is_over and match.verdict is verdict
        scores.append((match.score.pentanomial, match.score.games))
    assert len(set(scores)) == 1
    assert scores[0][1] < 160  # it was sure before the end


def test_a_contest_hands_out_what_is_missing_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = NetworkMatch(path, PLAYERS, FEW, 4, None)
    for game in results(4, 0.5)[:5]:
        match.add(game)
    path.write_bytes(path.read_bytes() + b'{"pair": 2, "whi')  # as if killed while it was written
    again = NetworkMatch(path, PLAYERS, FEW, 4, None)
    assert [(job.pair, job.white) for job in again.jobs()] == [(2, 1), (3, 0), (3, 1)]
    assert again.score.games == 4  # the fifth waits for its other
    for game in results(4, 0.5)[5:]:
        assert not again.is_over
        again.add(game)
    assert again.is_over and again.verdict is Verdict.OPEN and not list(again.jobs())


def test_nothing_is_handed_out_once_it_is_decided(tmp_path: Path) -> None:
    match = NetworkMatch(tmp_path / "match.jsonl", PLAYERS, FEW, 1000, Sprt(0, 100))
    jobs = match.jobs()
    played = 0
    for job in jobs:
        match.add(finished(job.pair, job.white, 1.0))
        played += 1
    assert match.verdict is Verdict.ACCEPTED and played < 100
    assert NetworkMatch(tmp_path / "match.jsonl", PLAYERS, FEW, 1000, Sprt(0, 100)).verdict is Verdict.ACCEPTED


# ---------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"games": 0}, "games is from 1 to"),
        ({"games": 1.5}, "games is a whole number, not '1.5'"),
        ({"games": True}, "games is a whole number"),
        ({"anew": 1}, "anew is true or false, not '1'"),
        ({"anew": "yes"}, "anew is true or false, not 'yes'"),
        ({"rate": "fast"}, "rate is a number, not 'fast'"),
        ({"rate": float("nan")}, "rate is from"),
        ({"elo0": 20.0, "elo1": 10.0}, "elo0 below elo1"),
        ({"alpha": 0.7}, "alpha lies between"),
        ({"gmaes": 7}, "there is no setting 'gmaes': there are seed, games"),
    ],
)
def test_settings_without_sense_are_refused(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(TrainingError, match=words):
        Settings().with_changes(wrong)


def test_settings_are_read_from_toml(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("\ufeffgames = 50  # for a start\nrate = 0.01\nanew = false\n")
    assert Settings().with_changes(read_settings(path)) == Settings(games=50, rate=0.01, anew=False)
    wrong = [
        ("games 50", "is not TOML"),
        ("games = -1", "games is from 1"),
        ("x = 1", "no setting 'x'"),
        ("x = " + "[" * 9999, "is not TOML"),
    ]
    for content, words in wrong:
        path.write_text(content)
        with pytest.raises(TrainingError, match=rf"mine\.toml.*{words}"):
            read_settings(path)
    with pytest.raises(TrainingError, match="cannot be read"):
        read_settings(str(tmp_path / "none"))
    assert DEMO.games < Settings().games
