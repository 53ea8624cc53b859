"""Help for typed moves: completions, suggestions, and why a move is not legal."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from punct.errors import PunctError
from punct.geometry import Heading, Space
from punct.move import Move
from punct.notation import read_move
from punct.piece import Kind, Piece, footprint
from punct.position import Position
from punct.reason import Reason

_BEGINNING: Final = re.compile(r"([TCEMLR]?)([a-q]?)([0-9]{0,2})(?:(-)([a-q]?)([0-9]{0,2}))?((?:[ns][ew]?)?)")
_MAX_GROUPS: Final = 24
_MAX_LENGTH: Final = 40


def tidy(text: str) -> str:
    """Return a typed move without blanks, its kind in upper and the rest in lower case: ``e d5 NE`` is ``Ed5ne``.

    >>> tidy("e d5 NE"), tidy("D5-h9SE"), tidy("E")
    ('Ed5ne', 'd5-h9se', 'E')
    """
    text = "".join(text.split())
    has_kind = text[:2].isalpha() and (len(text) > 1 or text.isupper())
    return text[:1].upper() + text[1:].lower() if has_kind else text.lower()


def is_beginning(text: str) -> bool:
    """Return whether a text is the beginning of a move."""
    return _read_beginning(text) is not None


def completions(position: Position, text: str) -> list[Move]:
    """Return the legal moves that begin so: ``Ed5`` any heading, ``d5-`` any place, ``d5`` either."""
    match = _read_beginning(text)
    if match is None:
        return []
    kind_letter, column, row, hyphen, to_column, to_row, heading = match.groups(default="")
    # "d1" may be the space d1, or the beginning of d10 to d17: the space itself comes first.
    for exact in (True, False):
        moves = [
            move
            for move in position.legal_moves
            if _begins(move.origin or move.space, column, row, exact or bool(hyphen))
            and (not kind_letter or kind_letter == _kind(position, move).value)
            and (not hyphen or (move.origin is not None and _begins(move.space, to_column, to_row, exact)))
            and str(move.heading).startswith(heading)
        ]
        if moves:
            return moves
    return []


def nearest(position: Position, text: str, limit: int = 6) -> list[Move]:
    """Return the legal moves whose texts are most similar to this one."""
    by_text = {move.text: move for move in position.legal_moves}
    return [by_text[match] for match in get_close_matches(tidy(text[:_MAX_LENGTH]), by_text, limit, 0.6)]


def suggest(position: Position, text: str) -> list[str]:
    """Return lines that help to complete or correct a typed move; none if nothing is similar."""
    moves = completions(position, text)
    if moves:
        return describe_moves(moves, position)
    lines = [f"No legal move begins with {tidy(text)}."] if is_beginning(text) else []
    reason = _why_none(position, text)
    if reason is not None:
        return [*lines, _sentence(reason)]
    moves = nearest(position, text)
    return [*lines, f"Did you mean {_join([move.text for move in moves], 'or')}?"] if moves else lines


def describe_moves(moves: Iterable[Move], position: Position) -> list[str]:
    """Return moves in groups: by kind and space for added pieces, by piece for moved ones."""
    adds: dict[tuple[Kind, Space], list[Heading]] = {}
    shifts: dict[Space, dict[Space, list[Heading]]] = {}
    for move in moves:
        if move.origin is None:
            assert move.kind is not None
            adds.setdefault((move.kind, move.space), []).append(move.heading)
        else:
            shifts.setdefault(move.origin, {}).setdefault(move.space, []).append(move.heading)
    lines = _describe_adds(adds)
    for origin, targets in sorted(shifts.items()):
        piece = position.top(origin)
        if piece is None:
            raise PunctError(f"there is no piece on {origin}")
        if lines or len(shifts) > 1:
            count = sum(map(len, targets.values()))
            lines.append(f"{piece.kind} on {origin} has {_count(count, 'move')}; type {origin}- to see where it may go")
        else:
            lines.extend(_describe_targets(piece, targets))
    return lines


def _describe_targets(piece: Piece, targets: dict[Space, list[Heading]]) -> list[str]:
    """Return where one piece may go, spaces with the same headings together."""
    by_headings: dict[tuple[Heading, ...], list[Space]] = {}
    for space, headings in sorted(targets.items()):
        by_headings.setdefault(tuple(sorted(headings)), []).append(space)
    lines = [f"{piece.kind} on {piece.space} may go, pointing"]
    for ways, spaces in sorted(by_headings.items(), key=lambda item: -len(item[0])):
        words = "any way" if ways == piece.kind.headings else _join(list(map(str, ways)), "or")
        lines.append(f"  {words}: to {' '.join(map(str, spaces))}")
    return lines


def _describe_adds(adds: dict[tuple[Kind, Space], list[Heading]]) -> list[str]:
    if len(adds) <= _MAX_GROUPS:
        return [
            f"{kind}{space} may point {_join(list(map(str, sorted(headings))), 'or')}"
            for (kind, space), headings in sorted(adds.items(), key=lambda item: (item[0][0].value, item[0][1].bit))
        ]
    lines = []
    for kind in Kind:
        headings = [len(of_space) for (added, _), of_space in adds.items() if added is kind]
        if headings:
            lines.append(
                f"{kind} ({kind.words}) may be added in {_count(sum(headings), 'way')}; "
                f"type for example {kind}d5 to see its headings"
            )
    return lines


# ---------------------------------------------------------------------- why not


def refusal(position: Position, text: str, reason: Reason) -> list[str]:
    """Return why a move is not legal: the rule as a sentence, what is in the way, and what is legal there instead."""
    lines = [_sentence(reason)]
    move = read_move(text).move
    detail = _detail(position, move, reason)
    if detail:
        lines.append(detail)
    alternatives = _same_place(position, move)
    if alternatives:
        lines.append(f"Legal there: {', '.join(other.text for other in alternatives)}")
    return lines


def _detail(position: Position, move: Move, reason: Reason) -> str:
    refusal = position.refusal(move)
    spaces = refusal.spaces if refusal else ()
    match reason:
        case Reason.SPACE_TAKEN | Reason.SPACE_UNDER_BRIDGE:
            occupied: dict[Piece, list[str]] = {}
            for space in spaces:
                if top := position.top(space):
                    occupied.setdefault(top, []).append(str(space))
            pieces = [f"{piece} is on {_join(names, 'and')}" for piece, names in occupied.items()]
            return f"{'; '.join(pieces)}."
        case Reason.ADDED_IN_CENTRE | Reason.FIRST_PIECE_IN_CENTRE:
            inside = list(map(str, spaces))
            return f"{_join(inside, 'and')} {'is' if len(inside) == 1 else 'are'} in the central hexagon."
        case Reason.NOT_IN_SET:
            left = [f"{kind} {count}" for kind, count in position.in_set(position.turn).items() if count]
            return f"{position.turn} has left: {', '.join(left)}."
        case Reason.GAME_OVER:
            return f"{position.outcome()}."
    if move.origin is None:
        return ""
    piece = _piece_at(position, move.origin)
    if piece is None:
        return ""
    match reason:
        case Reason.NOT_ITS_PUNCT:
            return f"The PÜNCT of {piece} is on {piece.space}."
        case Reason.OTHER_KIND:
            return f"It is {piece}: {piece.kind.words}."
        case Reason.COVERED | Reason.UNDER_BRIDGE:
            above = [f"{blocker} lies above {space}" for space, blocker in position.blockers(piece).items()]
            return f"{_join(above, 'and')}."
        case Reason.UNEVEN | Reason.TRIANGLE_BRIDGE | Reason.ENDS_NOT_LEVEL | Reason.PUNCT_OVER_EMPTY:
            return _floors(position, piece, move)
        case Reason.PUNCT_ON_OPPONENT:
            below = [other for other in position.stack(move.space) if other != piece]
            return f"{below[-1]} is on {move.space}." if below else ""
    return ""


def _floors(position: Position, piece: Piece, move: Move) -> str:
    """Return the levels a moved piece would rest on."""
    spaces = footprint(piece.kind, move.space, piece.kind.canonical(move.heading)) or ()
    heights = []
    for space in spaces:
        below = [other for other in position.stack(space) if other != piece]
        height = below[-1].level if below else 0
        role = (
            "its PÜNCT"
            if space is move.space
            else "its middle"
            if piece.kind.middle == spaces.index(space)
            else "a dot"
        )
        heights.append(f"{role} over level {height} on {space}" if height else f"{role} over the empty {space}")
    return f"It would have {_join(heights, 'and')}."


def _piece_at(position: Position, origin: Space) -> Piece | None:
    """Return the piece that a move from here would move: an own PÜNCT at any level, else what shows."""
    own = [piece for piece in position.stack(origin) if piece.space is origin and piece.colour is position.turn]
    return own[-1] if own else position.top(origin)


def _same_place(position: Position, move: Move) -> list[Move]:
    """Return the legal moves that differ from this one only in their heading."""
    others = [Move(move.kind, move.origin, move.space, heading) for heading in Heading]
    return [other for other in dict.fromkeys(others) if position.explain(other) is None]


def _why_none(position: Position, text: str) -> Reason | None:
    """Return the one rule that forbids every completion of this beginning, if there is one."""
    match = _read_beginning(text)
    if match is None or not (match[2] and match[3]):
        return None
    kind_letter, column, row, hyphen, to_column, to_row, _ = match.groups(default="")
    try:
        space = Space(column + row)
        target = Space(to_column + to_row) if to_column and to_row else space
    except PunctError:
        return None
    if hyphen or not kind_letter:
        moves = [Move.shift(space, target, heading) for heading in Heading]
    else:
        moves = [Move.add(Kind(kind_letter), space, heading) for heading in Heading]
    reasons = {position.explain(move) for move in moves}
    return reasons.pop() if len(reasons) == 1 else None


# ---------------------------------------------------------------------- helpers


def _read_beginning(text: str) -> re.Match[str] | None:
    match = _BEGINNING.fullmatch(tidy(text)) if len(text) <= _MAX_LENGTH else None
    return match if match and match[0] else None


def _sentence(reason: Reason) -> str:
    return f"{reason.sentence[0].upper()}{reason.sentence[1:]} (rule {reason.section})."


def _kind(position: Position, move: Move) -> Kind:
    if move.kind is not None:
        return move.kind
    assert move.origin is not None
    piece = position.top(move.origin)
    if piece is None:
        raise PunctError(f"{move}: there is no piece on {move.origin}")
    return piece.kind


def _begins(space: Space, column: str, row: str, exact: bool) -> bool:
    if column and space.name[0] != column:
        return False
    return not row or (space.name[1:] == row if exact else space.name[1:].startswith(row))


def _join(words: list[str], word: str) -> str:
    """Return ``a, b or c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {word} {words[-1]}" if words else ""


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
