"""Read the text record: first parse a game's tokens, then play the game."""

from __future__ import annotations

import itertools
import re
from typing import Final, NamedTuple

from punct.errors import InvalidRecordError, PunctError, shorten
from punct.game import Game, load_moves
from punct.kernel import Position
from punct.outcome import Ending, Rules
from punct.records.ending import RESULTS, settle
from punct.records.limits import MAX_DEPTH, check_depth
from punct.records.replay import Replay
from punct.records.source import QUOTE_LENGTH, Incomplete, TextBuffer
from punct.tags import DERIVED_TAGS
from punct.tree import Node

# Every part is matched in one pass without backtracking, so that hostile files take no longer than others. Moves in a
# row are one match: words that end with a heading, which follows a digit. A move with blanks in it is a match of its
# own. Anything else is matched too, or the search for the next match would skip it.
_TOKEN: Final = re.compile(
    r"""
    \s*+ (?:
    (?P<moves> (?: (?: [0-9]++ \.++ \s*+ )?+
        [A-Za-z] [A-Za-z0-9-]*+ (?: (?<= [0-9][A-Za-z] ) | (?<= [0-9][A-Za-z][A-Za-z] ) ) \s++ )++ )
    | (?: [0-9]++ \.++ \s*+ )?+ (?P<spaced>
        (?: (?: S[CE] | A[MRL] | [TCEMRL] ) \s*+ )? [A-Za-z][0-9]{1,2}
        (?: (?: \s*+ - \s*+ | \s++ ) [A-Za-z][0-9]{1,2} )? \s*+ [a-z]{1,2} (?! [A-Za-z0-9-] ) )
    | (?P<word> [^\s\[\]{}();"]++ )
    | \[ \s*+ (?P<name> [A-Za-z0-9_]++ ) \s*+ " (?P<value> [^"\\]*+ (?: \\. [^"\\]*+ )*+ ) " \s*+ \]
    | \{ (?P<comment> [^}\\]*+ (?: \\. [^}\\]*+ )*+ ) \}
    | ; (?P<remark> [^\n]*+ )
    | (?P<bracket> [()] )
    | (?P<other> \S )
    | \Z
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_MOVE: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*+")
_NUMBER: Final = re.compile(r"[0-9]+(?:\.+|$)|\.+")
_NEXT_GAME: Final = re.compile(r"^[^\S\n]*+[^\s\[][^\n]*+\n\s*+(?=\[\s*+[A-Za-z0-9_]++\s*+\")", re.MULTILINE)
"""The last line of a game's moves, followed by tags: where to continue after an invalid game."""
_ESCAPED: Final = re.compile(r'\\([\\}"{])')
_RULES: Final = frozenset(str(rules) for rules in Rules)
_ENDINGS: Final = {str(ending): ending for ending in Ending}
_ADJUDICATED: Final = {
    "out of time": Ending.TIME,
    "resigned": Ending.RESIGNATION,
    # A program that failed has resigned, as in our own matches.
    "crashed": Ending.RESIGNATION,
    "illegal move": Ending.RESIGNATION,
    "maximum game length": Ending.AGREEMENT,
}
"""The tag ``Adjudicated`` of the match runner cutegames, as a ``Termination``."""
_EXPECTED: Final = "expected a tag, a move, a comment in braces, a variation in parentheses or a result"
_UNCLOSED: Final = {
    "[": 'a tag is written [Name "value"], and this one is not',
    "{": "this comment has no closing brace",
}


class _Variation:
    """The moves of the main line or a variation, with comments and variations by move index; -1 is before the first.

    Places are offsets in the text; they become line numbers only in errors.
    """

    __slots__ = ("comments", "place", "rows", "texts", "variations")

    def __init__(self, place: int) -> None:
        self.place = place
        self.texts: list[str] = []
        self.rows: list[tuple[int, int, int]] = []
        """Runs of moves: the index of the first, begin and end in the text; begin is end for a single word."""
        self.comments: dict[int, list[str]] = {}
        self.variations: dict[int, list[_Variation]] = {}

    def place_of(self, index: int, text: str) -> int:
        """Return the place of a move in the text."""
        first, begin, end = next(row for row in reversed(self.rows) if row[0] <= index)
        if begin == end:
            return begin
        return next(itertools.islice(_MOVE.finditer(text, begin, end), index - first, None)).start()


class _Token(NamedTuple):
    value: str
    place: int


class ParsedGame:
    """The tokens of one game."""

    def __init__(self, buffer: TextBuffer, place: int) -> None:
        """Start without tokens."""
        self.buffer = buffer
        self.tags: dict[str, _Token] = {}
        self.main = _Variation(place)
        self.open: list[_Variation] = [self.main]
        self.result: _Token | None = None
        self.end = place

    def fault(self, place: int, token: object, problem: object) -> InvalidRecordError:
        """Return an error that names the line, the token and what is wrong."""
        self.buffer.mark_read(place)
        line = self.buffer.line_of(place)
        return InvalidRecordError(f"line {line}: {shorten(token)}: {problem}", line=line).because(problem, token)

    def refusal(self, variation: _Variation, index: int, problem: PunctError) -> InvalidRecordError:
        """Return the error for a move that cannot be played."""
        return self.fault(variation.place_of(index, self.buffer.text), variation.texts[index], problem)

    def header(self) -> dict[str, str]:
        """Return the tags as they are written."""
        return {name: word.value for name, word in self.tags.items()}

    def play(self) -> Game:
        """Play the game."""
        return _play(self)

    def next_game(self) -> int:
        """Return where to continue if the game is invalid: an unclosed brace may have swallowed others."""
        match = _NEXT_GAME.search(self.buffer.text, self.buffer.at, self.end)
        return match.end() if match else self.end


# ---------------------------------------------------------------------- tokens


def parse_text(buffer: TextBuffer) -> ParsedGame | None:
    """Parse the game that begins here; None if there are no more. Raises InvalidRecordError."""
    while True:
        try:
            return _parse(buffer)
        except Incomplete:
            buffer.more()


def skip_text(buffer: TextBuffer) -> int:
    """Return where the next game begins, after one that cannot be parsed."""
    while True:
        match = _NEXT_GAME.search(buffer.text, buffer.at)
        if match:
            return match.end()
        if not buffer.more():
            return len(buffer.text)


def _parse(buffer: TextBuffer) -> ParsedGame | None:
    text, size = buffer.text, len(buffer.text)
    parsed: ParsedGame | None = None
    end = buffer.at
    for match in _TOKEN.finditer(text, buffer.at):
        kind = match.lastgroup
        if match.end() == size and not buffer.is_whole:
            raise Incomplete  # more of this token may follow
        if kind is None:
            break
        place = match.start(kind)
        if parsed is None:
            buffer.go_to(match.end() - len(match[0].lstrip()))
            parsed = ParsedGame(buffer, buffer.at)
            current = parsed.main
        if kind == "moves":
            current.rows.append((len(current.texts), place, match.end()))
            current.texts += _MOVE.findall(match["moves"])
        elif kind == "spaced":
            _take_move(parsed, match["spaced"], place)
        elif kind == "word":
            if _take_word(parsed, match["word"], place):
                parsed.end = match.end()
                return parsed
        elif kind == "value":
            if parsed.main.texts:
                break
            _take_tag(parsed, match)
        elif kind in ("comment", "remark"):
            comment = _ESCAPED.sub(r"\1", match[kind]) if kind == "comment" else match[kind].strip()
            current.comments.setdefault(len(current.texts) - 1, []).append(comment)
        elif kind == "bracket":
            current = _take_bracket(parsed, match[kind], place)
        else:
            if not buffer.is_whole and (match["other"] in _UNCLOSED or place + QUOTE_LENGTH > size):
                raise Incomplete
            word = text[place : place + QUOTE_LENGTH].split("\n", 1)[0]
            buffer.mark_read(size)  # its end was searched to the end of the text
            raise parsed.fault(place, word, _UNCLOSED.get(word[0], _EXPECTED))
        end = match.end()
    if parsed is not None:
        parsed.end = end
        _close(parsed)
    return parsed


def _take_tag(parsed: ParsedGame, match: re.Match[str]) -> None:
    name = match["name"]
    if name in parsed.tags:
        raise parsed.fault(match.start("name"), name, "this tag is given twice")
    value = match["value"]
    parsed.tags[name] = _Token(_ESCAPED.sub(r"\1", value) if "\\" in value else value, match.start("name"))


def _take_bracket(parsed: ParsedGame, bracket: str, place: int) -> _Variation:
    """Open or close a variation, and return the one that goes on."""
    current = parsed.open[-1]
    if bracket == "(":
        if not current.texts:
            raise parsed.fault(place, "(", "a variation stands after the move it replaces")
        if len(parsed.open) > MAX_DEPTH:
            check_depth(len(parsed.open), parsed.buffer.line_of(place))
        variation = _Variation(place)
        current.variations.setdefault(len(current.texts) - 1, []).append(variation)
        parsed.open.append(variation)
        return variation
    if len(parsed.open) == 1:
        raise parsed.fault(place, ")", "no variation is open here")
    if not current.texts:
        raise parsed.fault(place, ")", "this variation has no moves")
    parsed.open.pop()
    return parsed.open[-1]


def _take_word(parsed: ParsedGame, word: str, place: int) -> bool:
    """Take a word that is not a plain move; True if it was the result, which ends the game."""
    if word in RESULTS:
        if len(parsed.open) > 1:
            line = parsed.buffer.line_of(parsed.open[-1].place)
            raise parsed.fault(place, word, f"the variation that begins in line {line} has no closing parenthesis")
        parsed.result = _Token(word, place)
        return True
    number = _NUMBER.match(word)
    move = word[number.end() :] if number else word
    if move:
        _take_move(parsed, move, place)
    return False


def _take_move(parsed: ParsedGame, move: str, place: int) -> None:
    """Add a move that stands alone to the open variation."""
    current = parsed.open[-1]
    current.rows.append((len(current.texts), place, place))
    current.texts.append(move)


def _close(parsed: ParsedGame) -> None:
    """Check that a game may end without a result."""
    if len(parsed.open) > 1:
        raise parsed.fault(parsed.open[-1].place, "(", "this variation has no closing parenthesis")
    if "Result" in parsed.tags:
        raise parsed.fault(
            parsed.end, "Result", "the game has this tag, but its moves do not end with a result; is part missing?"
        )


# ---------------------------------------------------------------------- games


def _play(parsed: ParsedGame) -> Game:
    start = _start(parsed)
    game = Game(start)
    tags = {name: word for name, word in parsed.tags.items() if name not in DERIVED_TAGS and word.value.strip()}
    for name, (value, place) in tags.items():
        try:
            game.tags[name] = value
        except PunctError as error:
            raise parsed.fault(place, name, error) from None
    main = parsed.main
    if main.comments or main.variations:
        _play_variations(game, parsed, Replay(game, start))
        game.go_to_end()
    else:
        moves, outcome, refused = Replay(game, start).play(main.texts)
        if refused is not None:
            raise parsed.refusal(main, len(moves), refused)
        load_moves(game, moves, outcome)
    _settle(game, parsed)
    return game


def _start(parsed: ParsedGame) -> str:
    rules = parsed.tags.get("Rules")
    start_tags = [name for name in ("Position", "FEN") if name in parsed.tags]
    if len(start_tags) == 2:
        raise parsed.fault(parsed.tags["FEN"].place, "FEN", "Position is given too; only one may tell the start")
    if rules is not None and rules.value not in _RULES:
        raise parsed.fault(rules.place, rules.value, "the tag Rules may say basic or standard")
    default = f"{rules.value} w" if rules else "standard w"
    if not start_tags:
        return default
    value, place = parsed.tags[start_tags[0]]
    if value == "startpos":  # UGI's word, in the records of its match runners
        return default
    try:
        position = Position(value)
    except PunctError as error:
        raise parsed.fault(place, start_tags[0], error) from None
    if rules is not None and rules.value != str(position.rules):
        raise parsed.fault(
            place, start_tags[0], f"this position is of the {position.rules} game, but Rules says {rules.value}"
        )
    return str(position)


def _play_variations(game: Game, parsed: ParsedGame, board: Replay) -> None:
    """Play the main line, then its variations, so that a variation never comes before what it replaces."""
    main = parsed.main
    comments: dict[Node, list[str]] = {}
    places: dict[Node, int] = {}
    waiting = [(game.root, main)]
    while waiting:
        node, variation = waiting.pop()
        board.go_to(node)
        nodes, refused = board.play_on(variation.texts)
        if refused is not None:
            raise parsed.refusal(variation, len(nodes), refused)
        for at, remarks in variation.comments.items():
            # A comment before the first move of a variation is about that move.
            about = nodes[max(at, 0)] if variation is not main else nodes[at] if at >= 0 else game.root
            comments.setdefault(about, []).extend(remarks)
            place = main.place if about is game.root else variation.place_of(max(at, 0), parsed.buffer.text)
            places.setdefault(about, place)
        waiting += [
            (nodes[at - 1] if at else node, branch)
            for at, branches in reversed(variation.variations.items())
            for branch in reversed(branches)
        ]
    for node, remarks in comments.items():
        try:
            node.comment = "\n".join(remarks)
        except PunctError as error:
            raise parsed.fault(places[node], node.move or "{", error) from None


def _settle(game: Game, parsed: ParsedGame) -> None:
    tag, termination = parsed.tags.get("Result"), parsed.tags.get("Termination")
    result = parsed.result or tag
    if tag is not None and tag.value not in RESULTS:
        raise parsed.fault(tag.place, tag.value, f"a result is {', '.join(RESULTS)}")
    if result is not None and tag is not None and tag.value != result.value:
        raise parsed.fault(result.place, result.value, f"the tag Result says {tag.value}")
    ending = None
    if termination is not None and termination.value:
        ending = _ENDINGS.get(termination.value)
        if ending is None:
            raise parsed.fault(termination.place, termination.value, f"Termination may say {', '.join(_ENDINGS)}")
    if ending is None and "Adjudicated" in parsed.tags and game.outcome() is None:
        ending = _ADJUDICATED.get(parsed.tags["Adjudicated"].value.lower())
        if result is not None and result.value == "*":
            ending = None  # the record does not say who won
    if result is None and termination is None:
        return  # the result follows from the moves alone
    token = result or termination
    assert token is not None
    try:
        settle(game, result.value if result else game.result(), ending)
    except PunctError as error:
        raise parsed.fault(token.place, token.value, error) from None
