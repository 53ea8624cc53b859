"""Reading PÜNCT games from SGF as Boardspace writes them: what each player did, action by action."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from punct.errors import InvalidRecordError, PunctError, shorten
from punct.game import DERIVED_TAGS, Game, Node
from punct.geometry import Space
from punct.outcome import Ending, Rules
from punct.piece import Colour, Kind
from punct.records.ending import settle
from punct.records.sgf.numbering import ROTATIONS, Numbers, heading_of, kind_of
from punct.records.sgf.syntax import SgfNode, read_sgf
from punct.records.sgf.turn_in_hand import TurnInHand, landed

PLAYERS: Final = {"P0": Colour.WHITE, "P1": Colour.BLACK}
TAG_PROPERTIES: Final = {"EV": "Event", "PC": "Site", "DT": "Date", "RO": "Round", "GN": "Game"}
"""Properties of the first node that are tags; what has no property of its own stands in TAG[name:value]."""
GAME_NUMBER: Final = "25"

_RESULT: Final = re.compile(r"(?P<winner>[WB])\+(?P<how>R|Resign|T|Time)?|Draw|0", re.IGNORECASE)
_UNWRITABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_LINE_BREAKS: Final = re.compile(r"[\r\n]+")
_MOST_WORDS: Final = 9
_ACTION: Final = re.compile(r"\s*(?:([0-9]+)\s+)?(\S+)\s*(.*)", re.DOTALL)


class _Action(NamedTuple):
    """Something a player did."""

    player: Colour
    label: str
    name: str
    rest: str
    line: int

    @property
    def words(self) -> list[str]:
        """What follows the name, word by word."""
        return self.rest.split(None, _MOST_WORDS)

    def fault(self, why: object) -> InvalidRecordError:
        text = shorten(f"{self.name} {self.rest}".strip())
        return InvalidRecordError(f"action {self.label} (line {self.line}): {self.player} {text}: {why}")


def read_boardspace(text: str, most_games: int | None = None) -> list[Game]:
    """Read every game of an SGF file; raises InvalidRecordError, which names the game, the action and what is wrong."""
    roots = read_sgf(text, most_games)
    games = []
    for number, root in enumerate(roots, 1):
        try:
            games.append(_read_game(root))
        except InvalidRecordError as error:
            if len(roots) == 1:
                raise
            raise InvalidRecordError(f"game {number}, {error}") from None
    return games


def _read_game(root: SgfNode) -> Game:
    kind = root.get("GM")
    if kind is not None and kind.strip().lower() not in (GAME_NUMBER, "punct"):
        raise InvalidRecordError(f"line {root.line}: GM[{kind[:20]}] is another game; PÜNCT is GM[{GAME_NUMBER}]")
    game = _begin(root)
    _read_tags(game, root)
    _Replay(game).play(root)
    _settle(game, root)
    return game


# ---------------------------------------------------------------------- the first node


def _begin(root: SgfNode) -> Game:
    """Start a game by the rules, position and first player that the record names."""
    position = root.get("POSITION")
    if position is None:
        rules = (root.get("RU") or "").strip().lower()
        starts = _first_player(root)
        return Game(f"{Rules.BASIC if rules == 'basic' else Rules.STANDARD} {starts.letter}")
    try:
        return Game(position)
    except PunctError as error:
        raise InvalidRecordError(f"line {root.line}: POSITION: {error}") from None


def _first_player(root: SgfNode) -> Colour:
    """Return who starts: White, unless the last Start before the first Done says otherwise."""
    starts = Colour.WHITE
    node: SgfNode | None = root
    while node is not None:
        for action in _actions(node, 0):
            if action.name == "start":
                starts = _player_named(action)
            elif action.name == "done":
                return starts
        node = node.children[0] if node.children else None
    return starts


def _read_tags(game: Game, root: SgfNode) -> None:
    for name, value in root.properties:
        if name in TAG_PROPERTIES:
            _set_tag(game, TAG_PROPERTIES[name], value)
        elif name == "TAG":
            tag, _, text = value.partition(":")
            _set_tag(game, tag, text)


def _set_tag(game: Game, tag: str, value: str) -> None:
    """Set a tag that is not yet known, as far as its text can be kept; a header never makes a game unreadable."""
    value = _LINE_BREAKS.sub(" ", _UNWRITABLE.sub(" ", value)).strip()
    if not value or tag in game.tags or tag in DERIVED_TAGS:
        return
    try:
        game.tags[tag] = value
    except PunctError:
        return


def _settle(game: Game, root: SgfNode) -> None:
    """Hold the result against the turns, if it is written as SGF writes results; Boardspace has sentences there."""
    game.go_to_end()
    said = (root.get("RE") or "").strip()
    match = _RESULT.fullmatch(said)
    if match is None:
        return
    if match["winner"] is None:
        result, ending = "1/2-1/2", None if game.outcome() else Ending.AGREEMENT
    else:
        result = "1-0" if match["winner"].upper() == "W" else "0-1"
        how = (match["how"] or "").upper()[:1]
        ending = {"R": Ending.RESIGNATION, "T": Ending.TIME}.get(how)
    try:
        settle(game, result, ending)
    except PunctError as error:
        raise InvalidRecordError(f"line {root.line}: RE[{said}]: {error}") from None


# ---------------------------------------------------------------------- actions


def _actions(node: SgfNode, count: int) -> Iterator[_Action]:
    """Yield what the players did in a node. Actions without an index are numbered from ``count``."""
    for name, value in node.properties:
        found = _ACTION.fullmatch(value) if name in PLAYERS else None
        if found:
            label = found[1][:20] if found[1] else str(count)
            yield _Action(PLAYERS[name], label, found[2].lower(), found[3], node.line)
            count += 1


def _player_named(action: _Action) -> Colour:
    player = PLAYERS.get(action.words[0].upper()) if action.words else None
    if player is None:
        raise action.fault("Start names P0 or P1")
    return player


def _number(action: _Action, at: int) -> int:
    """Return the piece number at this place among the action's words."""
    word = action.words[at] if at < len(action.words) else ""
    number = int(word) if word.isdecimal() and len(word) <= 4 else -1
    if kind_of(number) is None:
        raise action.fault(f"{shorten(word)} is no piece's number: White has 1–18, Black 20–37")
    return number


