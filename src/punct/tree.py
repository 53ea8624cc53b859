"""The tree of a game: nodes with their moves, comments and variations.

Users read ``Node``; its functions here change the tree without checks, for ``Game`` and the readers of records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final

from punct.errors import IllegalMoveError, PunctError, WrongTypeError, shorten
from punct.history import History
from punct.move import Move, MoveLike
from punct.notation import read_move
from punct.outcome import Outcome
from punct.position import Position
from punct.reason import Reason
from punct.tags import find_character

_NOT_IN_COMMENT: Final = "[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]"


class _Unknown(Enum):
    """An outcome that has not been computed."""

    UNKNOWN = 0


_UNKNOWN: Final = _Unknown.UNKNOWN


class Node:
    """A point in a game: the start, or the position after a move. Its first child is the continuation."""

    __slots__ = ("_before", "_by_rules", "_children", "_comment", "_declared", "_move", "_parent", "_ply", "_start")

    def __init__(self, parent: Node | None, move: Move | None, start: Position) -> None:
        """Make a node by hand; ``Game.push`` and ``add`` are meant for use."""
        self._parent = self._before = parent  # the second stays when it is taken out of its game
        self._move = move
        self._ply: int = parent._ply + 1 if parent is not None else 0
        self._declared: Outcome | None = None
        self._start = start
        self._comment = ""
        self._by_rules: Outcome | _Unknown | None = _UNKNOWN  # cached: the moves that lead here never change
        self._children: dict[Move, Node] = {}

    @property
    def move(self) -> Move | None:
        """The move that led here; None at the start."""
        return self._move

    @property
    def parent(self) -> Node | None:
        """The node before it; None at the start, and of one that was taken out of its game."""
        return self._parent

    @property
    def ply(self) -> int:
        """How many moves it is from the start."""
        return self._ply

    @property
    def declared(self) -> Outcome | None:
        """A resignation, agreed draw or loss on time that ended the game here; ``Game`` has the methods for it."""
        return self._declared

    @property
    def comment(self) -> str:
        """A remark about this position; at the start, about the game. Line breaks become ``\\n``."""
        return self._comment

    @comment.setter
    def comment(self, text: str) -> None:
        if not isinstance(text, str):
            raise WrongTypeError(f"a comment is a text, not {type(text).__name__}")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        character = find_character(_NOT_IN_COMMENT, text)
        if character:
            raise PunctError(f"a comment cannot hold the control character {character!r}")
        self._comment = text

    @property
    def children(self) -> tuple[Node, ...]:
        """What was played or proposed next: the continuation first, then variations. Their moves all differ."""
        return tuple(self._children.values())

    @property
    def next(self) -> Node | None:
        """The continuation, or None at the end of a variation."""
        return next(iter(self._children.values()), None)

    @property
    def variations(self) -> tuple[Node, ...]:
        """The alternatives to the continuation."""
        return self.children[1:]

    @property
    def is_main(self) -> bool:
        """Whether it is on the main line: every move that leads here is the first choice."""
        return all(node._before is None or node._before.next is node for node in (self, *self.ancestors()))

    def ancestors(self) -> Iterator[Node]:
        """Go back from the node before this one to the start."""
        node = self._parent
        while node is not None:
            yield node
            node = node._parent

    def moves(self) -> tuple[Move, ...]:
        """Return the moves from the start to here, also of a node that was taken out of its game."""
        moves: list[Move] = []
        node: Node | None = self
        while node is not None and node._move is not None:
            moves.append(node._move)
            node = node._before
        return tuple(reversed(moves))

    def position(self) -> Position:
        """Return a new position, as it stands here, with its moves to take back."""
        position = self._start.copy()
        for move in self.moves():
            position.push(move)
        return position

    def outcome(self) -> Outcome | None:
        """Return how the game is over here, or None."""
        if self._declared is not None:
            return self._declared
        if self._by_rules is _UNKNOWN:
            self._by_rules = History(self._start, self.moves()).outcome()
        return self._by_rules

    def add(self, move: MoveLike) -> Node:
        """Add a continuation or variation, checked like any move, and return its node, which may be there already."""
        return add_child(self, push_checked(self.position(), self.outcome(), move))

    def __repr__(self) -> str:
        if self.move is None:
            return "<Node: start>"
        return f"<Node: move {self.ply}, {self.move}>"


def push_checked(position: Position, outcome: Outcome | None, move: MoveLike) -> Move:
    """Play the move on the position; IllegalMoveError if the game is over even though the position goes on."""
    if outcome is not None:
        raise IllegalMoveError(read_move(move).move, Reason.GAME_OVER, str(position))
    return position.push(move)


def add_child(node: Node, move: Move) -> Node:
    """Return the child that a legal move leads to, made if it is not there."""
    child = node._children.get(move)
    if child is None:
        child = node._children[move] = Node(node, move, node._start)
    return child


def add_moves(node: Node, moves: Iterable[Move], outcome: Outcome | None) -> list[Node]:
    """Add moves one after the other that are known to be legal, the last of which leads to this outcome by the rules.

    For readers of records, which have had them checked already; ``Game.push`` and ``Node.add`` check for themselves.
    """
    nodes = []
    for move in moves:
        node._by_rules = None  # or it could not have gone on
        node = add_child(node, move)
        nodes.append(node)
    node._by_rules = outcome
    return nodes


def detach(node: Node) -> None:
    """Take a node, which is not the start, out of its game with all that follows it."""
    assert node._parent is not None and node._move is not None
    del node._parent._children[node._move]
    node._parent = None


def make_first(node: Node) -> None:
    """Make a node, which is not the start, the continuation of its parent."""
    assert node._parent is not None and node._move is not None
    siblings = node._parent._children
    others = {move: sibling for move, sibling in siblings.items() if sibling is not node}
    siblings.clear()
    siblings[node._move] = node
    siblings.update(others)


def declare(node: Node, outcome: Outcome | None) -> None:
    """Set how the players ended the game at a node; None takes it back."""
    node._declared = outcome


def set_outcome(node: Node, outcome: Outcome | None) -> None:
    """Set how the rules end the game at a node, known from elsewhere."""
    node._by_rules = outcome


def is_outcome_known(node: Node) -> bool:
    """Return whether a node's outcome needs no replay of its moves."""
    return node._by_rules is not _UNKNOWN


def path_between(start: Node, target: Node) -> tuple[int, list[Node]]:
    """Return how many moves to take back, then the nodes to go through, to come from one node of a game to another."""
    if not isinstance(target, Node):
        raise WrongTypeError(f"places in a game are its nodes (root, main_line(), nodes()), not {shorten(target)}")
    common, step = start, target
    nodes = []
    while common is not step:
        before = step._parent if step._ply >= common._ply else common._parent
        if before is None:
            raise PunctError(f"{target!r} is not in this game")
        if step._ply >= common._ply:
            nodes.append(step)
            step = before
        else:
            common = before
    nodes.reverse()
    return start.ply - common.ply, nodes
