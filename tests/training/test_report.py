"""What is told of a learning: the table, the pictures, and the command around both."""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ElementTree
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.running import run, shell
from tests.training.workers import FEW, LocalWorkers, paper_networks

from punct.engine.network import OWN_NETWORK_PATH
from punct.picture.markup import rasterize
from punct.training.chart import Bar, Curve, chart
from punct.training.errors import TrainingError
from punct.training.players import name_of
from punct.training.report import HEADINGS, Report, summary
from punct.training.run import TrainingRun
from punct.training.run_folder import Round, State

pytest.importorskip("pyarrow")
pytest.importorskip("tensorboardX")
__all__ = ["paper_networks"]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def learned(tmp_path: Path) -> Path:
    """Return a folder in which one network was accepted, and then one dropped."""
    folder = tmp_path / "mine"
    TrainingRun(folder, defaults=FEW).run(LocalWorkers(), 1)
    TrainingRun(folder).run(LocalWorkers(wins=False), 2)
    return folder


def test_the_table_tells_every_round(learned: Path) -> None:
    found = Report.of(learned)
    first, second = (dict(zip(HEADINGS, row, strict=True)) for row in found.rows())
    assert (first["round"], first["games"], first["verdict"]) == ("1", "6", "accepted")
    assert second["verdict"] == "dropped"
    match = found.state.rounds[0].estimate
    assert match is not None and math.isinf(match.elo)  # a match without a point lost has only one bound
    assert first["in all"] == second["in all"] == str(match)
    assert found.strengths() == [match, match]
    assert first["value"] == "0.5000"
    assert summary(found.state, found.strengths()).startswith("1 of 2 networks accepted; the best is ")


def test_strength_adds_up_what_was_accepted(learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = Report.of(learned).state
    even = replace(state.rounds[0], pairs=(2, 5, 10, 9, 4))
    report = Report(Report.of(learned).folder, replace(state, rounds=(even, state.rounds[1], replace(even, number=3))))
    match = even.estimate
    assert match is not None
    once, same, twice = report.strengths()
    assert once == same and (once.elo, once.low, once.high) == pytest.approx((match.elo, match.low, match.high))
    assert twice.elo == pytest.approx(2 * match.elo)
    assert (twice.elo - twice.low, twice.high - twice.elo) == pytest.approx(
        (math.sqrt(2) * (match.elo - match.low), math.sqrt(2) * (match.high - match.elo))
    )
    monkeypatch.setattr("punct.training.report.chart", lambda *drawn: drawn)
    _, told, _, [curve], bars = cast(Any, report.strength())
    assert list(curve.points[1:]) == [(number, total.elo) for number, total in enumerate((once, same, twice), 1)]
    assert [(bar.low, bar.high) for bar in bars] == [(total.low, total.high) for total in (once, same, twice)]
    assert f"in all {twice}" in told


@given(st.lists(st.tuples(st.tuples(*[st.integers(0, 6)] * 5), st.booleans()), max_size=4))
def test_no_elo_is_told_without_its_error(rounds: list[tuple[tuple[int, ...], bool]]) -> None:
    """Whatever the matches: a sum has an interval around it, and so is written."""
    finished = tuple(
        Round(number, 0, "new", "best", accepted, "", pairs) for number, (pairs, accepted) in enumerate(rounds, 1)
    )
    report = Report(None, State(FEW, finished))  # type: ignore[arg-type]  # the table needs no folder
    for total in report.strengths():
        assert total.low <= total.elo <= total.high
    for text in (*(row[-1] for row in report.rows()), *(row[-3] for row in report.rows())):
        assert not text or any(words in text for words in ("±", "[", "above", "below", "too early"))
    told = summary(report.state, report.strengths())
    assert not re.search(r"[+-][0-9]+(?! ±| \[|[0-9]| …|\])", told.replace("above +", "").replace("below +", "")), told


def test_begun_with_a_network_strength_counts_from_that(tmp_path: Path) -> None:
    given, folder = tmp_path / "given.bin", tmp_path / "mine"
    given.write_bytes(b"network from elsewhere")
    name = name_of(given.read_bytes())
    TrainingRun(str(folder), defaults=FEW, network=str(given)).run(LocalWorkers(wins=False), 1)
    found = Report.of(str(folder))
    [row] = (dict(zip(HEADINGS, row, strict=True)) for row in found.rows())
    assert (row["verdict"], row["in all"]) == ("dropped", "+0 ± 0")
    assert summary(found.state, found.strengths()) == (
        f"0 of 1 networks accepted; the best is still {name}, with which it began."
    )
    result = run("learn", "report", folder)
    assert result.exit_code == 0, result.output
    assert str(Path("rounds", "0000", "network.bin")) in result.output.replace("\n", "")
    TrainingRun(folder).run(LocalWorkers(), 2)
    found = Report.of(folder)
    told = summary(found.state, found.strengths())
    assert f"the best is {found.state.rounds[1].network}. Against {name}, with which it began" in told
    assert told.endswith(f"added up: {found.state.rounds[1].estimate}.") and "above" in told


def test_the_command_begins_with_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punct.ray_jobs.connect", lambda *words, **options: nullcontext())
    monkeypatch.setattr("punct.training.RayWorkers", lambda ray: LocalWorkers(), raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    monkeypatch.setattr("punct.training.players.Network", bytes)  # whatever the file holds
    few = tmp_path / "few.toml"
    few.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in FEW.as_dict().items()))
    begin = ("learn", "run", tmp_path / "mine", "--settings", few, "--rounds", "1")
    result = run(*begin, "--network", "own")
    assert result.exit_code == 0, result.output
    state = Report.of(tmp_path / "mine").state
    assert state.start == state.rounds[0].best == name_of(OWN_NETWORK_PATH.read_bytes())
    assert run(*begin, "--network", OWN_NETWORK_PATH).exit_code == run(*begin).exit_code == 0
    for wrong, words in ((few, "has begun with the network"), (tmp_path / "none", "none cannot be read")):
        result = run(*begin, "--network", wrong)
        assert result.exit_code == 2 and words in result.output.replace("\n", " ")


