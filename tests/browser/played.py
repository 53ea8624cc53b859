"""Games and positions that several tests start from."""

from __future__ import annotations

BEFORE_THE_END = (
    "Lo10nw Rl9s Ei13se Lm14sw Rm10nw Lh2ne Rh15se Mg15ne Lq11sw Mm16nw Mg13nw l9-j9n o10-l10n Ei6sw l10-l11nw i6-n11s "
    "Mn12se El7sw q11-m7s Eo8nw Cn16ne En15ne Co10n l7-l12se Tk7se Ri5n o10-o17se Cg2ne Td2ne Tl8nw Te12nw Ck17se "
    "Tl15s Tc10s d2-l10se c10-g14se l15-h15nw"
)
WINNING = "g14-m14n"
"""Black's next turn, which joins two sides."""

STACKS = "standard w wTd5s wTd7n wEk4n wEk10ne bTl14n wEd5n bEk4n"
"""White's bridge from d5 to d7; Black's piece on White's in the column k."""

POSITION = "standard w wTd5s wTd7n wEd10nw wEk4n wEk10ne bTl14n bMn9n"
"""White can jump from k10 onto k4, bridge from d10 between d5 and d7, and turn either piece; Black is far away."""

OPENS = (
    "standard w wRa7se wLb8se bLc9nw wMd10nw bRe12se wTf9sw bEf14sw wLg12s wCh13se bLh16sw bTi11s wMk12nw bMk14s "
    "wEk16sw wCm14se bCm15se wEn13se bCp15se wEq11n bRd12s wEg13n bTj14sw"
)
"""After g13-e11se Black can connect, through g14 that White had covered; f9-h11se is best."""
