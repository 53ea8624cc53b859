"""Matches: pairs, faults, resuming, records, and that no process outlives them."""

from __future__ import annotations

import asyncio
import json
import math
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.polling import wait_until_async

from punct import records
from punct.match.errors import MatchError
from punct.match.file import MatchFile
from punct.match.game import FinishedGame, TimeSpent
from punct.match.openings import opening
from punct.match.player import Entrant, Pace, Player, read_clock, read_entrant
from punct.match.playing import Match, Settings
from punct.match.score import MatchScore
from punct.match.statistics import Sprt, Verdict
from punct.outcome import Rules
from punct.ugi.errors import Fault

HERE = Path(__file__).parent
LADDER = HERE.parents[1] / "bench" / "ladder"


def ladder(name: str, **options: str) -> Entrant:
    return Entrant(name, (sys.executable, str(LADDER), name), options)


def faulty(how: str, pace: Pace = Pace(), sign: Path | None = None) -> Entrant:  # noqa: B008
    command = (sys.executable, str(HERE / "faulty.py"), how, *([] if sign is None else [str(sign)]))
    return Entrant(how, command, {}, pace)


def run(settings: Settings, path: Path | None = None, record: Path | None = None) -> tuple[Match, list[FinishedGame]]:
    finished: list[FinishedGame] = []
    match = Match(settings, path, record)
    asyncio.run(match.run(finished.append))
    return match, finished


def test_a_match_between_the_lowest_rungs(tmp_path: Path) -> None:
    record = tmp_path / "games.punct"
    settings = Settings((ladder("greedy"), ladder("random")), pairs=2, concurrency=2)
    match, finished = run(settings, tmp_path / "match.jsonl", record)
    assert match.score.games == 4
    assert match.score.points == 4.0
    assert match.score.pentanomial == (0, 0, 0, 0, 2)
    assert {(game.pair, game.white) for game in finished} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    by_pair = {(game.pair, game.white): game for game in finished}
    for pair in (0, 1):  # the same opening with both colours
        assert by_pair[pair, 0].moves[:4] == by_pair[pair, 1].moves[:4]
    games = records.load(record)
    assert records.dumps(games) == record.read_text(encoding="utf-8")
    assert len(games) == 4
    for game in finished:  # a turn of the opening is not thought about
        assert sum(spent.moves for spent in game.spent) == len(game.moves) - len(opening(1_000_000 + game.pair))
    for player in (0, 1):
        spent = match.score.spent[player]
        assert spent.moves == sum(game.spent[player].moves for game in finished)
        assert 0 < spent.mean <= spent.longest == max(game.spent[player].longest for game in finished)
    assert {game.tags["White"] for game in games} == {"greedy", "random"}
    assert all(game.result() in ("1-0", "0-1") for game in games)


def test_a_match_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path, record = tmp_path / "match.jsonl", tmp_path / "games.punct"
    players = (ladder("random", Seed="1"), ladder("random", Seed="2"))
    _, first = run(Settings(players, pairs=1), path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][:50])  # the machine went down while the last game was written
    match, again = run(Settings(players, pairs=2), path, record)
    assert [(game.pair, game.white) for game in again] == [(0, 1), (1, 0), (1, 1)]
    assert again[0].moves == first[1].moves
    assert match.score.games == 4
    assert len(records.load(record)) == 4
    assert len(path.read_bytes().splitlines()) == 5
    _, nothing = run(Settings(players, pairs=2), path)
    assert nothing == []


def test_records_of_other_games_are_not_overwritten(tmp_path: Path) -> None:
    path, record = tmp_path / "match.jsonl", tmp_path / "games.punct"
    settings = Settings((ladder("random"), ladder("random")), pairs=1, max_plies=10)
    record.write_text("1. Ed5ne *\n")
    with pytest.raises(MatchError, match=r"games\.punct exists already and holds other games; give --force"):
        Match(settings, path, record)
    assert record.read_text() == "1. Ed5ne *\n"
    match = Match(settings, path, record, replace_records=True)
    asyncio.run(match.run())
    assert len(records.load(record)) == 2
    # The same match again goes on with its records, also where a sudden end has torn them.
    whole = record.read_bytes()
    for kept in (whole, whole[:-30], b""):
        record.write_bytes(kept)
        run(Settings(settings.entrants, pairs=1, max_plies=10), path, record)
        assert record.read_bytes() == whole
    with pytest.raises(MatchError, match="holds other games"):
        Match(settings, None, record)


