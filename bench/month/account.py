"""The account in the end: every move, plan, message and lost game is explained, or counted as a fault."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Final, NamedTuple

from bench.month.players import MonthPlayer, Site
from bench.plans import fate_of, is_planned
from bench.receiver import Received

TOLD_WITHIN: Final = timedelta(hours=2)
"""Whoever is to move for longer was told: the delay of such messages, a step of the clock, and a second attempt."""
REMINDED_BEFORE: Final = timedelta(hours=6)
"""Before a game is lost on time, at least: its player could still have looked."""
AGREED_PAUSE: Final = timedelta(days=14)
KILL_MARGIN_SECONDS: Final = 5.0
"""A message that something was sending when it was killed had arrived so long before, at most."""


class Turn(NamedTuple):
    """A time in which somebody was to move."""

    player: int
    begin: datetime
    end: datetime
    is_over: bool
    """Whether a move ended it."""


class Account:
    """All that is counted, and all that is wrong."""

    def __init__(
        self,
        site: Site,
        players: Sequence[MonthPlayer],
        messages: Sequence[Received],
        kills: Sequence[float],
        begin: datetime,
        end: datetime,
    ) -> None:
        self._site, self._players, self._kills, self._begin, self._end = site, players, kills, begin, end
        self._told: defaultdict[tuple[int, str], list[Received]] = defaultdict(list)
        for message in messages:
            self._told[int(message.player), message.subject].append(message)
        self.counts, self.faults = Counter[str](), Counter[str]()
        self._examples: dict[str, str] = {}
        self._count_messages(messages)

    def print(self) -> None:
        """Print the counts."""
        for name, number in self.counts.items():
            print(f"{name}: {number}")
        for name, number in self.faults.items():
            print(f"FAULT {name}: {number} {self._examples[name]}")
        print(
            f"games lost to not knowing: {self._faulty('games lost', 'games called off')}; moves lost or doubled: "
            f"{self._faulty('moves')}; conditional moves lost, doubled or misplayed: {self._faulty('conditional')}; "
            f"messages lost: {self._faulty('untold')}, doubled or about what was over: {self._faulty('messages')}"
        )

    def _fault(self, name: str, *details: object) -> None:
        """Count a fault; the first of each kind is printed with its details."""
        self.faults[name] += 1
        self._examples.setdefault(name, " ".join(map(str, details)))

    def _faulty(self, *words: str) -> int:
        return sum(number for name, number in self.faults.items() if name.startswith(words))

    def add_game(self, game_id: str, final: Any) -> None:
        """Account for a game as it is in the end; None if it was called off."""
        if final is None:
            self._add_called_off(game_id)
            return
        seats = self._site.games[game_id]
        self._add_moves(final, seats)
        self._add_plans(final, seats)
        turns = self._turns(final, seats)
        self._add_messages(final, turns)
        self._add_end(final, seats, turns)

    # ------------------------------------------------------------------ moves and plans

    def _add_moves(self, final: Any, seats: tuple[int, int]) -> None:
        """Compare the stored moves with those that were acknowledged or planned."""
        game_id, texts = final["id"], [turn["text"] for turn in final["turns"]]
        for number in set(seats):
            for (played_in, ply), text in self._players[number].played.items():
                if played_in == game_id and (ply >= len(texts) or texts[ply] != text):
                    self._fault("moves that were acknowledged, and are not stored")
        for ply, text in enumerate(texts):
            player = self._players[seats[ply % 2]]
            self.counts["moves"] += 1
            if player.played.get((game_id, ply)) == text:
                continue
            if is_planned(player.planned.get(game_id, ()), texts, ply):
                self.counts["moves played by a plan"] += 1
            elif is_planned(player.unsure.get(game_id, ()), texts, ply):
                self.counts["moves played by a plan whose storing was never acknowledged"] += 1
            else:
                self._fault("moves that nobody made or planned")

    def _add_plans(self, final: Any, seats: tuple[int, int]) -> None:
        """Check that each reply was played at once where its line was played, and nowhere else."""
        game_id, turns = final["id"], [(turn["text"], turn["at"]) for turn in final["turns"]]
        is_decided = final["outcome"] is not None and final["outcome"]["reason"] != "time"
        for number in set(seats):
            player = self._players[number]
            for planned in player.planned.get(game_id, ()):
                self.counts["planned replies"] += 1
                match fate_of(planned, turns, is_decided=is_decided):
                    case "lost":
                        self._fault("conditional moves that were not played")
                    case "late":
                        self._fault("conditional moves that came later than what they answer")
                    case "played" if (game_id, planned.ply + len(planned.line)) in player.played:
                        self._fault("conditional moves that were played, and acknowledged to their owner too")

    # ------------------------------------------------------------------ messages

    def _count_messages(self, messages: Sequence[Received]) -> None:
        """Count messages by kind, and those that came again: only after a kill, and with the same id."""
        self.counts["messages"] = len(messages)
        by_id: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        for message in messages:
            by_id[message.player, message.id].append(message.moment)
        for moments in by_id.values():
            for first, second in pairwise(moments):
                self.counts["messages sent again after a kill"] += 1
                if not any(first - KILL_MARGIN_SECONDS <= kill <= second for kill in self._kills):
                    self._fault("messages that came twice, though nothing was killed")
        for kind, number in sorted(Counter(message.kind for message in messages).items()):
            self.counts[f"messages: {kind}"] = number

    def _turns(self, final: Any, seats: tuple[int, int]) -> list[Turn]:
        """Return who was to move when."""
        times = [self._begin, *(datetime.fromisoformat(turn["at"]) for turn in final["turns"])]
        turns = [Turn(seats[ply % 2], times[ply], times[ply + 1], True) for ply in range(len(times) - 1)]
        outcome = final["outcome"]
        if outcome is None or outcome["reason"] == "time":
            end = self._end if outcome is None else datetime.fromisoformat(final["updated"])
            turns.append(Turn(seats[len(turns) % 2], times[-1], end, False))
        return turns

    def _add_messages(self, final: Any, turns: Sequence[Turn]) -> None:
        """Check that whoever had to move for long was told of it once, and nobody of what was over."""
        game_id = final["id"]
        for ply, turn in enumerate(turns):
            for kind in ("turn", "time"):
                ids = {
                    message.id
                    for message in self._told.get((turn.player, game_id), ())
                    if message.kind == kind and turn.begin < message.at <= turn.end
                }
                if len(ids) > 1 and not self._has_paused(final, turn):
                    self._fault(
                        f"messages: two about one turn ({kind})",
                        game_id,
                        ply,
                        turn,
                        *self._told_of(turn.player, game_id),
                    )
                # Of the first move of all another message tells: a game has begun.
                if kind == "turn" and ply and turn.end - turn.begin > TOLD_WITHIN:
                    self.counts["turns that lasted"] += 1
                    if not ids:
                        self._fault("untold: turns that lasted, and of which their player was not told")
        for number in set(self._site.games[game_id]):
            for message in self._told.get((number, game_id), ()):
                if message.kind in ("turn", "time") and not any(
                    turn.player == number and turn.begin <= message.at <= turn.end for turn in turns
                ):
                    self._fault(f"messages about a turn that was over ({message.kind})", message, *turns)
        white = self._ids(self._site.games[game_id][0], game_id, "seat")
        if len(white) != 1:
            self._fault("untold: games that have begun" if not white else "messages: two about one beginning")

    def _has_paused(self, final: Any, turn: Turn) -> bool:
        """Tell whether a game has paused within a turn: then its player is told of it again."""
        vacation = any(
            player.is_on_vacation and player.is_away(turn.begin, turn.end)
            for player in (self._players[number] for number in self._site.games[final["id"]])
        )
        return vacation or bool(self._pauses(final["id"], turn.begin, turn.end))

    def _pauses(self, game_id: str, begin: datetime, end: datetime) -> list[datetime]:
        """Return the begins of agreed pauses in a time."""
        pauses = self._site.pauses.get(game_id, [])
        return [
            pause.begin
            for pause in pauses
            if pause.begin <= end and begin < min(pause.end or self._end, pause.begin + AGREED_PAUSE)
        ]

    def _told_of(self, number: int, game_id: str) -> list[str]:
        return [f"{each.kind} {each.id} {each.written} {each.at}" for each in self._told.get((number, game_id), ())]

    def _ids(self, number: int, game_id: str, kind: str) -> set[str]:
        return {message.id for message in self._told.get((number, game_id), ()) if message.kind == kind}

    # ------------------------------------------------------------------ ends

    def _add_end(self, final: Any, seats: tuple[int, int], turns: Sequence[Turn]) -> None:
        """Check who was told of the end, and that only somebody who vanished has lost on time, and was reminded."""
        game_id, outcome = final["id"], final["outcome"]
        self.counts["games over" if outcome else "games that go on"] += 1
        if self._site.pauses.get(game_id):
            self.counts["games that paused by agreement"] += 1
        if outcome is None:
            return
        is_on_time = outcome["reason"] == "time"
        to_tell = set(seats) if is_on_time else {seats[len(final["turns"]) % 2]}
        if not is_on_time and len(final["turns"]) > 1 and final["turns"][-1]["at"] == final["turns"][-2]["at"]:
            to_tell = {seats[(len(final["turns"]) - 1) % 2]}  # a planned reply has ended it: its owner was away
        for number in set(seats):
            ids = self._ids(number, game_id, "over")
            if len(ids) > 1 or (ids and number not in to_tell):
                self._fault("messages: about an end too many")
            if not ids and number in to_tell:
                self._fault("untold: ends of games")
        if is_on_time:
            self._add_lost_on_time(final, turns[-1])

    def _add_lost_on_time(self, final: Any, last: Turn) -> None:
        self.counts["games lost on time"] += 1
        loser, game_id = self._players[last.player], final["id"]
        times: dict[str, datetime] = {}
        for message in self._told.get((loser.number, game_id), ()):
            if last.begin < message.at <= last.end:
                times.setdefault(message.kind, message.at)
        if "turn" not in times or "time" not in times or last.end - times["time"] < REMINDED_BEFORE:
            self._fault("games lost without a message, or without a reminder in time")
        if not loser.is_away(last.begin, last.end):
            self._fault("games lost by somebody who looked twice a day")
        if loser.is_on_vacation:
            self._fault("games lost by a vacation")
        if self._pauses(game_id, last.end, last.end):
            self._fault("games lost in a pause")
        days = re.fullmatch("([0-9]+)d(-wd)?", final["time"])
        if days is not None and last.end - last.begin < timedelta(days=int(days[1])):
            self._fault("games lost before their time was up")

    def _add_called_off(self, game_id: str) -> None:
        """Check that a game was called off because somebody did not come, and that both were told, once."""
        self.counts["games called off"] += 1
        told = [
            [message for message in self._told.get((number, game_id), ()) if message.kind == "aborted"]
            for number in self._site.games[game_id]
        ]
        for messages in told:
            if len({message.id for message in messages}) != 1:
                self.faults[
                    "untold: games that were called off" if not messages else "messages: two about one end"
                ] += 1
        end = min((message.at for messages in told for message in messages), default=self._end)
        if not any(self._players[number].is_away(self._begin, end) for number in self._site.games[game_id]):
            self._fault("games called off though both had looked")


def account_for(
    site: Site,
    finals: Mapping[str, Any],
    players: Sequence[MonthPlayer],
    messages: Sequence[Received],
    kills: Sequence[float],
    begin: datetime,
    end: datetime,
) -> bool:
    """Print the counts; return whether there is no fault among them."""
    account = Account(site, players, messages, kills, begin, end)
    for game_id, final in finals.items():
        account.add_game(game_id, final)
    account.print()
    print("every move, message and lost game is accounted for" if not account.faults else "there are faults")
    return not account.faults
