"""Short wins and only defences, proved by looking at every turn there is: slow, sure, and independent of the search.

Every function takes a position of either class, or whatever one is made from, and leaves it as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from punct import _kernel
from punct.contract import Start
from punct.kernel.packed import UNPACKED
from punct.kernel.position import as_kernel
from punct.move import Move
from punct.piece import SET_SIZE, Colour

_OPEN: Final = 0
_BASIC: Final = 0
_FROM_SET: Final = 255
_MOST_REFUTATIONS: Final = 30
"""Replies that refuted something before are tried first; so many are remembered."""


def wins_at_once(position: Start) -> list[Move]:
    """Return every turn with which the side to move wins at once.

    By a chain, or by adding one's last piece with more dots in the central hexagon (H).

    >>> [str(move) for move in wins_at_once("basic w wEh1n wEh4n wEh7n wEh10n wCi14n")][:2]
    ['Tj16n', 'Ti16ne']
    """
    track = _track(position)
    if track.over():
        return []
    found = _kernel.wins(track, track.turn)
    if _last_piece_wins(track, track.turn):
        found += [turn for turn in track.numbers() if _is_add(turn) and turn not in found]
    return _unpacked(found)


def defences(position: Start, most: int | None = None) -> list[Move]:
    """Return the turns that neither lose the game nor let the opponent win with the next one.

    At most so many, if a number is given. None at all means that the game is lost, unless it can be won at once.
    """
    return _unpacked(_defences(_track(position), most))


def last_piece_wins(position: Start, colour: Colour) -> bool:
    """Tell whether a player has one piece left and leads in the centre, so that adding it wins (H)."""
    return _last_piece_wins(_track(position), colour)


class Prover:
    """Proves wins of the side to move in two and three of its turns.

    >>> prover = Prover()
    >>> prover.wins_in_two("standard b wEc9se bEc3nw bEd3se bCf5ne bCl9ne bRn11se wCg4n", 1)
    [Move.parse('Mi6nw')]

    Only first turns that threaten to win are tried: without a threat the opponent has thousands of turns that change
    nothing. Every reply is looked at. A win in two is found or ruled out in a moment, a win in three in seconds. What
    refuted something in one position is tried first in the next: one prover for many positions of a game is quicker.
    """

    def __init__(self) -> None:
        """Begin without experience."""
        self._refutations: list[int] = []

    def wins_in_two(self, position: Start, most: int | None = None) -> list[Move]:
        """Return the turns after which every reply allows a win at once; at most so many, if a number is given."""
        return _unpacked(self._wins_in_two(_track(position), most))

    def win_in_three(self, position: Start, most_replies: int = 6) -> Move | None:
        """Return a turn that wins in three, whatever is replied; None if there is none with so few defences."""
        track = _track(position)
        for turn in _threats(track):
            track.push(turn)
            replies = _defences(track, most_replies + 1)
            won = len(replies) <= most_replies and self._all_lose(track, replies)
            track.pop()
            if won:
                return UNPACKED[turn]
        return None

    def _wins_in_two(self, track: _kernel.Track, most: int | None) -> list[int]:
        found: list[int] = []
        for turn in _threats(track):
            track.push(turn)
            if self._nothing_holds(track):
                found.append(turn)
            track.pop()
            if len(found) == most:
                break
        return found

    def _nothing_holds(self, track: _kernel.Track) -> bool:
        turns = track.numbers()
        legal = set(turns)
        for turn in (*[turn for turn in self._refutations if turn in legal], *turns):
            if _holds(track, turn):
                others = [known for known in self._refutations if known != turn]
                self._refutations = [turn, *others[:_MOST_REFUTATIONS]]
                return False
        return True

    def _all_lose(self, track: _kernel.Track, replies: Sequence[int]) -> bool:
        """Tell whether after each of these replies there is a win in two, or at once."""
        for reply in replies:
            track.push(reply)
            lost = track.verdict()[0] == _OPEN and (_has_win(track) or bool(self._wins_in_two(track, 1)))
            track.pop()
            if not lost:
                return False
        return True


# ---------------------------------------------------------------------- on the kernel's own board and packed turns


def _track(position: Start) -> _kernel.Track:
    """Return a board to try turns on."""
    return as_kernel(position).track.copy()


def _unpacked(turns: list[int]) -> list[Move]:
    return [UNPACKED[turn] for turn in turns]


def _is_add(turn: int) -> bool:
    return turn >> 13 == _FROM_SET


def _has_win(track: _kernel.Track) -> bool:
    """Tell whether the side to move wins at once."""
    if _kernel.wins(track, track.turn):
        return True
    return _last_piece_wins(track, track.turn) and any(map(_is_add, track.numbers()))


def _last_piece_wins(track: _kernel.Track, colour: int) -> bool:
    """Adding does not alter the count: new pieces stay out of the centre (G)."""
    if track.rules == _BASIC:
        return False
    counts = track.centre_count()
    if counts[colour] <= counts[1 - colour]:
        return False
    letter = Colour(colour).letter
    return sum(word[0] == letter for word in track.text().split()[2:]) == SET_SIZE - 1


def _holds(track: _kernel.Track, turn: int) -> bool:
    """Tell whether this turn neither loses the game nor lets the opponent win with the next one."""
    loss = 2 - track.turn  # the verdict that says the opponent has won
    track.push(turn)
    verdict = track.verdict()[0]
    held = not _has_win(track) if verdict == _OPEN else verdict != loss
    track.pop()
    return held


def _defences(track: _kernel.Track, most: int | None) -> list[int]:
    found = []
    for turn in track.numbers():
        if _holds(track, turn):
            found.append(turn)
            if len(found) == most:
                break
    return found


def _threats(track: _kernel.Track) -> Iterator[int]:
    """Yield the turns that keep the game open, do not let the opponent win at once, and threaten to win."""
    me = track.turn
    for turn in track.numbers():
        track.push(turn)
        threatens = (
            track.verdict()[0] == _OPEN
            and (bool(_kernel.wins(track, me)) or _last_piece_wins(track, me))
            and not _has_win(track)
        )
        track.pop()
        if threatens:
            yield turn
