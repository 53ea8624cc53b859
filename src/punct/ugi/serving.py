"""Serves any player over UGI, the Universal Game Interface, so that match runners and boards can use it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, Final

from punct.engine.limits import Limits
from punct.errors import WrongTypeError
from punct.game import Game
from punct.move import Move
from punct.ugi.conversation import Conversation, Thinker, Writer
from punct.ugi.options import Option

Chooser = Callable[[Game, Limits], Move | str]
"""Chooses a move for the side to move, given the game so far, which it must not change, and the search limits."""
_MAX_LINE_BYTES: Final = 1 << 20
_BYTE_ORDER_MARK: Final = "\ufeff"


class _FunctionThinker:
    """A thinker made of a function of the game."""

    options: Sequence[Option] = ()

    def __init__(self, choose: Chooser, name: str, author: str) -> None:
        self._choose = choose
        self.name, self.author = name, author

    def set_option(self, name: str, value: str) -> None:
        """Do nothing: there are no options."""

    def get_ready(self, write: Writer) -> None:
        """Do nothing: a function is always ready."""

    def new_game(self) -> None:
        """Do nothing: a function has no memory."""

    def think(self, game: Game, limits: Limits, write: Writer, cancel: threading.Event) -> str:
        """Call the function, and check its move."""
        position = game.position.copy()
        return str(position.push(self._choose(game, limits)))


def serve(
    choose: Chooser | Thinker,
    *,
    name: str = "player",
    author: str = "unknown",
    source: BinaryIO | None = None,
    sink: BinaryIO | None = None,
) -> None:
    """Serve a function as an engine: speak UGI until ``quit`` or the end of the input, which lets it finish its search.

    ``choose`` gets the game and the limits and returns a move, as an object or a text; or it is a ``Thinker``.
    Lines go over standard input and output unless other streams are given.

    >>> from io import BytesIO
    >>> output = BytesIO()
    >>> serve(lambda game, limits: next(iter(game.position.legal_moves)), source=BytesIO(b"go"), sink=output)
    >>> output.getvalue().split()[0]
    b'bestmove'
    """
    source = sys.stdin.buffer if source is None else source
    sink = sys.stdout.buffer if sink is None else sink
    if not hasattr(source, "readline") or not hasattr(sink, "write"):
        raise WrongTypeError("source and sink are binary streams, such as sys.stdin.buffer and sys.stdout.buffer")
    if not callable(choose) and not hasattr(choose, "think"):
        raise WrongTypeError(f"choose is a function of a game and limits, or a Thinker, not {type(choose).__name__}")
    thinker = _FunctionThinker(choose, name, author) if callable(choose) else choose

    def write(line: str) -> None:
        try:
            sink.write(line.encode("utf-8", "replace") + b"\n")
            sink.flush()
        except (BrokenPipeError, ValueError):
            pass  # the reader has closed it; the end of the input comes next

    conversation = Conversation(thinker, write)
    for line in _lines(source):
        if line is None:
            write(f"info string a line of more than {_MAX_LINE_BYTES} bytes was ignored")
            continue
        try:
            is_open = conversation.handle(line.decode("utf-8", "replace").removeprefix(_BYTE_ORDER_MARK))
        except Exception as error:  # a bug here must not lose the game
            write(f"info string internal error: {' '.join(repr(error).split())}")
            continue
        if not is_open:
            return
    conversation.finish()


def _lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Yield line by line; None for one that is too long."""
    while line := source.readline(_MAX_LINE_BYTES):
        if len(line) < _MAX_LINE_BYTES or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(_MAX_LINE_BYTES)
        yield None
