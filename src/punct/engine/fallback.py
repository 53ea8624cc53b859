"""A move without a search, for when there is no memory or time for one."""

from __future__ import annotations

from punct import _kernel
from punct.kernel import Move as PackedMove
from punct.move import Move
from punct.position import Position


def fallback_move(position: Position) -> Move:
    """Return a sensible move without a search, in little time and memory; the game must not be over.

    A move that wins at once, by a chain or by the count in the centre; else the move with the highest prior that does
    not lose at once.
    """
    track = _kernel.Track.read(str(position))
    assert track is not None  # the kernel reads what the library writes
    ranked = _kernel.wins_at_once(track) or [number for number, _ in _kernel.score_moves(track, track.count())]
    choice = next((number for number in ranked if not _loses_at_once(track, number)), ranked[0])
    return PackedMove(choice).unpacked


def _loses_at_once(track: _kernel.Track, number: int) -> bool:
    track.push(number)
    outcome, _ = track.verdict()
    lost = outcome == 1 + track.turn if outcome else bool(_kernel.wins_at_once(track))
    track.pop()
    return lost
