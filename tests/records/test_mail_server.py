"""Moves as Richard's Play-by-eMail server writes them: other names for the kinds, and blanks in a move."""

from __future__ import annotations

import io

import pytest

from punct import InvalidMoveError, InvalidRecordError, Move, records


@pytest.mark.parametrize(
    ("alias", "kind"), [("SC", "C"), ("SE", "E"), ("AM", "M"), ("AR", "R"), ("AL", "L"), ("T", "T")]
)
def test_kinds_as_the_mail_server_writes_them_are_read_in_records_alone(alias: str, kind: str) -> None:
    (game,) = records.loads(f"1. {alias}d5n Tl10n 2. {alias}D5-D8ne *")
    assert [str(move) for move in game.moves] == [f"{kind}d5n", "Tl10n", "d5-d8ne"]
    if alias != kind:
        with pytest.raises(InvalidMoveError):
            Move.parse(f"{alias}d5n")


@pytest.mark.parametrize("text", ["SMd5n", "ACd5n", "STd5n", "SEEd5n", "SE5n", "sed5n", "SEz5n"])
def test_what_is_no_kind_of_the_mail_server_is_refused(text: str) -> None:
    with pytest.raises(InvalidRecordError, match="1"):
        records.loads(f"1. {text} *")


def test_the_mail_servers_kind_of_a_moved_piece_is_checked() -> None:
    with pytest.raises(InvalidRecordError):
        records.loads("1. SEd5n Tl10n 2. AMd5-d8ne *")


SPACED = (
    ("SE d5 ne", "Ed5ne"),
    ("SEd5 ne", "Ed5ne"),
    ("E d5ne", "Ed5ne"),
    ("d5 ne", None),
    ("AM\nD5\tne", "Md5ne"),
    ("T d5 n", "Td5n"),
)


@pytest.mark.parametrize(("written", "read"), SPACED)
@pytest.mark.parametrize("end", [" *", "*", "", "{A comment.}", ";A remark.", " (1. Ed5ne)", "\n\n"])
def test_blanks_between_the_parts_of_a_new_piece_are_read(written: str, read: str | None, end: str) -> None:
    for number in ("", "1.", "1. "):
        if read is None:
            with pytest.raises(InvalidRecordError):
                records.loads(f"{number}{written}{end}")
        else:
            (game,) = records.loads(f"{number}{written}{end}")
            assert [str(move) for move in game.moves] == [read]


@pytest.mark.parametrize(
    "move", ["d5-d8 ne", "d5 - d8 ne", "d5 d8 ne", "SE d5 d8 ne", "SE d5-d8 ne", "E D5 -D8ne", "d5-d8ne", "d5 d8ne"]
)
def test_blanks_between_the_parts_of_a_moved_piece_are_read(move: str) -> None:
    (game,) = records.loads(f"1. SE d5 n T l10 n 2. {move} {{back}} (2. Ee10ne Tl5s) Tl5s 3. d8 d5 n *")
    assert [str(move) for move in game.moves] == ["Ed5n", "Tl10n", "d5-d8ne", "Tl5s", "d8-d5n"]
    assert [node.comment for node in game.main_line()][2] == "back"
    assert [str(node.move) for node in game.main_line()[1].children] == ["d5-d8ne", "Ee10ne"]
    assert records.loads(records.dumps(game)) == [game]


class Trickle(io.StringIO):
    """A file that gives a few characters at a time, however many are asked for."""

    def __init__(self, text: str, size: int) -> None:
        super().__init__(text)
        self._size = size

    def read(self, size: int | None = -1, /) -> str:
        return super().read(self._size)


def test_moves_with_blanks_are_read_wherever_a_file_is_cut() -> None:
    text = "1. SE d5 n Tl10n 2. d5 - d8 ne Tl5s 3. d8 d5 n *\n\n1. T d5 ne *\n"
    want = records.loads(text)
    assert [len(game.moves) for game in want] == [5, 1]
    for size in range(1, 12):
        assert list(records.iter_games(Trickle(text, size))) == want


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("1. SE d5", "SE"),
        ("1. SE d5 up *", "SE d5 up"),
        ("1. d5 *", "d5"),
        ("1. Ed5ne 1... T l5 s 2. d5 d9 xx *", "d5 d9 xx"),
        ("1. Ed5ne\n1... T l5 s\n2. AM d5 d9 n *", "AM d5 d9 n"),
        ("1. SM d5 ne *", "SM"),
        ("1. SE d5 n5 *", "SE"),
        ("1. d5 - *", "d5"),
    ],
)
def test_words_that_are_no_move_together_are_refused_at_their_place(text: str, token: str) -> None:
    with pytest.raises(InvalidRecordError) as refused:
        records.loads(text)
    line = text[: text.index(token)].count("\n") + 1
    assert str(refused.value).startswith(f"line {line}: {token!r}")


def test_moves_with_blanks_are_read_in_records_alone() -> None:
    for text in ("SE d5 ne", "E d5 ne", "d5 - d8 ne"):
        with pytest.raises(InvalidMoveError):
            Move.parse(text)
