"""Short wins and only defences by looking at every turn there is: slow, sure, and independent of the search.

What the tactics file claims is proved here. Works on the kernel's own objects (``punct.kernel.Position.track``) and on
packed turns; every function leaves the track as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from punct import _kernel
from punct.piece import SET_SIZE

_OPEN: Final = 0
_FROM_SET: Final = 255


def wins_now(track: _kernel.Track) -> list[int]:
    """Return every turn with which the side to move wins at once.

    By a chain, or by adding one's last piece with more dots in the central hexagon (H).
    """
    found = _kernel.wins(track, track.turn)
    if last_piece_wins(track, track.turn):
        found += [turn for turn in track.numbers() if turn >> 13 == _FROM_SET and turn not in found]
    return found


def has_win(track: _kernel.Track) -> bool:
    """Tell whether the side to move wins at once."""
    if _kernel.wins(track, track.turn):
        return True
    return last_piece_wins(track, track.turn) and any(turn >> 13 == _FROM_SET for turn in track.numbers())


def last_piece_wins(track: _kernel.Track, colour: int) -> bool:
    """Tell whether a player has one piece left and leads in the centre; adding does not alter the count (G)."""
    if track.rules == 0:
        return False
    counts = track.centre_count()
    return counts[colour] > counts[1 - colour] and pieces_on_board(track, colour) == SET_SIZE - 1


def pieces_on_board(track: _kernel.Track, colour: int) -> int:
    """Return how many pieces a player has added."""
    letter = "wb"[colour]
    return sum(word[0] == letter for word in track.text().split()[2:])


def holds(track: _kernel.Track, turn: int) -> bool:
    """Tell whether this turn neither loses the game nor lets the opponent win with the next one."""
    loss = 2 - track.turn  # the verdict that says the opponent has won
    track.push(turn)
    verdict = track.verdict()[0]
    held = not has_win(track) if verdict == _OPEN else verdict != loss
    track.pop()
    return held


def safe_turns(track: _kernel.Track, most: int | None = None) -> list[int]:
    """Return the turns after which the opponent does not win at once; at most so many, if a number is given."""
    found = []
    for turn in track.numbers():
        if holds(track, turn):
            found.append(turn)
            if len(found) == most:
                break
    return found


class Prover:
    """Proves wins in two and three turns of the side to move.

    Only first turns that threaten to win are tried: without a threat the opponent has thousands of turns that change
    nothing. Every reply is looked at, those first that have refuted something before.
    """

    def __init__(self) -> None:
        self._refutations: list[int] = []

    def threats(self, track: _kernel.Track) -> Iterator[int]:
        """Yield the turns that keep the game open, do not let the opponent win at once, and threaten to win."""
        me = track.turn
        for turn in track.numbers():
            track.push(turn)
            threatens = (
                track.verdict()[0] == _OPEN
                and (bool(_kernel.wins(track, me)) or last_piece_wins(track, me))
                and not has_win(track)
            )
            track.pop()
            if threatens:
                yield turn

    def wins_in_two(self, track: _kernel.Track, most: int | None = None) -> list[int]:
        """Return the turns after which every reply allows a win at once; at most so many, if a number is given."""
        found: list[int] = []
        for turn in self.threats(track):
            track.push(turn)
            if self._nothing_holds(track):
                found.append(turn)
            track.pop()
            if len(found) == most:
                break
        return found

    def wins_in_three(self, track: _kernel.Track, most_replies: int = 6) -> int | None:
        """Return a turn that wins in three, whatever is replied; None if there is none with so few defences."""
        for turn in self.threats(track):
            track.push(turn)
            replies = safe_turns(track, most_replies + 1)
            won = len(replies) <= most_replies and self._all_lose(track, replies)
            track.pop()
            if won:
                return turn
        return None

    def _nothing_holds(self, track: _kernel.Track) -> bool:
        turns = track.numbers()
        legal = set(turns)
        for turn in (*[turn for turn in self._refutations if turn in legal], *turns):
            if holds(track, turn):
                self._refutations = [turn, *[known for known in self._refutations if known != turn][:30]]
                return False
        return True

    def _all_lose(self, track: _kernel.Track, replies: Sequence[int]) -> bool:
        """Tell whether after each of these replies there is a win in two, or at once."""
        for reply in replies:
            track.push(reply)
            lost = track.verdict()[0] == _OPEN and (has_win(track) or bool(self.wins_in_two(track, 1)))
            track.pop()
            if not lost:
                return False
        return True
