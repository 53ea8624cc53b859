"""Draw the pictures of the documentation: run ``python docs/make_pictures.py``.

Every picture shows a position the rules allow, and every turn in it is checked by playing it. The files are small and
the same each time, so a changed picture shows up as a changed file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from punct import Colour, Position, Space, picture
from punct.geometry import SIDES, spaces_of
from punct.training.chart import Bar, Curve, chart

HERE: Final = Path(__file__).parent / "pictures"

MIDGAME: Final = (
    "standard w wTc2n wCc6se bEe3sw wRe4ne wEe6ne bMe8se bTg4sw bRh4n bTh6n wEh9ne bLi8ne bCj3se wMk7se wTk9n bCk12n "
    "bEl9sw wCm5ne bEm13s wEp9sw wMp10sw bRp12sw wEc3s bTd7s bMf8s bEh5nw wLj11ne wLk7nw bLo11s wRi6sw"
)
CONNECTION: Final = (
    "Lo10nw Rl9s Ei13se Lm14sw Rm10nw Lh2ne Rh15se Mg15ne Lq11sw Mm16nw Mg13nw l9-j9n o10-l10n Ei6sw l10-l11nw i6-n11s "
    "Mn12se El7sw q11-m7s Eo8nw Cn16ne En15ne Co10n l7-l12se Tk7se Ri5n o10-o17se Cg2ne Td2ne Tl8nw Te12nw Ck17se "
    "Tl15s Tc10s d2-l10se c10-g14se l15-h15nw g14-m14n"
)
CENTRE_COUNT: Final = (
    "Ef10nw Em10ne f10-f11s m10-e2ne El8ne Ld11ne Eg2ne d11-c10sw Rn13nw Ti13sw Tm12sw Lh14n Rl15sw c10-c11sw Tm17s "
    "Rb3ne n13-f5ne e2-j7se Cn7n h14-f12nw Ed5ne Cp15n Mi2nw c11-d11se d5-c5nw El6nw Tg11se Mb1n Tn15s Tb8ne l15-n15ne "
    "Rl5s Lj13n b3-b2se g11-n11nw Tg4n c5-c5se Ck13n To12se i13-i10sw Ci16ne l6-q11sw Te9nw Mg11ne Lc3se j7-k8sw Md2ne"
)
NETWORKS: Final = (
    ("first", 0, 84, 19, 156),
    ("second", 0, 203, 155, 258),
    ("third", 203, 61, 13, 112),
    ("fourth", 264, 37, -8, 82),
    ("fifth", 301, 73, 38, 108),
    ("own", 374, 38, 14, 62),
)
"""The networks, the Elo of what each was played against, what came of it, and its 95 %; all at 300 nodes a turn."""
LOSSES: Final = (
    3.1323, 2.7292, 2.577, 2.5123, 2.4876, 2.468, 2.4534, 2.4351, 2.4362, 2.4304, 2.4249, 2.4209, 2.4236, 2.4137,
    2.4096, 2.4008, 2.4018, 2.4013, 2.4044, 2.396, 2.3987, 2.3927, 2.3906, 2.3917, 2.3885, 2.3848, 2.3918, 2.3812,
)  # fmt: skip
"""Of the policy in the last fit, for each hundred steps."""
NEAR: Final = ("c3", "c5", "i5", "i10", "e8")
"""The corner of the board in the small diagrams."""


def board(theme: str = "light") -> str:
    """Draw the empty board, its three pairs of opposite sides in three colours."""
    colours = ("blue", "orange", "green")
    sides: dict[Space | str, str] = {
        space: colour for pair, colour in zip(SIDES, colours, strict=True) for side in pair for space in spaces_of(side)
    }
    return picture.svg(
        Position(), highlights=sides, theme=theme, title="The board, its three pairs of sides and its central hexagon"
    )


def pieces() -> str:
    """Draw the six kinds in both colours."""
    return picture.set_svg()


def add() -> str:
    """Draw a piece just added from the set."""
    position = Position("standard w bTd5n bEg4n wLf8nw")
    move = position.push("Ed4se")
    return picture.svg(position, last_move=move, around=NEAR, size=420, title="White adds a piece: Ed4se")


def move() -> str:
    """Draw the six lines a PÜNCT may follow, with the spaces on them where it may stop."""
    position = Position("standard w wLg7se bTd4n bEh9nw wTk7n bCg11ne bRj4n")
    piece = position.top(Space("g7"))
    assert piece is not None
    lines = [line[:5] for line in position.lines(piece).values()]
    stops = [space for line in lines for space in line if space in position.destinations(piece)]
    return picture.svg(
        position,
        around=[space for line in lines for space in line],
        arrows=[(piece.space, line[-1], "grey") for line in lines],
        highlights=stops,
        size=560,
        title="The PÜNCT at g7 may follow six lines",
    )


def turn() -> str:
    """Draw a piece turned about its PÜNCT."""
    position = Position("standard w wEf6n bTd5n bEh5ne wTh9nw")
    move = position.push("f6-f6se")
    return picture.svg(position, last_move=move, around=NEAR, size=420, title="White turns a piece in place: f6-f6se")


def jump() -> str:
    """Draw a piece before and after it goes up a level, over an own piece and an opponent's."""
    return before_and_after(Position("standard w wTf6n wEf3s bEh8se bTd5n"), "f3-f6ne", ("d1", "d7", "j3", "j9"))


