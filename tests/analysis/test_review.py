"""Games looked at turn by turn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from punct import Colour, Game, Position, PunctError, WrongTypeError, records
from punct.analysis import curve, scale
from punct.analysis.review import Analysis, Remark, analyse_game, annotate
from punct.analysis.scale import Judgement
from punct.engine import Engine, Limits
from punct.engine.variations import Variation
from punct.move import Move

ONE_TURN_TO_WIN = "basic w wEh1n wEh4n wEh7n wEh10n wCi14n bTa2n bTa5n bTc3n bTd5n bTm9n"


def analysed(start: str, *turns: str) -> tuple[Game, Analysis]:
    game = Game(start, {"White": "Anna", "Black": "Ben"})
    for turn in turns:
        game.push(turn)
    return game, analyse_game(game, Engine(), Limits(nodes=60), 2)


def test_a_missed_win_is_told() -> None:
    _, analysis = analysed(ONE_TURN_TO_WIN, "To10n")
    assert analysis.start == 1.0
    (remark,) = analysis.remarks
    assert remark.judgement is Judgement.MISSED_WIN
    assert remark.best.proven == 1
    assert "missed win" in remark.text and str(remark.best.move) in remark.text
    assert analysis.count(Colour.WHITE, Judgement.MISSED_WIN) == 1
    assert analysis.count(Colour.BLACK, Judgement.MISSED_WIN) == 0


def test_a_win_taken_is_not_complained_about() -> None:
    _, analysis = analysed(ONE_TURN_TO_WIN, "Tj16n")
    (remark,) = analysis.remarks
    assert remark.judgement is None
    assert remark.chance == 1.0
    assert analysis.curve == [1.0, 1.0]


def test_a_turn_that_lets_the_opponent_win_is_told() -> None:
    """Black could stop the chain at once and plays elsewhere."""
    _, analysis = analysed(ONE_TURN_TO_WIN.replace("basic w", "basic b", 1), "To10n", "Tj16n")
    first, second = analysis.remarks
    if not first.best.proven:  # a defence was found, so the turn is to blame
        assert first.judgement is Judgement.GIVES_WIN
    assert first.proven < 0
    assert "White wins in 1" in first.text
    assert second.judgement is None


def test_every_turn_gets_its_comment_and_old_ones_stay() -> None:
    game, analysis = analysed("standard w", "Ed5ne", "Tl5s", "Eg3n", "Tm9n")
    game.comment = "my own remark"
    noted = annotate(game, analysis)
    assert len(analysis.curve) == 5
    assert all(0.0 <= chance <= 1.0 for chance in analysis.curve)
    comments = [node.comment for node in noted.main_line()]
    assert all(comments)
    assert comments[-1].startswith("my own remark\n")
    assert game.main_line()[0].comment == ""
    for form in ("text", "sgf"):
        (again,) = records.loads(records.dumps([noted], format="text" if form == "text" else "sgf"))
        assert [node.comment for node in again.main_line()] == comments


def test_the_analysis_of_another_game_is_refused() -> None:
    game, analysis = analysed("standard w", "Ed5ne", "Tl5s", "Eg3n")
    other = Game("standard w")
    other.push("Ed5ne")
    with pytest.raises(PunctError, match=r"of another game: it has 3 moves, this one 1$"):
        annotate(other, analysis)
    other.push("Tm9n")
    other.push("Eg3n")
    with pytest.raises(PunctError, match=r"of another game: its move 2 is Tl5s, that of this one Tm9n$"):
        annotate(other, analysis)
    basic = Game("basic w")
    for move in game.moves:
        basic.push(move)
    with pytest.raises(PunctError, match=r"it begins with 'standard w', this one with 'basic w'$"):
        annotate(basic, analysis)
    game.push("Tm9n")
    with pytest.raises(PunctError, match=r"it has 3 moves, this one 4$"):
        annotate(game, analysis)
    assert not any(node.comment for node in (*game.main_line(), *other.main_line(), *basic.main_line()))


def test_progress_is_told() -> None:
    game = Game()
    for turn in ("Ed5ne", "Tl5s"):
        game.push(turn)
    told: list[int] = []
    analyse_game(game, Engine(), Limits(nodes=10), 1, told.append)
    assert told == [1, 2, 3]


@pytest.mark.parametrize("wrong", [Position(), "standard w", None, [Game()]])
def test_what_is_no_game_is_refused_with_what_to_give(wrong: Any) -> None:
    with pytest.raises(WrongTypeError, match="a Game is reviewed, not"):
        analyse_game(wrong)
    with pytest.raises(WrongTypeError, match="remarks are added to a Game"):
        annotate(wrong, Analysis(0.5, ()))
    with pytest.raises(WrongTypeError, match="remarks are added to a Game"):
        annotate(Game(), wrong)


def test_games_that_ended_otherwise_and_empty_ones() -> None:
    game = Game()
    game.push("Ed5ne")
    game.resign(Colour.BLACK)
    assert len(analyse_game(game, Engine(), Limits(nodes=10)).curve) == 2
    assert len(analyse_game(Game(), Engine(), Limits(nodes=10)).curve) == 1


def made_up(*chances: float) -> Analysis:
    best = Variation(Move.parse("Tl5s"), 0.9, 1, 0, (Move.parse("Tl5s"),))
    remarks = tuple(
        Remark(ply, Colour(1 - ply % 2), Move.parse("Ed5ne"), chance, 0.4, (best,), Judgement.BLUNDER, 0)
        for ply, chance in enumerate(chances, 1)
    )
    return Analysis(0.5, remarks)


@pytest.mark.parametrize("chances", [(), (0.4,), tuple(i / 70 for i in range(70))])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_curve_is_a_picture(chances: tuple[float, ...], theme: str) -> None:
    image = made_up(*chances).svg(theme=theme, title="Anna & <Ben>")
    root = ElementTree.fromstring(image)
    words = [element.text or "" for element in root.iter() if element.tag.endswith(("title", "desc"))]
    assert words[0] == "Anna & <Ben>"
    assert len([element for element in root.iter() if element.tag.endswith("circle")]) == len(chances)
    assert "nan" not in image
    assert curve.png(made_up(*chances), theme=theme).startswith(b"\x89PNG")


def test_the_curve_refuses_themes_it_does_not_know() -> None:
    with pytest.raises(PunctError, match="theme"):
        made_up(0.5).svg(theme="pink")


def test_the_scale_is_that_of_its_file() -> None:
    """The page reads the same file: its names are the judgements', from bad to worse, and the shares rise."""
    found = json.loads((Path(scale.__file__).parent / "scale.json").read_bytes())
    assert [*found["judgements"]] == [judgement.value for judgement in Judgement]
    shares = {name: entry["given_away"] for name, entry in found["judgements"].items() if entry["given_away"]}
    assert [*shares.values()] == sorted(shares.values())
    for name, least in shares.items():
        assert scale.judge_loss(least) is Judgement(name)
    assert scale.judge_loss(min(shares.values()) - 0.001) is None
    assert str(Judgement.GIVES_WIN) == "lets the opponent win"


def test_accuracy_is_that_of_the_turns_on_average() -> None:
    assert scale.accuracy([]) is None
    assert scale.accuracy([0.0, 0.0]) == 100.0
    good, bad = scale.accuracy([0.1]), scale.accuracy([0.5])
    assert good is not None and bad is not None and 100 > good > bad > 0
    assert scale.accuracy([0.1, 0.5]) == pytest.approx((good + bad) / 2)
    _, analysis = analysed(ONE_TURN_TO_WIN, "Tj16n")
    assert analysis.accuracy(Colour.WHITE) == 100.0
    assert analysis.accuracy(Colour.BLACK) is None
