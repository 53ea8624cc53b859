"""A move without a search must still win if it can, and not lose at once."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from punct import Position, kernel
from punct.analysis import defences, wins_at_once
from punct.engine.fallback import fallback_move

CHAIN = "wEh1n wEh4n wEh7n wEh10n wCi14n bTa2n bTa5n bTc3n bTd5n"
"""White is about to join two sides."""
COUNT = (
    "standard w bRa2n wEc2ne wEd5sw wTd8n wTd11sw wMe7s bLe11s wTf1nw wMf6se bTg3nw bRg10s bLg14nw wTh8ne wRh12sw "
    "wEh14sw bTi16se wCj3n bTk5n bMk7n bEk14s wCk15ne bMk16sw wEm5sw bTm11s wLm13se wRo16nw wTq10nw wLq13sw bTe10se"
)
"""White leads in the centre and has one piece left: adding it wins."""


def test_a_win_is_seen() -> None:
    position = Position(f"basic w {CHAIN}")
    position.push(fallback_move(position))
    assert position.result() == "1-0"


def test_a_win_by_the_count_is_seen() -> None:
    position = Position(COUNT)
    position.push(fallback_move(position))
    assert position.result() == "1-0"


def test_a_threat_is_seen() -> None:
    position = Position(f"basic b {CHAIN}")
    holding = defences(position)
    assert fallback_move(position) in holding
    assert len(holding) < len(position.legal_moves) / 2  # a random move would often fail


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 45), st.sampled_from(["standard w", "basic w"]))
def test_it_wins_if_it_can_and_does_not_lose_if_it_need_not(seed: int, turns: int, start: str) -> None:
    fast = kernel.Position(start)
    fast.play_random(seed, turns, raised=25, bridge=30, moved=15)
    position = Position(str(fast))
    if position.outcome() is None:
        move = fallback_move(position)
        assert position == fast
        assert move in (wins_at_once(position) or defences(position) or position.legal_moves)
