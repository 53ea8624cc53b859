"""Writing games as SGF in the manner of Boardspace."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from punct.game import Game, Node
from punct.move import Move
from punct.outcome import Ending, Outcome
from punct.piece import Colour, Piece
from punct.position import Position
from punct.records.ending import final_outcome
from punct.records.sgf.actions import USUAL_SEATS
from punct.records.sgf.numbering import Numbers, rotation_of
from punct.records.sgf.reader import GAME_NUMBER, OTHER_TAGS, START, TAG_PROPERTIES
from punct.records.sgf.syntax import SgfNode, write_sgf
from punct.records.sgf.turn_in_hand import landed

_PROPERTIES: Final = {tag: name for name, tag in TAG_PROPERTIES.items()}
_PLAYER: Final = {colour: name for name, colour in USUAL_SEATS.items()}
_SEAT_MAP: Final = "0,1"
_SETUP: Final = "punct 2 0 101"
_HOW: Final = {Ending.RESIGNATION: "R", Ending.TIME: "T"}


class _Laid(NamedTuple):
    """What a turn did to the numbers, to take it back."""

    node: Node
    number: int
    before: Piece | None
    last: SgfNode
    actions: int


def write_boardspace(games: Iterable[Game]) -> str:
    """Write games as one SGF collection."""
    return write_sgf(_write_game(game) for game in games)


def _write_game(game: Game) -> SgfNode:
    root = SgfNode(_header(game))
    start = game.start
    first = _PLAYER[start.turn]
    opening = SgfNode([(first, f"0 Start {first}")])
    root.children.append(opening)
    position = game.start
    numbers = Numbers(start.pieces)
    trail = [_Laid(game.root, 0, None, opening, 0)]
    for node in game.nodes():
        if node.move is not None:
            while trail[-1].node is not node.parent:
                laid = trail.pop()
                position.pop()
                numbers.put(laid.number, laid.before)
            trail.append(_write_turn(node, node.move, position, numbers, trail[-1]))
        if node.declared is not None:
            _write_end(node.declared, position.turn, trail[-1])
    return root


def _header(game: Game) -> list[tuple[str, str]]:
    start = game.start
    header = [("FF", "4"), ("GM", GAME_NUMBER), ("CA", "UTF-8"), ("VV", "1"), ("CM", _SEAT_MAP), ("SU", _SETUP)]
    header.append(("RU", str(start.rules)))
    if start.pieces:
        header.append((START, str(start)))
    header += [(_PLAYER[colour], f'id "{game.tags.get(str(colour), "")}"') for colour in Colour]
    header += [(_PROPERTIES[tag], value) for tag, value in game.tags.items() if tag in _PROPERTIES]
    # Several values of one property stand together.
    known = {*_PROPERTIES, *(str(colour) for colour in Colour)}
    header += [(OTHER_TAGS, f"{tag}:{value}") for tag, value in game.tags.items() if tag not in known]
    outcome = final_outcome(game)
    if outcome is not None:
        header.append(("RE", _result(outcome)))
    if game.root.comment:
        header.append(("C", game.root.comment))
    return header


def _result(outcome: Outcome) -> str:
    if outcome.winner is None:
        return "Draw"
    return f"{outcome.winner.letter.upper()}+{_HOW.get(outcome.reason, '')}"


def _write_turn(node: Node, move: Move, position: Position, numbers: Numbers, after: _Laid) -> _Laid:
    """Play the turn, write it as three actions after the turn before, and return what it did."""
    colour = position.turn
    before = None if move.origin is None else position.top(move.origin)
    if before is None:
        assert move.kind is not None
        number = numbers.next_in_set(colour, move.kind)
        pick = f"Pick {colour.letter.upper()} {number}"
    else:
        number = numbers.number(before)
        pick = f"Pickb {_words(before)}"
    position.push(move)
    piece = landed(position, move)
    numbers.put(number, piece)
    rotation = rotation_of(piece.kind, piece.heading)
    actions = (pick, f"Dropb {number} {_words(piece)} {rotation}", "Done")
    last = _write_actions(colour, actions, after)
    if node.comment:
        last.properties.append(("C", node.comment))
    return _Laid(node, number, before, last, after.actions + len(actions))


def _words(piece: Piece) -> str:
    return f"{piece.space.name[0].upper()} {piece.space.row}"


def _write_end(outcome: Outcome, turn: Colour, after: _Laid) -> None:
    """Write how the game ended without a turn, as far as Boardspace has an action for it: agreed draws it has not."""
    if outcome.winner is None:
        return
    if outcome.reason is Ending.RESIGNATION:
        _write_actions(outcome.winner.other, ("Resign", "Done"), after)
    else:  # there only the player to move can win or lose on time
        _write_actions(turn, ("WinOnTime" if outcome.winner is turn else "LoseOnTime",), after)


def _write_actions(colour: Colour, actions: Iterable[str], after: _Laid) -> SgfNode:
    last = after.last
    for index, action in enumerate(actions, after.actions + 1):
        node = SgfNode([(_PLAYER[colour], f"{index} {action}")])
        last.children.append(node)
        last = node
    return last
