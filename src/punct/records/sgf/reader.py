"""Read PÜNCT games from Boardspace's SGF, action by action."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from punct.errors import InvalidRecordError, PunctError
from punct.game import Game, load_moves
from punct.outcome import Ending
from punct.piece import Colour, Kind
from punct.records.ending import settle
from punct.records.replay import Replay
from punct.records.sgf.actions import Action, actions, find_seats, first_player, rules_of
from punct.records.sgf.numbering import Numbers, heading_of, kind_of
from punct.records.sgf.pending_move import PendingMove
from punct.records.sgf.plain import PlainGame, read_plain
from punct.records.sgf.properties import GAME_NUMBER, OTHER_TAGS, START, TAG_PROPERTIES, Seats
from punct.records.sgf.syntax import find_tree, next_tree, read_tree
from punct.records.sgf.tree import SgfNode
from punct.records.source import Incomplete, TextBuffer
from punct.tags import DERIVED_TAGS, Tags
from punct.tree import Node

_FORMER_NAMES: Final = {"TAG": OTHER_TAGS, "POSITION": START}
"""Property names of earlier versions."""

_RESULT: Final = re.compile(r"(?P<winner>[WB])\+(?P<how>R|Resign|T|Time)?|Draw|0", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"Game won by (.+)", re.IGNORECASE | re.DOTALL)
_UNWRITABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_LINE_BREAKS: Final = re.compile(r"[\r\n]+")


class ParsedGame:
    """One game: as the kernel has played it, or else its tree of actions."""

    def __init__(self, buffer: TextBuffer) -> None:
        """Parse the tree that begins here; raises InvalidRecordError if it is invalid, Incomplete if it goes on."""
        self._buffer = buffer
        self._plain = read_plain(buffer.text, buffer.at, buffer.line)
        self._root: SgfNode | None = None
        self.end = self._plain.end if self._plain is not None else 0
        if self._plain is None:
            self._tree()

    def _tree(self) -> SgfNode:
        if self._root is None:
            self._root, self.end = read_tree(self._buffer)
        return self._root

    def play(self) -> Game:
        """Play the game."""
        return _plain_game(self._plain) if self._plain is not None else _read_game(self._tree())

    def header(self) -> dict[str, str]:
        """Return the tags of the first node, named as in a text record."""
        root = self._plain.root if self._plain is not None else self._tree()
        seats = self._plain.seats if self._plain is not None else find_seats(root)
        return _header(root, seats)

    def next_game(self) -> int:
        """Return where to continue if the game is invalid: an unclosed bracket may have swallowed others."""
        place = next_tree(self._buffer, self.end)
        return self.end if place is None else place


def parse_sgf(buffer: TextBuffer) -> ParsedGame | None:
    """Parse the next game tree; None if there are no more. Raises InvalidRecordError."""
    while find_tree(buffer):
        try:
            return ParsedGame(buffer)
        except Incomplete:
            buffer.more()
    return None


def skip_sgf(buffer: TextBuffer) -> int:
    """Return where the next game begins, after an invalid tree."""
    while True:
        place = next_tree(buffer, len(buffer.text))
        if place is not None:
            return place
        if not buffer.more():
            return len(buffer.text)


def _read_game(root: SgfNode) -> Game:
    _check_kind(root)
    seats = find_seats(root)
    game = _begin(root, seats)
    _read_tags(game.tags, root)
    replay = _Replay(game, seats)
    replay.play(root)
    game.go_to_end()
    _settle(game, root, replay.unfinished_resignation)
    return game


def _check_kind(root: SgfNode) -> None:
    kind = root.get("GM")
    if kind is not None and kind.strip().lower() not in (GAME_NUMBER, "punct"):
        raise InvalidRecordError(
            f"line {root.line}: GM[{kind[:20]}] is another game; PÜNCT is GM[{GAME_NUMBER}]", line=root.line
        ).about("other_game", f"GM[{kind[:20]}]")


def _plain_game(plain: PlainGame) -> Game:
    """Make a Game of one that the kernel has played."""
    root = plain.root
    _check_kind(root)
    game = Game(plain.start)
    _read_tags(game.tags, root)
    _read_names(game.tags, root, plain.seats)
    load_moves(game, plain.moves, plain.outcome)
    if plain.loser is not None:
        game.resign(plain.loser) if plain.has_resigned else game.lose_on_time(plain.loser)
    if plain.comments:
        nodes = (*game.main_line(), game.root)
        comments: dict[Node, list[str]] = {}
        for about, comment in plain.comments:
            comments.setdefault(nodes[about], []).append(_UNWRITABLE.sub(" ", comment))
        for node, remarks in comments.items():
            node.comment = "\n".join(remarks)
    _settle(game, root, None)
    return game


# ---------------------------------------------------------------------- the first node


def _begin(root: SgfNode, seats: Seats) -> Game:
    """Start a game by the rules, position and first player that the record names."""
    name, position = next(
        ((name, value) for name, value in root.properties if _FORMER_NAMES.get(name, name) == START), (START, None)
    )
    if position is None:
        return Game(f"{rules_of(root)} {first_player(root, seats).letter}")
    try:
        return Game(position)
    except PunctError as error:
        raise InvalidRecordError(f"line {root.line}: {name}: {error}", line=root.line) from None


def _read_tags(tags: dict[str, str], root: SgfNode) -> None:
    for name, value in root.properties:
        if name in TAG_PROPERTIES:
            _set_tag(tags, TAG_PROPERTIES[name], value)
        elif _FORMER_NAMES.get(name, name) == OTHER_TAGS:
            tag, _, text = value.partition(":")
            _set_tag(tags, tag, text)


def _read_names(tags: dict[str, str], root: SgfNode, seats: Seats) -> None:
    for action in actions(root, seats):
        if action.name == "id":
            _set_tag(tags, str(action.player), _unquote(action.rest))


def _set_tag(tags: dict[str, str], tag: str, value: str) -> None:
    """Set a tag that is not set yet, as far as its text is allowed; a header never makes a game invalid."""
    if not value.isprintable():
        value = _LINE_BREAKS.sub(" ", _UNWRITABLE.sub(" ", value))
    value = value.strip()
    if not value or tag in tags or tag in DERIVED_TAGS:
        return
    try:
        tags[tag] = value
    except PunctError:
        return


def _header(root: SgfNode, seats: Seats) -> dict[str, str]:
    tags = Tags()
    _read_tags(tags, root)
    _read_names(tags, root, seats)
    header = dict(tags)
    header["Rules"] = str(rules_of(root))
    start = next((value for name, value in root.properties if _FORMER_NAMES.get(name, name) == START), None)
    if start is not None:
        header["Position"] = start
    match = _RESULT.fullmatch((root.get("RE") or "").strip())
    if match is not None:
        header["Result"] = "1/2-1/2" if match["winner"] is None else "1-0" if match["winner"] in "Ww" else "0-1"
    return header


def _settle(game: Game, root: SgfNode, resigning: Colour | None) -> None:
    """Check the result against the moves, if it is in SGF's format.

    Boardspace writes a sentence instead, which adds nothing to the actions; except that after a last resignation
    without Done it says that the game ended so.
    """
    text = (root.get("RE") or "").strip()
    match = _RESULT.fullmatch(text)
    if match is None:
        if resigning is not None and game.outcome() is None and _named_winner(game, text) is resigning.other:
            game.resign(resigning)
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
        raise InvalidRecordError(f"line {root.line}: RE[{text}]: {error}", line=root.line) from None


def _named_winner(game: Game, sentence: str) -> Colour | None:
    """Return the player that Boardspace's sentence names, or None if it is nobody or ambiguous."""
    match = _SENTENCE.fullmatch(sentence)
    if match is None:
        return None
    winners = [colour for colour in Colour if game.tags.get(str(colour)) == match[1].strip()]
    return winners[0] if len(winners) == 1 else None


