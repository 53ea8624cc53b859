"""From the domain to the wire: the one place that makes JSON of games.

What is made here is held to the models in ``schemas`` by a test. Making it of plain dictionaries costs a tenth of
making and checking the models each time, and a game is sent after every move to everybody who watches.
"""

from __future__ import annotations

import asyncio
from binascii import b2a_base64
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import Any, Final

import orjson

from punct.analysis.scale import accuracy
from punct.geometry import SPACES, Heading, Space
from punct.outcome import Outcome
from punct.piece import Colour, Kind
from punct.server.api.message import Message, deflated, gzipped, stored
from punct.server.api.schemas import ErrorBody
from punct.server.opponents.seats import Thinking
from punct.server.play.actor import Actor
from punct.server.play.analyses import Review
from punct.server.play.explorer import Found
from punct.server.play.game import PlayedGame, PlayedMove
from punct.server.play.games import IN_MEMORY, Gone
from punct.server.play.moment import LISTED, Explanation, Landings, LastMove, Moment, PieceOnBoard, Threat
from punct.server.play.rights import Rights, is_your_turn
from punct.server.store import SeatedPlayer, StoredChallenge, StoredGame, StoredOffer, StoredSeat
from punct.server.workers.think import Progress

Json = dict[str, Any]

encode: Final = orjson.dumps
"""Returns the JSON of plain dictionaries, lists and values."""
KEPT: Final = IN_MEMORY
"""How many games are kept as they were last sent: as many as are set up, so that a turn adds to what is there."""
LONG: Final = 200
"""Turns that are written in half a millisecond; real games have 30 to 70."""
_MASK_BYTES: Final = (len(SPACES) + 7) // 8
_LETTERS: Final = ("w", "b")
_HEADINGS: Final = tuple(str(heading) for heading in Heading)
_KINDS: Final = {kind: kind.value for kind in Kind}


class Snapshot:
    """A game as it is sent, at one revision and with its engine in one state; made once, however often it is sent."""

    __slots__ = ("_blocks", "_moves", "_turns", "body", "revision", "seats", "thinking")

    body: bytes
    """JSON."""
    _moves: tuple[PlayedMove, ...]
    _turns: bytes

    def __init__(self, game: PlayedGame, thinking: Thinking, before: Snapshot | None = None) -> None:
        """Make it; if there is one of the revision before, only of what is new."""
        self.revision = game.revision
        self.seats = game.seats
        self.thinking = thinking
        self._blocks: bytes | None = None
        if before is not None and before.shows(game):
            self._moves, self._turns = before._moves, before._turns
            # Only the engine does something else, and that comes last.
            self.body = before.body[: before.body.rindex(_THINKING)] + _last_part(thinking)
            return
        self._moves = game.moves
        if before is not None and game.moves == before._moves:
            self._turns = before._turns
        elif before is not None and game.moves and game.moves[:-1] == before._moves:
            last = encode(_move(game.ply - 1, game.moves[-1]))
            self._turns = b"%b,%b" % (before._turns, last) if before._turns else last
        else:
            self._turns = encode([_move(ply, move) for ply, move in enumerate(game.moves)])[1:-1]
        first = {**summary(game.stored), "revision": game.revision, "start": game.stored.start}
        rest = {
            "view": position(game.moment()),
            "repetitions": game.repetitions,
            "may_undo": game.may_undo,
            "may_redo": game.may_redo,
            "may_resign": game.may_resign,
            "may_draw": game.may_draw,
            "clock": _clock(game.stored),
            "offer": _offer(game.stored.offer),
            "next": game.stored.next_id,
        }
        self.body = b'%b,"turns":[%b],%b%b' % (
            encode(first)[:-1],
            self._turns,
            encode(rest)[1:-1],
            _last_part(thinking),
        )

    def shows(self, game: PlayedGame) -> bool:
        """Tell whether it is this revision, with the players as they are called now."""
        return self.revision == game.revision and (self.seats is game.seats or self.seats == game.seats)

    @property
    def blocks(self) -> bytes:
        """The same, compressed: for answers and for live connections."""
        if self._blocks is None:
            self._blocks = deflated(self.body)
        return self._blocks

    @property
    def compressed(self) -> bytes:
        """The same, for whoever takes gzip."""
        return gzipped(self.body, self.blocks)

    @property
    def message(self) -> Message:
        """The same, for live connections; to be made once for all that are told. It knows this, not this it."""
        return _GameMessage.of(self)