def test_the_pictures_are_whole(learned: Path, tmp_path: Path) -> None:
    found = Report.of(learned)
    files = found.draw(tmp_path / "out", "svg") + found.draw(tmp_path / "out", "png")
    assert [path.name for path in files[:3]] == ["value-loss.svg", "policy-loss.svg", "strength.svg"]
    value, policy, strength = (ElementTree.parse(path).getroot() for path in files[:3])
    assert [title.text for title in value.iter(f"{SVG}title")][1:] == ["value", "held value"]
    assert "0.5000, 0.5000" in (policy.findtext(f"{SVG}desc") or "")
    assert len(list(strength.iter(f"{SVG}circle"))) == 2
    assert "round 2: Elo" in (strength.findtext(f"{SVG}desc") or "")
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in files[3:])


def test_a_chart_holds_whatever_it_is_given() -> None:
    many = Curve("value", [(float(x), math.sin(x)) for x in range(5000)])
    lines = list(ElementTree.fromstring(chart("t", "w", "steps", [many])).iter(f"{SVG}path"))
    assert max(len(line.attrib["d"]) for line in lines) < 20_000  # thinned
    one = chart("one", "<&>", "round", [Curve("Elo", [(1.0, 0.0)])], [Bar((1.0, 0.0), -math.inf, 9.0, True, "a & b")])
    assert "inf" not in one and "nan" not in one
    assert rasterize(one).startswith(b"\x89PNG")


def test_the_command_prints_table_and_pictures(learned: Path) -> None:
    result = run("learn", "report", learned, "--format", "png")
    assert result.exit_code == 0, result.output
    assert "accepted" in result.output and "dropped" in result.output
    assert "Network=" in result.output
    assert (learned / "report" / "strength.png").exists()


def test_where_nobody_learned_that_is_said(tmp_path: Path) -> None:
    result = run("learn", "report", tmp_path / "nowhere")
    assert result.exit_code == 2 and "there is no training run in" in result.output
    with pytest.raises(TrainingError, match="holds something else"):
        (tmp_path / "poem").write_text("a poem")
        Report.of(tmp_path)


def test_the_plain_commands_load_none_of_it() -> None:
    result = shell("learn", "--help")
    assert result.returncode == 0 and "demo" in result.stdout
    import subprocess
    import sys

    code = (
        "import sys, punct, punct.cli.learn, punct.training; punct.training.TrainingRun\n"
        "print([name for name in ('ray', 'torch', 'pyarrow', 'tensorboardX') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