# ---------------------------------------------------------------------- actions


def _unquote(text: str) -> str:
    return text.strip().removeprefix('"').removesuffix('"')


def _kind(number: int) -> Kind:
    kind = kind_of(number)
    assert kind is not None
    return kind


class _Declaration(NamedTuple):
    """A declaration of a player that is not yet confirmed with Done."""

    player: Colour
    what: str


class _Branch(NamedTuple):
    """The state from which a variation is read later."""

    sgf: SgfNode
    at: Node
    numbers: Numbers
    pending: PendingMove
    declared: _Declaration | None
    actions: int


class _Replay:
    """Plays the actions of a tree on a game."""

    unfinished_resignation: Colour | None = None
    """Who resigned at the end of the main line, without Done."""

    def __init__(self, game: Game, seats: Seats) -> None:
        self._game = game
        self._seats = seats
        start = game.start
        self._board = Replay(game, str(start))
        self._numbers = Numbers(start.pieces)
        self._pending = PendingMove(self._numbers)
        self._declared: _Declaration | None = None
        self._remarks: list[str] = []  # comments within a move, which are about it
        self._comments: dict[Node, list[str]] = {}

    def play(self, root: SgfNode) -> None:
        """Play every variation, each to its end before those that leave it last."""
        node: SgfNode | None = root
        count = 0
        on_main_line = True
        waiting: list[_Branch] = []
        while node is not None:
            for action in actions(node, self._seats, count):
                self._act(action)
                count += 1
            self._add_comments(node)
            # The first child goes on from here as it is; the others from a copy.
            waiting += [self._branch(child, count) for child in reversed(node.children[1:])]
            if node.children:
                node = node.children[0]
                continue
            if on_main_line and self._declared is not None and self._declared.what == "resign":
                self.unfinished_resignation = self._declared.player
            on_main_line = False
            self._comments.setdefault(self._game.node, []).extend(self._remarks)
            node, count = self._resume(waiting.pop()) if waiting else (None, 0)
        for at, remarks in self._comments.items():
            at.comment = "\n".join(remarks)

    def _branch(self, child: SgfNode, count: int) -> _Branch:
        numbers = self._numbers.copy()
        return _Branch(child, self._game.node, numbers, self._pending.copy(numbers), self._declared, count)

    def _resume(self, branch: _Branch) -> tuple[SgfNode, int]:
        self._game.go_to(branch.at)
        self._board.go_to(branch.at)
        self._numbers, self._pending, self._declared = branch.numbers, branch.pending, branch.declared
        self._remarks = []  # earlier ones belong to the variation it leaves
        return branch.sgf, branch.actions

    def _add_comments(self, node: SgfNode) -> None:
        remarks = [_UNWRITABLE.sub(" ", value) for name, value in node.properties if name == "C" and value]
        if self._pending.is_begun:
            self._remarks += remarks
        elif remarks:
            self._comments.setdefault(self._game.node, []).extend(remarks)

    def _act(self, action: Action) -> None:
        try:
            match action.name:
                case "pick":
                    self._pending.pick(action.piece_number(1))
                case "pickb":
                    self._pending.pick_from_board(action.space(0))
                case "drop":
                    self._pending.drop_in_set(action.piece_number(1))
                case "dropb":
                    number = action.piece_number(0)
                    heading = heading_of(_kind(number), action.rotation(3))
                    self._pending.drop_on_board(number, action.space(1), heading)
                case "move":
                    number = self._pending.pick_from_board(action.space(0))
                    heading = heading_of(_kind(number), action.rotation(4))
                    self._pending.drop_on_board(number, action.space(2), heading)
                case "resign" | "offerdraw" | "acceptdraw" | "declinedraw":
                    # A repetition before Done takes it back.
                    declaration = _Declaration(action.player, action.name)
                    self._declared = None if self._declared == declaration else declaration
                case "loseontime":
                    self._time_is_up(action.player)
                case "winontime":
                    self._time_is_up(action.player.other)
                case "start":
                    if action.named_player(self._seats) is not self._board.turn and self._game.moves:
                        raise action.fault(f"it is {self._board.turn}'s turn")
                case "done":
                    self._done(action)
                case "id":
                    _set_tag(self._game.tags, str(action.player), _unquote(action.rest))
                case _:
                    pass  # rotate: the drop that follows has the rotation; time and unknown actions are no moves
        except InvalidRecordError:
            raise
        except PunctError as error:
            raise action.fault(error) from None

    def _time_is_up(self, loser: Colour) -> None:
        """End the game at once; a pending move does not count."""
        if self._is_open_main_line:
            self._game.lose_on_time(loser)
        self._begin_move()

    def _done(self, action: Action) -> None:
        declared = self._declared.what if self._declared is not None else ""
        if self._declared is not None and declared == "resign":
            if self._is_open_main_line:
                self._game.resign(self._declared.player)
        elif declared == "acceptdraw":
            if self._is_open_main_line:
                self._game.agree_draw()
        elif declared and not self._pending.is_begun:
            pass  # an offer or its refusal is no move
        elif self._pending.is_begun or self._game.node.outcome() is None:
            self._play(action.player)
        self._begin_move()

    def _play(self, player: Colour) -> None:
        """Play the pending move of a player."""
        if player is not self._board.turn:
            raise PunctError(f"it is {self._board.turn}'s turn")
        number, place, move = self._pending.difference(player)
        if self._game.node.declared is not None:
            raise self._board.game_over_error(move.text)
        nodes, refused = self._board.play_on([move.text])
        if refused is not None:
            raise refused
        self._game.go_to(nodes[-1])
        self._numbers.put(number, place)
        self._comments.setdefault(nodes[-1], []).extend(self._remarks)
        self._remarks = []

    @property
    def _is_open_main_line(self) -> bool:
        """Whether the game can end here; a resignation in a variation is ignored."""
        return self._game.node.outcome() is None and self._game.node.is_main

    def _begin_move(self) -> None:
        self._pending = PendingMove(self._numbers)
        self._declared = None