class _GameMessage(Message):
    """A game for live connections: compressed, or not, together with the answer that shows it."""

    __slots__ = ("_snapshot",)
    _snapshot: Snapshot

    @classmethod
    def of(cls, snapshot: Snapshot) -> _GameMessage:
        """Return the message of a game."""
        message = cls(f"{_BEFORE}{snapshot.body.decode()}{_AFTER}")
        message._snapshot = snapshot
        return message

    def blocks(self) -> bytes:
        """Return the text compressed."""
        return stored(_BEFORE.encode()) + self._snapshot.blocks + stored(_AFTER.encode())


_BEFORE, _AFTER = '{"type":"game","game":', "}"


class Presenter:
    """Shows games together with what their engines do. Both answers and live connections get them from here."""

    def __init__(self, thinking: Callable[[PlayedGame], Thinking]) -> None:
        """Ask this for what an engine does."""
        self._thinking = thinking
        self._snapshots: OrderedDict[str, Snapshot] = OrderedDict()

    def game(self, game: PlayedGame) -> Snapshot:
        """Return a game as it is sent."""
        thinking = self._thinking(game)
        known = self._snapshots.get(game.id)
        if known is not None and known.thinking == thinking and known.shows(game):
            return known
        return self._keep(game, Snapshot(game, thinking, known))

    async def shown(self, game: PlayedGame) -> Snapshot:
        """Return the same; of a long game that was not sent lately, all turns are written in a thread first."""
        if game.ply > LONG and game.id not in self._snapshots:
            self._keep(game, await asyncio.to_thread(Snapshot, game, self._thinking(game)))
        return self.game(game)

    def _keep(self, game: PlayedGame, snapshot: Snapshot) -> Snapshot:
        known = self._snapshots.get(game.id)
        if known is None or known.revision <= game.revision:  # else somebody shows what is past
            self._snapshots[game.id] = snapshot
            self._snapshots.move_to_end(game.id)
            if len(self._snapshots) > KEPT:
                self._snapshots.popitem(last=False)
        return snapshot


# ---------------------------------------------------------------------- games

_THINKING: Final = b',"thinking":{'
"""Where the last part of a game begins. It can be nowhere else: in a text the quotes would be escaped."""


def _last_part(thinking: Thinking) -> bytes:
    return b',"thinking":%b}' % encode(_thinking(thinking))


def summary(game: StoredGame) -> Json:
    """Return a game as lists show it."""
    return {
        "id": game.id,
        "rules": game.rules,
        "seats": {"w": _seat(game.seats[Colour.WHITE]), "b": _seat(game.seats[Colour.BLACK])},
        "ply": game.ply,
        "turn": _LETTERS[game.turn],
        "result": _result(game.outcome),
        "outcome": _outcome(game.outcome),
        "created": _time(game.created),
        "updated": _time(game.updated),
        "time": game.time,
        "rated": game.rated,
        "listed": game.listed,
    }


def listed(game: StoredGame, actor: Actor) -> Json:
    """Return a game as somebody's list shows it."""
    return {**summary(game), "your_turn": is_your_turn(game, actor)}


def _seat(seat: StoredSeat) -> Json:
    return {
        "type": seat.kind,
        "name": seat.shown,
        "level": seat.level,
        "player": None if seat.player is None else player(seat.player),
    }


def player(seated: SeatedPlayer) -> Json:
    """Return a player as others see them."""
    return {"id": seated.id, "name": seated.name, "kind": seated.kind, "rating": seated.rating}


def you(rights: Rights, now: datetime) -> Json:
    """Return what somebody is in a game."""
    return {
        "seats": [_LETTERS[colour] for colour in rights.seats],
        "owner": rights.owner,
        "may": {
            "undo": rights.alone,
            "delete": rights.delete,
            "hint": rights.alone,
            "offer": rights.offer,
        },
        "now": _time(now),
    }


def challenge(found: StoredChallenge) -> Json:
    """Return a challenge."""
    return {
        "id": found.id,
        "link": f"/join/{found.id}",
        "challenger": player(found.challenger),
        "rules": found.rules,
        "position": found.start,
        "colour": None if found.colour is None else _LETTERS[found.colour],
        "time": found.time or "none",
        "rated": found.rated,
        "listed": found.listed,
        "created": _time(found.created),
        "expires": _time(found.expires),
        "game": found.game_id,
    }


def _clock(game: StoredGame) -> Json | None:
    clock = game.clock
    if clock is None:
        return None
    return {
        "w": clock.left_w,
        "b": clock.left_b,
        "ticking": None if clock.ticking is None else _LETTERS[game.turn],
        "at": _time(clock.ticking),
        "deadline": _time(clock.deadline),
    }


