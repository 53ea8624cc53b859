"""Puzzles in a real browser: solved by mouse, finger and keyboard, refuted, hinted at, in every mode, and kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, Route, expect

import punct
from punct.puzzles import Puzzle, of_the_day, shipped

from .hands import Finger, Hand, Keys, Mouse, place_of
from .messages import text
from .screens import SCREENS, Screens
from .serving import Server
from .test_learn import attempt
from .watch import Watch

NOTE = "punct.puzzles"


def solver(puzzle: Puzzle) -> str:
    return str(puzzle.position).split()[1]


def opponent(puzzle: Puzzle) -> str:
    return text(f"colour.{'b' if solver(puzzle) == 'w' else 'w'}")


def found(goal: str, turns: int = 1) -> Iterator[Puzzle]:
    """Go through the puzzles of a kind."""
    return (puzzle for puzzle in shipped() if puzzle.goal == goal and puzzle.turns == turns)


def one(goal: str, turns: int = 1) -> Puzzle:
    """Return a puzzle of a kind."""
    return next(found(goal, turns))


def wrong(puzzle: Puzzle) -> str:
    """Return a turn that does not solve a puzzle, and ends nothing: one from the set, if there is one."""
    right = {str(move) for move in (*puzzle.solution, *puzzle.also)}
    turns = sorted((str(move) for move in punct.Position(puzzle.position).legal_moves), key=lambda turn: "-" in turn)
    for turn in turns:
        position = punct.Position(puzzle.position)
        position.push(turn)
        if turn not in right and position.outcome() is None:
            return turn
    raise AssertionError(puzzle.id)


def wait_for(page: Page, puzzle: Puzzle | None, stage: str) -> None:
    name = f'[data-board="{puzzle.id}"]' if puzzle else ""
    expect(page.locator(f'[data-testid="puzzle"]{name}[data-stage="{stage}"]')).to_be_attached()


def shown(page: Page) -> Puzzle:
    """Return the puzzle that is on the board."""
    wait_for(page, None, "try")
    name = page.get_by_test_id("puzzle").get_attribute("data-board")
    return next(puzzle for puzzle in shipped() if puzzle.id == name)


def solve(hand: Hand, puzzle: Puzzle) -> None:
    """Play the solution; the opponent answers."""
    for number, turn in enumerate(puzzle.solution[::2]):
        # While a move is judged, the board is still at the ply before it, and takes no other.
        expect(hand.page.get_by_test_id("puzzle")).to_have_attribute("data-ply", str(2 * number))
        wait_for(hand.page, puzzle, "try")
        attempt(hand, str(turn), solver(puzzle))
    wait_for(hand.page, puzzle, "done")


def task(puzzle: Puzzle) -> str:
    """Return what the page asks for."""
    if puzzle.goal == "win":
        return text("puzzle.task.win", colour=text(f"colour.{solver(puzzle)}"), n=puzzle.turns)
    what = "centre" if "centre" in puzzle.themes else "defence"
    return text(f"puzzle.task.{what}{'s' if puzzle.also else ''}", colour=opponent(puzzle))


def test_from_the_home_page_to_a_puzzle_that_is_solved(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.get_by_test_id("puzzles-first").click()
    expect(page.get_by_test_id("solved")).to_have_text(text("puzzle.of", n=0, all=0))
    expect(page.get_by_test_id("mode-day").locator("svg").first).to_be_attached()
    page.get_by_test_id("mode-strength").click()
    first = shown(page)
    expect(page.get_by_test_id("task")).to_have_text(task(first))
    expect(page.get_by_test_id("counts")).to_have_text(text("puzzle.counts"))
    solve(Mouse(page), first)
    expect(page.get_by_test_id("verdict")).to_have_text(text(f"puzzle.done_{first.goal}"))
    expect(page.get_by_test_id("change")).to_contain_text("(+")
    expect(page.get_by_test_id("puzzle-about")).to_contain_text(first.id)
    page.get_by_test_id("next").click()
    assert shown(page) != first
    page.get_by_test_id("all-puzzles").click()
    expect(page.get_by_test_id("solved")).to_have_text(text("puzzle.of", n=1, all=1))
    rating = page.get_by_test_id("rating").inner_text()
    assert int(re.findall(r"\d+", rating)[0]) > 700
    page.goto(f"{server.address}/puzzles/{first.id}")  # a link to it; what is known does not count again
    wait_for(page, first, "try")
    expect(page.get_by_test_id("counts")).to_have_text(text("puzzle.known"))


def test_several_turns_with_answers_between(page: Page, server: Server) -> None:
    puzzle = one("win", 2)
    page.goto(f"{server.address}/puzzles/{puzzle.id}")
    wait_for(page, puzzle, "try")
    attempt(Mouse(page), str(puzzle.solution[0]), solver(puzzle))
    expect(page.get_by_test_id("go-on")).to_have_text(text("puzzle.go_on", n=1))
    wait_for(page, puzzle, "try")
    attempt(Mouse(page), str(puzzle.solution[2]), solver(puzzle))
    wait_for(page, puzzle, "done")
    expect(page.get_by_test_id("change")).to_contain_text("(+")


def test_a_wrong_turn_is_refuted_on_the_board(page: Page, server: Server) -> None:
    puzzle = next(puzzle for puzzle in found("hold") if "defence" in puzzle.themes)
    page.goto(f"{server.address}/puzzles/{puzzle.id}")
    wait_for(page, puzzle, "try")
    attempt(Mouse(page), wrong(puzzle), solver(puzzle))
    wait_for(page, puzzle, "missed")
    verdict = page.get_by_test_id("verdict")
    said = (text(f"puzzle.{key}", colour=opponent(puzzle), turn="") for key in ("connects", "wins_with"))
    expect(verdict).to_have_text(re.compile("|".join(re.escape(words[:-1]) for words in said)))
    expect(page.get_by_test_id("words")).to_contain_text(text("end.wins", colour=opponent(puzzle)))  # played out
    expect(page.get_by_test_id("change")).to_contain_text("(−")
    expect(page.get_by_test_id("step-next")).to_be_disabled()
    page.get_by_test_id("step-previous").click()
    expect(page.get_by_test_id("threat-mark")).to_be_attached()  # how it is done, before it is
    page.keyboard.press("Home")
    expect(page.get_by_test_id("step-first")).to_be_disabled()
    page.get_by_test_id("again").click()
    solve(Mouse(page), puzzle)
    expect(verdict).to_have_text(text("puzzle.done_later"))
    page.goto(f"{server.address}/puzzles")
    expect(page.get_by_test_id("solved")).to_have_text(text("puzzle.of", n=0, all=1))


def test_a_turn_that_wins_nothing_is_answered(page: Page, server: Server) -> None:
    puzzle = one("win", 2)
    page.goto(f"{server.address}/puzzles/{puzzle.id}")
    wait_for(page, puzzle, "try")
    attempt(Mouse(page), wrong(puzzle), solver(puzzle))
    wait_for(page, puzzle, "missed")
    keys = ("connects", "wins_with", "stops")
    said = (text(f"puzzle.{key}", colour=opponent(puzzle), turn="") for key in keys)
    expect(page.get_by_test_id("verdict")).to_have_text(re.compile("|".join(re.escape(words[:-1]) for words in said)))
    expect(page.get_by_test_id("step-next")).to_be_disabled()  # played out


def test_hints_in_steps_and_the_solution(page: Page, server: Server) -> None:
    puzzle = one("win", 2)
    page.goto(f"{server.address}/puzzles/{puzzle.id}")
    wait_for(page, puzzle, "try")
    words = page.get_by_test_id("hint-words")
    lengths = []
    for _ in range(3):
        page.get_by_test_id("hint").click()
        expect(words).to_be_visible()
        lengths.append(len(words.inner_text()))
    assert lengths == sorted(set(lengths))  # each says more
    expect(page.get_by_test_id("suggestions")).to_be_attached()
    expect(page.get_by_test_id("change")).to_contain_text("(−")
    page.get_by_test_id("solve").click()
    wait_for(page, puzzle, "shown")
    expect(page.get_by_test_id("verdict")).to_have_text(text("puzzle.shown", turns=" ".join(map(str, puzzle.solution))))
    expect(page.get_by_test_id("step-next")).to_be_disabled()  # gone through by itself
    for _ in puzzle.solution:
        page.get_by_test_id("step-previous").click()
    expect(page.get_by_test_id("step-previous")).to_be_disabled()
    page.get_by_test_id("step-last").click()
    expect(page.get_by_test_id("words")).to_contain_text(text("end.wins", colour=text(f"colour.{solver(puzzle)}")))
    page.get_by_test_id("analyse").click()
    expect(page.get_by_test_id("analysis-page")).to_be_visible()
    assert page.evaluate("new URLSearchParams(location.search).get('position')") == puzzle.position


def test_by_finger(phone: Page, server: Server) -> None:
    for puzzle in (one("hold"), one("win", 1)):
        phone.goto(f"{server.address}/puzzles/{puzzle.id}")
        solve(Finger(phone), puzzle)
    phone.get_by_test_id("menu").tap()
    phone.get_by_test_id("menu-puzzles-link").tap()
    expect(phone.get_by_test_id("solved")).to_have_text(text("puzzle.of", n=2, all=2))


def test_by_keyboard_and_ear(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/puzzles/strength")
    spoken, hand = page.get_by_role("log"), Keys(page)
    for _ in range(2):
        puzzle = shown(page)
        expect(page.get_by_text(task(puzzle), exact=True)).to_be_visible()
        page.keyboard.press("h")
        expect(spoken).to_contain_text(re.compile("It is about the piece on|Take from your set"))
        solve(hand, puzzle)
        expect(spoken).to_contain_text(text("puzzle.done_later"))
        expect(page.get_by_role("button", name=text("puzzle.next"), exact=True)).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("task")).to_be_focused()
    shown(page)


def test_by_theme(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/puzzles")
    page.get_by_test_id("theme-win-1").click()
    puzzle = shown(page)
    assert (puzzle.goal, puzzle.turns) == ("win", 1)
    solve(Mouse(page), puzzle)
    page.get_by_test_id("all-puzzles").click()
    expect(page.get_by_test_id("theme-win-1")).to_contain_text(text("puzzle.of", n=1, all=len(list(found("win", 1)))))


def test_a_streak_ends_with_the_first_mistake(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/puzzles/streak")
    first = shown(page)
    solve(Mouse(page), first)
    expect(page.get_by_test_id("score")).to_have_text("1")
    expect(page.locator(f'[data-board="{first.id}"]')).to_have_count(0)  # the next one comes by itself
    second = shown(page)
    page.reload()  # in the middle: it goes on
    wait_for(page, second, "try")
    expect(page.get_by_test_id("score")).to_have_text("1")
    attempt(Mouse(page), wrong(second), solver(second))
    expect(page.get_by_test_id("run-over")).to_contain_text(text("puzzle.over.streak", n=1))
    expect(page.get_by_test_id("run-over")).to_contain_text(text("puzzle.best_now"))
    page.get_by_test_id("once-more").click()
    expect(page.get_by_test_id("score")).to_have_text("0")
    page.get_by_test_id("all-puzzles").click()
    expect(page.get_by_test_id("best-streak")).to_have_text("1")


def test_three_mistakes_against_the_clock(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/puzzles/clock")
    page.get_by_test_id("start").click()
    puzzle = shown(page)
    solve(Mouse(page), puzzle)
    expect(page.get_by_test_id("score")).to_have_text("1")
    for left in (2, 1, 0):
        expect(page.locator(f'[data-board="{puzzle.id}"]')).to_have_count(0)
        puzzle = shown(page)
        attempt(Mouse(page), wrong(puzzle), solver(puzzle))
        if left:
            name = text("puzzle.mistakes", n=left)
            expect(page.get_by_role("img", name=name, exact=True)).to_be_visible()
    panel = page.get_by_test_id("run-panel")
    expect(panel).to_have_attribute("data-run", "mistakes")
    expect(panel).to_contain_text(text("puzzle.score", n=1))
    expect(panel.get_by_role("listitem")).to_have_count(4)
    expect(page.get_by_test_id("start")).to_be_focused()


def test_the_clock_runs_out(page: Page, server: Server) -> None:
    page.clock.install()
    page.goto(f"{server.address}/puzzles/clock")
    page.get_by_test_id("start").click()
    shown(page)
    page.clock.fast_forward(100_000)
    expect(page.get_by_test_id("clock")).to_have_text(re.compile(r"1:(20|1\d)"))
    page.reload()  # it runs on meanwhile
    shown(page)
    expect(page.get_by_test_id("clock")).to_have_text(re.compile(r"1:(20|1\d)"))
    page.clock.fast_forward(81_000)
    expect(page.get_by_test_id("run-panel")).to_have_attribute("data-run", "time")


def test_the_puzzle_of_the_day_is_the_same_for_everybody(page: Page, server: Server) -> None:
    now = datetime.now(UTC)
    page.clock.set_fixed_time(now)  # or midnight may come in between
    todays = of_the_day(now.date())
    assert todays
    page.goto(f"{server.address}/puzzles")
    expect(page.get_by_test_id("mode-day")).to_contain_text(task(todays))
    page.get_by_test_id("mode-day").click()
    solve(Mouse(page), todays)
    page.get_by_test_id("all-puzzles").click()
    expect(page.get_by_test_id("day-solved")).to_have_text(text("puzzle.day_solved"))
    expect(page.get_by_test_id("days")).to_have_text("1")


def test_a_reload_in_the_middle_changes_nothing(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/puzzles/strength")
    puzzle = shown(page)
    page.reload()
    assert shown(page) == puzzle
    page.get_by_test_id("hint").click()
    expect(page.get_by_test_id("change")).to_be_visible()
    page.reload()  # a hint stays one
    assert shown(page) == puzzle
    expect(page.get_by_test_id("counts")).to_have_text(text("puzzle.known"))
    solve(Mouse(page), puzzle)
    page.reload()
    assert shown(page) != puzzle


def test_a_broken_note_is_put_aside(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/about")
    page.evaluate(f"localStorage.setItem('{NOTE}', '{{\"tries\": 7')")
    page.goto(f"{server.address}/puzzles")
    expect(page.get_by_test_id("broken-note")).to_have_text(text("puzzle.broken"))
    page.get_by_test_id("theme-win-1").click()
    solve(Mouse(page), shown(page))
    page.goto(f"{server.address}/puzzles")
    expect(page.get_by_test_id("solved")).to_have_text(text("puzzle.of", n=1, all=1))
    expect(page.get_by_test_id("broken-note")).to_have_count(0)
    assert page.evaluate(f"localStorage.getItem('{NOTE}.broken')") == '{"tries": 7'


@pytest.mark.parametrize(("content", "words"), [(b"nonsense", "broken"), (None, "unreachable")])
def test_a_broken_file_is_said_in_a_sentence(
    page: Page, server: Server, watch: Watch, content: bytes | None, words: str
) -> None:
    def spoil(route: Route) -> None:
        if content is None:
            route.abort()
        else:
            route.fulfill(body=content)

    watch.allow("ERR_FAILED")
    page.route("**/*.puzzles", spoil)
    page.goto(f"{server.address}/puzzles")
    expect(page.get_by_test_id("puzzle-trouble")).to_have_text(text(f"puzzle.file.{words}"))
    expect(page.get_by_test_id("figures")).to_be_visible()
    page.get_by_test_id("mode-strength").click()
    expect(page.get_by_test_id("puzzle-trouble")).to_have_text(text(f"puzzle.file.{words}"))
    page.unroute("**/*.puzzles")
    page.reload()
    shown(page)


def test_a_puzzle_that_there_is_not(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/puzzles/nosuch")
    expect(page.get_by_test_id("no-puzzle")).to_have_text(text("puzzle.unknown"))
    page.goto(f"{server.address}/puzzles/theme/chess")
    expect(page.get_by_test_id("no-puzzle")).to_have_text(text("puzzle.unknown"))


def test_a_puzzle_on_one_screen(screens: Screens, server: Server) -> None:
    puzzle = one("hold")
    space = next(
        turn for turn in (str(move) for move in punct.Position(puzzle.position).legal_moves) if "-" not in turn
    )
    for screen, hand in screens.at_hand(*SCREENS):
        page = hand.page
        page.goto(f"{server.address}/puzzles/{puzzle.id}")
        wait_for(page, puzzle, "try")
        for name in ("task", "board", f"set-{solver(puzzle)}", "hint", "solve"):
            assert screen.holds(place_of(page.get_by_test_id(name))), name
        board = place_of(page.get_by_test_id("board"))
        hand.take(solver(puzzle), space[0])
        hand.place(re.findall(r"[a-q]\d+", space)[0])
        assert place_of(page.get_by_test_id("board")) == board  # nothing jumps
        for name in ("rotate-left", "cancel", "confirm"):
            assert screen.holds(place_of(page.get_by_test_id(name))), name
