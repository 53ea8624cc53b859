"""Files of games: by suffix, by content, whole or not at all."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from punct import Game, InvalidRecordError, Position, PunctError, WrongTypeError, records


@pytest.fixture
def game() -> Game:
    game = Game("basic w", {"White": "Žofie"})
    game.push("Ed5ne")
    game.comment = "naïve"
    return game


@pytest.mark.parametrize(
    ("name", "first"), [("a.punct", '[White "'), ("a.txt", '[White "'), ("a", '[White "'), ("A.SGF", "(;FF[4]GM[25]")]
)
def test_the_suffix_tells_the_format(tmp_path: Path, game: Game, name: str, first: str) -> None:
    path = tmp_path / name
    records.dump(game, path)
    assert path.read_text(encoding="utf-8").startswith(first)
    assert records.load(path) == records.load(str(path)) == [game]
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_the_content_tells_the_format_of_other_files(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "games"
    records.dump([game, game], path, "sgf")
    assert records.load(path) == [game, game]
    path = tmp_path / "games.txt"
    records.dump([game], path, "sgf")
    assert records.load(path, "sgf") == [game]


def test_open_files_are_read(game: Game) -> None:
    text = records.dumps(game)
    assert records.load(io.StringIO(text)) == records.load(io.BytesIO(text.encode())) == [game]


def test_files_with_other_line_ends(tmp_path: Path, game: Game) -> None:
    game.comment = "one\ntwo"
    for form in ("text", "sgf"):
        path = tmp_path / "game"
        path.write_bytes(records.dumps(game, form).replace("\n", "\r\n").encode())
        assert records.load(path) == [game]


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "a.punct"
    path.write_text("precious")
    path.chmod(0o640)

    class Broken(Game):
        def nodes(self) -> object:  # type: ignore[override]
            raise RuntimeError

        main_line = nodes  # type: ignore[assignment]

    with pytest.raises(RuntimeError):
        records.dump([game, Broken()], path)
    assert path.read_text() == "precious"
    with pytest.raises(FileNotFoundError):
        records.dump(game, tmp_path / "nowhere" / "a.punct")
    with pytest.raises(IsADirectoryError):
        records.dump(game, tmp_path.parent / tmp_path.name)
    records.dump(game, path)
    assert records.load(path) == [game]
    assert path.stat().st_mode & 0o777 == 0o640
    assert [file.name for file in tmp_path.iterdir()] == ["a.punct"]


def test_what_is_no_plain_file_is_written_to_and_not_replaced(tmp_path: Path, game: Game) -> None:
    null = Path("/dev/null")
    records.dump(game, null)
    assert null.is_char_device()
    link, target = tmp_path / "link.punct", tmp_path / "target"
    link.symlink_to(target)
    target.write_text("old")
    records.dump(game, link)
    assert link.is_symlink()
    assert records.load(target) == [game]


def test_an_unknown_format_is_refused(game: Game) -> None:
    with pytest.raises(PunctError, match="'pgn' is not a format"):
        records.dumps(game, "pgn")  # type: ignore[arg-type]
    with pytest.raises(PunctError, match="'pgn' is not a format"):
        records.loads("", "pgn")  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [Position(), "1. Ed5ne *", 5, None, [None], [Game(), Position()]])
def test_what_is_no_game_is_not_written(wrong: Any, tmp_path: Path) -> None:
    for format in records.FORMATS.values():
        with pytest.raises(WrongTypeError, match="a record is written of a Game, or of several, not of"):
            records.dumps(wrong, format)
    with pytest.raises(WrongTypeError):
        records.dump(wrong, tmp_path / "games.punct")
    assert not list(tmp_path.iterdir())


def test_zero_bytes_are_no_text() -> None:
    with pytest.raises(InvalidRecordError, match="line 2: a zero byte"):
        records.loads(b"1. Ed5ne\n\0")
    with pytest.raises(InvalidRecordError):
        records.loads("(;GM[25];P0[1 Pick\0 W 3]\0)")