def _offer(offer: StoredOffer | None) -> Json | None:
    return None if offer is None else {"kind": offer.kind, "by": _LETTERS[offer.by]}


def _move(ply: int, move: PlayedMove) -> Json:
    return {
        "ply": ply,
        "text": move.text,
        "colour": _LETTERS[move.colour],
        "kind": _KINDS[move.kind],
        "manner": move.manner,
        "level": move.level,
        "at": _time(move.played),
        "comment": move.comment,
    }


def _thinking(thinking: Thinking) -> Json:
    return {
        "state": thinking.state,
        "colour": None if thinking.colour is None else _LETTERS[thinking.colour],
        "level": thinking.level,
        "since": _time(thinking.since),
        "message": thinking.message,
        "code": thinking.code,
    }


def _outcome(outcome: Outcome | None) -> Json | None:
    if outcome is None:
        return None
    winner = None if outcome.winner is None else _LETTERS[outcome.winner]
    return {"winner": winner, "reason": outcome.reason.name.lower()}


def _result(outcome: Outcome | None) -> str:
    return "*" if outcome is None else outcome.result()


def _time(moment: datetime | None) -> str | None:
    """Return a time as the models write it; all of ours are in UTC."""
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")


def conflict(body: ErrorBody, game: PlayedGame, snapshot: Snapshot) -> bytes:
    """Return the JSON of a refusal together with how the game stands, which was written before."""
    detail = encode({**(body.detail or {}), "ply": game.ply, "revision": game.revision})[:-1]
    told = encode({"code": body.code, "message": body.message})[:-1]
    return b'{"error":%b,"detail":%b,"game":%b}}}' % (told, detail, snapshot.body)


# ---------------------------------------------------------------------- positions


def position(moment: Moment) -> Json:
    """Return a position as clients get it."""
    white, black = moment.in_set
    return {
        "ply": moment.ply,
        "text": moment.text,
        "rules": moment.rules.value,
        "turn": _LETTERS[moment.turn],
        "pieces": [_piece(piece) for piece in moment.pieces],
        "sets": {
            "w": {_KINDS[kind]: count for kind, count in white.items()},
            "b": {_KINDS[kind]: count for kind, count in black.items()},
        },
        "centre": {"w": moment.centre[0], "b": moment.centre[1]},
        "chain": _names(moment.chain),
        "outcome": _outcome(moment.outcome),
        "result": _result(moment.outcome),
        "legal": _legal(moment.legal),
        "threats": {"w": _threat(moment.threats[0]), "b": _threat(moment.threats[1])},
        "last": None if moment.last is None else _last(moment.last),
    }


def _piece(piece: PieceOnBoard) -> Json:
    return {
        "id": piece.name,
        "colour": _LETTERS[piece.colour],
        "kind": _KINDS[piece.kind],
        "space": piece.space.name,
        "heading": _HEADINGS[piece.heading],
        "level": piece.level,
        "spaces": [space.name for space in piece.spaces],
        "bridge": piece.bridge,
        "free": not piece.above,
        "blocked_by": _dots(piece.above),
    }


def _dots(dots: Iterable[tuple[Space, str]]) -> list[Json]:
    return [{"space": space.name, "piece": name} for space, name in dots]


def _names(spaces: Iterable[Space]) -> list[str]:
    return [space.name for space in spaces]


def _legal(legal: Iterable[Landings]) -> Json:
    """Return every legal move, as one mask for each piece and heading."""
    adds: dict[str, dict[str, str]] = {}
    moves: dict[str, dict[str, str]] = {}
    count = 0
    for origin, kind, heading, spaces in legal:
        count += spaces.bit_count()
        found = adds.setdefault(_KINDS[kind], {}) if origin is None else moves.setdefault(origin.name, {})
        found[_HEADINGS[heading]] = b2a_base64(spaces.to_bytes(_MASK_BYTES, "little"), newline=False).decode()
    return {"count": count, "adds": adds, "moves": moves}


def _threat(threat: Threat) -> Json:
    return {
        "count": len(threat.moves),
        "turns": [str(move) for move in threat.moves[:LISTED]],
        "chain": _names(threat.chain),
    }


