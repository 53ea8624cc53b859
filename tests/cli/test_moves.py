"""``punct legal``, ``punct explain`` and ``punct perft``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.running import run

from punct import Position, Reason

STACKED = "standard w wEd5n wTe6n bTd6ne"


def test_legal_lists_what_the_rules_list() -> None:
    result = run("legal", STACKED)
    assert result.exit_code == 0
    assert result.stdout.split() == [move.text for move in Position(STACKED).legal_moves]


def test_legal_takes_words_without_quotes_and_the_name_of_a_game_alone() -> None:
    assert run("legal", "basic", "b", "wEd5ne", "--count").stdout == f"{len(Position('basic b wEd5ne').legal_moves)}\n"
    assert run("legal", "basic", "--count").stdout == run("legal", "--count").stdout == "4986\n"


def test_legal_reads_standard_input() -> None:
    assert run("legal", "-", "--count", stdin="basic b wEd5ne\n").stdout == run("legal", "basic b wEd5ne", "-c").stdout


def test_legal_as_json() -> None:
    assert json.loads(run("legal", STACKED, "--json").stdout) == [move.text for move in Position(STACKED).legal_moves]
    assert json.loads(run("legal", "--json", "--count").stdout) == 4986


def test_legal_filters() -> None:
    text = "standard w wEd5ne bTl10n"
    turns = run("legal", text).stdout.split()
    adds = run("legal", text, "--kind", "add").stdout.split()
    moves = run("legal", text, "--kind", "move").stdout.split()
    assert sorted(adds + moves) == sorted(turns)
    assert all("-" in turn for turn in moves)
    assert moves
    assert run("legal", text, "--from", "d5").stdout.split() == moves
    assert run("legal", text, "--from", "l10").stdout == ""
    straight = run("legal", text, "--kind", "E").stdout.split()
    assert straight == [turn for turn in turns if turn.startswith(("E", "d5-"))]


def test_a_finished_game_has_no_turns(record: Path) -> None:
    result = run("legal", "--file", record)
    assert (result.exit_code, result.stdout) == (0, "")


def test_a_position_from_a_record(record: Path) -> None:
    assert run("legal", "--file", record, "--ply", "0", "--count").stdout == "4986\n"
    position = Position()
    position.push("Ea2se")
    assert run("legal", "-f", record, "-p", "1", "-c").stdout == f"{len(position.legal_moves)}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["legal", "standrd", "w"], "'standrd' is not a set of rules"),
        (["legal", "standard w wZd5n"], "'Z' is not a kind of piece"),
        (["legal", "--from", "z9"], "'z9' is not a space"),
        (["legal", "--ply", "3"], "--game and --ply choose from a record"),
        (["legal", "--file", "no-such.punct"], "no-such.punct: No such file"),
        (["perft", "--depth", "-1"], "--depth"),
        (["legal", "--kind", "Q"], "--kind"),
        (["explain", "standard w", "Ed5"], "Ed5 may point n, ne, se, s, sw or nw"),
    ],
)
def test_bad_input_is_told_and_exits_with_2(words: list[str], message: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr


def test_a_record_has_only_so_many_games_and_turns(record: Path) -> None:
    assert "has 1 game, not 2" in run("legal", "--file", record, "--game", "2").stderr
    assert "has 11 moves, not 12" in run("legal", "--file", record, "--ply", "12").stderr
    assert "not both" in run("legal", "standard", "w", "--file", record).stderr


def test_explain_a_legal_turn() -> None:
    result = run("explain", "Ed5ne")
    assert (result.exit_code, result.stdout) == (0, "Ed5ne is legal.\n")


def test_explain_gives_the_turn_its_canonical_form() -> None:
    assert run("explain", "CD5S").exit_code == 2
    assert run("explain", "CD5s").stdout == "Cd5n is legal.\n"


@pytest.mark.parametrize(
    ("position", "turn", "reason", "detail"),
    [
        ("standard w", "Th9n", Reason.ADDED_IN_CENTRE, "h9, h10 and i10 are in the central hexagon."),
        ("basic w", "Tg6n", Reason.FIRST_PIECE_IN_CENTRE, "g7 and h7 are in the central hexagon."),
        ("standard b wEd5ne", "Td5n", Reason.SPACE_TAKEN, "wEd5ne is on d5 and e6."),
        ("standard b wEb5n wEd7n wEb5ne", "Ec6se", Reason.SPACE_UNDER_BRIDGE, "wEb5ne is on c6."),
        (STACKED, "d5-d5ne", Reason.COVERED, "bTd6ne lies above d6."),
        ("standard w wEd5n wTe6n", "d6-d7n", Reason.NOT_ITS_PUNCT, "The PÜNCT of wEd5n is on d5."),
        ("standard w wEd5n", "Td5-d6n", Reason.OTHER_KIND, "It is wEd5n: straight piece with its PÜNCT at an end."),
        ("standard w wTd5n wTf5n", "d5-f5n", None, ""),
        ("standard w wTd5n wEf5n", "d5-f5n", Reason.TRIANGLE_BRIDGE, "its PÜNCT over level 1 on f5"),
        ("standard w wTd5n bTf5n", "d5-f5n", Reason.PUNCT_ON_OPPONENT, "bTf5n is on f5."),
        ("standard w" + " wEd5ne" * 4, "Eb2n", Reason.NOT_IN_SET, "White has left: T 6, C 2, M 2, L 2, R 2."),
    ],
)
def test_explain_says_which_rule_and_what_is_in_the_way(
    position: str, turn: str, reason: Reason | None, detail: str
) -> None:
    assert Position(position).explain(turn) is reason
    result = run("explain", position, turn)
    assert result.exit_code == (0 if reason is None else 1)
    if reason is not None:
        words = " ".join(result.stdout.split())
        assert reason.sentence[1:] in words
        assert f"(rule {reason.section})" in words
        assert detail in words


def test_explain_names_what_is_legal_there_instead() -> None:
    assert "Legal there: Ta2n, Ta2ne" in run("explain", "Ta2s").stdout


def test_perft_counts() -> None:
    assert run("perft", "--depth", "0").stdout == "1\n"
    assert run("perft", "--depth", "1").stdout == "4986\n"


def test_perft_divides() -> None:
    # White has one straight piece left to add, so that there is little to count.
    text = "standard w" + " wTd5n" * 6 + " wEh3ne" * 4 + " wMl6n" * 2 + " wLp11n" * 2 + " wRb2n" * 2 + " wCi12n"
    *lines, total = run("perft", text, "--depth", "2", "--divide").stdout.splitlines()
    counts = {turn: int(count) for turn, count in (line.split() for line in lines)}
    expected = {}
    position = Position(text)
    for move in list(position.legal_moves):
        position.push(move)
        expected[move.text] = len(position.legal_moves)
        position.pop()
    assert counts == expected
    assert int(total) == sum(counts.values())
    assert run("perft", text, "--depth", "2").stdout == f"{total}\n"


def test_perft_of_a_recorded_position(record: Path) -> None:
    assert run("perft", "--file", record, "--depth", "1").stdout == "0\n"
