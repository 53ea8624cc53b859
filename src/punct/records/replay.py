"""Replay a record's moves on the tree of a game, by the kernel."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from punct.errors import IllegalMoveError, PunctError
from punct.game import Game
from punct.history import REPETITIONS_TO_DRAW
from punct.kernel import Position
from punct.kernel.packed import UNPACKED
from punct.move import Move
from punct.notation import read_move
from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.reason import Reason
from punct.tree import Node, add_moves, path_between

_ALIAS: Final = re.compile(r"^(?:S(?=[CE])|A(?=[MRL]))([CEMRL])(?=[A-Za-z][0-9])")
"""Straight pieces are written SC and SE, angular ones AM, AR and AL. No kind of ours is S or A, so none is mistaken."""
_BETWEEN_SPACES: Final = re.compile(r"\s*-\s*|(?<=[0-9])\s+(?=[A-Za-z][0-9])")
"""What stands between the two spaces of a move: a hyphen, or blanks alone."""


class ReplayResult(NamedTuple):
    """The result of playing some moves."""

    moves: list[Move]
    """The moves that could be played."""
    outcome: Outcome | None
    """The outcome by the rules after them."""
    error: PunctError | None
    """Why the next move could not be played; None if there was none."""


class Replay:
    """A board that follows a game's tree, from its root on."""

    def __init__(self, game: Game, start: str) -> None:
        """Set up the board at the start of the game, given as text."""
        self._game = game
        self._node: Node | None = None  # None is the root, whose nodes need not be made yet
        self._position = Position(start)
        self._hashes = [self._position.hash]
        self._counts = {self._hashes[0]: 1}

    @property
    def turn(self) -> Colour:
        """Who is to move."""
        return self._position.turn

    def go_to(self, node: Node) -> None:
        """Go to another node of the game."""
        backwards, nodes = path_between(self._node or self._game.root, node)
        for _ in range(backwards):
            self._position.track.pop()
            self._counts[self._hashes.pop()] -= 1
        _, hashes = self._position.track.push_texts([str(step.move) for step in nodes])
        assert len(hashes) == len(nodes)
        self._count(hashes)
        self._node = node

    def play_on(self, texts: list[str]) -> tuple[list[Node], PunctError | None]:
        """Play moves from the current node; return their nodes, and why the next one cannot be played."""
        moves, outcome, error = self.play(texts)
        nodes = add_moves(self._node or self._game.root, moves, outcome) if moves else []
        self._node = nodes[-1] if nodes else self._node
        return nodes, error

    def play(self, texts: list[str]) -> ReplayResult:
        """Play moves one after the other on the board alone."""
        moves: list[Move] = []
        error: PunctError | None = None
        while True:
            if not self._is_repeated():
                numbers, hashes = self._position.track.push_texts(texts[len(moves) :] if moves else texts)
                counted = self._count(hashes)
                for _ in numbers[counted:]:
                    self._position.track.pop()
                moves += map(UNPACKED.__getitem__, numbers[:counted])
            if len(moves) == len(texts):
                break
            if self._is_repeated():
                error = self.game_over_error(texts[len(moves)])
                break
            if counted < len(hashes):
                continue  # it only looked like a repetition
            try:  # what the kernel's fast path does not take: the library parses it, or says why not
                moves.append(self._position.push(_read_alias(texts[len(moves)])))
            except PunctError as refused:
                error = refused
                break
            self._count([self._position.hash])
        outcome = Outcome(None, Ending.REPETITION) if self._is_repeated() else self._position.outcome()
        return ReplayResult(moves, outcome, error)

    def _count(self, hashes: list[int]) -> int:
        """Count the positions, up to one that has stood often enough for a draw; return how many were counted."""
        counts = self._counts
        once = dict.fromkeys(hashes, 1)
        if len(once) == len(hashes) and counts.keys().isdisjoint(once):  # as in most games
            counts.update(once)
            self._hashes += hashes
            return len(hashes)
        for count, hash in enumerate(hashes, 1):
            times = counts.get(hash, 0) + 1
            counts[hash] = times
            if times >= REPETITIONS_TO_DRAW:
                self._hashes += hashes[:count]
                return count
        self._hashes += hashes
        return len(hashes)

    def _is_repeated(self) -> bool:
        """Return whether the game is drawn here; equal hashes are confirmed by comparing positions."""
        if self._counts[self._hashes[-1]] < REPETITIONS_TO_DRAW or self._position.outcome() is not None:
            return False
        track, text, times = self._position.track.copy(), str(self._position), 0
        for hash in reversed(self._hashes):
            times += hash == self._hashes[-1] and track.text() == text
            track.pop()
        return times >= REPETITIONS_TO_DRAW

    def game_over_error(self, text: str) -> PunctError:
        """Return the error for a move after the end of the game, or for a text that is no move."""
        try:
            return IllegalMoveError(read_move(_read_alias(text)).move, Reason.GAME_OVER, str(self._position))
        except PunctError as error:
            return error


def _read_alias(text: str) -> str:
    """Return a move as we write it: Richard's Play-by-eMail server has two letters for a kind, and blanks in a move."""
    return _ALIAS.sub(r"\1", "".join(_BETWEEN_SPACES.sub("-", text.strip()).split()))
