"""Why a move is not allowed: one member for each rule that can be broken."""

from __future__ import annotations

from enum import Enum


class Reason(Enum):
    """The rule a move breaks: its section in the rulebook and a sentence for players."""

    section: str
    sentence: str

    def __new__(cls, section: str, sentence: str) -> Reason:
        """Make a member whose value is its section and sentence."""
        member = object.__new__(cls)
        member._value_ = (section, sentence)
        member.section = section
        member.sentence = sentence
        return member

    GAME_OVER = "F", "the game is over, so nobody may play on"

    # Adding a piece
    NOT_IN_SET = "D1", "the set has no piece of this kind left"
    OFF_BOARD = "E1.1", "all three dots of a piece must be on the board"
    SPACE_TAKEN = "E1.3", "a new piece starts at board level, on three empty spaces"
    SPACE_UNDER_BRIDGE = "E4.4", "the empty space under a bridge is blocked; nothing can be put there"
    FIRST_PIECE_IN_CENTRE = "E1.2", "White's first piece may not touch the central hexagon"
    ADDED_IN_CENTRE = "G", "in the standard game a new piece may not touch the central hexagon, not even with one dot"

    # Choosing a piece on the board
    NO_PIECE = "E2.1", "there is no piece on this space"
    OPPONENTS_PIECE = "E2.1", "this piece belongs to the opponent; you may move only your own"
    NOT_ITS_PUNCT = "E2.2", "this is a minor dot; a move starts from the space of the piece's PÜNCT"
    OTHER_KIND = "E2.2", "the piece whose PÜNCT is there is of another kind than the one written"
    COVERED = "E3.3", "a piece lies on one of its dots, so it can neither move nor turn"
    UNDER_BRIDGE = "E4.4", "one of its dots is under a bridge, so it can neither move nor turn"

    # Carrying and turning it
    NOT_IN_LINE = "E2.2", "the PÜNCT moves in a straight line along one of the six directions"
    NO_CHANGE = "E2.5", "the piece must move, turn or both; it would lie exactly as before"
    MOVED_OFF_BOARD = "E2.6", "the piece must be turned so that its minor dots stay on the board"

    # Putting it down
    PUNCT_ON_OPPONENT = "E3.1", "the PÜNCT must land on one of your own pieces, never on the opponent's"
    UNEVEN = "E3.4", "its three dots would not lie level, and the middle dot must not be higher than the ends"
    TRIANGLE_BRIDGE = "E4.2", "a triangle cannot bridge: all three of its dots must lie at the same level"
    ENDS_NOT_LEVEL = "E4.3", "both ends of the piece must rest at the same level; an end may not stick out"
    PUNCT_OVER_EMPTY = "E4.4", "the PÜNCT in the middle of a bridge must be above your own piece, not an empty space"

    def __str__(self) -> str:
        return self.sentence
