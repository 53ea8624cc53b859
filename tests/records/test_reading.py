"""Reading games one after the other: from anything, past what makes no sense, holding one game at a time."""

from __future__ import annotations

import io
import itertools
import pickle
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.records.trees import games

from punct import (
    Colour,
    Ending,
    Game,
    InvalidRecordError,
    Outcome,
    PunctError,
    WrongTypeError,
    kernel,
    records,
)
from punct.match.file import MatchRecords
from punct.records import Format, source

FORMATS: tuple[Format, ...] = ("text", "sgf")


def played(seed: int, turns: int = 30) -> Game:
    """Return a game of random turns in which somebody gave up."""
    game = Game(tags={"White": f"Anna {seed}", "Black": "Ben"})
    for move in kernel.Position().play_random(seed, turns, raised=20, moved=25):
        game.push(move)
    if game.outcome() is None:
        game.resign(Colour.WHITE)
    return game


@pytest.fixture(autouse=True, scope="module")
def small_pieces() -> Iterator[None]:
    """Read files in pieces that are much smaller than a game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "_CHUNK_SIZE", 50)
        yield


class Trickle:
    """A file that gives one byte at a time, as a pipe may."""

    def __init__(self, content: bytes) -> None:
        self._content = iter(content)

    def read(self, size: int, /) -> bytes:
        return bytes(itertools.islice(self._content, 1))


# ---------------------------------------------------------------------- line ends


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["Unix", "Windows", "Macintosh"])
def test_lines_end_as_they_may(tmp_path: Path, form: Format, end: str) -> None:
    """By a line feed, or a return before it, or a return alone: nothing is lost, wherever a file is cut in pieces."""
    want = [played(seed) for seed in range(3)]
    want[1].main_line()[0].comment = "first\n\nlast"
    text = records.dumps(want, form)
    if form == "text":
        text = text.replace("\n1.", "\n; a remark to the end of its line\n1.")
        assert text.count(";") == 3
        for game in want:
            game.root.comment = "a remark to the end of its line"
    written = text.replace("\n", end)
    path = tmp_path / ("games.sgf" if form == "sgf" else "games.punct")
    path.write_bytes(written.encode())
    sources: list[source.Source] = [written, written.encode(), path, Trickle(written.encode()), io.StringIO(written)]
    for each in sources:
        assert list(records.iter_games(each)) == want
    headers = list(records.read_tags(written))
    plain = list(records.read_tags(text))
    assert [header.line for header in headers] == [header.line for header in plain]
    assert {written[header.offset :][:3] for header in headers} == {text[header.offset :][:3] for header in plain}


def test_the_line_of_a_fault_is_counted_by_returns_too() -> None:
    with pytest.raises(InvalidRecordError) as told:
        records.loads(b"; one\r; two\r1. nonsense *\r")
    assert told.value.line == 3
    with pytest.raises(InvalidRecordError) as told:
        records.loads(b"; one\r\n; two\r; three\n\0")
    assert told.value.line == 4


# ---------------------------------------------------------------------- where games come from


@pytest.mark.parametrize("form", FORMATS)
def test_from_a_path_a_file_or_a_text(tmp_path: Path, form: Format) -> None:
    want = [played(seed) for seed in range(4)]
    want[1].comment = "näher [am] {Rand} (oder nicht)"
    text = records.dumps(want, form)
    path = tmp_path / ("games.sgf" if form == "sgf" else "games.punct")
    path.write_text(text, encoding="utf-8")
    sources: list[records.Source] = [path, str(path), text, text.encode(), io.StringIO(text), io.BytesIO(text.encode())]
    for each in (*sources, Trickle(text.encode())):
        assert list(records.iter_games(each)) == want
    assert records.load(path) == records.loads(text) == want
    with path.open(encoding="utf-8") as file:
        assert len(list(records.iter_games(file))) == 4
        assert not file.closed


def test_a_line_without_a_break_is_a_path() -> None:
    with pytest.raises(FileNotFoundError):
        list(records.iter_games("1. Ed5ne *"))
    with pytest.raises(WrongTypeError, match="from a path, an open file or a text, not from int"):
        list(records.iter_games(3))  # type: ignore[arg-type]


def test_bytes_that_are_not_utf_8_are_latin_1_and_the_others_stay_what_they_are() -> None:
    content = (
        '[White "Žofie"]\n*\n\n'.encode() + '[White "José"]\n*\n\n'.encode("latin-1") + '[White "Ünal"]\n*\n'.encode()
    )
    for each in (content, Trickle(content)):
        found = records.iter_games(each)
        assert [game.tags["White"] for game in found] == ["Žofie", "José", "Ünal"]


def test_games_are_read_as_they_are_asked_for() -> None:
    def endless() -> Iterator[str]:
        while True:
            yield records.dumps(played(1)) + "\n"

    class Endless:
        _pieces = endless()

        def read(self, size: int, /) -> str:
            return next(self._pieces)

    assert len(list(itertools.islice(records.iter_games(Endless()), 20))) == 20


def test_wishes_that_make_no_sense() -> None:
    with pytest.raises(PunctError, match="on_error is 'raise', 'skip' or a function, not 'ignore'"):
        list(records.iter_games("*\n", on_error="ignore"))  # type: ignore[arg-type]
    with pytest.raises(PunctError, match="'pgn' is not a format"):
        list(records.iter_games("*\n", "pgn"))  # type: ignore[arg-type]


# ---------------------------------------------------------------------- one bad game


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("as_file", [False, True])
def test_one_bad_game_in_the_middle(form: Format, as_file: bool) -> None:
    texts = [records.dumps(played(seed), form) + "\n" for seed in range(5)]
    first, _, rest = texts[2].partition("3. " if form == "text" else "Dropb ")
    texts[2] = first + ("3. Ed5ne Ed5ne Ed5ne " if form == "text" else "Dropb 99 ") + rest
    text = "".join(texts)

    def read(on_error: records.OnError) -> list[Game]:
        content: records.Source = io.BytesIO(text.encode()) if as_file else text
        return list(records.iter_games(content, on_error=on_error))

    faults: list[InvalidRecordError] = []
    want = [played(seed) for seed in (0, 1, 3, 4)]
    assert read("skip") == read(faults.append) == want
    (fault,) = faults
    assert (fault.game_index, str(fault).startswith("game 3, ")) == (2, True)
    assert fault.line is not None
    assert f"line {fault.line}" in str(fault)
    assert ("Ed5ne" if form == "text" else "Dropb 99") in text.splitlines()[fault.line - 1]
    with pytest.raises(InvalidRecordError) as caught:
        read("raise")
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert (str(error), error.line, error.game_index) == (str(fault), fault.line, 2)


GOOD = '[White "Anna"]\n\n1. Ed5ne Tl5s *\n\n'


@pytest.mark.parametrize(
    "bad",
    [
        '[White "x"]\n\n1. Ed5ne {no end *\n\n',
        '[White "x"]\n[White "x"]\n\n1. Ed5ne *\n\n',
        '[White x]\n[Black "x"]\n\n1. Ed5ne *\n\n',
        '[White "x]\n[Black "x"]\n\n1. Ed5ne *\n\n',
        "1. Ed5ne ) *\n\n",
        "1. Ed5ne (1. Tl5s *\n\n",
        '[Result "1-0"]\n\n1. Ed5ne\n\n',
        '[Rules "chess"]\n\n1. e4 e5 2. Nf3 *\n\n',
        '[Position "standard x"]\n\n*\n\n',
        "1. Ed5ne Ed5ne *\n1. Tl5s Tl5s *\n\n",
        "}\n\n",
    ],
)
def test_after_a_text_that_makes_no_sense_the_next_game_is_found(bad: str) -> None:
    faults: list[InvalidRecordError] = []
    for text in (GOOD + bad + GOOD, bad + GOOD + GOOD, GOOD + GOOD + bad):
        assert records.loads(GOOD) * 2 == list(records.iter_games(io.StringIO(text), on_error=faults.append))
    assert all(error.line is not None and error.game_index is not None for error in faults)
    assert len(faults) >= 3


@pytest.mark.parametrize(
    "bad",
    [
        "(;GM[25];P0[1 Pick W 9]\n",
        "(;GM[25]P0(;)\n",
        "(;GM[1];B[aa])\n",
        "(;GM[25];P0[0 Start P0];P0[1 Done])\n",
        "(;GM[25]RE[W+])\n",
        "(;GM[25](;P0[1 Done)\n",
    ],
)
def test_after_a_tree_that_makes_no_sense_the_next_game_is_found(bad: str) -> None:
    good = records.dumps(played(1), "sgf")
    faults: list[InvalidRecordError] = []
    for text in (good + bad + good, bad + good + good, good + good + bad):
        found = list(records.iter_games(io.StringIO(text), on_error=faults.append))
        assert found == [played(1)] * 2
    assert [error.game_index for error in faults] == [1, 0, 2]


def test_what_is_no_text_is_an_error_in_any_case() -> None:
    found = records.iter_games(io.BytesIO(GOOD.encode() * 3 + b"\n\0"), on_error="skip")
    with pytest.raises(InvalidRecordError, match="line 14: a zero byte") as caught:
        list(found)
    assert caught.value.line == 14


@given(
    st.lists(
        st.sampled_from(['[White "x"]', "[", "{", "}", "(", ")", "1.", "Ed5ne", "Tl5s", "*", "\n", "1-0", '"']),
        max_size=40,
    )
)
@settings(max_examples=150)
def test_whatever_stands_there_reading_goes_on_to_the_end(words: list[str]) -> None:
    text = " ".join(words) + "\n"
    faults: list[InvalidRecordError] = []
    whole = list(records.iter_games(text, "text", on_error=faults.append))
    again: list[InvalidRecordError] = []
    assert list(records.iter_games(Trickle(text.encode()), "text", on_error=again.append)) == whole
    assert list(map(str, again)) == list(map(str, faults))
    lines = text.count("\n") + 1
    assert all(error.line is not None and 1 <= error.line <= lines for error in faults)


@given(
    st.lists(st.sampled_from(["(;GM[25]", "(;", ";", "[", "]", "P0[1 Done]", ")", "C[x]", "P", "\n", "x"]), max_size=40)
)
@settings(max_examples=150)
def test_whatever_tree_stands_there_reading_goes_on_to_the_end(words: list[str]) -> None:
    text = "".join(words) + "\n"
    faults: list[InvalidRecordError] = []
    whole = list(records.iter_games(text, "sgf", on_error=faults.append))
    again: list[InvalidRecordError] = []
    assert list(records.iter_games(Trickle(text.encode()), "sgf", on_error=again.append)) == whole
    assert list(map(str, again)) == list(map(str, faults))


# ---------------------------------------------------------------------- tags alone


@pytest.mark.parametrize("form", FORMATS)
def test_tags_are_read_without_playing(form: Format) -> None:
    want = [played(seed) for seed in range(3)]
    text = records.dumps(want, form)
    for each in (text, Trickle(text.encode())):
        found = list(records.read_tags(each))
        assert [header.game_index for header in found] == [0, 1, 2]
        for header, game in zip(found, want, strict=True):
            assert game.tags.items() <= header.tags.items()
            assert (header.tags["Rules"], header.tags["Result"]) == ("standard", game.result())
            (alone, *_) = records.loads(text[header.offset :])
            assert alone == game
            assert header.line == text.count("\n", 0, header.offset) + 1


def test_tags_of_a_game_that_cannot_be_played() -> None:
    (header,) = records.read_tags('[White "Anna"]\n[Result "1-0"]\n1. Zz9 Zz9 1-0\n')
    assert header == (0, 1, 0, {"White": "Anna", "Result": "1-0"})
    (header,) = records.read_tags('(;GM[25]P0[id "Anna"]RE[Draw]SP[basic w wTb9ne];P0[1 Done])\n')
    assert header.tags["White"] == "Anna"
    assert (header.tags["Position"], header.tags["Result"]) == ("basic w wTb9ne", "1/2-1/2")


# ---------------------------------------------------------------------- what is held, and what comes back


@pytest.mark.parametrize("form", FORMATS)
def test_memory_stays_flat(tmp_path: Path, form: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    one = records.dumps(played(3), form) + "\n"
    monkeypatch.setattr(source, "_CHUNK_SIZE", 10 * len(one))
    path = tmp_path / "games"

    def peak(count: int) -> int:
        path.write_text(one * count, encoding="utf-8")
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        assert sum(game.outcome() is not None for game in records.iter_games(path, form)) == count
        return tracemalloc.get_traced_memory()[1] - before

    tracemalloc.start()
    try:
        peak(1)  # whatever is kept for ever is made now
        few, many = peak(400), peak(2000)
    finally:
        tracemalloc.stop()
    assert many < 1.2 * few + 10_000
    assert many < 200 * len(one)


@given(games)
@settings(max_examples=30)
def test_a_game_that_was_read_is_like_any_other(game: Game) -> None:
    (back,) = records.loads(records.dumps(game))
    assert back.moves == tuple(node.move for node in game.main_line())
    assert back.outcome() == (game.root, *game.main_line())[-1].outcome()
    assert back.copy() == pickle.loads(pickle.dumps(back)) == back
    assert back.position.moves == back.moves
    assert [node.outcome() for node in back.nodes()] == [node.outcome() for node in game.nodes()]
    while back.back():
        pass
    assert back.node is back.root
    assert back == game


def test_the_third_time_ends_a_game_that_is_read_too() -> None:
    turns = ["Ed5ne", "Tl5s", *["d5-d5n", "l5-l5n", "d5-d5ne", "l5-l5s"] * 2]
    (game,) = records.loads(" ".join(turns))
    assert game.outcome() == Outcome(None, Ending.REPETITION)
    (game,) = records.loads(" ".join(turns) + " {drawn}")
    assert game.outcome() == game.node.outcome() == Outcome(None, Ending.REPETITION)
    with pytest.raises(InvalidRecordError, match=r"line 2: 'd5-d5n': d5-d5n: the game is over"):
        records.loads(" ".join(turns) + "\nd5-d5n *")
    with pytest.raises(InvalidRecordError, match=r"'Zz9': .*not a turn|'Zz9'"):
        records.loads(" ".join(turns) + "\nZz9 *")
    (game,) = records.loads(" ".join(turns[:-1]) + " Ta3ne (l5-l6n) d5-d5n *")
    assert game.outcome() is None


def test_what_a_match_writes_game_by_game_comes_back_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "match.punct"
    want = [played(seed) for seed in range(3)]
    want[1].comment = 'it said: "}\\" and\n\tcrashed '
    kept = MatchRecords(path, want[:1])
    for game in want[1:]:
        kept.append(game)
    text = path.read_text(encoding="utf-8")
    assert records.dumps(records.load(path)) == records.dumps(want) == text
    assert records.loads(text) == want
    MatchRecords(path, want)  # and it is known again as this match's
