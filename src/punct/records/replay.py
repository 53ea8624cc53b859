"""Playing what a record tells, on the tree of a game, through the kernel."""

from __future__ import annotations

from typing import NamedTuple

from punct.errors import IllegalMoveError, PunctError
from punct.game import TIMES_TO_DRAW, Game, Node, lay_nodes, way
from punct.kernel import Position
from punct.kernel.packed import UNPACKED
from punct.move import Move
from punct.notation import read_move
from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.reason import Reason


class Played(NamedTuple):
    """What came of some turns."""

    moves: list[Move]
    """Those that could be played."""
    outcome: Outcome | None
    """Where they lead, by the rules."""
    error: PunctError | None
    """Why the next one could not be played; None if there was none."""


class Replay:
    """A board that follows a game's tree, from its root on."""

    def __init__(self, game: Game, start: str) -> None:
        """Set up the board as the game starts, which is written so."""
        self._game = game
        self._node: Node | None = None  # the root, but it need not be made for that
        self._position = Position(start)
        self._hashes = [self._position.hash]
        self._seen = {self._hashes[0]: 1}

    @property
    def turn(self) -> Colour:
        """Who is to move."""
        return self._position.turn

    def go_to(self, node: Node) -> None:
        """Go to another node of the game."""
        backwards, nodes = way(self._node or self._game.root, node)
        for _ in range(backwards):
            self._position.track.pop()
            self._seen[self._hashes.pop()] -= 1
        _, hashes = self._position.track.push_texts([str(step.move) for step in nodes])
        assert len(hashes) == len(nodes)
        self._follow(hashes)
        self._node = node

    def play_on(self, texts: list[str]) -> tuple[list[Node], PunctError | None]:
        """Play turns from the node where the board is; return their nodes, and why the next one cannot be played."""
        moves, outcome, error = self.play(texts)
        nodes = lay_nodes(self._node or self._game.root, moves, outcome) if moves else []
        self._node = nodes[-1] if nodes else self._node
        return nodes, error

    def play(self, texts: list[str]) -> Played:
        """Play turns one after the other on the board alone."""
        moves: list[Move] = []
        error: PunctError | None = None
        while True:
            if not self._is_repeated():
                numbers, hashes = self._position.track.push_texts(texts[len(moves) :] if moves else texts)
                followed = self._follow(hashes)
                for _ in numbers[followed:]:
                    self._position.track.pop()
                moves += map(UNPACKED.__getitem__, numbers[:followed])
            if len(moves) == len(texts):
                break
            if self._is_repeated():
                error = self.over(texts[len(moves)])
                break
            if followed < len(hashes):
                continue  # it only looked like a repetition
            try:  # whatever the kernel does not take at once: the library reads it, or tells why not
                moves.append(self._position.push(texts[len(moves)]))
            except PunctError as refused:
                error = refused
                break
            self._follow([self._position.hash])
        outcome = Outcome(None, Ending.REPETITION) if self._is_repeated() else self._position.outcome()
        return Played(moves, outcome, error)

    def _follow(self, hashes: list[int]) -> int:
        """Count the positions, up to one that has stood often enough for a draw; return how many."""
        seen = self._seen
        once = dict.fromkeys(hashes, 1)
        if len(once) == len(hashes) and seen.keys().isdisjoint(once):  # as in most games
            seen.update(once)
            self._hashes += hashes
            return len(hashes)
        for count, hash in enumerate(hashes, 1):
            times = seen.get(hash, 0) + 1
            seen[hash] = times
            if times >= TIMES_TO_DRAW:
                self._hashes += hashes[:count]
                return count
        self._hashes += hashes
        return len(hashes)

    def _is_repeated(self) -> bool:
        """Tell whether the game is drawn here. Equal hashes are almost proof; the positions themselves are."""
        if self._seen[self._hashes[-1]] < TIMES_TO_DRAW or self._position.outcome() is not None:
            return False
        track, text, times = self._position.track.copy(), str(self._position), 0
        for hash in reversed(self._hashes):
            times += hash == self._hashes[-1] and track.text() == text
            track.pop()
        return times >= TIMES_TO_DRAW

    def over(self, text: str) -> PunctError:
        """Return why a turn cannot be played here: the game is over, whatever the board says, or it is no turn."""
        try:
            return IllegalMoveError(read_move(text).move, Reason.GAME_OVER, str(self._position))
        except PunctError as error:
            return error
