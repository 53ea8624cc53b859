"""What the coach in the page says about turns is true: each of its facts, checked by the library on real positions.

The page's tests hold what it says to a file (`web/tests/coach/facts.test.ts`); here the same file is checked. The moves
are counted by playing each of them, and wins are proved by `punct.analysis`: nothing that the page has used.
``python -m tests.analysis.test_coach`` chooses the turns anew; the page's test then says what it has to say about them.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import pytest
from tests.frozen_network import use_frozen_network

from punct import Colour, Game, kernel
from punct.analysis import Prover, defences, wins_at_once
from punct.engine import Engine
from punct.outcome import Ending
from punct.piece import SET_SIZE

SAID: Final = Path(__file__).parent.parent.parent / "web" / "tests" / "fixtures" / "coached.json"
Fact = dict[str, Any]
LEAST_PART: Final = 2
STEP: Final = 2
"""As in web/src/coach/facts.ts."""


# ---------------------------------------------------------------------- turns to speak of


def played(level: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield the turns of a game between weak players, each with the position it was played in."""
    engines = [Engine(level, seed=seed + colour, hash_mb=16) for colour in Colour]
    game = Game()
    while game.outcome() is None:
        move = engines[game.position.turn].play(game.position).move
        yield str(game.position), str(move)
        game.push(move)


def stacked(seed: int) -> Iterator[kernel.Position]:
    """Yield the positions of a game with high stacks, as weak players rarely come to them."""
    rng = random.Random(seed)
    position = kernel.Position("standard w")
    while position.outcome() is None and len(position.moves) < 300:
        yield position
        position.play_random(rng.randrange(1 << 30), 1, raised=60, bridge=50, moved=35)


def near_the_end(seed: int) -> Iterator[tuple[str, str]]:
    """Yield turns while somebody has one piece left, so that counts are lost and missed."""
    rng = random.Random(seed)
    for position in stacked(seed):
        if any(position.on_board(colour) == SET_SIZE - 1 for colour in Colour):
            yield from ((str(position), str(position.legal_moves.choice(rng))) for _ in range(8))


def nearly_stuck(seed: int) -> Iterator[tuple[str, str]]:
    """Yield turns of players most of whose pieces are covered."""
    rng = random.Random(seed)
    for position in stacked(seed):
        if len(position.free_pieces(position.turn)) <= 3 < position.on_board(position.turn):
            yield str(position), str(position.legal_moves.choice(rng))


def uncovering(seed: int) -> Iterator[tuple[str, str]]:
    """Yield turns that bring the opponent's chain to light, or a dot that it lacked: where better players jumped."""
    rng = random.Random(seed)
    for text, _ in played(4 + seed % 3, seed):
        position = kernel.Position(text)
        opponent = position.turn.other
        if blunders := position.blunders():
            yield text, str(rng.choice(blunders))
        if position.winning_moves(opponent):
            continue
        moves = [move for move in position.legal_moves if move.origin and position.height(move.origin) > 1]
        for move in rng.sample(moves, min(len(moves), 40)):
            position.push(move)
            opened = position.outcome() is None and position.winning_moves(opponent)
            position.pop()
            if opened:
                yield text, str(move)
                break


def chosen() -> list[dict[str, Any]]:
    """Return positions and turns, nothing said yet."""
    levels = enumerate((1,) * 8 + (2,) * 5 + (3,) * 3)
    turns = [turn for seed, level in levels for turn in played(level, 10 * seed)]
    for kind, seeds, most in ((near_the_end, 40, 60), (nearly_stuck, 90, 200), (uncovering, 30, 80)):
        found = [turn for seed in range(seeds) for turn in kind(seed)]
        turns += random.Random(5).sample(found, min(len(found), most))
    return [{"position": position, "turn": turn, "facts": []} for position, turn in dict.fromkeys(turns)]


# ---------------------------------------------------------------------- what is true


@dataclass
class Told:
    """A turn that was spoken of, and the position after the answer or the better turn that was named."""

    before: kernel.Position
    turn: str

    @cached_property
    def mover(self) -> Colour:
        return self.before.turn

    @cached_property
    def after(self) -> kernel.Position:
        return after(self.before, self.turn)


def after(position: kernel.Position, turn: str) -> kernel.Position:
    """Return the position after a turn."""
    reached = kernel.Position(str(position))
    reached.push(turn)
    return reached


def as_if(position: kernel.Position, colour: Colour) -> kernel.Position:
    """Return the position as if it were this player's turn."""
    rules, _, *pieces = str(position).split()
    return kernel.Position(" ".join((rules, colour.letter, *pieces)))


