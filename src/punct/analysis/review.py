"""The review of a game, move by move: winning chances, missed wins, better moves; as comments in its record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from punct.analysis.scale import LONGEST_VARIATION, Judgement, accuracy, judge_loss
from punct.engine.core import Engine
from punct.engine.limits import Limits
from punct.engine.variations import Variation, moves_to_win
from punct.errors import PunctError, WrongTypeError, expect, expect_callable, shorten
from punct.game import Game
from punct.move import Move
from punct.piece import Colour
from punct.position import Position
from punct.tree import Node


@dataclass(frozen=True, slots=True)
class Remark:
    """The engine's verdict on one move of the game."""

    ply: int
    """From 1."""
    colour: Colour
    move: Move
    chance: float
    """White's winning chance after the move."""
    given_away: float
    """How much winning chance the move cost its player; 0 for the best move."""
    variations: tuple[Variation, ...]
    """What could be played instead, best first."""
    judgement: Judgement | None
    proven: int
    """After the move, for its player: 0 open, n wins in n more plies, -n loses."""

    @property
    def best(self) -> Variation:
        """The best move there was."""
        return self.variations[0]

    @property
    def text(self) -> str:
        """The remark as a comment."""
        parts = [f"White {100 * self.chance:.0f} %"]
        if self.proven:
            winner = self.colour if self.proven > 0 else self.colour.other
            parts = [f"{winner} wins in {moves_to_win(self.proven)}"]
        if self.judgement is not None:
            parts.append(str(self.judgement))
            variation = " ".join(str(move) for move in self.best.pv[:LONGEST_VARIATION])
            parts.append(f"better ({self.best.words}): {variation}")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The engine's review of a game."""

    start: float
    """White's winning chance before the first move."""
    remarks: tuple[Remark, ...]
    position: str = ""
    """The position before the first move; empty if it is not known."""

    @property
    def curve(self) -> list[float]:
        """White's winning chance, from the start to the end."""
        return [self.start, *(remark.chance for remark in self.remarks)]

    def svg(self, *, theme: str = "light", title: str = "") -> str:
        """Return the curve as a picture."""
        from punct.analysis import curve  # loaded for a picture alone

        return curve.svg(self, theme=theme, title=title)

    def png(self, *, theme: str = "light", title: str = "") -> bytes:
        """Return the curve as a PNG image."""
        from punct.analysis import curve

        return curve.png(self, theme=theme, title=title)

    def _repr_svg_(self) -> str:
        return self.svg()

    def count(self, colour: Colour, judgement: Judgement) -> int:
        """Return how often a player deserved this judgement."""
        return sum(remark.colour is colour and remark.judgement is judgement for remark in self.remarks)

    def accuracy(self, colour: Colour) -> float | None:
        """Return how accurately a player played, in percent; None if they made no move."""
        return accuracy([remark.given_away for remark in self.remarks if remark.colour is colour])


def analyse_game(
    game: Game,
    engine: Engine | None = None,
    limits: Limits | None = None,
    variations: int = 3,
    on_progress: Callable[[int], None] | None = None,
) -> Analysis:
    """Review every move of the main line; ``on_progress`` is called with the number of positions done.

    Without an engine a new one is used; without ``limits`` it searches each position for a second, as when playing.
    """
    if not isinstance(game, Game):
        raise WrongTypeError(f"a Game is reviewed, not {type(game).__name__}; Engine.analyse takes a position")
    expect_callable(on_progress, "on_progress is a function of a number")
    engine = Engine() if engine is None else expect(engine, Engine, "a game is reviewed by an Engine")
    position = game.start
    current = _analyse(position, engine, limits, variations)
    start = _white(position, current)
    remarks = []
    if on_progress is not None:
        on_progress(1)
    for node in game.main_line():
        assert node.move is not None
        colour, before = position.turn, current
        position.push(node.move)
        current = _analyse(position, engine, limits, variations)
        remarks.append(_remark(node, colour, before, position, current))
        if on_progress is not None:
            on_progress(node.ply + 1)
    return Analysis(start, tuple(remarks), str(game.start))


def annotate(game: Game, analysis: Analysis) -> Game:
    """Return a copy of the game with the remarks as comments, below existing ones.

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
    """Say how a game's main line differs from the one that was analysed; None if it does not."""
    if analysis.position and analysis.position != str(game.start):
        return f"it begins with {shorten(analysis.position)}, this one with {shorten(game.start)}"
    for node, remark in zip(nodes, analysis.remarks, strict=False):
        if (node.ply, node.move) != (remark.ply, remark.move):
            return f"its move {remark.ply} is {remark.move}, that of this one {node.move}"
    if len(nodes) != len(analysis.remarks):
        return f"it has {len(analysis.remarks)} moves, this one {len(nodes)}"
    return None


def _analyse(position: Position, engine: Engine, limits: Limits | None, variations: int) -> tuple[Variation, ...]:
    """Return the best variations; none if the game is over."""
    return () if position.outcome() is not None else tuple(engine.analyse(position, limits, variations))


def _value(position: Position, variations: tuple[Variation, ...]) -> tuple[float, int]:
    """Return the winning chance of the side to move, and what is proven for it."""
    outcome = position.outcome()
    if outcome is None:
        best = variations[0]
        return (best.score, 0) if not best.proven else (float(best.proven > 0), best.proven)
    if outcome.winner is None:
        return 0.5, 0
    return (1.0 if outcome.winner is position.turn else 0.0), 0


def _white(position: Position, variations: tuple[Variation, ...]) -> float:
    chance, _ = _value(position, variations)
    return chance if position.turn is Colour.WHITE else 1.0 - chance


def _remark(
    node: Node, colour: Colour, before: tuple[Variation, ...], after: Position, current: tuple[Variation, ...]
) -> Remark:
    assert node.move is not None
    best = before[0]
    chance_before = float(best.proven > 0) if best.proven else best.score
    theirs, their_proof = _value(after, current)
    mine = 1.0 - theirs
    given_away = 0.0 if node.move is best.move else max(0.0, chance_before - mine)
    outcome = after.outcome()
    is_won = outcome is not None and outcome.winner is colour
    is_lost = (outcome is not None and outcome.winner is colour.other) or their_proof > 0
    return Remark(
        node.ply,
        colour,
        node.move,
        _white(after, current),
        given_away,
        before,
        _judge(best, node.move, given_away, is_won=is_won or their_proof < 0, is_lost=is_lost),
        -their_proof,
    )


def _judge(best: Variation, move: Move, given_away: float, *, is_won: bool, is_lost: bool) -> Judgement | None:
    if move is best.move or is_won:
        return None
    if best.proven > 0:
        return Judgement.MISSED_WIN
    if is_lost and best.proven == 0:
        return Judgement.GIVES_WIN
    return judge_loss(given_away)
