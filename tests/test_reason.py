"""Every reason why a turn is not allowed, shown in a position."""

from __future__ import annotations

import gzip
import json
import pickle
from collections import Counter
from pathlib import Path

import pytest

from punct import SPACES, Heading, IllegalMoveError, Kind, Move, Position, Reason, kernel
from punct.geometry import LINES, spaces_of

WON = "standard b wEa8se wEd8se wEg8se wEj9ne wTp11se wCn11se"
BRIDGE = "basic w wEb3n bEd3n wEb3se"
"""White's piece lies over b3 and d3; nothing is on c3 below its middle dot."""
OVER_LOWER = "basic w wEb3n wEc3n bEd3n wEb3n bEd3n wEb3se"
"""The same a level higher, over the white piece on c3, c4 and c5."""


@pytest.fixture(scope="module")
def played() -> list[Position]:
    """Positions of real games that go on."""
    vectors = Path(__file__).parent / "vectors" / "positions.jsonl.gz"
    with gzip.open(vectors, "rt", encoding="utf-8") as lines:
        positions = [Position(json.loads(line)["position"]) for line in lines]
    return [position for position in positions if position.outcome() is None]


SHOWN = [
    (Reason.GAME_OVER, WON, "Tb3n"),
    (Reason.GAME_OVER, WON, "a8-a8n"),
    (Reason.NOT_IN_SET, "standard w wCb2n wCd2n", "Cf3n"),
    (Reason.NOT_IN_SET, "standard w wCb2n wCd2n", "Ca8n"),
    (Reason.OFF_BOARD, "standard w", "Ea8n"),
    (Reason.OFF_BOARD, "standard w", "Tq10s"),
    (Reason.SPACE_TAKEN, "standard w bTd5n", "Td5n"),
    (Reason.SPACE_TAKEN, "standard b bTd5n", "Ed3n"),
    (Reason.SPACE_TAKEN, BRIDGE, "Eb3se"),
    (Reason.SPACE_UNDER_BRIDGE, BRIDGE, "Ec3s"),
    (Reason.SPACE_UNDER_BRIDGE, BRIDGE, "Cc3n"),
    (Reason.FIRST_PIECE_IN_CENTRE, "basic w", "Ti9n"),
    (Reason.FIRST_PIECE_IN_CENTRE, "basic w bTd5n", "Ei12s"),
    (Reason.ADDED_IN_CENTRE, "standard w", "Ti9n"),
    (Reason.ADDED_IN_CENTRE, "standard b wTd5n bTd9n", "Ei13s"),
    (Reason.NO_PIECE, "standard w", "d5-d6n"),
    (Reason.OPPONENTS_PIECE, "standard b wTd5n", "d5-d6n"),
    (Reason.OPPONENTS_PIECE, "standard b wTd5n", "d6-d7n"),
    (Reason.NOT_ITS_PUNCT, "standard w wTd5n", "d6-d7n"),
    (Reason.OTHER_KIND, "standard w wTd5n", "Ed5-d6n"),
    (Reason.COVERED, "standard w wTd5n wEe7n wTe6nw", "d5-d5s"),
    (Reason.COVERED, "standard w wTd5n bTd5n", "d5-d6n"),
    (Reason.COVERED, "standard w wTd5n wEe7n bTe6nw", "d5-d6n"),
    (Reason.UNDER_BRIDGE, OVER_LOWER, "c3-c3s"),
    (Reason.NOT_IN_LINE, "standard w wTd5n", "d5-f6n"),
    (Reason.NOT_IN_LINE, "standard w wTd5n", "d5-e4n"),
    (Reason.NO_CHANGE, "standard w wTd5n", "d5-d5n"),
    (Reason.NO_CHANGE, "standard w wCd5n", "d5-d5s"),
    (Reason.MOVED_OFF_BOARD, "standard w wTd5n", "d5-a5sw"),
    (Reason.MOVED_OFF_BOARD, "standard w wEb3n", "b3-b3sw"),
    (Reason.PUNCT_ON_OPPONENT, "standard w wTd5n bTd8n", "d5-d8n"),
    (Reason.PUNCT_ON_OPPONENT, "standard w wMd5n bTd7n bEe9n", "d5-d8ne"),
    (Reason.PUNCT_ON_OPPONENT, "standard w wMd2n bEd7s bTd8nw bEe9n bEd7s bEe9n", "d2-d8ne"),
    (Reason.UNEVEN, "standard w wEd5n bTd10ne", "d5-d9n"),
    (Reason.UNEVEN, "standard w wCd5n wTd9ne", "d5-d9n"),
    (Reason.TRIANGLE_BRIDGE, "standard w wTd5n wTd8n", "d5-d8s"),
    (Reason.TRIANGLE_BRIDGE, "standard w wTd5n bTd9n", "d5-d8n"),
    (Reason.ENDS_NOT_LEVEL, "standard w wEd5n wTd9n", "d5-d9n"),
    (Reason.ENDS_NOT_LEVEL, "standard w wMd5se bTd9n", "d5-d8n"),
    (Reason.PUNCT_OVER_EMPTY, "standard w wCd5n bTd7ne bTd9n", "d5-d8n"),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "text", "move"), SHOWN)
