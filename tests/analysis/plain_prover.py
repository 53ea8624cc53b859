"""Short wins proved the plain way: loops over every turn, judged by the rules, without a thought of speed.

What the kernel's prover is held to. Only the order in which turns are tried is clever, or no test would end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from punct import Colour, _kernel, kernel

_OPEN: Final = 0


def track_of(text: str) -> _kernel.Track:
    return kernel.Position(text).track


def wins(track: _kernel.Track, turns: int) -> dict[int, int]:
    """Return the turns that win within so many, each with the number it takes."""
    found: dict[int, int] = {}
    if track.over():
        return found
    for within in range(1, turns + 1):
        for turn in track.numbers():
            if turn in found:
                continue
            track.push(turn)
            if _wins(track, within):
                found[turn] = within
            track.pop()
    return found


def fate(track: _kernel.Track, turn: int, turns: int) -> int | None:
    """Return how many turns the other side needs to win after this one, at most so many; None: it holds.

    0: it loses by itself.
    """
    track.push(turn)
    verdict = track.verdict()[0]
    if verdict != _OPEN:
        found = 0 if verdict == _won_by(track.turn) else None
    else:
        found = next((within for within in range(1, turns + 1) if _has_win(track, within)), None)
    track.pop()
    return found


def _won_by(colour: int) -> int:
    return Colour(colour) + 1


def _wins(track: _kernel.Track, within: int) -> bool:
    """Tell whether the turn just played wins within so many, itself included."""
    attacker = 1 - track.turn
    verdict = track.verdict()[0]
    if within == 1 or verdict != _OPEN:
        return verdict == _won_by(attacker)
    if within > 2 and not threatens(track, attacker):
        return False
    return all(_loses(track, reply, within - 1) for reply in _replies(track))


_refutations: list[int] = []
"""What refuted something before is tried first."""


def _replies(track: _kernel.Track) -> Iterator[int]:
    yield from (turn for turn in reversed(_refutations[-40:]) if track.is_legal(turn))
    yield from track.numbers()


def _loses(track: _kernel.Track, reply: int, within: int) -> bool:
    """Tell whether after this reply the other side wins within so many turns."""
    attacker = 1 - track.turn
    track.push(reply)
    verdict = track.verdict()[0]
    lost = verdict == _won_by(attacker) if verdict != _OPEN else any(_has_win(track, n) for n in range(1, within + 1))
    track.pop()
    if not lost and reply not in _refutations[-5:]:
        _refutations.append(reply)
    return lost


def _has_win(track: _kernel.Track, within: int) -> bool:
    """Tell whether the side to move has a turn that wins within so many."""
    if within == 1:  # found without trying: tests/kernel/test_wins.py holds this to trying
        return threatens(track, track.turn)
    for turn in track.numbers():
        track.push(turn)
        won = _wins(track, within)
        track.pop()
        if won:
            return True
    return False


def _last_piece_wins(track: _kernel.Track, colour: int) -> bool:
    """Tell whether some add of this player, as if it were its turn, wins by the count."""
    if track.rules == 0:  # basic
        return False
    words = track.text().split()
    words[1] = Colour(colour).letter
    asked = track_of(" ".join(words))
    if sum(word[0] == words[1] for word in words[2:]) != 17:
        return False
    for turn in asked.numbers():
        if turn >> 13 == 255:
            asked.push(turn)
            won = asked.verdict()[0] == _won_by(colour)
            asked.pop()
            return won  # where it is added does not matter to the count, nor to a chain that would not do without
    return False


def threatens(track: _kernel.Track, attacker: int) -> bool:
    """Tell whether this player, if it were its turn, would win at once."""
    return bool(_kernel.wins(track, attacker)) or _last_piece_wins(track, attacker)