def winning(position: kernel.Position, colour: Colour, ending: Ending) -> list[str]:
    """Return the turns with which a player would win in this way, each of them played."""
    if position.outcome() is not None:
        return []
    trial = as_if(position, colour)
    found = []
    for move in list(trial.legal_moves):
        trial.push(move)
        outcome = trial.outcome()
        trial.pop()
        if outcome is not None and outcome.winner is colour and outcome.reason is ending:
            found.append(str(move))
    return found


def connecting(position: kernel.Position, colour: Colour) -> list[str]:
    return winning(position, colour, Ending.CONNECTION)


def counting(position: kernel.Position, colour: Colour) -> list[str]:
    """Return the last pieces with which a player would win by the count."""
    left = SET_SIZE - position.on_board(colour)
    return winning(position, colour, Ending.CENTRE_COUNT) if left == 1 else []


def wins_at_once_for(position: kernel.Position, colour: Colour) -> bool:
    return bool(connecting(position, colour) or counting(position, colour))


def forces(position: kernel.Position, turn: str, turns: int) -> bool:
    """Tell whether a turn wins within so many, whatever is replied."""
    if turns == 1:
        return turn in map(str, wins_at_once(position))
    reached = after(position, turn)
    outcome = reached.outcome()
    if outcome is not None:
        return outcome.winner is position.turn
    return Prover().answer(reached, turns - 1).lost


def cut(before: kernel.Position, after: kernel.Position, colour: Colour) -> bool:
    """Tell whether a chain of this colour fell apart from one position to the next, and its way became longer."""
    parts = [
        sum(len({*group.spaces} & {*part.spaces}) >= LEAST_PART for part in after.groups(colour))
        for group in before.groups(colour)
    ]
    return max(parts, default=0) > 1 and min(after.distance(colour)) - min(before.distance(colour)) >= STEP


def newly_blocked(before: kernel.Position, after: kernel.Position, colour: Colour) -> set[str]:
    """Return where the PÜNCTs lie of pieces that were free and now lie under one of the other colour's."""
    free = set(before.free_pieces(colour))
    return {
        str(piece.space)
        for piece in after.pieces
        if piece in free
        and piece.colour is colour
        and any(above.colour is not colour for above in after.blockers(piece).values())
    }


def ahead(position: kernel.Position, colour: Colour, fact: Fact) -> bool:
    """Tell whether this colour leads in the central hexagon by just these numbers."""
    counts = position.centre_count()
    return (counts[colour], counts[colour.other]) == (fact["own"], fact["others"]) and fact["own"] > fact["others"]


def uncovers(told: Told, fact: Fact, colour: Colour) -> bool:
    outcome = told.after.outcome()
    return outcome is not None and (outcome.winner, outcome.reason) == (colour, Ending.CONNECTION)


def behind(told: Told, fact: Fact, colour: Colour) -> bool:
    outcome = told.after.outcome()
    counted = outcome is not None and (outcome.winner, outcome.reason) == (colour, Ending.CENTRE_COUNT)
    return counted and ahead(told.after, colour, fact)


def could_connect(told: Told, fact: Fact, colour: Colour) -> bool:
    found = connecting(told.before, colour)
    return fact["n"] == len(found) and fact["turn"] in found and told.turn not in found


def could_count(told: Told, fact: Fact, colour: Colour) -> bool:
    return bool(counting(told.before, colour)) and ahead(told.before, colour, fact)


def connects(told: Told, fact: Fact, colour: Colour) -> bool:
    found = connecting(told.after, colour)
    is_new = not wins_at_once_for(told.before, colour)
    return fact["n"] == len(found) and fact["turn"] in found and fact["new"] is is_new


def through(told: Told, fact: Fact, colour: Colour) -> bool:
    was, shows = told.before.top(fact["space"]), told.after.top(fact["space"])
    chains = [after(told.after, turn).winning_chain for turn in connecting(told.after, colour)]
    return (
        was is not None
        and was.colour is told.mover
        and shows is not None
        and shows.colour is colour
        and any(fact["space"] in map(str, chain) for chain in chains)
    )


def counts(told: Told, fact: Fact, colour: Colour) -> bool:
    is_new = not wins_at_once_for(told.before, colour)
    return bool(counting(told.after, colour)) and ahead(told.after, colour, fact) and fact["new"] is is_new


def could_force(told: Told, fact: Fact, colour: Colour) -> bool:
    return forces(told.before, fact["turn"], fact["n"])


def forced(told: Told, fact: Fact, colour: Colour) -> bool:
    return forces(told.after, fact["turn"], fact["n"])


def falls(told: Told, fact: Fact, colour: Colour) -> bool:
    return 0 <= fact["to"] < fact["from"] <= 100 and colour is told.mover  # an estimate, and said to be one


