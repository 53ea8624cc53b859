"""Reading the syntax of SGF (FF[4]): trees of nodes with properties, whatever game they tell.

Written here because the SGF libraries for Python know Go's properties only: their identifiers are letters, and so
they stop at Boardspace's ``P0``; nor do they keep the lines that error messages need.
"""

from __future__ import annotations

import re
import sys
from typing import Final

from punct.errors import InvalidRecordError, shorten
from punct.records.limits import check_depth
from punct.records.sgf.tree import SgfNode
from punct.records.source import QUOTED, Incomplete, Scroll

_TOKEN: Final = re.compile(
    r"""
    \s+
    | (?P<mark> [();] )
    | (?P<name> [A-Za-z][A-Za-z0-9-]* )
    | \[ (?P<value> [^\]\\]* (?: \\. [^\]\\]* )* ) \]
    """,
    re.VERBOSE | re.DOTALL,
)
_START: Final = re.compile(r"\(\s*+;")
_BEGINNING: Final = re.compile(r"\s*+(?:\(\s*+)?")
_BRACKET: Final = re.compile(r"[()]")
_OPENED: Final = re.compile(r"\(\s*+\Z")
VALUE: Final = r"\[[^\]\\]*+(?:\\.[^\]\\]*+)*+\]"
_VALUE: Final = re.compile(r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]", re.DOTALL)
_PROPERTY: Final = re.compile(rf"\s*+([A-Za-z][A-Za-z0-9-]*+)((?:\s*+{VALUE})++)", re.DOTALL)
_PROPERTIES: Final = re.compile(rf"(?:\s*+[A-Za-z][A-Za-z0-9-]*+(?:\s*+{VALUE})++)*+", re.DOTALL)
_SAYS_WHICH_GAME: Final = ("GM", "FF")
"""Properties of a game's first node, which no variation's has."""
_WITHIN: Final = 1000
"""So many characters of a game are looked at for one of them."""
_ESCAPED: Final = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)


def looks_like_sgf(text: str) -> bool:
    """Tell whether a text begins as SGF does."""
    return _START.match(text.lstrip("\ufeff \t\r\n")) is not None


def is_undecided(text: str) -> bool:
    """Tell whether a text is so short that it may still begin as SGF does."""
    return _BEGINNING.fullmatch(text) is not None


def find_tree(scroll: Scroll) -> bool:
    """Go to where the next game tree begins, past any other text; False if there is none.

    Raises InvalidRecordError if nothing was read before and there is text, but no tree in it.
    """
    is_other = False
    is_first = scroll.is_at_start
    while True:
        start = _START.search(scroll.text, scroll.at)
        if start is not None:
            scroll.go_to(start.start())
            return True
        is_other = is_other or bool(scroll.text[scroll.at :].strip())
        opened = _OPENED.search(scroll.text, scroll.at)  # its semicolon may still come
        scroll.go_to(opened.start() if opened else len(scroll.text))
        if not scroll.more():
            if is_first and is_other:
                raise InvalidRecordError("line 1: no SGF here: a game begins with (;", line=1).about("empty", "")
            return False


def next_tree(scroll: Scroll, end: int) -> int | None:
    """Return where, after the current tree's beginning and before ``end``, another game begins; None if none does.

    Variations begin in the same way, but their first node does not say which game it is.
    """
    for start in _START.finditer(scroll.text, scroll.at + 1, end):
        node = first_node(scroll.text, start.start(), 0, start.end() + _WITHIN)
        if node is not None and any(node[0].get(name) is not None for name in _SAYS_WHICH_GAME):
            return start.start()
    return None


def read_tree(scroll: Scroll) -> tuple[SgfNode, int]:
    """Read the game tree that begins here; return its first node and where it ends. Raises Incomplete if it goes on."""
    if not scroll.is_whole and _BRACKET.search(scroll.text, scroll.at + 1) is None:
        raise Incomplete  # neither its end nor a variation
    reader = _TreeReader(scroll)
    try:
        return reader.read()
    finally:
        scroll.look(reader.at)


