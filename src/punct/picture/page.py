"""A game to step through, as self-contained HTML: no script, no font, no other file.

Every ply has a radio button; style rules show the board of the checked one. So arrow keys step through the game, as
through any radio buttons, and a click on a move goes there. What is drawn at several plies is written once and
referenced.
"""

from __future__ import annotations

import secrets
from collections import Counter
from html import escape
from typing import Final

from punct.errors import PunctError, WrongTypeError, expect, shorten
from punct.game import Game
from punct.picture import marks
from punct.picture.drawing import NAME, Picture
from punct.picture.layout import View, read_size
from punct.picture.markup import GROUP, number, plain
from punct.picture.theme import read_theme
from punct.position import Position
from punct.tree import Node

_MIN_SHARED_LENGTH: Final = 60
"""A shorter element is repeated rather than referenced."""


def html(game: Game, *, theme: str = "light", size: int = 480, flipped: bool = False, name: str | None = None) -> str:
    """Return the game as HTML to step through it, as notebooks show it.

    It follows the variation of the current node, which is shown first, to its end. ``name`` begins every id in it, and
    must differ between games on one page; by default it is random.
    """
    if not isinstance(game, Game):
        raise WrongTypeError(f"only a Game can be stepped through, not {type(game).__name__}; svg draws a position")
    if name is not None:
        expect(name, str, "the name of a page is a text")
        if not (name.isascii() and name.replace("-", "").isalnum() and name[0].isalpha()):
            raise PunctError(f"{shorten(name)} cannot begin an id: use letters, digits and -, beginning with a letter")
    return _Page(game, theme, read_size(size), flipped, name or f"punct-{secrets.token_hex(4)}").html()


def _variation(game: Game) -> list[Node]:
    """Return the start, the nodes that lead to the current one, and what continues it."""
    nodes = [*reversed([game.node, *game.node.ancestors()])]
    while (following := nodes[-1].next) is not None:
        nodes.append(following)
    return nodes


