"""The page judges turns as the library does: what is found here in real games, the page's tests read from a file.

``python -m tests.analysis.test_page`` writes it again, when the search has changed; a stronger network changes nothing.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

from tests.browser.played import BEFORE_THE_END, WINNING
from tests.frozen_network import use_frozen_network

from punct import Colour, Game
from punct.analysis.review import Analysis, analyse_game
from punct.analysis.scale import LONGEST_VARIATION, Judgement
from punct.engine import Engine, Limits
from punct.engine.variations import Variation
from punct.position import Position

ROOT: Final = Path(__file__).parent.parent.parent
FOUND: Final = ROOT / "web" / "tests" / "fixtures" / "reviews.json"
VECTORS: Final = ROOT / "tests" / "vectors" / "games.jsonl.gz"
LIMITS: Final = Limits(nodes=60)
ONE_TURN_TO_WIN: Final = "basic w wEh1n wEh4n wEh7n wEh10n wCi14n bTa2n bTa5n bTc3n bTd5n bTm9n"


def games() -> list[Game]:
    """Return games that ended by a chain, by a count, in a draw, and by neither; wins are missed, or sure."""
    told = [("standard w", f"{BEFORE_THE_END} {WINNING}".split()), (ONE_TURN_TO_WIN, ["To10n", "Tm11n", "Tj16n"])]
    with gzip.open(VECTORS, "rt", encoding="utf-8") as lines:
        vectors = [json.loads(line) for line in lines]
    endings: set[str] = set()
    found = [played(start, turns) for start, turns in told]
    for vector in vectors:
        game = played(f"{vector['rules']} w", vector["moves"])
        ending = str(game.outcome())
        if len(game.moves) < 90 and ending not in endings:
            endings.add(ending)
            found.append(game)
    # The same once more, but that White takes the win there was, and Black, who cannot help it, plays anything.
    return [*found, played(str(found[-1].start), [*(str(move) for move in found[-1].moves[:74]), "Rl5ne", "Ra2n"])]


def played(start: str, turns: list[str]) -> Game:
    """Return a game with these turns, or as many as it takes to end it: some vectors go on after a repetition."""
    game = Game(start)
    for turn in turns:
        if game.outcome() is not None:
            break
        game.push(turn)
    return game


def looked(position: Position, best: Variation | None) -> dict[str, Any]:
    """Return a position as the page's kernel has looked at it."""
    outcome = position.outcome()
    return {
        "turn": letter(position.turn),
        "over": outcome and {"winner": None if outcome.winner is None else letter(outcome.winner)},
        "best": best
        and {
            "move": str(best.move),
            "score": best.score,
            "proven": best.proven,
            "pv": [str(move) for move in best.pv][: LONGEST_VARIATION + 2],
        },
    }


def letter(colour: Colour) -> str:
    return "w" if colour is Colour.WHITE else "b"


def reviewed(game: Game) -> tuple[Analysis, dict[str, Any]]:
    """Return what the library says about a game, and the same as the page is given it and has to say it."""
    engine = Engine(hash_mb=16)
    analysis = analyse_game(game, engine, LIMITS, 1)
    position = game.start
    seen = []
    for remark in analysis.remarks:
        seen.append(looked(position, remark.best))
        position.push(remark.move)
    seen.append(looked(position, None if position.outcome() else engine.analyse(position, LIMITS, 1)[0]))
    turns = [
        {
            "ply": remark.ply - 1,
            "colour": letter(remark.colour),
            "turn": str(remark.move),
            "chance": remark.chance,
            "given_away": remark.given_away,
            "proven": remark.proven,
            "judgement": remark.judgement and remark.judgement.value,
            "best": [str(move) for move in remark.best.pv[:LONGEST_VARIATION]],
        }
        for remark in analysis.remarks
    ]
    accuracy = {letter(colour): analysis.accuracy(colour) for colour in Colour}
    review = {"start": analysis.start, "turns": turns}
    return analysis, {"looked": seen, "review": review, "accuracy": accuracy}


def test_the_page_is_given_what_is_found_here() -> None:
    judgements: Counter[Judgement | None] = Counter()
    found = []
    for game in games():
        analysis, told = reviewed(game)
        judgements.update(remark.judgement for remark in analysis.remarks)
        found.append(told)
    assert {*judgements} == {None, *Judgement}
    last = analysis.remarks[-1]  # whose player had lost already, and is not told so as if it were a mistake
    assert last.best.proven < 0 and last.proven < 0 and last.move is not last.best.move and last.judgement is None
    assert json.loads(FOUND.read_text(encoding="utf-8")) == found, "python -m tests.analysis.test_page"


if __name__ == "__main__":
    use_frozen_network()
    lines = (json.dumps(reviewed(game)[1], separators=(",", ":")) for game in games())
    FOUND.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
