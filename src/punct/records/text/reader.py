"""Reading the text record: first a game's words, then the game they tell."""

from __future__ import annotations

import itertools
import re
from typing import Final, NamedTuple

from punct.errors import InvalidRecordError, PunctError, shorten
from punct.game import DERIVED_TAGS, Game, Node, lay_game
from punct.kernel import Position
from punct.outcome import Ending, Rules
from punct.records.ending import RESULTS, settle
from punct.records.limits import DEEPEST, check_depth
from punct.records.replay import Replay
from punct.records.source import QUOTED, Incomplete, Scroll

# Every part is matched in one pass without going back, so that hostile files take no longer than others. Turns
# in a row are one match; whatever fits nowhere is matched too, or the search for the next match would begin.
_TOKEN: Final = re.compile(
    r"""
    \s*+ (?:
    (?P<turns> (?: (?: [0-9]++ \.++ \s*+ )?+ [A-Za-z] [A-Za-z0-9-]*+ \s++ )++ )
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
_TURN: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*+")
_NUMBER: Final = re.compile(r"[0-9]+(?:\.+|$)|\.+")
_NEXT_GAME: Final = re.compile(r"^[^\S\n]*+[^\s\[][^\n]*+\n\s*+(?=\[\s*+[A-Za-z0-9_]++\s*+\")", re.MULTILINE)
"""The last line of a game's turns, after which tags stand: where to go on after a game that makes no sense."""
_ESCAPED: Final = re.compile(r'\\([\\}"{])')
_RULES: Final = frozenset(str(rules) for rules in Rules)
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


class _Variation:
    """Turns one after the other, also the main ones, with what stands between them. Comments before the first are -1's.

    Where something stands is told by its place in the text, and made a line only if that is wanted.
    """

    __slots__ = ("comments", "place", "rows", "texts", "variations")

    def __init__(self, place: int) -> None:
        self.place = place
        self.texts: list[str] = []
        self.rows: list[tuple[int, int, int]] = []
        """Turns that stand together: the index of the first, begin and end; a word by itself has no end."""
        self.comments: dict[int, list[str]] = {}
        self.variations: dict[int, list[_Variation]] = {}

    def place_of(self, index: int, text: str) -> int:
        """Return where a turn stands."""
        first, begin, end = next(row for row in reversed(self.rows) if row[0] <= index)
        if begin == end:
            return begin
        return next(itertools.islice(_TURN.finditer(text, begin, end), index - first, None)).start()


class _Word(NamedTuple):
    value: str
    place: int


class Draft:
    """One game's words."""

    def __init__(self, scroll: Scroll, place: int) -> None:
        """Begin with nothing."""
        self.scroll = scroll
        self.tags: dict[str, _Word] = {}
        self.main = _Variation(place)
        self.open: list[_Variation] = [self.main]
        self.result: _Word | None = None
        self.end = place

    def fault(self, place: int, token: object, why: object) -> InvalidRecordError:
        """Return an error that names the line, the word and what is wrong."""
        self.scroll.look(place)
        line = self.scroll.line_of(place)
        return InvalidRecordError(f"line {line}: {shorten(token)}: {why}", line=line).because(why, token)

    def refusal(self, line: _Variation, index: int, why: PunctError) -> InvalidRecordError:
        """Return the error for a turn that cannot be played."""
        return self.fault(line.place_of(index, self.scroll.text), line.texts[index], why)

    def header(self) -> dict[str, str]:
        """Return the tags as they are written."""
        return {name: word.value for name, word in self.tags.items()}

    def play(self) -> Game:
        """Play the game that these words tell."""
        return _play(self)

    def next_game(self) -> int:
        """Return where to go on if the game cannot be played: an open brace may have swallowed others."""
        found = _NEXT_GAME.search(self.scroll.text, self.scroll.at, self.end)
        return found.end() if found else self.end


# ---------------------------------------------------------------------- words


def take_text(scroll: Scroll) -> Draft | None:
    """Read the words of the game that begins here, or None if there are no more; raises InvalidRecordError."""
    while True:
        try:
            return _draft(scroll)
        except Incomplete:
            scroll.more()


def skip_text(scroll: Scroll) -> int:
    """Return where the next game begins, after one whose words make no sense."""
    while True:
        found = _NEXT_GAME.search(scroll.text, scroll.at)
        if found:
            return found.end()
        if not scroll.more():
            return len(scroll.text)


def _draft(scroll: Scroll) -> Draft | None:
    text, size = scroll.text, len(scroll.text)
    draft: Draft | None = None
    end = scroll.at
    for found in _TOKEN.finditer(text, scroll.at):
        kind = found.lastgroup
        if found.end() == size and not scroll.is_whole:
            raise Incomplete  # more of this word may come
        if kind is None:
            break
        place = found.start(kind)
        if draft is None:
            scroll.go_to(found.end() - len(found[0].lstrip()))
            draft = Draft(scroll, scroll.at)
            current = draft.main
        if kind == "turns":
            current.rows.append((len(current.texts), place, found.end()))
            current.texts += _TURN.findall(found["turns"])
        elif kind == "word":
            if _take_word(draft, found["word"], place):
                draft.end = found.end()
                return draft
        elif kind == "value":
            if draft.main.texts:
                break
            _take_tag(draft, found)
        elif kind in ("comment", "remark"):
            comment = _ESCAPED.sub(r"\1", found[kind]) if kind == "comment" else found[kind].strip()
            current.comments.setdefault(len(current.texts) - 1, []).append(comment)
        elif kind == "bracket":
            current = _take_bracket(draft, found[kind], place)
        else:
            if not scroll.is_whole and (found["other"] in _UNCLOSED or place + QUOTED > size):
                raise Incomplete
            word = text[place : place + QUOTED].split("\n", 1)[0]
            scroll.look(size)  # what has no end was looked for to the end
            raise draft.fault(place, word, _UNCLOSED.get(word[0], _WHAT_IT_MAY_BE))
        end = found.end()
    if draft is not None:
        draft.end = end
        _close(draft)
    return draft


def _take_tag(draft: Draft, found: re.Match[str]) -> None:
    name = found["name"]
    if name in draft.tags:
        raise draft.fault(found.start("name"), name, "this tag is given twice")
    value = found["value"]
    draft.tags[name] = _Word(_ESCAPED.sub(r"\1", value) if "\\" in value else value, found.start("name"))


def _take_bracket(draft: Draft, bracket: str, place: int) -> _Variation:
    """Open or close a variation, and return the one that goes on."""
    current = draft.open[-1]
    if bracket == "(":
        if not current.texts:
            raise draft.fault(place, "(", "a variation stands after the turn it replaces")
        if len(draft.open) > DEEPEST:
            check_depth(len(draft.open), draft.scroll.line_of(place))
        variation = _Variation(place)
        current.variations.setdefault(len(current.texts) - 1, []).append(variation)
        draft.open.append(variation)
        return variation
    if len(draft.open) == 1:
        raise draft.fault(place, ")", "no variation is open here")
    if not current.texts:
        raise draft.fault(place, ")", "this variation has no turns")
    draft.open.pop()
    return draft.open[-1]


def _take_word(draft: Draft, word: str, place: int) -> bool:
    """Take a word that is no plain turn; True if it was the result, which ends the game."""
    if word in RESULTS:
        if len(draft.open) > 1:
            begun = draft.scroll.line_of(draft.open[-1].place)
            raise draft.fault(place, word, f"the variation that begins in line {begun} has no closing parenthesis")
        draft.result = _Word(word, place)
        return True
    number = _NUMBER.match(word)
    turn = word[number.end() :] if number else word
    if turn:
        current = draft.open[-1]
        current.rows.append((len(current.texts), place, place))
        current.texts.append(turn)
    return False


def _close(draft: Draft) -> None:
    """Check that a game without a result at its end may stand so."""
    if len(draft.open) > 1:
        raise draft.fault(draft.open[-1].place, "(", "this variation has no closing parenthesis")
    if "Result" in draft.tags:
        raise draft.fault(
            draft.end, "Result", "the game has this tag, but its turns do not end with a result; is part missing?"
        )


# ---------------------------------------------------------------------- games


def _play(draft: Draft) -> Game:
    start = _start(draft)
    game = Game(start)
    tags = {name: word for name, word in draft.tags.items() if name not in DERIVED_TAGS and word.value.strip()}
    for name, (value, place) in tags.items():
        try:
            game.tags[name] = value
        except PunctError as error:
            raise draft.fault(place, name, error) from None
    main = draft.main
    if main.comments or main.variations:
        _play_variations(game, draft, Replay(game, start))
        game.go_to_end()
    else:
        moves, outcome, refused = Replay(game, start).play(main.texts)
        if refused is not None:
            raise draft.refusal(main, len(moves), refused)
        lay_game(game, moves, outcome)
    _settle(game, draft)
    return game


def _start(draft: Draft) -> str:
    rules = draft.tags.get("Rules")
    given = [name for name in ("Position", "FEN") if name in draft.tags]
    if len(given) == 2:
        raise draft.fault(draft.tags["FEN"].place, "FEN", "Position is given too; only one may tell the start")
    if rules is not None and rules.value not in _RULES:
        raise draft.fault(rules.place, rules.value, "the tag Rules may say basic or standard")
    usual = f"{rules.value} w" if rules else "standard w"
    if not given:
        return usual
    value, place = draft.tags[given[0]]
    if value == "startpos":  # as UGI has it, and so what writes down its games
        return usual
    try:
        position = Position(value)
    except PunctError as error:
        raise draft.fault(place, given[0], error) from None
    if rules is not None and rules.value != str(position.rules):
        raise draft.fault(
            place, given[0], f"this position is of the {position.rules} game, but Rules says {rules.value}"
        )
    return str(position)


def _play_variations(game: Game, draft: Draft, board: Replay) -> None:
    """Play the main line, then its variations, so that a variation never comes before what it replaces."""
    main = draft.main
    comments: dict[Node, list[str]] = {}
    places: dict[Node, int] = {}
    waiting = [(game.root, main)]
    while waiting:
        node, line = waiting.pop()
        board.go_to(node)
        nodes, refused = board.play_on(line.texts)
        if refused is not None:
            raise draft.refusal(line, len(nodes), refused)
        for at, remarks in line.comments.items():
            # What stands before the first turn of a variation is about that turn.
            about = nodes[max(at, 0)] if line is not main else nodes[at] if at >= 0 else game.root
            comments.setdefault(about, []).extend(remarks)
            place = main.place if about is game.root else line.place_of(max(at, 0), draft.scroll.text)
            places.setdefault(about, place)
        waiting += [
            (nodes[at - 1] if at else node, variation)
            for at, variations in reversed(line.variations.items())
            for variation in reversed(variations)
        ]
    for node, remarks in comments.items():
        try:
            node.comment = "\n".join(remarks)
        except PunctError as error:
            raise draft.fault(places[node], node.move or "{", error) from None


def _settle(game: Game, draft: Draft) -> None:
    tag, termination = draft.tags.get("Result"), draft.tags.get("Termination")
    result = draft.result or tag
    if tag is not None and tag.value not in RESULTS:
        raise draft.fault(tag.place, tag.value, f"a result is {', '.join(RESULTS)}")
    if result is not None and tag is not None and tag.value != result.value:
        raise draft.fault(result.place, result.value, f"the tag Result says {tag.value}")
    ending = None
    if termination is not None and termination.value:
        ending = _ENDINGS.get(termination.value)
        if ending is None:
            raise draft.fault(termination.place, termination.value, f"Termination may say {', '.join(_ENDINGS)}")
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
        raise draft.fault(where.place, where.value, error) from None