class _Page:
    """Builds the HTML of one game."""

    def __init__(self, game: Game, theme: str, size: int, flipped: bool, name: str) -> None:
        self._game, self._size, self._name = game, size, name
        self._theme = read_theme(theme)
        self._view = View.of(flipped=flipped, coordinates=True, around=())
        self._nodes = _variation(game)
        self._current_ply = game.node.ply
        self._positions = [game.start]
        for node in self._nodes[1:]:
            position = self._positions[-1].copy()
            assert node.move is not None
            position.push(node.move)
            self._positions.append(position)

    def html(self) -> str:
        """Return the HTML."""
        name, last = self._name, len(self._nodes) - 1
        radios = "".join(
            f'<input type="radio" name="{name}" id="{name}-{ply}" aria-label="{plain(self._title(ply))}"'
            f"{' checked' if ply == self._current_ply else ''}>"
            for ply in range(last + 1)
        )
        captions = "".join(self._caption(ply, last) for ply in range(last + 1))
        moves = "".join(
            f'<label for="{name}-{node.ply}">{_number(node)}{node.move}</label> ' for node in self._nodes[1:]
        )
        return (
            f'<div class="punct-game" id="{name}"><style>{self._style(last)}</style>'
            f"<p><b>{self._players()}</b></p>{radios}"
            f'<div class="board">{self._board()}</div><div class="said">{captions}</div>'
            f'<p class="turns">{moves}</p></div>\n'
        )

    def _players(self) -> str:
        tags = self._game.tags
        players = f"{tags.get('White', 'White')} – {tags.get('Black', 'Black')}"
        about = [tags[tag] for tag in ("Event", "Date") if tag in tags]
        return escape(", ".join([players, *about]))

    def _title(self, ply: int) -> str:
        move = self._nodes[ply].move
        if move is None:
            return "Start"
        return f"Move {ply}, {self._positions[ply - 1].turn}: {move}"

    def _caption(self, ply: int, last: int) -> str:
        """Return the caption of a ply: its move, comment and variations, and buttons to step."""
        node, name = self._nodes[ply], self._name
        words = escape(self._title(ply))
        outcome = node.outcome() if ply == last else None  # only the end of the variation has one
        if outcome is not None:
            words += f" · <b>{escape(str(outcome))}, {outcome.result()}</b>"
        if node.comment:
            words += f"<br><i>{escape(node.comment).replace(chr(10), '<br>')}</i>"
        others = " ".join(str(other.move) for other in node.variations)
        if others:
            words += f"<br>also: {others}"
        steps = "".join(
            f"<s>{sign}</s>"
            if to == ply or not 0 <= to <= last
            else f'<label for="{name}-{to}" title="{title}">{sign}</label>'
            for sign, to, title in (
                ("|◀", 0, "to the start"), ("◀", ply - 1, "back"), ("▶", ply + 1, "on"), ("▶|", last, "to the end"),
            )
        )  # fmt: skip
        hidden = "" if ply == self._current_ply else " hidden"
        return f'<div class="m{ply}"{hidden}><span class="steps">{steps}</span> {words}</div>'

    def _board(self) -> str:
        """Return one drawing of all plies, each in a group of its own."""
        pictures = [self._picture(position) for position in self._positions]
        frame = self._view.frame
        plies = [list(picture.pieces_and_marks()) for picture in pictures]
        counts = Counter(element for elements in plies for element in elements)
        ids = {
            element: f"{self._name}-d{index}"
            for index, element in enumerate(counts)
            if counts[element] > 1 and len(element) >= _MIN_SHARED_LENGTH
        }
        shared = "".join(f'<g id="{id}">{element}</g>' for element, id in ids.items())
        groups = []
        for ply, elements in enumerate(plies):
            content = "".join(f'<use href="#{ids[each]}"/>' if each in ids else each for each in elements)
            hidden = "" if ply == self._current_ply else ' display="none"'
            groups.append(f'<g class="m{ply}"{hidden}>{content}</g>')
        levels = sorted({piece.level for picture in pictures for piece in picture.position.pieces})
        height = round(self._size * frame.height / frame.width)
        box = f"{number(frame.left)} {number(frame.top)} {number(frame.width)} {number(frame.height)}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self._size}" height="{height}" viewBox="{box}" '
            f'role="img" aria-label="PÜNCT board">{pictures[0].definitions(frame, levels)}{GROUP}'
            f"<defs>{shared}</defs>{pictures[0].page(frame)}{pictures[0].ground()}{''.join(groups)}</g></svg>"
        ).replace(NAME, self._name)

    def _picture(self, position: Position) -> Picture:
        moves = position.moves
        return Picture(
            position=position,
            theme=self._theme,
            view=self._view,
            last=marks.read_last_move(position, moves[-1]) if moves else None,
            highlights={},
            arrows=(),
            ghosts=(),
            chain=position.winning_chain,
            show_blocked=False,
            sets=False,
            size=self._size,
            title=None,
        )

    def _style(self, last: int) -> str:
        here, theme = f"#{self._name}", self._theme
        plies = range(last + 1)
        shown = ",".join(f"{here}-{ply}:checked~div .m{ply}" for ply in plies)
        marked = ",".join(f"{here}-{ply}:checked~.turns label[for={self._name}-{ply}]" for ply in plies)
        return (
            f"{here}{{max-width:{self._size}px;font:14px/1.45 system-ui,sans-serif}}{here} p{{margin:.3em 0}}"
            f"{here} input{{position:absolute;opacity:0;pointer-events:none}}"
            f"{here} svg{{display:block;max-width:100%;height:auto;border-radius:10px}}"
            f"{here} input:focus-visible~.board svg{{outline:3px solid {theme.mark};outline-offset:2px}}"
            f'{here} [class^="m"]{{display:none}}{shown}{{display:block}}'
            f"{here} label{{cursor:pointer;white-space:nowrap;border-radius:4px;padding:0 3px}}"
            f"{here} label:hover{{background:#8883}}"
            f"{here} .steps{{user-select:none;margin-right:.5em}}{here} .steps>*{{padding:0 5px;text-decoration:none}}"
            f"{here} s{{opacity:.3}}{here} .said{{min-height:3em;margin-top:.4em}}"
            f"{here} .turns{{max-height:9em;overflow:auto}}{marked}{{background:{theme.mark};color:#fff}}"
        )


def _number(node: Node) -> str:
    """Return the number before a move of the player who began."""
    return f"<small>{(node.ply + 1) // 2}.</small>&nbsp;" if node.ply % 2 else ""