def bridge() -> str:
    """Draw a piece before and after it bridges an empty space."""
    return before_and_after(Position("standard w wTf6n wEg4s bTi9n bCd5ne"), "g4-g7ne", ("d3", "d8", "j4", "j11"))


def blocked() -> str:
    """Draw pieces that may not move, hatched: each has a dot covered by a piece or under a bridge."""
    position = Position("standard b wTf6n bEh8se bTd5n wTk9n wLg9ne bRm9ne wEf6ne wEl10se")
    return picture.svg(
        position, show_blocked=True, around=("c4", "c8", "o9", "o14"), size=560, title="Hatched pieces are blocked"
    )


def win() -> str:
    """Draw a game won by a connection."""
    return ending(CONNECTION)


def centre() -> str:
    """Draw a game decided by the count in the central hexagon."""
    position = Position()
    for text in CENTRE_COUNT.split():
        position.push(text)
    shown = {colour: spaces_of(position.shown(colour)) for colour in Colour}
    marks: dict[Space | str, str] = {space: "green" for colour in Colour for space in shown[colour] if space.in_centre}
    return picture.svg(position, highlights=marks)


def midgame(theme: str = "light") -> str:
    """Draw a lively position."""
    return picture.svg(Position(MIDGAME), theme=theme, sets=True)


def ending(moves: str) -> str:
    """Draw the end of a game."""
    position = Position()
    for text in moves.split():
        position.push(text)
    return picture.svg(position, last_move=position.moves[-1])


def before_and_after(position: Position, text: str, around: tuple[str, ...]) -> str:
    """Draw a position and what a turn makes of it, beside each other."""
    before = picture.svg(position, around=around, size=420)
    played = position.push(text)
    after = picture.svg(position, around=around, size=420, last_move=played)
    return beside(before, after, f"Before and after {played}")


def beside(left: str, right: str, title: str) -> str:
    """Put two pictures of the same size beside each other."""
    found = re.search(r'width="(\d+)" height="(\d+)"', left)
    assert found
    width, height = int(found[1]), int(found[2])
    gap = 16
    moved = right.replace("<svg ", f'<svg x="{width + gap}" ', 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * width + gap}" height="{height}" '
        f'viewBox="0 0 {2 * width + gap} {height}" role="img"><title>{title}</title>\n{left}{moved}</svg>\n'
    )


def learning() -> str:
    """Draw how strong the networks became, one after the other."""
    bars = [
        Bar(
            (number, before + elo),
            before + low,
            before + high,
            True,
            f"the {name} network: Elo {elo:+} [{low:+}, {high:+}]",
        )
        for number, (name, before, elo, low, high) in enumerate(NETWORKS, 1)
    ]
    reached = [(0.0, 0.0), *(bar.at for bar in bars)]
    return chart("Strength by network", "; ".join(bar.note for bar in bars), "network", [Curve("Elo", reached)], bars)


def losses() -> str:
    """Draw how the last fit went."""
    points = [(100.0 * number, loss) for number, loss in enumerate(LOSSES, 1)]
    return chart("The last fit", "Cross-entropy of the visits, step by step", "step", [Curve("policy loss", points)])


PICTURES: Final[dict[str, Callable[[], str]]] = {
    "board": board,
    "pieces": pieces,
    "add": add,
    "move": move,
    "turn": turn,
    "jump": jump,
    "bridge": bridge,
    "blocked": blocked,
    "win": win,
    "centre": centre,
    "midgame": midgame,
    "midgame-dark": lambda: midgame("dark"),
    "learning": learning,
    "losses": losses,
}
"""By file name."""


def main() -> None:
    """Write every picture."""
    HERE.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        path = HERE / f"{name}.svg"
        path.write_text(draw(), encoding="utf-8")
        print(f"{path.name:18} {path.stat().st_size / 1000:5.1f} kB")


if __name__ == "__main__":
    main()
