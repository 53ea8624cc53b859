"""Write the text record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from punct.game import Game
from punct.piece import Colour
from punct.records.ending import final_outcome
from punct.tree import Node

_WIDTH: Final = 80


def write_text(games: Iterable[Game]) -> str:
    """Write games as text records, one after the other."""
    return "\n".join(_write_game(game) for game in games)


def _write_game(game: Game) -> str:
    outcome = final_outcome(game)
    start = game.start
    tags = dict(game.tags)
    tags["Rules"] = str(start.rules)
    if str(start) != f"{start.rules} w":
        tags["Position"] = str(start)
    tags["Result"] = outcome.result() if outcome else "*"
    if outcome:
        tags["Termination"] = str(outcome.reason)
    lines = ["[" + name + " " + _enclose('"', value, '"') + "]" for name, value in tags.items()]
    return "\n".join((*lines, "", _wrap((*_move_text(game), tags["Result"])), ""))


def _enclose(opening: str, text: str, closing: str) -> str:
    """Escape backslashes and the closing character, and enclose the text."""
    return opening + text.replace("\\", "\\\\").replace(closing, "\\" + closing) + closing


def _move_text(game: Game) -> list[str]:
    """Return the numbered moves, comments and variations as words, which line wrapping does not split."""
    words: list[str] = []
    if game.root.comment:
        words.append(_enclose("{", game.root.comment, "}"))
    black_began = game.start.turn is Colour.BLACK
    opened = ""
    number_black = True  # also after anything that interrupts the moves
    for step in _steps(game.root):
        if step == "(":
            opened, number_black = "(", True
        elif step == ")":
            words[-1] += ")"
            number_black = True
        else:
            assert isinstance(step, Node)
            full, is_black = divmod(step.ply - 1 + black_began, 2)
            number = "" if is_black and not number_black else f"{full + 1}{'...' if is_black else '.'} "
            words.append(f"{opened}{number}{step.move}")
            opened, number_black = "", False
            if step.comment:
                words.append(_enclose("{", step.comment, "}"))
                number_black = True
    return words


def _steps(root: Node) -> Iterator[Node | str]:
    """Yield the nodes in the order they are written, with the parentheses around variations."""
    waiting: list[Node | str] = []
    if root.next is not None:
        waiting.append(root.next)
    while waiting:
        step = waiting.pop()
        yield step
        if isinstance(step, str):
            continue
        if step.next is not None:
            waiting.append(step.next)
        assert step.parent is not None
        if step.parent.next is step:
            for variation in reversed(step.parent.variations):
                waiting += (")", variation, "(")


def _wrap(words: Iterable[str]) -> str:
    """Join words to lines. Comments may have line breaks of their own, which stay."""
    parts: list[str] = []
    column = 0
    for word in words:
        first, *rest = word.split("\n")
        if parts and column + 1 + len(first) > _WIDTH:
            parts.append("\n")
            column = 0
        elif parts:
            parts.append(" ")
            column += 1
        parts.append(word)
        column = len(rest[-1]) if rest else column + len(first)
    return "".join(parts)
