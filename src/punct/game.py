"""A played game: its moves with comments and variations, who played it, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from punct.contract import Start
from punct.errors import PunctError, expect
from punct.history import History
from punct.move import Move, MoveLike
from punct.outcome import Ending, Outcome
from punct.piece import Colour, read_player
from punct.position import Position
from punct.tags import Tags
from punct.tree import (
    Node,
    add_child,
    add_moves,
    declare,
    detach,
    is_outcome_known,
    make_first,
    path_between,
    push_checked,
    set_outcome,
)


def load_moves(game: Game, moves: Sequence[Move], outcome: Outcome | None) -> None:
    """Give a new game its moves, which are known to be legal and of which the last leads to this outcome by the rules.

    As ``tree.add_moves``, but nodes are made of them only when they are needed: games are often only read.
    """
    assert game._root is game._current
    game._pending = tuple(moves)
    game._pending_outcome, game._pending_declaration = outcome, None
    if not moves:
        set_outcome(game._root, outcome)


class _FlatNode(NamedTuple):
    """A node as a plain value: trees of any depth compare, copy and pickle without recursion."""

    parent: int
    move: Move | None
    comment: str
    declared: Outcome | None


class Game:
    """A game with its history. ``push`` plays on from the current node; ``go_to`` moves about in the tree.

    >>> game = Game(tags={"White": "Anna", "Black": "Ben"})
    >>> game.push("Ed5ne")
    Move.parse('Ed5ne')
    >>> game.push("Tl5s")
    Move.parse('Tl5s')
    >>> game.resign(Colour.WHITE)
    >>> str(game.outcome()), game.result()
    ('Black wins (resignation)', '0-1')
    """

    def __init__(self, start: Start = "standard w", tags: Mapping[str, str] | None = None) -> None:
        """Begin a game from a position, its text, or the rules; raises InvalidPositionError if it is none."""
        self._start = Position(start)  # also forgets moves played before: the game starts here
        self._tags = Tags(tags)
        self._root = self._current = Node(None, None, self._start)
        self._pending: tuple[Move, ...] = ()
        self._pending_outcome: Outcome | None = None  # these two are of the last pending move
        self._pending_declaration: Outcome | None = None
        self._view: Position | None = None
        self._cached_history: History | None = None

    @property
    def root(self) -> Node:
        """The start of the tree."""
        if self._pending:
            self._add_pending()
        return self._root

    @property
    def _node(self) -> Node:
        if self._pending:
            self._add_pending()
        return self._current

    def _add_pending(self) -> None:
        """Make nodes of the pending moves, and stand at their end."""
        moves, self._pending = self._pending, ()
        self._current = add_moves(self._root, moves, self._pending_outcome)[-1]
        declare(self._current, self._pending_declaration)

    @property
    def _history(self) -> History:
        """The positions up to the current node, made when first needed: games are often only read."""
        if self._cached_history is None:
            self._cached_history = History(self._start, self._node.moves())
        return self._cached_history

    # ------------------------------------------------------------------ what it is

    @property
    def tags(self) -> Tags:
        """Players, date, event and so on, in the order they were set."""
        return self._tags

    @tags.setter
    def tags(self, tags: Mapping[str, str]) -> None:
        self._tags = Tags(tags)

    @property
    def start(self) -> Position:
        """The position the game began from, as a new object."""
        return self._start.copy()

    @property
    def position(self) -> Position:
        """The position at the current node, to look at: it stays as it is when the game goes on.

        It cannot be played on, for that would not be the game: ``push`` is the game's, and its ``copy()`` is yours.
        """
        if self._view is None:
            self._view = self._history.position.frozen()
        return self._view

    @property
    def node(self) -> Node:
        """The current node."""
        return self._node

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves from the start to the current node."""
        return self._pending or self._current.moves()

    @property
    def comment(self) -> str:
        """The comment of the current node."""
        return self._node.comment

    @comment.setter
    def comment(self, text: str) -> None:
        self._node.comment = text

    def positions(self) -> Iterator[Position]:
        """Yield the positions from the start to the current node, each a new object."""
        position = self.start
        yield position.copy()
        for move in self.moves:
            position.push(move)
            yield position.copy()

    def main_line(self) -> tuple[Node, ...]:
        """Return the nodes of the game as it was played, after the start."""
        nodes = []
        node = self.root.next
        while node is not None:
            nodes.append(node)
            node = node.next
        return tuple(nodes)

    def nodes(self) -> Iterator[Node]:
        """Yield every node: each variation to its end before those that leave it last."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    # ------------------------------------------------------------------ playing

    def push(self, move: MoveLike) -> Move:
        """Play a move from the current node and go there; where one was played already, it becomes a variation.

        Raises IllegalMoveError, also when the game is over; then nothing has changed.
        """
        history = self._history
        played = push_checked(history.position, self.outcome(), move)
        history.count()
        self._stand_at(add_child(self._node, played))
        return played

    def pop(self) -> Move:
        """Take back the move that led to the current node, with all that followed it; IndexError at the start."""
        node = self._node
        if node.move is None:
            raise IndexError("no move to take back")
        self.back()
        detach(node)
        return node.move

    def resign(self, colour: Colour) -> None:
        """End the game: this player resigns."""
        self._declare(Outcome(read_player(colour).other, Ending.RESIGNATION))

    def agree_draw(self) -> None:
        """End the game: both players agree to a draw."""
        self._declare(Outcome(None, Ending.AGREEMENT))

    def lose_on_time(self, colour: Colour) -> None:
        """End the game: this player's time has run out."""
        self._declare(Outcome(read_player(colour).other, Ending.TIME))

    def reopen(self) -> None:
        """Take back the resignation, agreed draw or loss on time declared at the current node."""
        if self._node.declared is None:
            raise PunctError("nobody resigned, agreed to a draw or ran out of time here")
        declare(self._node, None)

    def _declare(self, outcome: Outcome) -> None:
        current = self.outcome()
        if current is not None:
            raise PunctError(f"the game is already over: {current}")
        if self._pending:  # the current node is the last one
            self._pending_declaration = outcome
            return
        if self._node.next is not None or not self._node.is_main:
            raise PunctError("a game ends after the last move of its main line; go there first")
        declare(self._node, outcome)

    # ------------------------------------------------------------------ how it stands

    @property
    def repetitions(self) -> int:
        """How often the current position has stood, with the same player to move; the third time is a draw."""
        return self._history.repetitions

    def outcome(self) -> Outcome | None:
        """Return how the game is over at the current node, or None while it goes on there."""
        if self._pending:
            return self._pending_declaration or self._pending_outcome
        if not is_outcome_known(self._node):
            set_outcome(self._node, self._history.outcome())
        return self._node.outcome()

    def result(self) -> str:
        """Return ``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` while the game goes on at the current node."""
        outcome = self.outcome()
        return outcome.result() if outcome else "*"

    # ------------------------------------------------------------------ moving about in the tree

    def go_to(self, node: Node) -> None:
        """Make a node of this game the current one."""
        backwards, nodes = path_between(self._node, node)
        if self._cached_history is not None:
            for _ in range(backwards):
                self._cached_history.pop()
            for step in nodes:
                assert step.move is not None
                self._cached_history.push(step.move)
        self._stand_at(node)

    def go_to_start(self) -> None:
        """Go to the start of the game."""
        self.go_to(self.root)

    def go_to_end(self) -> None:
        """Go to the end of the main line."""
        if self._pending:
            return
        line = self.main_line()
        self.go_to(line[-1] if line else self.root)

    def back(self) -> bool:
        """Go one move back, keeping what was played; False at the start."""
        if self._node.parent is None:
            return False
        self.go_to(self._node.parent)
        return True

    def forward(self) -> bool:
        """Go on to the continuation; False at the end of a variation."""
        node = self._node.next
        if node is None:
            return False
        self.go_to(node)
        return True

    def remove(self, node: Node) -> None:
        """Remove a node with all that follows it. The current node may not be among them."""
        expect(node, Node, "places in a game are its nodes (root, main_line(), nodes())")
        if node.parent is None or node.move is None or self.root not in set(node.ancestors()):
            raise PunctError(f"{node!r} cannot be removed from this game")
        if node in {self._node, *self._node.ancestors()}:
            raise PunctError("the current node is in the variation to be removed; go elsewhere first")
        detach(node)

    def promote(self, node: Node) -> None:
        """Make a variation the continuation of its parent."""
        expect(node, Node, "places in a game are its nodes (root, main_line(), nodes())")
        if node.parent is None or node.move is None or self.root not in set(node.ancestors()):
            raise PunctError(f"{node!r} is not a variation of this game")
        end = (self.root, *self.main_line())[-1]
        if end.declared is not None and node.parent in set(end.ancestors()) and node.parent.next is not node:
            raise PunctError(f"the game ended on its main line ({end.declared}); reopen it first")
        make_first(node)

    def _stand_at(self, node: Node) -> None:
        """Make this node the current one; the history, if there is one, is there already."""
        self._current = node
        self._view = None

    # ------------------------------------------------------------------ as a value

    def copy(self) -> Game:
        """Return an independent game with the same tree, at the same node."""
        flat, current = self._flatten()
        return _rebuild(self._start, self._tags, flat, current)

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        flat, current = self._flatten()
        return _rebuild, (self._start, dict(self._tags), flat, current)

    def _flatten(self) -> tuple[list[_FlatNode], int]:
        numbers: dict[Node | None, int] = {None: -1}
        flat: list[_FlatNode] = []
        for node in self.nodes():
            numbers[node] = len(flat)
            flat.append(_FlatNode(numbers[node.parent], node.move, node.comment, node.declared))
        return flat, numbers[self._node]

    def __eq__(self, other: object) -> bool:
        """Compare start, tags, moves, comments, variations and endings; the current node does not matter."""
        if not isinstance(other, Game):
            return NotImplemented
        if self._start != other._start or self._tags != other._tags:
            return False
        return self._flatten()[0] == other._flatten()[0]

    __hash__ = None  # type: ignore[assignment]  # games change

    def __repr__(self) -> str:
        players = " – ".join(self._tags.get(str(colour), "?") for colour in Colour)
        return f"<Game {players}: {len(self.main_line())} moves, now at move {self._node.ply}, {self.result()}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: a board on which one can step through the game."""
        from punct.picture import html  # pictures stand above games; only this convenience looks up

        return html(self)


def _rebuild(start: Position, tags: Mapping[str, str], flat: Iterable[_FlatNode], current: int) -> Game:
    game = Game(start, tags)
    nodes: list[Node] = []
    for parent, move, comment, declared in flat:
        node = add_child(nodes[parent], move) if move is not None else game.root
        node.comment = comment
        declare(node, declared)
        nodes.append(node)
    game.go_to(nodes[current])
    return game