def test_records_one_game_ahead_are_gone_on_with(tmp_path: Path) -> None:
    """The machine went down when a game was in the record, and its line in the match file was not on the disk."""
    path, record = tmp_path / "match.jsonl", tmp_path / "games.punct"
    settings = Settings((ladder("random", Seed="1"), ladder("random", Seed="2")), pairs=1, max_plies=10)
    run(settings, path, record)
    lines, games, names = path.read_bytes().splitlines(keepends=True), record.read_bytes(), Match(settings).names
    for kept in range(1, len(lines)):
        lost = FinishedGame.from_json(json.loads(lines[kept])).as_game(names)
        for torn in (b"", lines[kept][:30]):
            path.write_bytes(b"".join(lines[:kept]) + torn)
            known = MatchFile(path, settings.identity()).games(names)
            record.write_bytes(records.dumps([*known, lost]).encode()[: -20 if torn else None])
            run(settings, path, record)
            assert record.read_bytes() == games
    path.write_bytes(lines[0])
    with pytest.raises(MatchError, match="holds other games"):  # two games ahead
        Match(settings, path, record)
    path.write_bytes(b"".join(lines[:-1]))
    for other in (games.replace(b'[Round "1.2"]', b'[Round "1.1"]'), games + b"\n1. Ed5ne *\n"):
        record.write_bytes(other)
        with pytest.raises(MatchError, match="holds other games"):
            Match(settings, path, record)


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\x00b", "\ud800", "\x7f"])
def test_names_that_no_record_can_hold_are_refused_at_once(name: str) -> None:
    nobody = Entrant(name, (sys.executable,))
    with pytest.raises(MatchError, match="cannot be a player's name in a record"):
        Settings((ladder("random"), nobody))


GAME: dict[str, Any] = FinishedGame(0, 0, "standard w", ("Ed5ne",), "1-0", "resignation").as_json()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"guilty": 7, "fault": "CRASH"}, "its guilty is '7', not one of null, 0, 1"),
        ({"guilty": 0}, "its fault is 'None', but guilty is '0'"),
        ({"pair": math.inf}, "its pair is 'inf', not a whole number"),
        ({"pair": math.nan}, "its pair is 'nan', not a whole number"),
        ({"pair": 1.5}, "its pair is '1.5', not a whole number"),
        ({"pair": -1}, "its pair is '-1', not a whole number"),
        ({"pair": True}, "its pair is 'True', not a whole number"),
        ({"pair": None}, "its pair is missing, not a whole number"),
        ({"white": 2}, "its white is '2', not one of 0, 1"),
        ({"white": True}, "its white is 'True', not one of 0, 1"),
        ({"result": "2-0"}, "its result is '2-0', not one of 1-0, 0-1"),
        ({"fault": "LAZY", "guilty": 0}, "its fault is 'LAZY', not one of null, CRASH"),
        ({"fault": ["CRASH"], "guilty": 0}, "its fault is"),
        ({"moves": 5}, "its moves is '5', not a text"),
        ({"remark": None}, "its remark is missing, not a text"),
        ({"seconds": [math.inf, 0]}, "its seconds is 'inf', not a number of seconds"),
        ({"seconds": 3}, "its seconds is '3', not two numbers"),
        ({"thought": [1, 2, 3]}, "its thought is .*, not two numbers"),
    ],
)
def test_a_line_that_makes_no_sense_is_told_with_its_number(
    changed: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "match.jsonl"
    settings = Settings((ladder("random"), ladder("random")), pairs=2)
    Match(settings, path)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(GAME) + "\n" + json.dumps({**GAME, "white": 1, **changed}) + "\n")
    kept = path.read_bytes()
    with pytest.raises(MatchError, match=rf"match\.jsonl, line 3: {message}"):
        Match(settings, path)
    assert path.read_bytes() == kept


