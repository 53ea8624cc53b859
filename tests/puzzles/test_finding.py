"""Puzzles found in a game are proven, few turns solve them, and what is wrong with one is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

import pytest

from punct.piece import Colour
from punct.position import Position
from punct.puzzles import Goal, Puzzle, PuzzleError, Theme, shipped
from punct.puzzles.checking import faults_of
from punct.puzzles.finding import kind_of, puzzles_in
from punct.puzzles.games import PlayedGame, imported_games, self_play_games
from punct.puzzles.rating import SOLVERS, rate, rating_from

GAME: Final = 38
"""The number of a game that has three kinds of puzzles, by the frozen network."""


def of_kind(kind: str) -> Iterator[Puzzle]:
    return (puzzle for puzzle in shipped() if kind_of(puzzle) == kind)


def test_a_game_is_the_same_ever_after() -> None:
    [game] = self_play_games(0, GAME)
    assert [game] == list(self_play_games(0, GAME))
    assert [game] != list(self_play_games(1, GAME))


def test_a_game_has_at_most_one_proven_puzzle_of_a_kind() -> None:
    [game] = self_play_games(0, GAME)
    found = puzzles_in(game)
    texts = {str(position) for position in game.positions()}
    assert len({kind_of(puzzle) for puzzle in found}) == len(found) == 3
    for puzzle in found:
        assert faults_of(puzzle) == []
        assert puzzle.position in texts


def test_what_a_longer_puzzle_shows_is_none_of_its_own() -> None:
    longest = next(of_kind("win-2"))
    line = Position(longest.position)
    moves = [str(line.push(turn)) for turn in longest.solution]
    found = puzzles_in(PlayedGame(longest.position, tuple(moves)))
    assert {puzzle.position for puzzle in found if puzzle.goal is Goal.WIN} == {longest.position}


@pytest.mark.parametrize("kind", ["win-1", "win-2", "win-3", "defence", "centre"])
def test_every_fault_is_noticed(kind: str) -> None:
    puzzle = next(puzzle for puzzle in of_kind(kind) if puzzle.also)
    wrong = next(move for move in Position(puzzle.position).legal_moves if move not in puzzle.firsts)
    for changes, words in (
        ({"also": puzzle.also[1:]}, "solves it as well"),
        ({"also": (*puzzle.also, wrong)}, "does not solve it"),
        ({"also": (*puzzle.also, puzzle.also[0])}, "named twice"),
        ({"solution": (wrong, *puzzle.solution[1:])}, ""),
        ({"themes": tuple(theme for theme in Theme if theme not in puzzle.themes)}, "themes"),
        ({"id": "000000"}, "name"),
        ({"rating": 5000}, "rating"),
        ({"turns": puzzle.turns + 1}, "solution has"),
        ({"position": " ".join(reversed(puzzle.position.split()))}, ""),
    ):
        assert any(words in fault for fault in faults_of(replace(puzzle, **changes))), changes
    assert faults_of(puzzle) == []


def test_a_win_that_is_shorter_than_told_is_noticed() -> None:
    puzzle = next(of_kind("win-2"))
    board = Position(puzzle.position)
    for turn in puzzle.solution[:2]:
        board.push(turn)
    longer = replace(puzzle, position=str(board), solution=(puzzle.solution[2], *puzzle.solution[1:]), also=())
    assert any("fewer than 2" in fault for fault in faults_of(longer))


# ---------------------------------------------------------------------- themes, told once more by the plain rules


@pytest.mark.parametrize("theme", list(Theme))
def test_themes_are_what_happens(theme: Theme) -> None:
    for puzzle in islice((puzzle for puzzle in shipped() if theme in puzzle.themes), 5):
        board = Position(puzzle.position)
        me: Colour = board.turn
        first = board.parse(puzzle.solution[0])
        if theme is Theme.JUMP:
            board.push(first)
            piece = board.top(first.space)
            assert piece is not None and piece.level > 1 and not board.is_bridge(piece) and first.origin is not None
            continue
        for turn in puzzle.solution[:-1]:
            board.push(turn)
        before, last = board.copy(), board.parse(puzzle.solution[-1])
        board.push(last)
        placed, outcome = board.top(last.space), board.outcome()
        assert placed is not None
        match theme:
            case Theme.BRIDGE:
                assert board.is_bridge(placed) and board.winning_chain
            case Theme.ROTATE:
                assert last.origin is last.space and board.winning_chain
            case Theme.UNCOVER:
                assert last.origin is not None
                moved = before.top(last.origin)
                assert moved is not None
                assert set(board.winning_chain) & set(moved.spaces) - set(placed.spaces)
            case Theme.COUNT:
                assert outcome is not None and outcome.winner is me and not board.winning_chain
                assert board.centre_count()[me] > board.centre_count()[~me]
            case Theme.DOUBLE:
                assert puzzle.turns == 2
            case Theme.DEFENCE:
                assert puzzle.goal is Goal.HOLD
            case Theme.CENTRE:
                assert puzzle.goal is Goal.HOLD
                assert before.on_board(~me) == 17 and before.centre_count()[~me] > before.centre_count()[me]


# ---------------------------------------------------------------------- ratings


def test_a_rating_rises_with_those_who_fail() -> None:
    strengths = sorted(solver.rating for solver in SOLVERS)
    ratings = [
        rating_from([(strength, float(place >= solved)) for place, strength in enumerate(strengths)])
        for solved in range(len(SOLVERS) + 1)
    ]
    assert ratings == sorted(ratings)
    assert ratings[0] < 650 and ratings[-1] > 2500
    assert all(rating % 10 == 0 for rating in ratings)


def test_ratings_are_found_again() -> None:
    """About the same: those that come with the program were given by an earlier search."""
    for kind in ("win-1", "win-2", "defence"):
        puzzle = next(of_kind(kind))
        assert rate(puzzle) == rate(puzzle)
        assert abs(rate(puzzle) - puzzle.rating) <= 200


def test_a_file_of_games_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match=r"none\.punct cannot be read"):
        list(imported_games([tmp_path / "none.punct"]))
