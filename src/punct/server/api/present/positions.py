"""Positions: what lies there, what is legal, and why something is not."""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Iterable
from typing import Final

from punct.geometry import SPACES, Space
from punct.server.api.present.words import HEADINGS, KINDS, LETTERS, Json, outcome_of, result_of
from punct.server.play.moment import LISTED, Explanation, Landings, LastMove, Moment, PieceOnBoard, Threat

_MASK_BYTES: Final = (len(SPACES) + 7) // 8


def position(moment: Moment) -> Json:
    """Return a position as clients get it."""
    white, black = moment.in_set
    return {
        "ply": moment.ply,
        "text": moment.text,
        "rules": moment.rules.value,
        "turn": LETTERS[moment.turn],
        "pieces": [_piece(piece) for piece in moment.pieces],
        "sets": {
            "w": {KINDS[kind]: count for kind, count in white.items()},
            "b": {KINDS[kind]: count for kind, count in black.items()},
        },
        "centre": {"w": moment.centre[0], "b": moment.centre[1]},
        "chain": _names(moment.chain),
        "outcome": outcome_of(moment.outcome),
        "result": result_of(moment.outcome),
        "legal": _legal(moment.legal),
        "threats": {"w": _threat(moment.threats[0]), "b": _threat(moment.threats[1])},
        "last": None if moment.last is None else _last(moment.last),
    }


def _piece(piece: PieceOnBoard) -> Json:
    return {
        "id": piece.name,
        "colour": LETTERS[piece.colour],
        "kind": KINDS[piece.kind],
        "space": piece.space.name,
        "heading": HEADINGS[piece.heading],
        "level": piece.level,
        "spaces": [space.name for space in piece.spaces],
        "bridge": piece.bridge,
        "free": not piece.above,
        "blocked_by": _dots(piece.above),
    }


def _dots(dots: Iterable[tuple[Space, str]]) -> list[Json]:
    return [{"space": space.name, "piece": name} for space, name in dots]


def _names(spaces: Iterable[Space]) -> list[str]:
    return [space.name for space in spaces]


def _legal(legal: Iterable[Landings]) -> Json:
    """Return every legal move, as one mask for each piece and heading."""
    adds: dict[str, dict[str, str]] = {}
    moves: dict[str, dict[str, str]] = {}
    count = 0
    for origin, kind, heading, spaces in legal:
        count += spaces.bit_count()
        found = adds.setdefault(KINDS[kind], {}) if origin is None else moves.setdefault(origin.name, {})
        found[HEADINGS[heading]] = b2a_base64(spaces.to_bytes(_MASK_BYTES, "little"), newline=False).decode()
    return {"count": count, "adds": adds, "moves": moves}


def _threat(threat: Threat) -> Json:
    return {
        "count": len(threat.moves),
        "turns": [str(move) for move in threat.moves[:LISTED]],
        "chain": _names(threat.chain),
    }


def _last(last: LastMove) -> Json:
    piece, before = last.piece, last.before
    return {
        "text": str(last.move),
        "colour": LETTERS[piece.colour],
        "kind": KINDS[piece.kind],
        "piece": piece.name,
        "manner": last.manner,
        "origin": before and before.space.name,
        "origin_heading": before and HEADINGS[before.heading],
        "origin_level": before and before.level,
        "space": piece.space.name,
        "heading": HEADINGS[piece.heading],
        "level": piece.level,
        "path": _names(last.path),
        "covered": _dots(piece.below),
        "uncovered": _dots(last.uncovered),
        "emptied": _names(last.emptied),
    }


def explanation(found: Explanation) -> Json:
    """Return whether a move is legal, and if not, the rule it breaks and what is in the way."""
    reason = found.reason
    return {
        "legal": found.legal,
        "turn": None if found.move is None else str(found.move),
        "reason": "UNREADABLE" if found.fault is not None else reason and reason.name,
        "section": reason and reason.section,
        "sentence": found.fault if found.fault is not None else reason and reason.sentence,
        "spaces": _names(found.spaces),
        "headings": [
            {"heading": HEADINGS[heading], "reason": refusal and refusal.reason.name}
            for heading, refusal in found.headings
        ],
    }