@given(
    st.dictionaries(
        st.sampled_from(list(GAME)),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
            lambda inner: st.lists(inner, max_size=3),
            max_leaves=4,
        ),
        min_size=1,
    )
)
def test_any_line_is_a_game_or_refused_in_words(changed: dict[str, Any]) -> None:
    try:
        game = FinishedGame.from_json(json.loads(json.dumps({**GAME, **changed})))
    except MatchError as error:
        assert str(error).startswith("its ")
    else:
        score = MatchScore([game])
        assert score.games == 1 and sum(score.pentanomial) == 0


def test_a_doubled_line_and_lines_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    settings = Settings((ladder("random"), ladder("random")), pairs=2)
    Match(settings, path)
    head, game = path.read_text(encoding="utf-8"), json.dumps(GAME) + "\n"
    for lines, message in (
        (head + game + game, "line 3: the game of pair 0 with white 0 stands in line 2 already"),
        (head + "[" * 200_000 + "\n", "line 2: this is not JSON"),
        (head + game + "[]\n", "line 3: this is not a line of a match file"),
        ("[]\n" + game, "line 1: this is not a line of a match file"),
        ("{}\n" + game, "line 1: this is not a match file"),
        (head + game.replace("Ed5ne", "Ei9ne"), "line 2: Ei9ne: .*central hexagon"),
    ):
        path.write_text(lines, encoding="utf-8")
        with pytest.raises(MatchError, match=rf"match\.jsonl, {message}"):
            Match(settings, path, tmp_path / "games.punct")


def test_files_are_named_by_text_or_path(tmp_path: Path) -> None:
    settings = Settings((ladder("random"), ladder("random")), pairs=1, max_plies=10)
    match = Match(settings, str(tmp_path / "match.jsonl"), str(tmp_path / "games.punct"))
    asyncio.run(match.run())
    assert len(records.load(tmp_path / "games.punct")) == 2
    assert Match(settings, tmp_path / "match.jsonl").score.games == 2


def test_games_are_the_same_again_whatever_else_is_played() -> None:
    """Each game has dice of its own, so that it matters neither what came before it nor beside it."""
    ours = Entrant("ours", (sys.executable, "-m", "punct.ugi"), {"Level": "2", "Hash": "16"}, Pace(nodes=20))

    def moves(concurrency: int) -> dict[tuple[int, int], tuple[str, ...]]:
        _, finished = run(Settings((ours, ours), pairs=2, concurrency=concurrency, max_plies=14))
        return {(game.pair, game.white): game.moves for game in finished}

    assert moves(1) == moves(2)


def test_options_a_player_does_not_have_are_refused() -> None:
    with pytest.raises(MatchError, match=r"random: there is no option 'Sneed'; there are Seed"):
        run(Settings((ladder("random", Sneed="1"), ladder("random"))))
    with pytest.raises(MatchError, match="Seed is a number, not 'x'"):
        run(Settings((ladder("random", seed="x"), ladder("random"))))
    ours = Entrant("ours", (sys.executable, "-m", "punct.ugi"), {"Level": "9"})
    with pytest.raises(MatchError, match="ours: Level is a number from 1 to 8, not '9'"):
        run(Settings((ladder("random"), ours)))


def test_the_last_words_of_a_player_are_told() -> None:
    match, finished = run(Settings((faulty("crash"), ladder("random")), pairs=1))
    assert "ended with code 3 instead of bestmove; its last error output: " in finished[0].remark
    assert "'trouble 999' | 'and \ufffd then it broke'" in finished[0].remark
    assert "trouble 990" not in finished[0].remark
    assert match.score.remarks == (finished[1].remark, "")