def test_reason(reason: Reason, text: str, move: str) -> None:
    position = Position(text)
    assert position.explain(move) is reason
    with pytest.raises(IllegalMoveError) as caught:
        position.push(move)
    error = caught.value
    assert error.reason is reason
    assert error.position == str(position) == str(Position(text))
    for part in (reason.sentence, reason.section, str(error.move), str(position)):
        assert part in str(error)
    with pytest.raises(IllegalMoveError, match=reason.sentence):
        position.parse(move)


def test_every_reason_is_shown() -> None:
    assert {reason for reason, _, _ in SHOWN} == set(Reason)


def test_reasons_are_sentences_with_a_section() -> None:
    assert len({reason.sentence for reason in Reason}) == len(Reason)
    for reason in Reason:
        assert reason.section[0] in "DEFG"
        assert str(reason) == reason.sentence
        assert len(reason.sentence.split()) >= 5
        assert not reason.sentence.endswith(".")
        assert pickle.loads(pickle.dumps(reason)) is reason


def test_what_a_player_hears_first() -> None:
    """Several rules broken at once: first what the player chose, then where it goes, then how it would lie."""
    assert Position("standard w wCb2n wCd2n").explain("Ci9n") is Reason.NOT_IN_SET
    assert Position("standard w bTi9n").explain("Ti9n") is Reason.SPACE_TAKEN
    blocked = "standard w wTd5n bTd5n"
    assert Position(blocked).explain("d5-f6n") is Reason.COVERED
    assert Position(blocked).explain("Ed5-f6n") is Reason.OTHER_KIND
    assert Position("standard w wTd5n").explain("d5-b2sw") is Reason.NOT_IN_LINE
    # what no heading could mend, before what this one does wrong
    assert Position("standard w bTa8ne").explain("Ea8n") is Reason.SPACE_TAKEN
    assert Position("standard w bTk9n").explain("Ek9se") is Reason.SPACE_TAKEN
    assert Position("standard w bTl9n").explain("Ek9se") is Reason.ADDED_IN_CENTRE
    assert Position(BRIDGE).explain("Ec3se") is Reason.SPACE_UNDER_BRIDGE
    assert Position("standard w wTd5n bTd8n").explain("d5-d8s") is Reason.PUNCT_ON_OPPONENT
    assert Position("standard w wEd5se bEa5n").explain("d5-a5sw") is Reason.PUNCT_ON_OPPONENT
    # one dot directly covered, another under a bridge: the piece is covered
    both = "basic w wEb3n wEc3n bEc6n bEd3n wEb3n bEc5n bEd3n wEb3se"
    assert Position(both).explain("c3-c3s") is Reason.COVERED


HEADING_APART = {
    Reason.GAME_OVER,
    Reason.NOT_IN_SET,
    Reason.NO_PIECE,
    Reason.OPPONENTS_PIECE,
    Reason.NOT_ITS_PUNCT,
    Reason.COVERED,
    Reason.UNDER_BRIDGE,
    Reason.NOT_IN_LINE,
    Reason.PUNCT_ON_OPPONENT,
}
"""No heading mends these."""


