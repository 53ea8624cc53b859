"""The account in the end: every move, plan, message and lost game is explained, or counted as a fault."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from bench.month.players import MonthPlayer
from bench.month.receiver import Received

TOLD_WITHIN: Final = timedelta(hours=1)
"""A player who is still to move then has been told: the delay of such messages, and two steps of the clock."""


def account_for(
    games: Mapping[str, tuple[int, int]],
    finals: Mapping[str, Any],
    players: Sequence[MonthPlayer],
    messages: Sequence[Received],
) -> bool:
    """Print the counts; return whether there is no fault among them."""
    told: defaultdict[tuple[int, str], list[Received]] = defaultdict(list)
    for message in messages:
        told[message.player, message.game].append(message)
    counts, faults = Counter[str](), Counter[str]()
    for game_id, seats in games.items():
        final = finals[game_id]
        if final is None:
            _account_for_called_off(game_id, seats, players, told, counts, faults)
        else:
            _account_for_moves(final, seats, players, counts, faults)
            _account_for_messages(final, seats, told, counts, faults)
            _account_for_end(final, seats, players, told, counts, faults)
    ids = Counter((message.player, message.delivery) for message in messages)
    counts["messages"] = len(messages)
    counts["messages sent again after a kill"] = sum(number - 1 for number in ids.values())
    for kind, number in sorted(Counter(message.kind for message in messages).items()):
        counts[f"messages: {kind}"] = number
    for name, number in counts.items():
        print(f"{name}: {number}")
    for name, number in faults.items():
        print(f"FAULT {name}: {number}")
    print("every move, message and lost game is accounted for" if not faults else "there are faults")
    return not faults


def _account_for_moves(
    final: Any, seats: tuple[int, int], players: Sequence[MonthPlayer], counts: Counter[str], faults: Counter[str]
) -> None:
    """Compare the stored moves with those that were acknowledged or planned."""
    game_id, turns = final["id"], final["turns"]
    for number in set(seats):
        for (played_in, ply), text in players[number].played.items():
            if played_in == game_id and (ply >= len(turns) or turns[ply]["text"] != text):
                faults["acknowledged moves that are not stored"] += 1
    for ply, turn in enumerate(turns):
        player = players[seats[ply % 2]]
        counts["moves"] += 1
        if player.played.get((game_id, ply)) == turn["text"]:
            continue
        before = turns[ply - 1]["text"] if ply else ""
        if player.planned.get(game_id, {}).get((ply - 1, before)) == turn["text"]:
            counts["moves played by a plan"] += 1
        else:
            faults["moves that nobody made or planned"] += 1


def _account_for_messages(
    final: Any,
    seats: tuple[int, int],
    told: Mapping[tuple[int, str], list[Received]],
    counts: Counter[str],
    faults: Counter[str],
) -> None:
    """Check that whoever had to move for long was told of it once."""
    turns = [datetime.fromisoformat(turn["at"]) for turn in final["turns"]]
    for ply in range(1, len(turns)):  # of the first move another message tells: a game has begun
        begun, ended = turns[ply - 1], turns[ply]
        ids = {
            message.delivery
            for message in told.get((seats[ply % 2], final["id"]), ())
            if message.kind == "turn" and begun <= message.at < ended
        }
        if ended - begun > TOLD_WITHIN:
            counts["turns that lasted"] += 1
            if not ids:
                faults["turns that nobody was told of"] += 1
        if len(ids) > 1:
            faults["turns that were told of twice"] += 1


def _account_for_end(
    final: Any,
    seats: tuple[int, int],
    players: Sequence[MonthPlayer],
    told: Mapping[tuple[int, str], list[Received]],
    counts: Counter[str],
    faults: Counter[str],
) -> None:
    """Check that only somebody who vanished has lost on time, and was reminded before."""
    outcome = final["outcome"]
    counts["games over" if outcome else "games that go on"] += 1
    if outcome is None or outcome["reason"] != "time":
        return
    counts["games lost on time"] += 1
    loser = players[seats[0] if outcome["winner"] == "b" else seats[1]]
    begun = datetime.fromisoformat(final["turns"][-1]["at"])
    kinds = {message.kind for message in told.get((loser.number, final["id"]), ()) if message.at >= begun}
    if not {"turn", "time"} <= kinds:
        faults["games lost without a message or a reminder"] += 1
    if (
        loser.is_on_vacation
        and loser.away
        and loser.away[0] <= datetime.fromisoformat(final["updated"]) < loser.away[1]
    ):
        faults["games lost during a vacation"] += 1
    if loser.away is None:
        faults["games lost by somebody who looked twice a day"] += 1


def _account_for_called_off(
    game_id: str,
    seats: tuple[int, int],
    players: Sequence[MonthPlayer],
    told: Mapping[tuple[int, str], list[Received]],
    counts: Counter[str],
    faults: Counter[str],
) -> None:
    """Check that a game was called off because somebody never came, and that both were told."""
    counts["games called off"] += 1
    if not any(players[number].never_comes or players[number].away for number in seats):
        faults["games called off though both looked"] += 1
    for number in seats:
        if not any(message.kind == "aborted" for message in told.get((number, game_id), ())):
            faults["games called off without a word"] += 1