def test_patience_covers_the_greeting() -> None:
    with pytest.raises(MatchError, match=r"deaf did not send ugiok within 0\.2 s"):
        run(Settings((faulty("deaf"), ladder("random")), timeout=0.2))


@pytest.mark.parametrize(
    "how, fault",
    [
        ("hang", Fault.TIMEOUT),
        ("crash", Fault.CRASH),
        ("nonsense", Fault.NONSENSE),
        ("mute", Fault.NONSENSE),
        ("endless", Fault.NONSENSE),
        ("illegal", Fault.ILLEGAL),
        ("babble", Fault.ILLEGAL),
    ],
)
def test_faults_are_losses(tmp_path: Path, how: str, fault: Fault) -> None:
    settings = Settings((faulty(how), ladder("random")), pairs=1, timeout=4.0 if how == "hang" else 60.0)
    match, finished = run(settings, tmp_path / "match.jsonl", tmp_path / "games.punct")
    assert match.score.losses == 2
    assert match.score.faults[0] == {fault: 2}
    assert not match.score.faults[1]
    assert all(game.guilty == 0 and game.remark for game in finished)
    games = records.load(tmp_path / "games.punct")
    assert sorted(game.result() for game in games) == ["0-1", "1-0"]
    # What was written can be read again.
    assert Match(settings, tmp_path / "match.jsonl").score.faults[0] == {fault: 2}


def test_time_runs_out() -> None:
    entrants = (faulty("hang", Pace(clock=(300, 0))), ladder("random"))
    match, finished = run(Settings(entrants, pairs=1, timeout=60))
    assert match.score.faults[0] == {Fault.TIMEOUT: 2}
    assert {game.ending for game in finished} == {str(Fault.TIMEOUT)}


def test_a_program_that_does_not_start_is_an_error_not_a_loss() -> None:
    with pytest.raises(MatchError, match="cannot be started"):
        run(Settings((Entrant("ghost", ("/no/such/program",)), ladder("random"))))
    dying = Entrant("dying", (sys.executable, "-c", "import sys; sys.exit('last words')"))
    for _ in range(3):  # whether it is gone before or after it is spoken to
        with pytest.raises(MatchError, match="ended with code 1 instead of ugiok; its last error output: 'last words'"):
            run(Settings((ladder("random"), dying)))
    with pytest.raises(MatchError, match="ended"):
        run(Settings((ladder("random"), faulty("stillborn"))))


def test_what_a_player_says_of_its_options_is_told() -> None:
    entrants = read_entrant("1 @ Weights=/no/such/file name=lost"), ladder("random")
    remarks: list[str] = []
    asyncio.run(Match(Settings(entrants, pairs=1, max_plies=10)).run(on_remark=remarks.append))
    assert remarks == ["lost says of its options: '/no/such/file cannot be read: No such file or directory'"]


def test_no_process_is_left_behind(tmp_path: Path) -> None:
    """Also one that ignores everything it is told is ended when its game is cancelled."""
    sign = tmp_path / "hanging"

    async def cancelled() -> int:
        player = Player(faulty("hang", sign=sign))
        await player.enter(60.0)
        process = player._process
        assert process is not None
        task = asyncio.create_task(player.move("standard w", (), "", 60.0))
        await wait_until_async(sign.exists)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await player.close()
        return process.pid

    with pytest.raises(ProcessLookupError):
        os.kill(asyncio.run(cancelled()), 0)


def test_the_limit_of_plies_is_a_draw(tmp_path: Path) -> None:
    settings = Settings((ladder("random"), ladder("random")), pairs=1, max_plies=10)
    match, finished = run(settings, record=tmp_path / "games.punct")
    assert match.score.draws == 2
    assert {len(game.moves) for game in finished} == {10}
    assert {game.result() for game in records.load(tmp_path / "games.punct")} == {"1/2-1/2"}
    assert match.names == ("random (1)", "random (2)")


def test_a_decided_test_ends_the_match() -> None:
    settings = Settings((ladder("greedy"), ladder("random")), pairs=500, sprt=Sprt(-400, 0, 0.3, 0.3))
    match, finished = run(settings)
    assert match.verdict is Verdict.ACCEPTED
    assert len(finished) < 40