def _last(last: LastMove) -> Json:
    piece, before = last.piece, last.before
    return {
        "text": str(last.move),
        "colour": _LETTERS[piece.colour],
        "kind": _KINDS[piece.kind],
        "piece": piece.name,
        "manner": last.manner,
        "origin": before and before.space.name,
        "origin_heading": before and _HEADINGS[before.heading],
        "origin_level": before and before.level,
        "space": piece.space.name,
        "heading": _HEADINGS[piece.heading],
        "level": piece.level,
        "path": _names(last.path),
        "covered": _dots(piece.below),
        "uncovered": _dots(last.uncovered),
        "emptied": _names(last.emptied),
    }


def explanation(found: Explanation) -> Json:
    """Return whether a move is legal, and if not, the rule it breaks and what is in the way."""
    reason = found.reason
    return {
        "legal": found.legal,
        "turn": None if found.move is None else str(found.move),
        "reason": "UNREADABLE" if found.fault is not None else reason and reason.name,
        "section": reason and reason.section,
        "sentence": found.fault if found.fault is not None else reason and reason.sentence,
        "spaces": _names(found.spaces),
        "headings": [
            {"heading": _HEADINGS[heading], "reason": refusal and refusal.reason.name}
            for heading, refusal in found.headings
        ],
    }


# ---------------------------------------------------------------------- looking at games


def opening(found: Found) -> Json:
    """Return what was played in a position."""
    return {
        "position": found.position,
        "symmetry": found.symmetry,
        "games": found.white + found.draws + found.black,
        "white": found.white,
        "draws": found.draws,
        "black": found.black,
        "sources": dict(found.sources),
        "moves": [
            {
                "turn": str(move),
                "games": tried.games,
                "white": tried.white,
                "draws": tried.draws,
                "black": tried.black,
                "last": tried.day,
                "rating": tried.mean_rating,
            }
            for move, tried in found.moves
        ],
    }


def review(game: PlayedGame, found: Review, updated: datetime) -> Json:
    """Return the review of a game."""
    first = game.turn_at(0)
    return {
        "game": game.id,
        "engine": found.engine,
        "nodes": found.nodes,
        "start": found.start,
        "turns": [
            {"ply": ply, "colour": _LETTERS[game.turn_at(ply)], **turn._asdict()}
            for ply, turn in enumerate(found.turns)
        ],
        "accuracy": {_LETTERS[colour]: accuracy(found.given_away(colour, first)) for colour in Colour},
        "updated": _time(updated),
    }


# ---------------------------------------------------------------------- live messages


def thinking_message(game: PlayedGame, thinking: Thinking, progress: Progress | None) -> str:
    """Return what an engine does, as live connections get it."""
    return encode(
        {
            "type": "thinking",
            "revision": game.revision,
            "thinking": _thinking(thinking),
            "ply": game.ply,
            "colour": _LETTERS[game.turn],
            "depth": progress and progress.depth,
            "nodes": progress and progress.nodes,
            "chance": progress and progress.chance,
            "line": list(progress.pv) if progress else [],
            "progress": progress.done if progress else 0.0,
        }
    ).decode()


def you_message(rights: Rights, now: datetime) -> str:
    """Return what somebody is in a game, as their live connection gets it."""
    return encode({"type": "you", **you(rights, now)}).decode()


def current_message(revision: int) -> str:
    """Return that a client has what there is, as live connections get it."""
    return f'{{"type":"current","revision":{revision}}}'


def presence_message(players: Collection[Colour], watchers: int) -> str:
    """Return who is at the board, as live connections get it."""
    return encode(
        {
            "type": "presence",
            "w": Colour.WHITE in players,
            "b": Colour.BLACK in players,
            "watchers": watchers,
        }
    ).decode()


def probe_message(number: int, now: datetime) -> str:
    """Return a probe, as live connections get it."""
    return encode({"type": "probe", "n": number, "now": _time(now)}).decode()


def accepted_message(challenge_id: str, game_id: str) -> str:
    """Return that somebody has accepted, as the challenger's connections in the lobby get it."""
    return encode({"type": "accepted", "challenge": challenge_id, "game": game_id}).decode()


def greeting_message(by: Colour, greeting: str) -> str:
    """Return a friendly word, as live connections get it."""
    return encode({"type": "greeting", "by": _LETTERS[by], "greeting": greeting}).decode()


def gone_message(reason: Gone) -> str:
    """Return that there is no game any more, as live connections get it."""
    return f'{{"type":"gone","reason":"{reason}"}}'


PONG_MESSAGE: Final = '{"type":"pong"}'


def error_message(code: str, message: str) -> str:
    """Return what could not be understood, as live connections get it."""
    return encode({"type": "error", "error": {"code": code, "message": message, "detail": None}}).decode()