def test_a_punct_on_the_opponents_piece_is_called_that(played: list[Position]) -> None:
    """Of these 182 tries with the heading at hand, once only 12 were: the others were told of bridges and edges."""
    told = Counter(
        position.explain(Move.shift(piece.space, space, piece.heading))
        for position in played
        for piece in position.free_pieces(position.turn)
        for space in spaces_of(LINES[piece.space.bit] & position.shown(position.turn.other))
    )
    assert told == {Reason.PUNCT_ON_OPPONENT: 182}


def test_what_no_heading_could_mend_is_said_whatever_the_heading(played: list[Position]) -> None:
    for position in played:
        taps = [[Move.add(kind, space, heading) for heading in Heading] for kind in Kind for space in SPACES]
        for piece in position.pieces:
            taps += [[Move.shift(piece.space, space, heading) for heading in Heading] for space in SPACES[::3]]
        for tap in taps:
            reasons = {position.explain(move) for move in tap}
            assert len(reasons) == 1 or not reasons & HEADING_APART
            # A space that is closed to the PÜNCT itself is the reason, and no dot that lies beside it.
            space, closed = tap[0].space, position.centre_is_closed and tap[0].space.in_centre
            if tap[0].is_add and reasons != {Reason.NOT_IN_SET} and (position.top(space) or closed):
                assert len(reasons) == 1
                assert all(refusal and refusal.spaces[0] is space for refusal in map(position.refusal, tap))


IN_THE_WAY = [
    ("standard w", "Ea8n", ""),
    ("standard w bTd5n", "Ed3n", "d5"),
    ("standard w bTd5n", "Td5n", "d5 d6 e6"),
    ("standard w bTl9n", "Ek9se", "k9"),
    (BRIDGE, "Ec2n", "c3"),
    ("standard w", "Ei12s", "i11 i10"),
    ("standard w", "d5-d6n", "d5"),
    ("standard w wTd5n wEe7n bTe6nw", "d5-d6n", "d6 e6"),
    (OVER_LOWER, "c3-c3s", "c3"),
    ("standard w wTd5n", "d5-f6n", ""),
    ("standard w wTd5n bTd8n", "d5-d8n", "d8"),
    ("standard w wEd5n bTd10ne", "d5-d9n", "d10"),
    ("standard w wTd5n wTd8n", "d5-d8s", "d7 c7"),
    ("standard w wEd5n wTd9n", "d5-d9n", "d11"),
    ("standard w wCd5n bTd7ne bTd9n", "d5-d8n", "d8"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "move", "spaces"), IN_THE_WAY)
def test_what_is_in_the_way(text: str, move: str, spaces: str) -> None:
    for position in (Position(text), kernel.Position(text)):
        refusal = position.refusal(move)
        assert refusal is not None
        assert {str(space) for space in refusal.spaces} == set(spaces.split())
        assert refusal.reason is position.explain(move)


def test_an_error_travels_between_processes() -> None:
    with pytest.raises(IllegalMoveError) as caught:
        Position("standard w").push("Ti9n")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert (again.move, again.reason, again.position) == (caught.value.move, Reason.ADDED_IN_CENTRE, "standard w")


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("standard w wTd5n", "d5-i10s"),  # into the central hexagon
        ("standard w wTd5n bTd8n", "d5-d11n"),  # over another piece
        ("standard w wTd5n wTd8n", "d5-d8n"),  # a jump
        ("standard w wCd5n wEd8n", "d5-d9s"),
        ("standard w wMd2n bEd7s wTd8nw bEe9n bEd7s bEe9n", "d2-d8ne"),  # a bridge with its PÜNCT above an own piece
        ("standard w wEd5n wTd8sw bTd10n", "d5-d8n"),  # a bridge over d9
        ("standard w wTd5n wTd8n bTd8n", "d5-d5s"),
        ("standard w wCd5n", "d5-d5nw"),
        ("basic b wTd5n", "Ti9n"),
    ],
)
def test_what_is_allowed_has_no_reason(text: str, move: str) -> None:
    position = Position(text)
    assert position.explain(move) is None
    position.push(move)
