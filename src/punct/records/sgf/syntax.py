"""The syntax of SGF (FF[4]): trees of nodes with properties, for any game.

Written here because the SGF libraries for Python know only Go's properties, whose names are letters: they fail at
Boardspace's ``P0``, and do not keep line numbers for error messages.
"""

from __future__ import annotations

import re
import sys
from typing import Final

from punct.errors import InvalidRecordError, shorten
from punct.records.limits import check_depth
from punct.records.sgf.tree import SgfNode
from punct.records.source import QUOTE_LENGTH, Incomplete, TextBuffer

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
_GAME_PROPERTIES: Final = ("GM", "FF")
"""Properties of a game's first node that no variation's has."""
_SEARCHED_LENGTH: Final = 1000
"""How many characters of a game are searched for one of them."""
_ESCAPED: Final = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)


def looks_like_sgf(text: str) -> bool:
    """Return whether a text begins as SGF does."""
    return _START.match(text.lstrip("\ufeff \t\r\n")) is not None


def is_undecided(text: str) -> bool:
    """Return whether a text is too short to tell whether it is SGF."""
    return _BEGINNING.fullmatch(text) is not None


def find_tree(buffer: TextBuffer) -> bool:
    """Go to the beginning of the next game tree, past any other text; False if there is none.

    Raises InvalidRecordError if the whole source is a text without a tree.
    """
    has_text = False
    is_first = buffer.is_at_start
    while True:
        start = _START.search(buffer.text, buffer.at)
        if start is not None:
            buffer.go_to(start.start())
            return True
        has_text = has_text or bool(buffer.text[buffer.at :].strip())
        opened = _OPENED.search(buffer.text, buffer.at)  # its semicolon may follow
        buffer.go_to(opened.start() if opened else len(buffer.text))
        if not buffer.more():
            if is_first and has_text:
                raise InvalidRecordError("line 1: no SGF here: a game begins with (;", line=1).about("empty", "")
            return False


def next_tree(buffer: TextBuffer, end: int) -> int | None:
    """Return where another game begins, after the current tree's beginning and before ``end``; None if none does.

    Variations begin in the same way, but their first node has no game properties.
    """
    for start in _START.finditer(buffer.text, buffer.at + 1, end):
        node = first_node(buffer.text, start.start(), 0, start.end() + _SEARCHED_LENGTH)
        if node is not None and any(node[0].get(name) is not None for name in _GAME_PROPERTIES):
            return start.start()
    return None


def read_tree(buffer: TextBuffer) -> tuple[SgfNode, int]:
    """Parse the game tree that begins here; return its first node and its end. Raises Incomplete if it goes on."""
    if not buffer.is_whole and _BRACKET.search(buffer.text, buffer.at + 1) is None:
        raise Incomplete  # neither its end nor a variation
    reader = _TreeReader(buffer)
    try:
        return reader.read()
    finally:
        buffer.mark_read(reader.at)


def first_node(text: str, at: int, line: int, limit: int = sys.maxsize) -> tuple[SgfNode, int] | None:
    """Parse the first node of a tree alone, or what of it precedes the place ``limit``.

    Return it and its end, or None if there is none.
    """
    start = _START.match(text, at)
    span = _PROPERTIES.match(text, start.end(), limit) if start else None
    if start is None or span is None:
        return None
    root = SgfNode(line=line)
    for name, values in _PROPERTY.findall(text, start.end(), span.end()):
        parts = _VALUE.findall(values) if values.count("[") > 1 else (values.lstrip()[1:-1],)
        root.properties += [(name.upper(), unescape(value)) for value in parts]
    return root, span.end()


class _TreeReader:
    """Parses one tree, token by token."""

    def __init__(self, buffer: TextBuffer) -> None:
        self._buffer = buffer
        self.at = buffer.at
        """The current place in the text."""
        self._line = buffer.line
        self._root: SgfNode | None = None
        self._current: SgfNode | None = None
        self._branches: list[SgfNode | None] = []
        self._is_first_of_variation = False
        """Whether the current node is the first of a variation."""
        self._before, self._name = "", ""

    def read(self) -> tuple[SgfNode, int]:
        """Return the first node and where the tree ends."""
        text = self._buffer.text
        while self.at < len(text):
            token = _TOKEN.match(text, self.at)
            if token is None:
                raise self._not_a_token()
            kind = token.lastgroup
            if kind is not None:
                self._take(token, token["mark"] or kind)
            self._line += text.count("\n", self.at, token.end())
            self.at = token.end()
            if token["mark"] == ")" and not self._branches:
                assert self._root is not None
                return self._root, self.at
        if not self._buffer.is_whole:
            raise Incomplete
        raise _fault(self._buffer.line, "(", "this game tree has no end")

    def _not_a_token(self) -> Exception:
        text, at = self._buffer.text, self.at
        if not self._buffer.is_whole and (text[at] == "[" or at + QUOTE_LENGTH > len(text)):
            return Incomplete()
        problem = "a node, property, ( or ) was expected"
        if text[at] == "[":
            problem = "this value has no closing ]"
            self.at = len(text)  # its end was searched up to there
        return _fault(self._line, text[at : at + QUOTE_LENGTH].split("\n", 1)[0], problem)

    def _take(self, token: re.Match[str], mark: str) -> None:
        before, line = self._before, self._line
        if before == "name" and mark != "value":
            raise _fault(line, self._name, "this property has no value")
        if before == "(" and mark != ";":
            raise _fault(line, token[0], "a game tree begins with a node")
        match mark:
            case "(":
                check_depth(len(self._branches), line)
                self._branches.append(self._current)
            case ")":
                self._current = self._branches.pop()
            case ";":
                if before == ")":
                    raise _fault(line, ";", "a node cannot follow a variation")
                self._is_first_of_variation = before == "(" and self._current is not None
                node = SgfNode(line=line)
                if self._current is not None:
                    self._current.children.append(node)
                else:
                    self._root = node
                self._current = node
            case "name":
                if before == ")":
                    raise _fault(line, token[0], "a property must stand in a node")
                self._name = token[0].upper()
            case "value":
                if before not in ("name", "value") or self._current is None:
                    raise _fault(line, token[0], "this value belongs to no property")
                if self._is_first_of_variation and self._name in _GAME_PROPERTIES:
                    problem = f"this game tree has no end; another game begins in line {self._current.line}"
                    raise _fault(self._buffer.line, "(", problem)
                self._current.properties.append((self._name, unescape(token["value"])))
        self._before = mark


def _fault(line: int, token: str, problem: str) -> InvalidRecordError:
    return InvalidRecordError(f"line {line}: {shorten(token)}: {problem}", line=line).because(problem, token)


def unescape(value: str) -> str:
    """Return a value without its escapes."""
    return _ESCAPED.sub(_unescape_character, value) if "\\" in value else value


def _unescape_character(match: re.Match[str]) -> str:
    """Return an escaped character; an escaped line break only wraps the file and is dropped."""
    return "" if match[1][0] in "\r\n" else match[1]
