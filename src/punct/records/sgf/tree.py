"""A game tree of SGF (FF[4]), for any game, and its writer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class SgfNode:
    """A node: its properties in the order of the file, one entry for each value, and its children."""

    __slots__ = ("children", "line", "properties")

    def __init__(self, properties: list[tuple[str, str]] | None = None, *, line: int = 0) -> None:
        """Make a node at this line of a file."""
        self.properties = [] if properties is None else properties
        self.children: list[SgfNode] = []
        self.line = line

    def get(self, name: str) -> str | None:
        """Return the first value of a property, or None."""
        return next((value for other, value in self.properties if other == name), None)


def write_sgf(roots: Iterable[SgfNode]) -> str:
    """Write game trees, one node per line."""
    return "".join("".join(_tree(root)) for root in roots)


def _tree(root: SgfNode) -> Iterator[str]:
    yield "("
    waiting: list[SgfNode | str] = [")\n", root]
    while waiting:
        step = waiting.pop()
        if isinstance(step, str):
            yield step
            continue
        yield from _node(step)
        if len(step.children) == 1:
            waiting += (step.children[0], "\n")
        else:
            for child in reversed(step.children):
                waiting += (")", child, "\n(")


def _node(node: SgfNode) -> Iterator[str]:
    yield ";"
    last = ""
    for name, value in node.properties:
        if name != last:
            yield name
        yield "[" + value.replace("\\", "\\\\").replace("]", "\\]") + "]"
        last = name
