"""A whole game looked at turn by turn: winning chances, missed wins, better turns; as comments in its record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from punct.analysis.scale import LONGEST_VARIATION, Judgement, accuracy, judged
from punct.engine.core import Engine
from punct.engine.limits import Limits
from punct.engine.variations import Variation, turns_of
from punct.errors import PunctError, WrongTypeError, shorten
from punct.game import Game, Node
from punct.move import Move
from punct.piece import Colour
from punct.position import Position


@dataclass(frozen=True, slots=True)
class Remark:
    """One turn of the game, seen by the engine."""

    ply: int
    """From 1."""
    colour: Colour
    move: Move
    chance: float
    """White's winning chance after the turn."""
    given_away: float
    """How much winning chance the turn cost its player; 0 for the best turn."""
    variations: tuple[Variation, ...]
    """What could be played instead, best first."""
    judgement: Judgement | None
    proven: int
    """After the turn, for its player: 0 open, n wins in n more plies, -n loses."""

    @property
    def best(self) -> Variation:
        """The best turn there was."""
        return self.variations[0]

    @property
    def text(self) -> str:
        """The remark as a comment."""
        parts = [f"White {100 * self.chance:.0f} %"]
        if self.proven:
            winner = self.colour if self.proven > 0 else self.colour.other
            parts = [f"{winner} wins in {turns_of(self.proven)}"]
        if self.judgement is not None:
            parts.append(str(self.judgement))
            variation = " ".join(str(move) for move in self.best.pv[:LONGEST_VARIATION])
            parts.append(f"better ({self.best.words}): {variation}")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the engine has to say about a game."""

    start: float
    """White's winning chance before the first turn."""
    remarks: tuple[Remark, ...]
    position: str = ""
    """The position before the first turn; empty if nobody has noted it."""

    @property
    def curve(self) -> list[float]:
        """White's winning chance, from the start to the end."""
        return [self.start, *(remark.chance for remark in self.remarks)]

    def svg(self, *, theme: str = "light", title: str = "") -> str:
        """Return the curve as a picture."""
        from punct.analysis import curve  # who only reviews games draws nothing

        return curve.svg(self, theme=theme, title=title)

    def _repr_svg_(self) -> str:
        return self.svg()

    def count(self, colour: Colour, judgement: Judgement) -> int:
        """Return how often a player deserved this judgement."""
        return sum(remark.colour is colour and remark.judgement is judgement for remark in self.remarks)

    def accuracy(self, colour: Colour) -> float | None:
        """Return how accurately a player played, in percent; None if they had no turn."""
        return accuracy([remark.given_away for remark in self.remarks if remark.colour is colour])


def analyse_game(
    game: Game,
    engine: Engine | None = None,
    limits: Limits | None = None,
    variations: int = 3,
    told: Callable[[int], None] | None = None,
) -> Analysis:
    """Look at every turn of the main line; ``told`` hears how many positions are done.

    Without an engine a new one looks, and unless there are ``limits`` each position for a second, as it would play.
    """
    if not isinstance(game, Game):
        raise WrongTypeError(f"a Game is reviewed, not {type(game).__name__}; an Engine's analyse looks at a position")
    engine = engine or Engine()
    position = game.start
    seen = _look(position, engine, limits, variations)
    start = _white(position, seen)
    remarks = []
    if told is not None:
        told(1)
    for node in game.main_line():
        assert node.move is not None
        colour, before = position.turn, seen
        position.push(node.move)
        seen = _look(position, engine, limits, variations)
        remarks.append(_remark(node, colour, before, position, seen))
        if told is not None:
            told(node.ply + 1)
    return Analysis(start, tuple(remarks), str(game.start))


def annotate(game: Game, analysis: Analysis) -> Game:
    """Return a copy of the game with the remarks as comments, below what was there.

    Raises PunctError, which says what differs, if the analysis is of another game.
    """
    if not isinstance(game, Game) or not isinstance(analysis, Analysis):
        raise WrongTypeError("remarks are added to a Game from the Analysis of it that analyse_game returned")
    annotated = game.copy()
    nodes = list(annotated.main_line())
    difference = _difference(game, nodes, analysis)
    if difference is not None:
        raise PunctError(f"this is the analysis of another game: {difference}")
    for node, remark in zip(nodes, analysis.remarks, strict=True):
        node.comment = f"{node.comment}\n{remark.text}" if node.comment else remark.text
    return annotated


def _difference(game: Game, nodes: Sequence[Node], analysis: Analysis) -> str | None:
    """Say in what a game's main line is not the one that was analysed; None if it is."""
    if analysis.position and analysis.position != str(game.start):
        return f"it begins with {shorten(analysis.position)}, this one with {shorten(game.start)}"
    for node, remark in zip(nodes, analysis.remarks, strict=False):
        if (node.ply, node.move) != (remark.ply, remark.move):
            return f"its turn {remark.ply} is {remark.move}, that of this one {node.move}"
    if len(nodes) != len(analysis.remarks):
        return f"it has {len(analysis.remarks)} turns, this one {len(nodes)}"
    return None


def _look(position: Position, engine: Engine, limits: Limits | None, variations: int) -> tuple[Variation, ...]:
    """Return the best variations; none where the game is over."""
    return () if position.outcome() is not None else tuple(engine.analyse(position, limits, variations))


def _value(position: Position, seen: tuple[Variation, ...]) -> tuple[float, int]:
    """Return the winning chance of the side to move, and what is proven for it."""
    outcome = position.outcome()
    if outcome is None:
        best = seen[0]
        return (best.score, 0) if not best.proven else (float(best.proven > 0), best.proven)
    if outcome.winner is None:
        return 0.5, 0
    return (1.0 if outcome.winner is position.turn else 0.0), 0


def _white(position: Position, seen: tuple[Variation, ...]) -> float:
    chance, _ = _value(position, seen)
    return chance if position.turn is Colour.WHITE else 1.0 - chance


def _remark(
    node: Node, colour: Colour, before: tuple[Variation, ...], after: Position, seen: tuple[Variation, ...]
) -> Remark:
    assert node.move is not None
    best = before[0]
    chance_before = float(best.proven > 0) if best.proven else best.score
    theirs, their_proof = _value(after, seen)
    mine = 1.0 - theirs
    given_away = 0.0 if node.move is best.move else max(0.0, chance_before - mine)
    outcome = after.outcome()
    won = outcome is not None and outcome.winner is colour
    lost = (outcome is not None and outcome.winner is colour.other) or their_proof > 0
    return Remark(
        node.ply,
        colour,
        node.move,
        _white(after, seen),
        given_away,
        before,
        _judge(best, node.move, given_away, won=won or their_proof < 0, lost=lost),
        -their_proof,
    )


def _judge(best: Variation, move: Move, given_away: float, *, won: bool, lost: bool) -> Judgement | None:
    if move is best.move or won:
        return None
    if best.proven > 0:
        return Judgement.MISSED_WIN
    if lost and best.proven == 0:
        return Judgement.GIVES_WIN
    return judged(given_away)
