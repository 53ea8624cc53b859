"""What ``go`` asks for, written and read."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from punct.engine.limits import MAX_NODES, MAX_SECONDS, Clock
from punct.piece import Colour
from punct.ugi.go import Go

_TIMES = st.integers(0, 10**8).map(lambda milliseconds: milliseconds / 1000)
_CLOCKS = st.none() | st.builds(Clock, _TIMES, _TIMES)


@given(
    st.builds(
        Go,
        clocks=st.tuples(_CLOCKS, _CLOCKS),
        movetime=st.none() | st.integers(1, 86_400_000).map(lambda milliseconds: milliseconds / 1000),
        nodes=st.none() | st.integers(1, MAX_NODES),
        depth=st.none() | st.integers(1, 1000),
        infinite=st.booleans(),
    )
)
def test_what_is_written_is_read(go: Go) -> None:
    assert Go.read(str(go).split()) == go


@pytest.mark.parametrize(
    ("words", "go"),
    [
        ("", Go()),
        ("p1time 60000 p2time 5 p1inc 100", Go((Clock(60.0, 0.1), Clock(0.005)))),
        ("p2time -7 p2inc -1", Go((None, Clock(0.0)))),
        ("movetime 0 nodes 99999999999999 depth 5000", Go(movetime=0.001, nodes=MAX_NODES, depth=1000)),
        ("nodes x depth movetime 3 infinite", Go(movetime=0.003, infinite=True)),
    ],
)
def test_words_are_read_as_far_as_they_make_sense(words: str, go: Go) -> None:
    assert Go.read(words.split()) == go


_NAMES = ("p1time", "p2time", "p1inc", "p2inc", "movetime", "nodes", "depth", "infinite", "ponder")
_VALUES = st.one_of(
    st.integers(-(10**25), 10**25).map(str),
    st.sampled_from([str(sign * 10**power) for power in range(20) for sign in (1, -1)]),
    st.sampled_from(["0", "-0", "+5", "-+5", "+-5", "--5", "1e9", "nan", "inf", "½", "٣", "0x10", "1_000", "é", ""]),
)
WORDS = st.lists(st.sampled_from(_NAMES) | _VALUES, max_size=12).map(" ".join)
"""What may follow ``go``: numbers that are missing, doubled, huge, negative, or none."""


@given(WORDS, st.sampled_from(Colour))
@example("p1time 777600001", Colour.WHITE)  # nine days and a millisecond
@example("p1time 9999999999999999999 p1inc 9999999999999999999", Colour.WHITE)
@example("movetime -+5", Colour.WHITE)
def test_whatever_is_asked_for_makes_limits(words: str, turn: Colour) -> None:
    limits = Go.read(words.split()).limits(turn)
    assert limits.movetime is None or 0 < limits.movetime <= MAX_SECONDS
    assert limits.target is None or (limits.movetime is not None and 0 < limits.target <= limits.movetime)
