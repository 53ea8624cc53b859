"""Reading the text record: first its words, then the games they tell."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from punct.errors import InvalidRecordError, PunctError, shorten
from punct.game import DERIVED_TAGS, Game, Node
from punct.outcome import Ending, Rules
from punct.position import Position
from punct.records.ending import RESULTS, settle
from punct.records.limits import check_count, check_depth

# Every part is matched in one pass without going back, so that hostile files take no longer than others.
_TOKEN: Final = re.compile(
    r"""
    \s+
    | \[ \s* (?P<name> [A-Za-z0-9_]+ ) \s* " (?P<value> [^"\\]* (?: \\. [^"\\]* )* ) " \s* \]
    | \{ (?P<comment> [^}\\]* (?: \\. [^}\\]* )* ) \}
    | ; (?P<remark> [^\n]* )
    | (?P<bracket> [()] )
    | (?P<word> [^\s\[\]{}();"]+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_NUMBER: Final = re.compile(r"[0-9]+(?:\.+|$)|\.+")
_ESCAPED: Final = re.compile(r'\\([\\}"{])')
_ENDINGS: Final = {str(ending): ending for ending in Ending}
_ADJUDICATED: Final = {
    "out of time": Ending.TIME,
    "resigned": Ending.RESIGNATION,
    # A program that broke down has given up, as in our own matches.
    "crashed": Ending.RESIGNATION,
    "illegal move": Ending.RESIGNATION,
    "maximum game length": Ending.AGREEMENT,
}
"""How the match runner cutegames says what ``Termination`` says here."""
_WHAT_IT_MAY_BE: Final = "expected a tag, a turn, a comment in braces, a variation in parentheses or a result"
_UNCLOSED: Final = {
    "[": 'a tag is written [Name "value"], and this one is not',
    "{": "this comment has no closing brace",
}


@dataclass(slots=True)
class _Turn:
    """A turn as written, with what stands between it and the next one."""

    text: str
    line: int
    comments: list[str] = field(default_factory=list)
    variations: list[_Variation] = field(default_factory=list)


@dataclass(slots=True)
class _Variation:
    """Moves one after the other, also the main ones; comments before the first are ``opening``."""

    line: int
    turns: list[_Turn] = field(default_factory=list)
    opening: list[str] = field(default_factory=list)


class _Tag(NamedTuple):
    value: str
    line: int


class _Draft:
    """One game's words."""

    def __init__(self, line: int) -> None:
        self.tags: dict[str, _Tag] = {}
        self.main = _Variation(line)
        self.open: list[_Variation] = [self.main]
        self.result: _Tag | None = None

    @property
    def is_blank(self) -> bool:
        return not (self.tags or self.main.turns or self.main.opening)


def read_text(text: str, most_games: int | None = None) -> list[Game]:
    """Read every game of a text; raises InvalidRecordError, which names the line, the word and what is wrong."""
    return [_play(draft) for draft in _drafts(text, most_games)]


# ---------------------------------------------------------------------- words


def _fault(line: int, token: object, why: object) -> InvalidRecordError:
    return InvalidRecordError(f"line {line}: {shorten(token)}: {why}")


def _drafts(text: str, most_games: int | None) -> list[_Draft]:
    drafts: list[_Draft] = []
    draft: _Draft | None = None
    at, line = 0, 1
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            word = text[at : at + 60].split("\n", 1)[0]
            raise _fault(line, word, _UNCLOSED.get(text[at], _WHAT_IT_MAY_BE))
        kind = match.lastgroup
        if kind == "value" and draft is not None and draft.main.turns:
            _close(draft, line)
            draft = None
        if kind is not None and draft is None:
            check_count(len(drafts), most_games, line)
            draft = _Draft(line)
            drafts.append(draft)
        if kind is not None and draft is not None and _take(draft, kind, match, line):
            draft = None
        line += text.count("\n", at, match.end())
        at = match.end()
    if draft is not None and not draft.is_blank:
        _close(draft, line)
    return drafts


def _take(draft: _Draft, kind: str, found: re.Match[str], line: int) -> bool:
    """Add one word to the game; True if it was the result, which ends the game."""
    current = draft.open[-1]
    match kind:
        case "value":
            name = found["name"]
            if name in draft.tags:
                raise _fault(line, name, "this tag is given twice")
            draft.tags[name] = _Tag(_ESCAPED.sub(r"\1", found["value"]), line)
        case "comment" | "remark":
            comment = _ESCAPED.sub(r"\1", found[kind]) if kind == "comment" else found[kind].strip()
            (current.turns[-1].comments if current.turns else current.opening).append(comment)
        case "bracket" if found["bracket"] == "(":
            if not current.turns:
                raise _fault(line, "(", "a variation stands after the turn it replaces")
            check_depth(len(draft.open), line)
            variation = _Variation(line)
            current.turns[-1].variations.append(variation)
            draft.open.append(variation)
        case "bracket":
            if len(draft.open) == 1:
                raise _fault(line, ")", "no variation is open here")
            if not current.turns:
                raise _fault(line, ")", "this variation has no turns")
            draft.open.pop()
        case _:
            return _take_word(draft, found["word"], line)
    return False


def _take_word(draft: _Draft, word: str, line: int) -> bool:
    if word in RESULTS:
        if len(draft.open) > 1:
            raise _fault(
                line, word, f"the variation that begins in line {draft.open[-1].line} has no closing parenthesis"
            )
        draft.result = _Tag(word, line)
        return True
    number = _NUMBER.match(word)
    turn = word[number.end() :] if number else word
    if turn:
        draft.open[-1].turns.append(_Turn(turn, line))
    return False


def _close(draft: _Draft, line: int) -> None:
    """Check that a game without a result at its end may stand so."""
    if len(draft.open) > 1:
        raise _fault(draft.open[-1].line, "(", "this variation has no closing parenthesis")
    if "Result" in draft.tags:
        raise _fault(line, "Result", "the game has this tag, but its turns do not end with a result; is part missing?")


# ---------------------------------------------------------------------- games


def _play(draft: _Draft) -> Game:
    game = Game(_start(draft))
    for name, (value, line) in draft.tags.items():
        if name not in DERIVED_TAGS and value.strip():
            try:
                game.tags[name] = value
            except PunctError as error:
                raise _fault(line, name, error) from None
    _play_variations(game, draft.main)
    _settle(game, draft)
    return game


def _start(draft: _Draft) -> Position:
    rules = draft.tags.get("Rules")
    given = [name for name in ("Position", "FEN") if name in draft.tags]
    if len(given) == 2:
        raise _fault(draft.tags["FEN"].line, "FEN", "Position is given too; only one may tell the start")
    if rules is not None and rules.value not in {str(each) for each in Rules}:
        raise _fault(rules.line, rules.value, "the tag Rules may say basic or standard")
    if not given:
        return Position(f"{rules.value} w" if rules else "standard w")
    value, line = draft.tags[given[0]]
    if value == "startpos":  # as UGI has it, and so what writes down its games
        value = f"{rules.value if rules else Rules.STANDARD} w"
    try:
        position = Position(value)
    except PunctError as error:
        raise _fault(line, given[0], error) from None
    if rules is not None and rules.value != str(position.rules):
        raise _fault(line, given[0], f"this position is of the {position.rules} game, but Rules says {rules.value}")
    return position


def _play_variations(game: Game, main: _Variation) -> None:
    """Play the main line, then its variations, so that a variation never comes before what it replaces."""
    comments: dict[Node, list[str]] = {game.root: main.opening}
    lines: dict[Node, int] = {game.root: main.line}
    waiting = [(game.root, main)]
    while waiting:
        node, line = waiting.pop()
        game.go_to(node)
        later: list[tuple[Node, _Variation]] = []
        for turn in line.turns:
            before = game.node
            try:
                game.push(turn.text)
            except PunctError as error:
                raise _fault(turn.line, turn.text, error) from None
            remarks = comments.setdefault(game.node, [])
            if turn is line.turns[0] and line is not main:
                remarks += line.opening
            remarks += turn.comments
            lines.setdefault(game.node, turn.line)
            later += [(before, variation) for variation in turn.variations]
        waiting += reversed(later)
    for node, remarks in comments.items():
        try:
            node.comment = "\n".join(remarks)
        except PunctError as error:
            raise _fault(lines[node], node.move or "{", error) from None


def _settle(game: Game, draft: _Draft) -> None:
    tag, termination = draft.tags.get("Result"), draft.tags.get("Termination")
    result = draft.result or tag
    if tag is not None and tag.value not in RESULTS:
        raise _fault(tag.line, tag.value, f"a result is {', '.join(RESULTS)}")
    if result is not None and tag is not None and tag.value != result.value:
        raise _fault(result.line, result.value, f"the tag Result says {tag.value}")
    ending = None
    if termination is not None and termination.value:
        ending = _ENDINGS.get(termination.value)
        if ending is None:
            raise _fault(termination.line, termination.value, f"Termination may say {', '.join(_ENDINGS)}")
    game.go_to_end()
    if ending is None and "Adjudicated" in draft.tags and game.outcome() is None:
        ending = _ADJUDICATED.get(draft.tags["Adjudicated"].value.lower())
        if result is not None and result.value == "*":
            ending = None  # nobody says who won
    if result is None and termination is None:
        return  # turns alone: they tell whatever result there is
    where = result or termination
    assert where is not None
    try:
        settle(game, result.value if result else game.result(), ending)
    except PunctError as error:
        raise _fault(where.line, where.value, error) from None
