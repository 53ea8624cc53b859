"""``punct play``: whole sessions, as two people would type them."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console
from tests.cli.running import WON_GAME, play, run

from punct import Game, Reason, records
from punct.cli.session import COMMANDS, Session
from punct.cli.show import BoardStyle


def test_two_people_play_a_game_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "game.punct"
    printed = play(*WON_GAME, f"save {path}", "quit", options=("--white", "Anna", "--black", "Ben", "--no-board"))
    assert "Anna (White)> Ea2se" in printed
    assert "Ben (Black)> Tc8n" in printed
    assert "White wins (connection). The chain: a2 b2 c2 d2" in printed
    [game] = records.load(path)
    assert [move.text for move in game.moves] == list(WON_GAME)
    assert (game.result(), game.tags["White"], game.tags["Black"]) == ("1-0", "Anna", "Ben")


def test_the_board_is_drawn_after_every_turn() -> None:
    printed = play("Ed5ne", "Tl10n", "board", options=())
    assert printed.count("to move, standard game") == 4
    assert "Last move: Tl10n" in printed


def test_the_basic_game() -> None:
    printed = play("Ed5ne", "Th9n", "position", options=("--rules", "basic", "--no-board"))
    assert "basic w wEd5ne bTh9n" in printed


def test_a_refused_turn_is_explained_and_changes_nothing() -> None:
    printed = play("Th9n", "position")
    assert "In the standard game a new piece may not touch the central hexagon" in printed
    assert f"(rule {Reason.ADDED_IN_CENTRE.section})" in printed
    assert "White> position\nstandard w\n" in printed


def test_turns_may_be_typed_in_any_case_and_with_blanks() -> None:
    assert "standard w wEd5ne bTl10n" in play("e D5 NE", "tl10N", "position")


@pytest.mark.parametrize(
    ("before", "typed", "answer"),
    [
        ((), "Ed5", "Ed5 may point n, ne, se, s, sw or nw"),
        ((), "E", "E (straight piece with its PÜNCT at an end) may be added in"),
        ((), "d1", "Cd1 may point se"),
        ((), "Ed5nn", "Did you mean"),
        ((), "Th9", "No legal move begins with Th9."),
        (("Ed5ne",), "Ed5", "A new piece starts at board level, on three empty spaces (rule E1.3)."),
        (("Ed5ne",), "d5-", "This piece belongs to the opponent; you may move only your own (rule E2.1)."),
        (("Ed5ne", "Tl10n"), "d5-", "E on d5 may go, pointing\n  any way: to"),
        (("Ed5ne", "Tl10n"), "d5", "E on d5 may go, pointing"),
        (("Ed5ne", "Tl10n"), "Ed5-a", "n, ne, se or s: to a5"),
        (("Ed5ne", "Tl10n"), "d5-d5ne", "Legal there: d5-d5n, d5-d5se, d5-d5s, d5-d5sw, d5-d5nw"),
        ((), "bord", "Did you mean board?"),
        ((), "???", "is not a turn"),
        ((), "x" * 5000, "is not a turn"),
        ((), "[bold]Ed5[/bold]", "'[bold]"),
    ],
)
def test_what_is_typed_wrongly_is_answered_helpfully(before: tuple[str, ...], typed: str, answer: str) -> None:
    assert answer in play(*before, typed)


def test_a_mark_before_the_text_is_no_part_of_it() -> None:
    assert play("\ufeffEd5ne", "position").replace("\ufeff", "") == play("Ed5ne", "position")


def test_undo_takes_turns_and_endings_back() -> None:
    printed = play("undo", "Ed5ne", "Tl10n", "undo", "position", "resign", "y", "Tl10n", "undo", "position")
    assert "there is no move to take back" in printed
    assert "Taken back: Tl10n" in printed
    assert "The game is over: White wins (resignation)." in printed
    assert "Taken back: White wins (resignation)" in printed
    assert printed.count("standard b wEd5ne") == 3  # twice asked for, once when it ended


def test_a_draw_needs_a_yes() -> None:
    printed = play("draw", "n", "Ed5ne", "draw", "yes", "resign")
    assert "Draw (agreed draw)" in printed
    assert "the game is over already: Draw (agreed draw)" in printed


def test_repetition_is_announced_and_draws() -> None:
    there_and_back = ("d5-d5n", "l10-l10s", "d5-d5ne", "l10-l10n")
    printed = play("Ed5ne", "Tl10n", *there_and_back, *there_and_back)
    assert "This position has stood before; the third time the game is drawn." in printed
    assert "Draw (threefold repetition)" in printed


def test_looking_around() -> None:
    printed = play("Ed5ne", "Tl10n", "stack d5", "stack e6", "stack a5", "sets", "record", "moves", "moves d5-a")
    assert "level 1: White's E with its PÜNCT here; wEd5ne, free" in printed
    assert "level 1: White's E with a minor dot here; wEd5ne, free" in printed
    assert "a5 is empty." in printed
    assert "White: T 6, C 2, E 3, M 2, L 2, R 2 (17 pieces)" in printed
    assert "1. Ed5ne Tl10n" in printed
    assert "E on d5 has " in printed
    assert "d5-a5n" in printed


def test_a_bridge_is_seen_from_the_side(tmp_path: Path) -> None:
    path = tmp_path / "bridge.punct"
    records.dump(Game("standard w wEb5n wEd7n wEb5ne"), path)
    printed = play("stack c6", "stack b5", "explain b5-b5n", options=("--load", path, "--no-board"))
    assert "level 2: White's E with a minor dot here, the middle of a bridge; wEb5ne, free" in printed
    assert "level 1: White's E with its PÜNCT here; wEb5n, blocked" in printed


def test_explain() -> None:
    printed = play("explain Ed5ne", "explain Th9n", "explain", "explain zz")
    assert "Ed5ne is legal." in printed
    assert "(rule G)" in printed
    assert "explain which move?" in printed
    assert "is not a turn" in printed


def test_help_names_every_command() -> None:
    printed = play("help")
    for command in COMMANDS.values():
        assert f"  {command.usage} " in printed


def test_names_are_switched_on_and_off() -> None:
    printed = play("names", "names")
    assert printed.count(" i9 ") == 1


def test_saving_and_loading(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    printed = play("Ed5ne", "Tl10n", f"save {path}", "undo", "save", f"load {path}", "position")
    assert printed.count(f"Saved to {path}.") == 2
    assert printed.rstrip().endswith("standard b wEd5ne")
    printed = play("Tl5s", f"save {path}", "record", options=("--load", path, "--no-board"))
    assert [move.text for move in records.load(path)[0].moves] == ["Ed5ne", "Tl5s"]


def test_loading_one_game_of_several(tmp_path: Path) -> None:
    path = tmp_path / "two games.punct"
    records.dump([Game(), Game("basic w")], path)
    assert "basic w" in play(f"load {path} 2", "position")
    assert "standard w" in play(f"load {path}", "position")
    assert "basic w" in play("position", options=("--load", path, "--game", "2", "--no-board"))
    assert "has 2 games, not 3" in play(f"load {path} 3")


def test_a_failed_save_does_not_end_the_game(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.punct", tmp_path / "no" / "such.punct"
    printed = play("Ed5ne", f"save {bad}", f"save {tmp_path}", "save", "Tl10n", f"save {good}")
    assert "such.punct: No such file or directory" in printed
    assert f"{tmp_path} is a directory" in printed
    assert "save where?" in printed
    assert len(records.load(good)[0].moves) == 2


def test_saving_over_another_file_needs_a_yes(tmp_path: Path) -> None:
    path = tmp_path / "game.punct"
    path.write_text("precious")
    assert "Not saved." in play("Ed5ne", f"save {path}", "n")
    assert path.read_text() == "precious"
    play("Ed5ne", f"save {path}", "y")
    assert len(records.load(path)[0].moves) == 1


def test_a_failed_load_keeps_the_game(tmp_path: Path) -> None:
    broken = tmp_path / "broken.punct"
    broken.write_text("1. nonsense *")
    printed = play("Ed5ne", f"load {broken}", f"load {tmp_path / 'none.punct'}", "load", "position")
    assert "broken.punct: line 1" in printed
    assert "none.punct: No such file or directory" in printed
    assert "standard b wEd5ne" in printed


def test_loading_over_an_unsaved_game_needs_a_yes(tmp_path: Path) -> None:
    path = tmp_path / "empty.punct"
    records.dump(Game(), path)
    assert "standard b wEd5ne" in play("Ed5ne", f"load {path}", "n", "position")


def test_quitting_offers_to_save(tmp_path: Path) -> None:
    path = tmp_path / "last.punct"
    assert "Not saved yet." not in play("quit")
    assert "Saved to" in play("Ed5ne", "quit", str(path))
    assert len(records.load(path)[0].moves) == 1
    assert "Not saved yet." in play("Ed5ne", "quit", "")
    printed = play("Ed5ne", "quit", str(tmp_path / "no" / "such"), "position")
    assert "No such file" in printed
    assert "standard b wEd5ne" in printed


def test_a_script_that_ends_early_tells_where_it_stood() -> None:
    assert "Not saved. It ended at: standard b wEd5ne" in play("Ed5ne")


def test_input_that_is_not_text() -> None:
    result = run("play", "--no-board", stdin=b"Ed5ne\n\xff\xfe\xfa\nposition\n")
    assert result.exit_code == 0
    assert "is not a turn" in result.stdout
    assert "Black> position\nstandard b wEd5ne\n" in result.stdout


def sitting(lines: list[str | type[BaseException]], console: Console) -> Session:
    """Return a session whose person types these lines, or presses these keys."""
    keys = iter(lines)

    def ask(question: str) -> str:
        typed = next(keys, EOFError)
        if not isinstance(typed, str):
            raise typed
        return typed

    return Session(console, Game(), BoardStyle(), ask, draws_board=False, saves_on_exit=True)


@pytest.fixture
def console() -> Console:
    return Console(record=True, width=200, force_terminal=False)


def test_hanging_up_keeps_the_game(console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sitting(["Ed5ne", EOFError], console).run()
    [kept] = tmp_path.glob("punct-*.punct")
    assert [move.text for move in records.load(kept)[0].moves] == ["Ed5ne"]
    assert f"punct play --load {kept.name}" in console.export_text()


def test_interrupting_once_is_forgiven(console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = sitting(["Ed5ne", KeyboardInterrupt, "Tl10n", KeyboardInterrupt, KeyboardInterrupt, "Tl14n"], console)
    session.run()
    assert len(session.game.moves) == 2
    assert console.export_text().count("press Ctrl-C once more") == 2
    assert len(list(tmp_path.iterdir())) == 1


def test_a_game_that_cannot_be_kept_is_printed(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    sitting(["Ed5ne"], console).run()
    printed = console.export_text()
    assert "The game could not be saved" in printed
    assert "1. Ed5ne" in printed


def test_nothing_is_kept_that_was_saved_or_never_played(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sitting([], console).run()
    sitting(["Ed5ne", "save game.punct"], console).run()
    assert [path.name for path in tmp_path.iterdir()] == ["game.punct"]