def first_node(text: str, at: int, line: int, most: int = sys.maxsize) -> tuple[SgfNode, int] | None:
    """Read the first node of a tree alone, or what of it stands before the place ``most``.

    Return it and where it ends, or None if there is none.
    """
    start = _START.match(text, at)
    span = _PROPERTIES.match(text, start.end(), most) if start else None
    if start is None or span is None:
        return None
    root = SgfNode(line=line)
    for name, values in _PROPERTY.findall(text, start.end(), span.end()):
        several = _VALUE.findall(values) if values.count("[") > 1 else (values.lstrip()[1:-1],)
        root.properties += [(name.upper(), unescape(value)) for value in several]
    return root, span.end()


class _TreeReader:
    """Reads one tree, token by token."""

    def __init__(self, scroll: Scroll) -> None:
        self._scroll = scroll
        self.at = scroll.at
        """How far it has come."""
        self._line = scroll.line
        self._root: SgfNode | None = None
        self._current: SgfNode | None = None
        self._branches: list[SgfNode | None] = []
        self._begins = False
        """Whether the current node is the first of a variation."""
        self._before, self._name = "", ""

    def read(self) -> tuple[SgfNode, int]:
        """Return the first node and where the tree ends."""
        text = self._scroll.text
        while self.at < len(text):
            found = _TOKEN.match(text, self.at)
            if found is None:
                raise self._not_a_token()
            kind = found.lastgroup
            if kind is not None:
                self._take(found, found["mark"] or kind)
            self._line += text.count("\n", self.at, found.end())
            self.at = found.end()
            if found["mark"] == ")" and not self._branches:
                assert self._root is not None
                return self._root, self.at
        if not self._scroll.is_whole:
            raise Incomplete
        raise _fault(self._scroll.line, "(", "this game tree has no end")

    def _not_a_token(self) -> Exception:
        text, at = self._scroll.text, self.at
        if not self._scroll.is_whole and (text[at] == "[" or at + QUOTED > len(text)):
            return Incomplete()
        why = "a node, property, ( or ) was expected"
        if text[at] == "[":
            why = "this value has no closing ]"
            self.at = len(text)  # to there it was looked for
        return _fault(self._line, text[at : at + QUOTED].split("\n", 1)[0], why)

    def _take(self, found: re.Match[str], mark: str) -> None:
        before, line = self._before, self._line
        if before == "name" and mark != "value":
            raise _fault(line, self._name, "this property has no value")
        if before == "(" and mark != ";":
            raise _fault(line, found[0], "a game tree begins with a node")
        match mark:
            case "(":
                check_depth(len(self._branches), line)
                self._branches.append(self._current)
            case ")":
                self._current = self._branches.pop()
            case ";":
                if before == ")":
                    raise _fault(line, ";", "a node cannot follow a variation")
                self._begins = before == "(" and self._current is not None
                node = SgfNode(line=line)
                if self._current is not None:
                    self._current.children.append(node)
                else:
                    self._root = node
                self._current = node
            case "name":
                if before == ")":
                    raise _fault(line, found[0], "a property must stand in a node")
                self._name = found[0].upper()
            case "value":
                if before not in ("name", "value") or self._current is None:
                    raise _fault(line, found[0], "this value belongs to no property")
                if self._begins and self._name in _SAYS_WHICH_GAME:
                    why = f"this game tree has no end; another game begins in line {self._current.line}"
                    raise _fault(self._scroll.line, "(", why)
                self._current.properties.append((self._name, unescape(found["value"])))
        self._before = mark


def _fault(line: int, token: str, why: str) -> InvalidRecordError:
    return InvalidRecordError(f"line {line}: {shorten(token)}: {why}", line=line).because(why, token)


def unescape(value: str) -> str:
    """Return what is meant by a value as it is written."""
    return _ESCAPED.sub(_unescaped, value) if "\\" in value else value


def _unescaped(match: re.Match[str]) -> str:
    """Return an escaped character as it is; an escaped line break is only there to wrap the file."""
    return "" if match[1][0] in "\r\n" else match[1]
