"""Short wins and only defences by looking at every turn there is: slow, sure, and independent of the search.

What the tactics file claims is proved here. Works on the kernel's own objects (``punct.kernel.Position.line``) and on
packed turns; every function leaves the line as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from punct import _kernel
from punct.piece import SET_SIZE

_OPEN: Final = 0
_FROM_SET: Final = 255


def wins_now(line: _kernel.Line) -> list[int]:
    """Return every turn with which the side to move wins at once.

    By a chain, or by adding one's last piece with more dots in the central hexagon (H).
    """
    found = _kernel.wins(line, line.turn)
    if last_piece_wins(line, line.turn):
        found += [turn for turn in line.turns() if turn >> 13 == _FROM_SET and turn not in found]
    return found


def has_win(line: _kernel.Line) -> bool:
    """Tell whether the side to move wins at once."""
    if _kernel.wins(line, line.turn):
        return True
    return last_piece_wins(line, line.turn) and any(turn >> 13 == _FROM_SET for turn in line.turns())


def last_piece_wins(line: _kernel.Line, colour: int) -> bool:
    """Tell whether a player has one piece left and leads in the centre; adding does not alter the count (G)."""
    if line.rules == 0:
        return False
    counts = line.centre_count()
    return counts[colour] > counts[1 - colour] and pieces_on_board(line, colour) == SET_SIZE - 1


def pieces_on_board(line: _kernel.Line, colour: int) -> int:
    """Return how many pieces a player has added."""
    letter = "wb"[colour]
    return sum(word[0] == letter for word in line.text().split()[2:])


def holds(line: _kernel.Line, turn: int) -> bool:
    """Tell whether this turn neither loses the game nor lets the opponent win with the next one."""
    loss = 2 - line.turn  # the verdict that says the opponent has won
    line.push(turn)
    verdict = line.verdict()[0]
    held = not has_win(line) if verdict == _OPEN else verdict != loss
    line.pop()
    return held


def safe_turns(line: _kernel.Line, most: int | None = None) -> list[int]:
    """Return the turns after which the opponent does not win at once; at most so many, if a number is given."""
    found = []
    for turn in line.turns():
        if holds(line, turn):
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

    def threats(self, line: _kernel.Line) -> Iterator[int]:
        """Yield the turns that keep the game open, do not let the opponent win at once, and threaten to win."""
        me = line.turn
        for turn in line.turns():
            line.push(turn)
            threatens = (
                line.verdict()[0] == _OPEN
                and (bool(_kernel.wins(line, me)) or last_piece_wins(line, me))
                and not has_win(line)
            )
            line.pop()
            if threatens:
                yield turn

    def wins_in_two(self, line: _kernel.Line, most: int | None = None) -> list[int]:
        """Return the turns after which every reply allows a win at once; at most so many, if a number is given."""
        found: list[int] = []
        for turn in self.threats(line):
            line.push(turn)
            if self._nothing_holds(line):
                found.append(turn)
            line.pop()
            if len(found) == most:
                break
        return found

    def wins_in_three(self, line: _kernel.Line, most_replies: int = 6) -> int | None:
        """Return a turn that wins in three, whatever is replied; None if there is none with so few defences."""
        for turn in self.threats(line):
            line.push(turn)
            replies = safe_turns(line, most_replies + 1)
            won = len(replies) <= most_replies and self._all_lose(line, replies)
            line.pop()
            if won:
                return turn
        return None

    def _nothing_holds(self, line: _kernel.Line) -> bool:
        turns = line.turns()
        legal = set(turns)
        for turn in (*[turn for turn in self._refutations if turn in legal], *turns):
            if holds(line, turn):
                self._refutations = [turn, *[known for known in self._refutations if known != turn][:30]]
                return False
        return True

    def _all_lose(self, line: _kernel.Line, replies: Sequence[int]) -> bool:
        """Tell whether after each of these replies there is a win in two, or at once."""
        for reply in replies:
            line.push(reply)
            lost = line.verdict()[0] == _OPEN and (has_win(line) or bool(self.wins_in_two(line, 1)))
            line.pop()
            if not lost:
                return False
        return True
