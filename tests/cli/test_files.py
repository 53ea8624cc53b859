"""``punct check``, ``punct convert`` and ``punct replay``."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from tests.cli.running import WON_GAME, run, shell

from punct import Game, records
from punct.cli.common import write_file


def test_check_says_what_is_valid(record: Path) -> None:
    result = run("check", record)
    assert result.exit_code == 0
    assert result.stdout == f"{record}: valid, 1 game, 11 moves\n"


def test_check_says_where_a_record_is_not_valid(record: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.punct"
    broken.write_text(record.read_text(encoding="utf-8").replace("Tp9n", "Tg2n"), encoding="utf-8")
    result = run("check", record, broken)
    assert result.exit_code == 1
    assert f"{record}: valid" in result.stdout
    assert f"{broken}: line " in result.stdout
    assert "Tg2n" in result.stdout
    assert "1 of 2 records valid: 1 game, 11 moves" in result.stdout


def test_check_quietly(record: Path, tmp_path: Path) -> None:
    assert run("check", "--quiet", record, record).stdout == ""
    broken = tmp_path / "broken.punct"
    broken.write_text("1. nonsense *")
    assert run("check", "-q", record, broken).stdout.count("\n") == 1


def test_check_tells_a_file_it_cannot_open_from_a_bad_one(record: Path, tmp_path: Path) -> None:
    result = run("check", tmp_path / "none.punct", record)
    assert result.exit_code == 2
    assert "none.punct: cannot be read: No such file or directory" in result.stderr
    assert f"{record}: valid" in result.stdout
    assert run("check", tmp_path).exit_code == 2


def test_check_reads_standard_input(record: Path) -> None:
    assert run("check", "-", stdin=record.read_bytes()).stdout == "-: valid, 1 game, 11 moves\n"
    assert run("check", "-", stdin=b"\xff\x00\xfe").exit_code == 1


def test_convert_there_and_back(record: Path, tmp_path: Path) -> None:
    sgf, back = tmp_path / "won.sgf", tmp_path / "back.punct"
    assert run("convert", record, sgf).exit_code == 0
    assert sgf.read_text(encoding="utf-8").startswith("(;")
    assert run("convert", sgf, back).exit_code == 0
    assert [move.text for move in records.load(back)[0].moves] == list(WON_GAME)


def test_convert_through_standard_streams(record: Path) -> None:
    result = run("convert", "-", "-", "--to", "sgf", stdin=record.read_bytes())
    assert result.exit_code == 0
    assert result.stdout == records.dumps(records.load(record), "sgf")
    assert run("convert", record, "-", "--to", "text").stdout == record.read_text(encoding="utf-8")


@pytest.mark.parametrize("locale", ["latin-1", "ascii", "utf-16"])
def test_a_record_goes_out_as_utf_8_whatever_the_locale(tmp_path: Path, locale: str) -> None:
    game = Game(tags={"White": "Zoë", "Black": "Łukasz"})
    game.push("Ed5ne")
    game.comment = "naïve ✓"
    path = tmp_path / "Zoë.punct"
    records.dump([game], path)
    for form in ("text", "sgf"):
        found = shell("convert", path, "-", "--to", form, PYTHONIOENCODING=locale)
        assert found.returncode == 0
        assert records.loads(found.stdout.encode()) == [game]
    assert json.loads(shell("check", "--json", path, PYTHONIOENCODING="ascii").stdout)["file"] == str(path)


def test_convert_by_given_formats(record: Path, tmp_path: Path) -> None:
    target = tmp_path / "game.record"
    assert "--to" in run("convert", record, target).stderr
    assert "standard output has no suffix" in run("convert", record, "-").stderr
    assert run("convert", record, target, "--to", "sgf").exit_code == 0
    assert run("convert", target, tmp_path / "x.punct", "--from", "text").exit_code == 2
    assert run("convert", target, tmp_path / "x.punct", "--from", "sgf").exit_code == 0


def test_convert_does_not_replace_unasked(record: Path, tmp_path: Path) -> None:
    target = tmp_path / "old.sgf"
    target.write_text("precious")
    result = run("convert", record, target)
    assert result.exit_code == 2
    assert "exists already" in result.stderr
    assert target.read_text() == "precious"
    assert run("convert", record, target, "--force").exit_code == 0
    assert target.read_text(encoding="utf-8").startswith("(;")


def test_convert_writes_nothing_from_a_bad_record(tmp_path: Path) -> None:
    broken = tmp_path / "broken.punct"
    broken.write_text("1. nonsense *")
    result = run("convert", broken, tmp_path / "new.sgf")
    assert result.exit_code == 2
    assert "broken.punct: line 1" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["broken.punct"]


def test_convert_to_where_nothing_can_be_written(record: Path, tmp_path: Path) -> None:
    result = run("convert", record, tmp_path / "no" / "such.sgf")
    assert result.exit_code == 2
    assert "such.sgf: No such file or directory" in result.stderr
    assert run("convert", record, tmp_path, "--to", "sgf").exit_code == 2


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.punct"
    path.write_bytes(b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_file(path, b"new", replace=True)
    assert path.read_bytes() == b"old"
    assert [other.name for other in tmp_path.iterdir()] == ["game.punct"]


def test_files_keep_their_permissions(tmp_path: Path) -> None:
    path = tmp_path / "game.punct"
    write_file(path, b"one", replace=False)
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    path.chmod(0o640)
    write_file(path, b"two", replace=True)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"two", 0o640)


def test_replay_prints_every_position(record: Path) -> None:
    result = run("replay", record)
    assert result.exit_code == 0
    assert "White: Anna" in result.stdout
    assert result.stdout.count("to move, standard game") == 11
    assert "After move 1 of 11: Ea2se" in result.stdout
    assert "After move 11 of 11: Tp9n" in result.stdout
    assert "a long edge" in result.stdout
    assert run("replay", record, "--all").stdout == result.stdout
    assert run("replay", record, "--delay", "0").stdout == result.stdout


def test_replay_one_position(record: Path) -> None:
    result = run("replay", record, "--ply", "4", "--ascii")
    assert result.stdout.isascii()
    assert result.stdout.count("After move") == 1
    assert "After move 4 of 11: Tf10n" in result.stdout


def test_replay_tells_how_the_game_ended(tmp_path: Path) -> None:
    game = Game("basic w")
    game.push("Ed5ne")
    game.resign(game.position.turn)
    path = tmp_path / "games.punct"
    records.dump([Game(), game], path)
    result = run("replay", path, "--game", "2")
    assert "After move 1 of 1: Ed5ne. White wins (resignation)" in result.stdout
    assert run("replay", path, "--game", "3").exit_code == 2


def test_replay_reads_standard_input(record: Path) -> None:
    assert run("replay", "-", stdin=record.read_bytes()).stdout == run("replay", record).stdout


def test_replay_of_what_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "noise.sgf"
    path.write_bytes(bytes(range(256)))
    result = run("replay", path)
    assert result.exit_code == 2
    assert "noise.sgf" in result.stderr