def double(told: Told, fact: Fact, colour: Colour) -> bool:
    reached = after(told.before if colour is told.mover else told.after, fact["turn"])
    return fact["n"] == len(connecting(reached, colour)) > 1 and not defences(reached) and not wins_at_once(reached)


def threatens(told: Told, fact: Fact, colour: Colour) -> bool:
    return bool(connecting(after(told.after, fact["turn"]), colour))


def cuts(told: Told, fact: Fact, colour: Colour) -> bool:
    return cut(told.after, after(told.after, fact["turn"]), colour.other)


def blocks(told: Told, fact: Fact, colour: Colour) -> bool:
    found = newly_blocked(told.after, after(told.after, fact["turn"]), colour.other)
    return fact["n"] == len(found) and fact["space"] in found


def leads(told: Told, fact: Fact, colour: Colour) -> bool:
    own, others = (told.after.centre_count()[of] for of in (colour, colour.other))
    return ahead(after(told.after, fact["turn"]), colour, fact) and own <= others


def better_stops(told: Told, fact: Fact, colour: Colour) -> bool:
    threat = wins_at_once_for(told.after, colour.other)
    return threat and not wins_at_once_for(after(told.before, fact["turn"]), colour.other)


def better_threatens(told: Told, fact: Fact, colour: Colour) -> bool:
    return bool(connecting(after(told.before, fact["turn"]), colour))


def better_cuts(told: Told, fact: Fact, colour: Colour) -> bool:
    return cut(told.before, after(told.before, fact["turn"]), colour.other)


def better_blocks(told: Told, fact: Fact, colour: Colour) -> bool:
    found = newly_blocked(told.before, after(told.before, fact["turn"]), colour.other)
    return fact["n"] == len(found) and fact["space"] in found


def better_leads(told: Told, fact: Fact, colour: Colour) -> bool:
    return ahead(after(told.before, fact["turn"]), colour, fact)


def better_nearer(told: Told, fact: Fact, colour: Colour) -> bool:
    way, was, is_now = (
        min(position.distance(colour)) for position in (after(told.before, fact["turn"]), told.before, told.after)
    )
    return way < was and is_now - way >= STEP


def better(told: Told, fact: Fact, colour: Colour) -> bool:
    return fact["turn"] in map(str, told.before.legal_moves) and colour is told.mover


CHECKS: Final[dict[str, Callable[[Told, Fact, Colour], bool]]] = {
    check.__name__: check
    for check in (
        uncovers,
        behind,
        could_connect,
        could_count,
        connects,
        through,
        counts,
        could_force,
        forced,
        falls,
        double,
        threatens,
        cuts,
        blocks,
        leads,
        better_stops,
        better_threatens,
        better_cuts,
        better_blocks,
        better_leads,
        better_nearer,
        better,
    )
}
AFTER_THE_ANSWER: Final = {"free", "left"}
"""These go on from the fact before them, which names the answer."""
THEIRS: Final = {"uncovers", "behind", "connects", "through", "counts", "forced", "threatens", "cuts", "blocks"}
"""What the opponent of whoever played does; all else but the two above is the player's own, or may be either's."""


def follows(told: Told, fact: Fact, answer: str, colour: Colour) -> bool:
    reached = after(told.after, answer)
    if fact["fact"] == "free":
        return fact["n"] == len(reached.free_pieces(colour)) and colour is told.mover
    return bool(fact["n"] == SET_SIZE - reached.on_board(colour))


CASES: Final = [case for case in json.loads(SAID.read_text(encoding="utf-8")) if case["facts"]] if SAID.exists() else []


@pytest.mark.parametrize("part", range(8))
def test_everything_said_is_true(part: int) -> None:
    for case in CASES[part::8]:
        told = Told(kernel.Position(case["position"]), case["turn"])
        answer = ""
        for fact in case["facts"]:
            colour = Colour.WHITE if fact["colour"] == "w" else Colour.BLACK
            name = fact["fact"]
            if name in THEIRS:
                assert colour is told.mover.other, case
            if name in AFTER_THE_ANSWER:
                assert follows(told, fact, answer, colour), (case, fact)
            else:
                assert CHECKS[name](told, fact, colour), (case, fact)
            answer = fact.get("turn", answer)


def test_everything_that_can_be_said_was_said() -> None:
    said = Counter(fact["fact"] for case in CASES for fact in case["facts"])
    assert {*CHECKS, *AFTER_THE_ANSWER} == {*said}, {*CHECKS, *AFTER_THE_ANSWER} ^ {*said}
    assert len(CASES) > 150


if __name__ == "__main__":
    use_frozen_network()
    lines = (json.dumps(case, separators=(",", ":")) for case in chosen())
    SAID.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
