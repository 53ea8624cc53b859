"""The training cycle: what it decides, and that it goes on from wherever it was stopped to the same end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.training.workers import FEW, KilledError, LocalWorkers, paper_networks

from punct.match.errors import MatchError
from punct.training.errors import TrainingError
from punct.training.metrics import read_metrics
from punct.training.players import name_of
from punct.training.progress import Progress
from punct.training.replay_buffer import Shard
from punct.training.run import TrainingRun
from punct.training.run_folder import Round, RunFolder, State
from punct.training.samples import read_metadata, read_samples

pytest.importorskip("pyarrow")
pytest.importorskip("tensorboardX")
__all__ = ["paper_networks"]


ROUND = (
    '{"learning": 1, "settings": {}, "rounds": [{"number": 1, "end": 8, "network": "x", "best": "linear", '
    '"is_accepted": false, "why": "", "pairs": [0, 0, 0, 0, 0], "pool": {}, %s}]}'
)


def decided(state: State) -> list[Round]:
    """Return the rounds without how long they took."""
    return [replace(each, seconds={}) for each in state.rounds]


def played_by(folder: RunFolder, game: int) -> str:
    """Return what the file of a game and the next says that it was played by."""
    path = folder.samples / Shard(game, game + 2).name
    return read_metadata(read_samples(path), path).network


def test_what_wins_is_kept_and_played_with(tmp_path: Path) -> None:
    progress: list[Progress] = []
    workers = LocalWorkers()
    state = TrainingRun(tmp_path, defaults=FEW).run(workers, 3, progress.append)
    first, second, third = state.rounds
    assert [each.is_accepted for each in state.rounds] == [True, True, True]
    assert (first.best, second.best, third.best) == ("linear", first.network, second.network)
    assert state.best == third.network
    assert state.pool == [second.network, first.network, "linear"]
    assert set(third.pool) == {first.network, "linear"}  # the best itself was played before
    assert [each.end for each in state.rounds] == [6, 12, 18]
    assert workers.done["play_game"] == 18
    assert [each.steps for each in state.rounds] == [3, 6, 9]
    assert {each.stage for each in progress} == {"play", "fit", "match", "pool"}
    assert all(each.done <= each.total for each in progress)
    assert "accepted after" in first.why
    assert played_by(RunFolder(tmp_path), 6) == first.network  # games of a later round are the best network's


def test_what_does_not_win_is_dropped(tmp_path: Path) -> None:
    workers = LocalWorkers(wins=False)
    state = TrainingRun(tmp_path, {"window": 12}, FEW).run(workers, 2)
    assert [each.is_accepted for each in state.rounds] == [False, False]
    assert state.best == "linear" and state.pool == []
    assert all("rejected after" in each.why and not each.pool for each in state.rounds)
    # A second round learns from the first one's games too, as far as the window reaches.
    assert state.rounds[1].positions > state.rounds[0].positions


def test_a_fit_begins_from_nothing_or_goes_on_from_the_best(tmp_path: Path) -> None:
    workers = LocalWorkers()
    TrainingRun(tmp_path, defaults=FEW).run(workers, 3)
    assert workers.started == [None, None, None]
    on = {"anew": False}
    TrainingRun(tmp_path, on).run(workers, 4)
    assert workers.started[3] == RunFolder(tmp_path).checkpoint(3).read_bytes()
    loser = LocalWorkers(wins=False)
    TrainingRun(tmp_path).run(loser, 6)
    assert (
        loser.started == [RunFolder(tmp_path).checkpoint(4).read_bytes()] * 2
    )  # what was dropped is gone on from no more
    RunFolder(tmp_path).checkpoint(4).unlink()
    with pytest.raises(TrainingError, match=r"0004.checkpoint\.pt cannot be read"):
        TrainingRun(tmp_path).run(LocalWorkers(), 7)
    first = LocalWorkers(wins=False)
    TrainingRun(tmp_path / "never", on, FEW).run(first, 2)
    assert first.started == [None, None]  # the linear weights have none


def test_who_loses_to_older_ones_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workers = LocalWorkers()
    run = TrainingRun(tmp_path, {"pool_pairs": 40}, FEW)
    run.run(workers, 1)

    def beaten_by_linear(job, match=workers._match):  # type: ignore[no-untyped-def]
        game = match(job)
        lost = replace(game, result={"1-0": "0-1", "0-1": "1-0"}[game.result])
        return lost if job.players[1] == "linear" else game

    monkeypatch.setattr(workers, "_match", beaten_by_linear)
    state = run.run(workers, 2)
    assert not state.rounds[1].is_accepted
    assert "yet weaker than older ones in 40 pairs" in state.rounds[1].why
    assert state.best == state.rounds[0].network


@pytest.mark.parametrize("wins", [True, False])
def test_killed_at_any_moment_it_comes_to_the_same(tmp_path: Path, wins: bool) -> None:
    whole = LocalWorkers(wins=wins)
    expected = decided(TrainingRun(tmp_path / "whole", defaults=FEW).run(whole, 2))
    for lives in range(0, whole.done.total(), 5):
        folder = tmp_path / f"killed-{lives}"
        first, second = LocalWorkers(wins=wins, lives=lives), LocalWorkers(wins=wins)
        with pytest.raises(KilledError):
            TrainingRun(folder, defaults=FEW).run(first, 2)
        assert decided(TrainingRun(folder).run(second, 2)) == expected
        again = first.done + second.done - whole.done
        assert again["play_game"] < 2 * FEW.games_a_file  # those of a batch that was not complete
        assert again["play_match_game"] <= 1
        assert again["fit"] <= 3


def test_killed_again_and_again_it_gets_there(tmp_path: Path) -> None:
    expected = decided(TrainingRun(tmp_path / "whole", defaults=FEW).run(LocalWorkers(), 2))
    for _ in range(100):
        try:
            state = TrainingRun(tmp_path / "killed", defaults=FEW).run(LocalWorkers(lives=4), 2)
        except KilledError:
            continue
        assert decided(state) == expected
        return
    pytest.fail("it never got there")


def test_a_round_has_pending_settings(tmp_path: Path) -> None:
    with pytest.raises(KilledError):
        TrainingRun(tmp_path, defaults=FEW).run(LocalWorkers(lives=3), 1)
    run = TrainingRun(tmp_path, {"games": 8})
    assert run.has_pending_settings
    state = run.run(LocalWorkers(), 2)
    assert [each.end for each in state.rounds] == [6, 14]
    later = TrainingRun(tmp_path, {"games": 2, "nodes": 5})
    assert not later.has_pending_settings  # the third has not begun
    assert later.run(LocalWorkers(), 3).rounds[2].end == 16
    assert TrainingRun(tmp_path).state.settings.nodes == 5


def test_figures_are_written_for_tensorboard_and_as_json(tmp_path: Path) -> None:
    TrainingRun(tmp_path, defaults=FEW).run(LocalWorkers(), 2)
    lines = list(read_metrics(tmp_path / "metrics.jsonl"))
    losses = [(line["step"], line["loss/value"]) for line in lines if "loss/value" in line]
    assert losses == [(step, pytest.approx(0.7 / (1 + (step - 1) % 3))) for step in range(1, 7)]
    assert [line["round"] for line in lines if "match/score" in line] == [1, 2]
    [events] = (tmp_path / "tensorboard").iterdir()
    assert b"loss/value" in events.read_bytes() and b"games/plies" in events.read_bytes()
    torn = tmp_path / "metrics.jsonl"
    torn.write_bytes(torn.read_bytes() + b'{"time": "2026')
    TrainingRun(tmp_path).run(LocalWorkers(), 3)
    assert all(json.loads(line) for line in torn.read_text().splitlines())


# ---------------------------------------------------------------------- begun with a network


@pytest.fixture
def given(tmp_path: Path) -> Path:
    """Return the file of a network from elsewhere."""
    path = tmp_path / "given.bin"
    path.write_bytes(b"network from elsewhere")
    return path


def test_begun_with_a_network_the_new_one_must_beat_that(tmp_path: Path, given: Path) -> None:
    folder, name = RunFolder(tmp_path / "mine"), name_of(given.read_bytes())
    state = TrainingRun(folder.path, defaults=FEW, network=given).run(LocalWorkers(wins=False), 1)
    assert (state.start, state.best, state.pool) == (name, name, ["linear"])
    assert state.rounds[0].best == name and not state.rounds[0].pool
    assert played_by(folder, 0) == name
    assert folder.network(0).read_bytes() == given.read_bytes()
    given.unlink()  # the folder is whole by itself
    state = TrainingRun(folder.path).run(LocalWorkers(), 3)
    _, second, third = state.rounds
    assert (second.best, set(second.pool)) == (name, {"linear"})
    assert (third.best, set(third.pool)) == (second.network, {name, "linear"})
    assert state.pool == [second.network, name, "linear"]
    assert (played_by(folder, 6), played_by(folder, 12)) == (name, second.network)
    assert [state.number_of(each) for each in (name, second.network)] == [0, 2]


def test_a_network_from_elsewhere_has_no_checkpoint(tmp_path: Path, given: Path) -> None:
    workers = LocalWorkers()
    TrainingRun(tmp_path / "mine", {"anew": False}, FEW, given).run(workers, 2)
    assert workers.started == [None, RunFolder(tmp_path / "mine").checkpoint(1).read_bytes()]


def test_begun_with_a_network_and_killed_it_comes_to_the_same(tmp_path: Path, given: Path) -> None:
    whole = LocalWorkers()
    expected = decided(TrainingRun(tmp_path / "whole", defaults=FEW, network=given).run(whole, 2))
    for lives in range(0, whole.done.total(), 5):
        folder = tmp_path / f"killed-{lives}"
        with pytest.raises(KilledError):
            TrainingRun(folder, defaults=FEW, network=given).run(LocalWorkers(lives=lives), 2)
        again = given if lives % 2 else None  # the same command, or one that does not name it
        assert decided(TrainingRun(folder, network=again).run(LocalWorkers(), 2)) == expected


def test_killed_before_the_network_is_kept_the_same_command_goes_on(
    tmp_path: Path, given: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine"

    def killed(path: Path, content: bytes) -> None:
        raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr("punct.training.run.write_atomically", killed)
        with pytest.raises(KilledError):
            TrainingRun(folder, defaults=FEW, network=given).run(LocalWorkers(), 1)
    with pytest.raises(TrainingError, match=r"0000.network\.bin cannot be read"):
        TrainingRun(folder).run(LocalWorkers(), 1)
    assert TrainingRun(folder, network=given).run(LocalWorkers(), 1).rounds[0].best == name_of(given.read_bytes())


def test_a_folder_does_not_begin_twice(tmp_path: Path, given: Path) -> None:
    plain, mine, other = tmp_path / "plain", tmp_path / "mine", tmp_path / "other.bin"
    other.write_bytes(b"network of a third")
    TrainingRun(plain, defaults=FEW).run(LocalWorkers(), 1)
    with pytest.raises(TrainingError, match=r"plain has begun with the linear weights, not with .*given\.bin"):
        TrainingRun(plain, network=given)
    TrainingRun(mine, defaults=FEW, network=given).run(LocalWorkers(), 1)
    name = name_of(given.read_bytes())
    with pytest.raises(TrainingError, match=rf"mine has begun with the network {name}, not with .*other\.bin"):
        TrainingRun(mine, network=other)
    assert len(TrainingRun(mine, network=given).run(LocalWorkers(), 2).rounds) == 2
    RunFolder(mine).network(0).write_bytes(other.read_bytes())
    with pytest.raises(TrainingError, match=rf"0000.*is not the network that was stored there: that was {name}"):
        TrainingRun(mine).run(LocalWorkers(), 3)


def test_what_is_no_network_is_refused_and_nothing_is_left(tmp_path: Path, given: Path) -> None:
    given.write_bytes(b"a poem")
    for path, words in ((given, "this is not a network"), (tmp_path / "none", "No such file"), (tmp_path, "directory")):
        with pytest.raises(TrainingError, match=rf"{path.name} cannot be .*{words}"):
            TrainingRun(tmp_path / "mine", defaults=FEW, network=path)
    assert not (tmp_path / "mine").exists()


def test_a_state_from_before_there_were_starts_is_read(tmp_path: Path) -> None:
    with pytest.raises(KilledError):
        TrainingRun(tmp_path, defaults=FEW).run(LocalWorkers(lives=3), 1)
    path = RunFolder(tmp_path).state_file
    data = json.loads(path.read_text())
    assert data.pop("start") == "linear" and data["settings"].pop("anew") is True
    path.write_text(json.dumps(data))
    run = TrainingRun(tmp_path)
    assert run.state.start == run.state.best == "linear"
    workers = LocalWorkers()
    run.run(workers, 2)
    assert workers.started == [None, RunFolder(tmp_path).checkpoint(1).read_bytes()]  # as it was done then


# ---------------------------------------------------------------------- what is refused


def test_two_do_not_learn_in_one_folder(tmp_path: Path) -> None:
    with RunFolder(tmp_path).lock(), pytest.raises(TrainingError, match="another process is training"):
        TrainingRun(tmp_path, defaults=FEW).run(LocalWorkers(), 1)
    TrainingRun(tmp_path, defaults=FEW).run(LocalWorkers(), 1)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "poem.txt").write_text("a poem")
    with pytest.raises(TrainingError, match="holds something else"):
        TrainingRun(tmp_path)
    with pytest.raises(TrainingError, match="is not a folder"):
        TrainingRun(tmp_path / "poem.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["poem.txt"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a poem", "is damaged: it is not JSON"),
        ("[]", "is damaged: it is no object"),
        ("{}", "of format None"),
        ('{"learning": 2}', "of format 2; this version reads format 1"),
        ('{"learning": 1}', "is damaged"),
        ('{"learning": 1, "settings": {"games": 0}, "rounds": []}', "damaged.*games is from 1"),
        ('{"learning": 1, "settings": [], "rounds": []}', "is damaged"),
        ('{"learning": 1, "start": 7, "settings": {}, "rounds": []}', "damaged: what it began with has no name"),
        ('{"learning": 1, "settings": {}, "rounds": [{}]}', "is damaged"),
        ('{"learning": 1, "settings": {}, "rounds": [7]}', "is damaged"),
        (ROUND % '"losses": {"held_value_loss": "low"}', "a round makes no sense"),
        (ROUND % '"games": -1', "a round makes no sense"),
        (ROUND % '"colour": 7', "is damaged"),
    ],
)
def test_a_damaged_state_is_refused_by_name(tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "state.json").write_text(content)
    with pytest.raises(TrainingError, match=rf"state\.json.*{words}"):
        TrainingRun(tmp_path)


def test_damaged_files_are_refused_by_name(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    TrainingRun(tmp_path, defaults=FEW).run(LocalWorkers(), 1)
    network, whole = folder.network(1), folder.network(1).read_bytes()
    for content, words in (
        (b"a poem", "this is not a network"),
        (b"network 9", "is not the network that was stored there"),
    ):
        network.write_bytes(content)
        with pytest.raises(TrainingError, match=rf"rounds.0001.*{words}"):
            TrainingRun(tmp_path).run(LocalWorkers(), 2)
    network.unlink()
    with pytest.raises(TrainingError, match="cannot be read: No such file"):
        TrainingRun(tmp_path).run(LocalWorkers(), 2)
    network.write_bytes(whole)
    sample = max((tmp_path / "samples").iterdir())  # the window holds it
    kept = sample.read_bytes()
    sample.write_bytes(kept[:-7])
    with pytest.raises(TrainingError, match=sample.name):
        TrainingRun(tmp_path).run(LocalWorkers(), 2)
    sample.write_bytes(kept)
    assert len(TrainingRun(tmp_path).run(LocalWorkers(), 2).rounds) == 2


def test_a_damaged_report_of_a_fit_is_named_and_can_be_made_again(tmp_path: Path) -> None:
    whole = decided(TrainingRun(tmp_path / "whole", defaults=FEW).run(LocalWorkers(), 1))
    folder = RunFolder(tmp_path / "mine")
    with pytest.raises(KilledError):
        TrainingRun(folder.path, defaults=FEW).run(LocalWorkers(lives=12), 1)
    report = folder.fit(1)
    for content in ("{", "{}", '{"losses": 7, "positions": 1, "steps": 1}'):
        report.write_text(content)
        with pytest.raises(TrainingError, match=r"fit\.json is damaged"):
            TrainingRun(folder.path).run(LocalWorkers(), 1)
    report.unlink()
    assert decided(TrainingRun(folder.path).run(LocalWorkers(), 1)) == whole


def test_a_match_of_others_is_not_gone_on_with(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    with pytest.raises(KilledError):
        TrainingRun(tmp_path, defaults=FEW).run(LocalWorkers(lives=14), 1)
    path = folder.match(1, "linear")
    path.write_text(path.read_text().replace('"nodes": 6', '"nodes": 7'))
    with pytest.raises(MatchError, match="of another match"):
        TrainingRun(tmp_path).run(LocalWorkers(), 1)
