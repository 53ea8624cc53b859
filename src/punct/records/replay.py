"""Playing what a record tells, on the tree of a game, through the kernel."""

from __future__ import annotations

from punct.errors import IllegalMoveError, PunctError
from punct.game import TIMES_TO_DRAW, Game, Node, lay, way
from punct.kernel import Position
from punct.kernel.packed import UNPACKED
from punct.notation import read_move
from punct.outcome import Ending, Outcome
from punct.reason import Reason


class Replay:
    """A board that follows a game's tree. It starts at the game's current node, which must be its root."""

    def __init__(self, game: Game) -> None:
        """Set up the board as the game starts."""
        self._node = game.root
        self._position = Position(game.start)
        self._hashes = [self._position.hash]
        self._seen = {self._hashes[0]: 1}

    @property
    def node(self) -> Node:
        """Where the board is."""
        return self._node

    def go_to(self, node: Node) -> None:
        """Go to another node of the game."""
        backwards, nodes = way(self._node, node)
        for _ in range(backwards):
            self._position.line.pop()
            self._seen[self._hashes.pop()] -= 1
        _, hashes = self._position.line.push_texts([str(step.move) for step in nodes])
        assert len(hashes) == len(nodes)
        self._follow(hashes)
        self._node = node

    def play(self, texts: list[str]) -> tuple[list[Node], PunctError | None]:
        """Play turns one after the other, and return their nodes; if one cannot be played, those before it, and why."""
        played: list[Node] = []
        while True:
            if self._is_repeated():
                if len(played) == len(texts):
                    return played, None
                return played, self._over(texts[len(played)])
            numbers, hashes = self._position.line.push_texts(texts[len(played) :])
            followed = self._follow(hashes)
            for _ in numbers[followed:]:
                self._position.line.pop()
            played += self._lay(numbers[:followed])
            if self._is_repeated():
                continue
            if len(played) == len(texts):
                return played, None
            try:  # whatever the kernel does not take at once: the library reads it, or tells why not
                move = self._position.push(texts[len(played)])
            except PunctError as error:
                return played, error
            self._follow([self._position.hash])
            played += self._lay(self._position.line.played()[-1:])
            assert played[-1].move is move

    def _lay(self, numbers: list[int]) -> list[Node]:
        if not numbers:
            return []
        outcome = Outcome(None, Ending.REPETITION) if self._is_repeated() else self._position.outcome()
        nodes = lay(self._node, [UNPACKED[number] for number in numbers], outcome)
        self._node = nodes[-1]
        return nodes

    def _follow(self, hashes: list[int]) -> int:
        """Count the positions, up to one that has stood often enough for a draw; return how many."""
        seen = self._seen
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
        line, text, times = self._position.line.copy(), str(self._position), 0
        for hash in reversed(self._hashes):
            times += hash == self._hashes[-1] and line.text() == text
            line.pop()
        return times >= TIMES_TO_DRAW

    def _over(self, text: str) -> PunctError:
        try:
            return IllegalMoveError(read_move(text).move, Reason.GAME_OVER, str(self._position))
        except PunctError as error:
            return error
