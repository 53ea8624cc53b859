"""Write games as Boardspace's SGF."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from punct.game import Game
from punct.geometry import Space
from punct.move import Move
from punct.outcome import Ending, Outcome
from punct.piece import Colour, Kind, Piece
from punct.records.ending import final_outcome
from punct.records.sgf.numbering import kind_of, numbers_of, rotation_of
from punct.records.sgf.properties import DEFAULT_SEATS, GAME_NUMBER, OTHER_TAGS, START, TAG_PROPERTIES
from punct.records.sgf.tree import SgfNode, write_sgf
from punct.tree import Node

_PROPERTIES: Final = {tag: name for name, tag in TAG_PROPERTIES.items()}
_PLAYER: Final = {colour: name for name, colour in DEFAULT_SEATS.items()}
_SEAT_MAP: Final = "0,1"
_SETUP: Final = "punct 2 0 101"
_RESULT_SUFFIXES: Final = {Ending.RESIGNATION: "R", Ending.TIME: "T"}


class _WrittenMove(NamedTuple):
    """A written move, with what is needed to take it back."""

    node: Node
    number: int
    origin: Space | None
    last: SgfNode
    actions: int


class _Numbers:
    """The space of each number's PÜNCT. A legal move moves the last piece that came to its origin."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self._spaces: dict[int, Space] = {}
        self._stacks: dict[Space, list[int]] = {}
        for piece in pieces:
            self.put(self.in_set(piece.colour, piece.kind), piece.space)

    def in_set(self, colour: Colour, kind: Kind) -> int:
        """Return the lowest number of this kind that a player still has in the set."""
        return next(number for number in numbers_of(colour, kind) if number not in self._spaces)

    def on(self, space: Space) -> int:
        """Return the number of the piece that shows its PÜNCT on a space."""
        return self._stacks[space][-1]

    def put(self, number: int, space: Space | None) -> None:
        """Move a number from the top of its stack to a space; None is the set."""
        before = self._spaces.pop(number, None)
        if before is not None:
            assert self._stacks[before].pop() == number
        if space is not None:
            self._spaces[number] = space
            self._stacks.setdefault(space, []).append(number)


def write_boardspace(games: Iterable[Game]) -> str:
    """Write games as one SGF collection."""
    return write_sgf(_write_game(game) for game in games)


def _write_game(game: Game) -> SgfNode:
    root = SgfNode(_header(game))
    start = game.start
    first = _PLAYER[start.turn]
    opening = SgfNode([(first, f"0 Start {first}")])
    root.children.append(opening)
    numbers = _Numbers(start.pieces)
    path = [_WrittenMove(game.root, 0, None, opening, 0)]
    for node in game.nodes():
        mover = start.turn if node.ply % 2 else start.turn.other
        if node.move is not None:
            while path[-1].node is not node.parent:
                undone = path.pop()
                numbers.put(undone.number, undone.origin)
            path.append(_write_move(node, node.move, mover, numbers, path[-1]))
        if node.declared is not None:
            _write_end(node.declared, mover.other, path[-1])
    return root


def _header(game: Game) -> list[tuple[str, str]]:
    start = game.start
    header = [("FF", "4"), ("GM", GAME_NUMBER), ("CA", "UTF-8"), ("VV", "1"), ("CM", _SEAT_MAP), ("SU", _SETUP)]
    header.append(("RU", str(start.rules)))
    if start.pieces:
        header.append((START, str(start)))
    header += [(_PLAYER[colour], f'id "{game.tags.get(str(colour), "")}"') for colour in Colour]
    header += [(_PROPERTIES[tag], value) for tag, value in game.tags.items() if tag in _PROPERTIES]
    # Several values of one property must be adjacent.
    own_property = {*_PROPERTIES, *(str(colour) for colour in Colour)}
    header += [(OTHER_TAGS, f"{tag}:{value}") for tag, value in game.tags.items() if tag not in own_property]
    outcome = final_outcome(game)
    if outcome is not None:
        header.append(("RE", _result(outcome)))
    if game.root.comment:
        header.append(("C", game.root.comment))
    return header


def _result(outcome: Outcome) -> str:
    if outcome.winner is None:
        return "Draw"
    return f"{outcome.winner.letter.upper()}+{_RESULT_SUFFIXES.get(outcome.reason, '')}"


def _write_move(node: Node, move: Move, mover: Colour, numbers: _Numbers, after: _WrittenMove) -> _WrittenMove:
    """Write the move as three actions after the previous move, and return it."""
    if move.origin is None:
        assert move.kind is not None
        number = numbers.in_set(mover, move.kind)
        pick = f"Pick {mover.letter.upper()} {number}"
    else:
        number = numbers.on(move.origin)
        pick = f"Pickb {_words(move.origin)}"
    kind = kind_of(number)
    assert kind is not None
    numbers.put(number, move.space)
    actions = (pick, f"Dropb {number} {_words(move.space)} {rotation_of(kind, move.heading)}", "Done")
    last = _write_actions(mover, actions, after)
    if node.comment:
        last.properties.append(("C", node.comment))
    return _WrittenMove(node, number, move.origin, last, after.actions + len(actions))


def _words(space: Space) -> str:
    return f"{space.name[0].upper()} {space.row}"


def _write_end(outcome: Outcome, turn: Colour, after: _WrittenMove) -> None:
    """Write a declared end, as far as Boardspace has an action for it: agreed draws have none."""
    if outcome.winner is None:
        return
    if outcome.reason is Ending.RESIGNATION:
        _write_actions(outcome.winner.other, ("Resign", "Done"), after)
    else:  # there only the player to move can win or lose on time
        _write_actions(turn, ("WinOnTime" if outcome.winner is turn else "LoseOnTime",), after)


def _write_actions(colour: Colour, actions: Iterable[str], after: _WrittenMove) -> SgfNode:
    last = after.last
    for index, action in enumerate(actions, after.actions + 1):
        node = SgfNode([(_PLAYER[colour], f"{index} {action}")])
        last.children.append(node)
        last = node
    return last