def _space(action: _Action, at: int) -> Space:
    try:
        return Space("".join(action.words[at : at + 2]))
    except PunctError as error:
        raise action.fault(error) from None


def _rotation(action: _Action, at: int) -> int:
    word = action.words[at] if at < len(action.words) else ""
    rotation = int(word) if word.isdecimal() and len(word) <= 4 else -1
    if not 0 <= rotation < ROTATIONS:
        raise action.fault(f"{shorten(word)} is not a rotation: 0–5")
    return rotation


def _unquoted(text: str) -> str:
    return text.strip().removeprefix('"').removesuffix('"')


def _kind(number: int) -> Kind:
    kind = kind_of(number)
    assert kind is not None
    return kind


class _Branch(NamedTuple):
    """Everything needed to go on with a variation later."""

    sgf: SgfNode
    at: Node
    numbers: Numbers
    turn: TurnInHand
    resigning: Colour | None
    actions: int


class _Replay:
    """Plays the actions of a tree on a game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._numbers = Numbers(game.start.pieces)
        self._turn = TurnInHand(self._numbers)
        self._resigning: Colour | None = None
        self._remarks: list[str] = []  # made during a turn, and about it
        self._comments: dict[Node, list[str]] = {}

    def play(self, root: SgfNode) -> None:
        """Play every line, each to its end before the variations that leave it last."""
        node: SgfNode | None = root
        count = 0
        waiting: list[_Branch] = []
        while node is not None:
            for action in _actions(node, count):
                self._act(action)
                count += 1
            self._remark(node)
            # The first child goes on from here as it is; the others from a copy.
            waiting += [self._branch(child, count) for child in reversed(node.children[1:])]
            if node.children:
                node = node.children[0]
                continue
            self._comments.setdefault(self._game.node, []).extend(self._remarks)
            node, count = self._take_up(waiting.pop()) if waiting else (None, 0)
        for at, remarks in self._comments.items():
            at.comment = "\n".join(remarks)

    def _branch(self, child: SgfNode, count: int) -> _Branch:
        return _Branch(child, self._game.node, self._numbers, self._turn.copy(), self._resigning, count)

    def _take_up(self, branch: _Branch) -> tuple[SgfNode, int]:
        self._game.go_to(branch.at)
        self._numbers, self._turn, self._resigning = branch.numbers, branch.turn, branch.resigning
        self._remarks = []  # those made before it belong to the line it leaves
        return branch.sgf, branch.actions

    def _remark(self, node: SgfNode) -> None:
        remarks = [_UNWRITABLE.sub(" ", value) for name, value in node.properties if name == "C" and value]
        if self._turn.is_begun:
            self._remarks += remarks
        elif remarks:
            self._comments.setdefault(self._game.node, []).extend(remarks)

    def _act(self, action: _Action) -> None:
        position = self._game.position
        try:
            match action.name:
                case "pick":
                    self._turn.pick(_number(action, 1))
                case "pickb":
                    self._turn.pick_from_board(position, _space(action, 0))
                case "drop":
                    self._turn.drop_in_set(_number(action, 1))
                case "dropb":
                    number = _number(action, 0)
                    heading = heading_of(_kind(number), _rotation(action, 3))
                    self._turn.drop_on_board(number, _space(action, 1), heading)
                case "move":
                    number = self._turn.carry(position, _space(action, 0))
                    heading = heading_of(_kind(number), _rotation(action, 4))
                    self._turn.drop_on_board(number, _space(action, 2), heading)
                case "resign":
                    # Asked for a second time before Done, it is taken back.
                    self._resigning = None if self._resigning is not None else action.player
                case "start":
                    if _player_named(action) is not position.turn and self._game.moves:
                        raise action.fault(f"it is {position.turn}'s turn")
                case "done":
                    self._done(action)
                case "id":
                    _set_tag(self._game, str(action.player), _unquoted(action.rest))
                case _:
                    pass  # rotate: the drop that follows tells the rotation; time and the unknown tell no turn
        except InvalidRecordError:
            raise
        except PunctError as error:
            raise action.fault(error) from None

    def _done(self, action: _Action) -> None:
        game = self._game
        if self._resigning is not None:
            if game.node.is_main:  # in a variation it is only talk
                game.resign(self._resigning)
        elif self._turn.is_begun or game.outcome() is None:
            if action.player is not game.position.turn:
                raise action.fault(f"it is {game.position.turn}'s turn")
            number, move = self._turn.difference(game.position)
            played = game.push(move)
            self._numbers = self._numbers.copy()  # variations that wait still need the old ones
            self._numbers.put(number, landed(game.position, played))
            self._comments.setdefault(game.node, []).extend(self._remarks)
            self._remarks = []
        self._turn = TurnInHand(self._numbers)
        self._resigning = None