def test_the_basic_game_is_played_as_such(tmp_path: Path) -> None:
    _, finished = run(Settings((ladder("random"), ladder("greedy")), pairs=1, rules=Rules.BASIC))
    assert {game.start for game in finished} == {"basic w"}


# ---------------------------------------------------------------------- files of other matches


def test_a_file_of_another_match_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    Match(Settings((ladder("random"), ladder("greedy"))), path)
    before = path.read_bytes()
    with pytest.raises(MatchError, match="another match: its players"):
        Match(Settings((ladder("greedy"), ladder("random"))), path)
    with pytest.raises(MatchError, match="another match: its seed"):
        Match(Settings((ladder("random"), ladder("greedy")), seed=7), path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"hello\n", b"hello", b'{"match": 9}\n', b"[]\n", b"\xff\xfe\n", b"{}\n"])
def test_a_file_that_is_no_match_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(MatchError):
        Match(Settings((ladder("random"), ladder("greedy"))), path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("line", ["{}", "[1]", '{"pair": 0}', "null", "{"])
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "match.jsonl"
    settings = Settings((ladder("random"), ladder("greedy")))
    Match(settings, path)
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(MatchError, match="line 2"):
        Match(settings, path)


def test_games_survive_being_written() -> None:
    game = FinishedGame(3, 1, "standard w", ("Ed5ne",), "0-1", "crashed", Fault.CRASH, 1, "gone",
                    (TimeSpent(3, 0.5, 0.25), TimeSpent(4, 1.25, 1.0)))  # fmt: skip
    written = json.loads(json.dumps(game.as_json()))
    assert FinishedGame.from_json(written) == game
    del written["thought"], written["longest"]  # as it was written once
    assert FinishedGame.from_json(written).spent == (TimeSpent(0, 0.5), TimeSpent(0, 1.25))
    assert game.points == 1.0
    score = MatchScore([game, FinishedGame(3, 0, "standard w", (), "1/2-1/2", "repetition")])
    assert score.pentanomial == (0, 0, 0, 1, 0)


# ---------------------------------------------------------------------- reading players


def test_players_as_they_are_typed() -> None:
    assert read_entrant("3").options == {"Level": "3"}
    assert read_entrant("3").name == "level 3"
    ours = read_entrant("punct @ nodes=400 Threads=2 name=wide", Pace(movetime=100))
    assert (ours.name, ours.pace, ours.options) == ("wide", Pace(nodes=400), {"Threads": "2"})
    other = read_entrant("java -jar 'my robot.jar' @ tc=60+0.5", Pace(movetime=100))
    assert other.command == ("java", "-jar", "my robot.jar")
    assert other.pace == Pace(clock=(60_000, 500))
    assert read_entrant("./robot", Pace(movetime=100)).pace == Pace(movetime=100)
    assert read_clock("1.5") == (1500, 0)


@pytest.mark.parametrize(
    "text",
    ["9", "0", "", "  ", "robot 'unclosed", "punct @ nodes", "punct @ nodes=-4", "punct @ tc=soon", "a @ b=c 'd"],
)
def test_senseless_players_are_refused(text: str) -> None:
    with pytest.raises(MatchError):
        read_entrant(text)


def test_the_words_after_go() -> None:
    assert Pace(movetime=100, nodes=5).words((1, 2), (3, 4)) == "movetime 100 nodes 5"
    assert Pace(clock=(9, 9)).words((1, 2), (3, 4)) == "p1time 1 p2time 2 p1inc 3 p2inc 4"
    assert Pace().words((1, 2), (3, 4)) == ""


@pytest.mark.parametrize("wrong", [{"pairs": 0}, {"concurrency": 0}, {"seed": -1}, {"max_plies": 3}, {"timeout": 0}])
def test_senseless_settings_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(MatchError, match="out of range"):
        Settings((ladder("random"), ladder("greedy")), **wrong)  # type: ignore[arg-type]
