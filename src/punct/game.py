"""A played game: its turns with comments and variations, who played it, and how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple

from punct.contract import Start
from punct.errors import IllegalMoveError, PunctError, WrongTypeError, shorten
from punct.move import Move, MoveLike
from punct.notation import read_move
from punct.outcome import Ending, Outcome
from punct.piece import Colour, read_player
from punct.position import Position
from punct.reason import Reason

DERIVED_TAGS: Final = frozenset({"Rules", "Position", "FEN", "Result", "Termination"})
"""What records write as tags but the game itself knows, so that it cannot be told two ways."""

_LONGEST_TAG_NAME: Final = 64
# Half a surrogate pair cannot be stored in a file; control characters have no place in a text people read.
_NOT_IN_TAG: Final = "[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]"
_NOT_IN_COMMENT: Final = "[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]"
TIMES_TO_DRAW: Final = 3
"""How often a position stands when the game is a draw (reading 4)."""


class Tags(dict[str, str]):
    """What is known about a game: ``White``, ``Black``, ``Date``, ``Event`` and any other name one likes.

    Values lose surrounding blanks. What could not be written to a record is refused with a PunctError.
    """

    def __init__(self, tags: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.update(tags or {})

    def __setitem__(self, name: str, value: str) -> None:
        super().__setitem__(name, _tag_value(name, value))

    def update(self, tags: Mapping[str, str], /) -> None:  # type: ignore[override]  # dict's own would not check
        """Set several tags, or none of them if one is refused."""
        super().update({name: _tag_value(name, value) for name, value in tags.items()})

    def setdefault(self, name: str, value: str, /) -> str:
        """Set a tag that is not there yet, and return what it is."""
        if name not in self:
            self[name] = value
        return self[name]

    def __ior__(self, tags: Mapping[str, str], /) -> Tags:  # type: ignore[override,misc]  # as above
        self.update(tags)
        return self

    def copy(self) -> Tags:
        """Return an independent copy."""
        return Tags(self)


def _tag_value(name: str, value: str) -> str:
    """Return the value as it is kept, or raise if no record could hold such a tag."""
    if not isinstance(name, str) or not isinstance(value, str):
        raise WrongTypeError("a tag's name and value are texts")
    if not (name.isascii() and name.isidentifier() and name[0] != "_" and len(name) <= _LONGEST_TAG_NAME):
        raise PunctError(f"{shorten(name)} cannot name a tag: use letters, digits and _, beginning with a letter")
    if name in DERIVED_TAGS:
        raise PunctError(f"the tag {name} follows from the game itself and cannot be set")
    value = value.strip()
    if not value:
        raise PunctError(f"the tag {name} is empty; leave it out instead")
    if _first_of(_NOT_IN_TAG, value):
        raise PunctError(f"the tag {name} holds a line break or control character: {shorten(value)}")
    return value


def _first_of(characters: str, text: str) -> str | None:
    """Return the first of some unprintable characters in a text, or None."""
    if text.isprintable():
        return None
    import re  # few texts need it

    found = re.search(characters, text)
    return found[0] if found else None


class Unknown(Enum):
    """What nobody has worked out yet."""

    UNKNOWN = 0


UNKNOWN: Final = Unknown.UNKNOWN


class Node:
    """A point in a game: the start, or the moment after a turn. Its first child continues the line it is on."""

    __slots__ = ("_before", "_children", "_comment", "_declared", "_move", "_parent", "_ply", "_ruled", "_start")

    def __init__(self, parent: Node | None, move: Move | None, start: Position) -> None:
        """Make a node by hand; ``Game.push`` and ``add`` are meant for use."""
        self._parent = self._before = parent  # the second stays when it is taken out of its game
        self._move = move
        self._ply: int = parent._ply + 1 if parent is not None else 0
        self._declared: Outcome | None = None
        self._start = start
        self._comment = ""
        self._ruled: Outcome | Unknown | None = UNKNOWN  # the turns that lead here never change, so it is kept
        self._children: dict[Move, Node] = {}

    @property
    def move(self) -> Move | None:
        """The turn that led here; None at the start."""
        return self._move

    @property
    def parent(self) -> Node | None:
        """The node before it; None at the start, and of one that was taken out of its game."""
        return self._parent

    @property
    def ply(self) -> int:
        """How many turns it is from the start."""
        return self._ply

    @property
    def declared(self) -> Outcome | None:
        """A resignation, agreed draw or loss on time that ended the game here; ``Game`` has the methods for it."""
        return self._declared

    @property
    def comment(self) -> str:
        """What somebody remarked about this moment; at the start, about the game. Line breaks become ``\\n``."""
        return self._comment

    @comment.setter
    def comment(self, text: str) -> None:
        if not isinstance(text, str):
            raise WrongTypeError(f"a comment is a text, not {type(text).__name__}")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        found = _first_of(_NOT_IN_COMMENT, text)
        if found:
            raise PunctError(f"a comment cannot hold the control character {found!r}")
        self._comment = text

    @property
    def children(self) -> tuple[Node, ...]:
        """What was played or proposed next: the continuation first, then variations. Their turns all differ."""
        return tuple(self._children.values())

    @property
    def next(self) -> Node | None:
        """The continuation, or None at the end of a line."""
        return next(iter(self._children.values()), None)

    @property
    def variations(self) -> tuple[Node, ...]:
        """The alternatives to the continuation."""
        return self.children[1:]

    @property
    def is_main(self) -> bool:
        """Whether it is on the main line: every turn that leads here is the first choice."""
        return all(node._before is None or node._before.next is node for node in (self, *self.ancestors()))

    def ancestors(self) -> Iterator[Node]:
        """Go back from the node before this one to the start."""
        node = self._parent
        while node is not None:
            yield node
            node = node._parent

    def moves(self) -> tuple[Move, ...]:
        """Return the turns from the start to here, also of a node that was taken out of its game."""
        moves: list[Move] = []
        node: Node | None = self
        while node is not None and node._move is not None:
            moves.append(node._move)
            node = node._before
        return tuple(reversed(moves))

    def position(self) -> Position:
        """Return a new position, as it stands here, with its turns to take back."""
        position = self._start.copy()
        for move in self.moves():
            position.push(move)
        return position

    def outcome(self) -> Outcome | None:
        """Return how the game is over here, or None."""
        if self._declared is not None:
            return self._declared
        if self._ruled is UNKNOWN:
            self._ruled = _Trail(self).outcome()
        return self._ruled

    def add(self, move: MoveLike) -> Node:
        """Add a continuation or variation, checked like any turn, and return its node; an equal one is found again."""
        position = self.position()
        played = _checked(position, self.outcome(), move)
        return self._child(played)

    def _child(self, move: Move) -> Node:
        node = self._children.get(move)
        if node is None:
            node = self._children[move] = Node(self, move, self._start)
        return node

    def __repr__(self) -> str:
        if self.move is None:
            return "<Node: start>"
        return f"<Node: turn {self.ply}, {self.move}>"


def lay_nodes(node: Node, moves: Iterable[Move], outcome: Outcome | None) -> list[Node]:
    """Add turns one after the other that are known to be legal, the last of which leads to this outcome by the rules.

    For readers of records, which have had them checked already; ``Game.push`` and ``Node.add`` check for themselves.
    """
    nodes = []
    for move in moves:
        node._ruled = None  # or it could not have gone on
        node = node._child(move)
        nodes.append(node)
    node._ruled = outcome
    return nodes


def lay_game(game: Game, moves: Sequence[Move], outcome: Outcome | None) -> None:
    """Give a new game its turns, which are known to be legal and of which the last leads to this outcome.

    As ``lay_nodes``, but nodes are made of them only when somebody looks.
    """
    assert game._root is game._current
    game._unlaid = tuple(moves)
    game._ruled, game._declared = outcome, None
    if not moves:
        game._root._ruled = outcome


def way(here: Node, there: Node) -> tuple[int, list[Node]]:
    """Return how many turns to take back, then the nodes to go through, to come from one node of a game to another."""
    if not isinstance(there, Node):
        raise WrongTypeError(f"places in a game are its nodes (root, main_line(), nodes()), not {shorten(there)}")
    common, step = here, there
    nodes = []
    while common is not step:
        before = step._parent if step._ply >= common._ply else common._parent
        if before is None:
            raise PunctError(f"{there!r} is not in this game")
        if step._ply >= common._ply:
            nodes.append(step)
            step = before
        else:
            common = before
    nodes.reverse()
    return here.ply - common.ply, nodes


class _Trail:
    """The way to a node on a board, with every position on it, so that repetitions are noticed."""

    def __init__(self, node: Node) -> None:
        self.position = node._start.copy()
        self._keys = [self.position.key]
        self._seen = Counter(self._keys)
        for move in node.moves():
            self.position.push(move)
            self.arrive()

    def arrive(self) -> None:
        """Follow the position, on which a turn has just been played."""
        key = self.position.key
        self._keys.append(key)
        self._seen[key] += 1

    def leave(self) -> None:
        """Take the last turn back."""
        self.position.pop()
        key = self._keys.pop()
        self._seen[key] -= 1
        if not self._seen[key]:
            del self._seen[key]

    @property
    def repetitions(self) -> int:
        """How often the position at the end has stood."""
        return self._seen[self._keys[-1]]

    def outcome(self) -> Outcome | None:
        """Return how the turns have ended the game."""
        outcome = self.position.outcome()
        if outcome is None and self.repetitions >= TIMES_TO_DRAW:
            return Outcome(None, Ending.REPETITION)  # reading 4
        return outcome


def _checked(position: Position, outcome: Outcome | None, move: MoveLike) -> Move:
    """Play the turn on the position, unless the game is over even though the position goes on."""
    if outcome is not None:
        raise IllegalMoveError(read_move(move).move, Reason.GAME_OVER, str(position))
    return position.push(move)


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
        self._start = Position(start)  # also forgets turns played before: the game starts here
        self._tags = Tags(tags)
        self._root = self._current = Node(None, None, self._start)
        self._unlaid: tuple[Move, ...] = ()
        self._ruled: Outcome | None = None  # these two are of the last of the turns not yet laid
        self._declared: Outcome | None = None
        self._shown: Position | None = None
        self._walked: _Trail | None = None

    @property
    def root(self) -> Node:
        """The start of the tree."""
        if self._unlaid:
            self._lay_out()
        return self._root

    @property
    def _node(self) -> Node:
        if self._unlaid:
            self._lay_out()
        return self._current

    def _lay_out(self) -> None:
        """Make nodes of the turns that were taken over, and stand at their end."""
        moves, self._unlaid = self._unlaid, ()
        self._current = lay_nodes(self._root, moves, self._ruled)[-1]
        self._current._declared = self._declared

    @property
    def _trail(self) -> _Trail:
        """The way to the current node on a board, made when it is first asked for: games are often only read."""
        if self._walked is None:
            self._walked = _Trail(self._node)
        return self._walked

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
        if self._shown is None:
            self._shown = self._trail.position.frozen()
        return self._shown

    @property
    def node(self) -> Node:
        """The current node."""
        return self._node

    @property
    def moves(self) -> tuple[Move, ...]:
        """The turns from the start to the current node."""
        return self._unlaid or self._current.moves()

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
        line = []
        children = self.root._children
        while children:
            node = next(iter(children.values()))
            line.append(node)
            children = node._children
        return tuple(line)

    def nodes(self) -> Iterator[Node]:
        """Yield every node: each line to its end before the variations that leave it last."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    # ------------------------------------------------------------------ playing

    def push(self, move: MoveLike) -> Move:
        """Play a turn from the current node and go there; where one was played already, it becomes a variation.

        Raises IllegalMoveError, also when the game is over; then nothing has changed.
        """
        trail = self._trail
        played = _checked(trail.position, self.outcome(), move)
        trail.arrive()
        self._stand_at(self._node._child(played))
        return played

    def pop(self) -> Move:
        """Take back the turn that led to the current node, with all that followed it; IndexError at the start."""
        node = self._node
        if node.move is None:
            raise IndexError("no turn to take back")
        self.back()
        del self._node._children[node.move]
        node._parent = None
        return node.move

    def resign(self, colour: Colour) -> None:
        """End the game: this player gives up."""
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
        self._node._declared = None

    def _declare(self, outcome: Outcome) -> None:
        over = self.outcome()
        if over is not None:
            raise PunctError(f"the game is already over: {over}")
        if self._unlaid:  # the current node is the last one
            self._declared = outcome
            return
        if self._node.next is not None or not self._node.is_main:
            raise PunctError("a game ends after the last turn of its main line; go there first")
        self._node._declared = outcome

    # ------------------------------------------------------------------ how it stands

    @property
    def repetitions(self) -> int:
        """How often the current position has stood, with the same player to move; the third time is a draw."""
        return self._trail.repetitions

    def outcome(self) -> Outcome | None:
        """Return how the game is over at the current node, or None while it goes on there."""
        if self._unlaid:
            return self._declared or self._ruled
        if self._node._ruled is UNKNOWN:
            self._node._ruled = self._trail.outcome()
        return self._node.outcome()

    def result(self) -> str:
        """Return ``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` while the game goes on at the current node."""
        outcome = self.outcome()
        return outcome.result() if outcome else "*"

    # ------------------------------------------------------------------ moving about in the tree

    def go_to(self, node: Node) -> None:
        """Make a node of this game the current one."""
        backwards, nodes = way(self._node, node)
        if self._walked is not None:
            for _ in range(backwards):
                self._walked.leave()
            for step in nodes:
                assert step.move is not None
                self._walked.position.push(step.move)
                self._walked.arrive()
        self._stand_at(node)

    def go_to_start(self) -> None:
        """Go to the start of the game."""
        self.go_to(self.root)

    def go_to_end(self) -> None:
        """Go to the end of the main line."""
        if self._unlaid:
            return
        line = self.main_line()
        self.go_to(line[-1] if line else self.root)

    def back(self) -> bool:
        """Go one turn back, keeping what was played; False at the start."""
        if self._node.parent is None:
            return False
        self.go_to(self._node.parent)
        return True

    def forward(self) -> bool:
        """Go on to the continuation; False at the end of a line."""
        node = self._node.next
        if node is None:
            return False
        self.go_to(node)
        return True

    def remove(self, node: Node) -> None:
        """Remove a node with all that follows it. The current node may not be among them."""
        if node.parent is None or node.move is None or self.root not in set(node.ancestors()):
            raise PunctError(f"{node!r} cannot be removed from this game")
        if node in {self._node, *self._node.ancestors()}:
            raise PunctError("the current node is in the line to be removed; go elsewhere first")
        del node.parent._children[node.move]
        node._parent = None

    def promote(self, node: Node) -> None:
        """Make a variation the continuation of its parent."""
        if node.parent is None or node.move is None or self.root not in set(node.ancestors()):
            raise PunctError(f"{node!r} is not a variation of this game")
        end = (self.root, *self.main_line())[-1]
        if end.declared is not None and node.parent in set(end.ancestors()) and node.parent.next is not node:
            raise PunctError(f"the game ended on its main line ({end.declared}); reopen it first")
        siblings = node.parent._children
        others = {move: sibling for move, sibling in siblings.items() if sibling is not node}
        siblings.clear()
        siblings[node.move] = node
        siblings.update(others)

    def _stand_at(self, node: Node) -> None:
        """Make this node the current one, to which the trail, if there is one, has been followed."""
        self._current = node
        self._shown = None

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
        """Compare start, tags, turns, comments, variations and endings; the current node does not matter."""
        if not isinstance(other, Game):
            return NotImplemented
        if self._start != other._start or self._tags != other._tags:
            return False
        return self._flatten()[0] == other._flatten()[0]

    __hash__ = None  # type: ignore[assignment]  # games change

    def __repr__(self) -> str:
        players = " – ".join(self._tags.get(str(colour), "?") for colour in Colour)
        return f"<Game {players}: {len(self.main_line())} turns, now at turn {self._node.ply}, {self.result()}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: a board on which one can step through the game."""
        from punct.picture import html  # pictures stand above games; only this convenience looks up

        return html(self)


def _rebuild(start: Position, tags: Mapping[str, str], flat: Iterable[_FlatNode], current: int) -> Game:
    game = Game(start, tags)
    nodes: list[Node] = []
    for parent, move, comment, declared in flat:
        node = nodes[parent]._child(move) if move is not None else game.root
        node._comment, node._declared = comment, declared
        nodes.append(node)
    game.go_to(nodes[current])
    return game
