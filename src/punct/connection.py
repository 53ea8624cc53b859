"""Chains of showing dots from side to side."""

from __future__ import annotations

from punct.geometry import SIDES, SPACE_AT, STEP, Space, around, bits_of


def connects(shown: int) -> bool:
    """Return whether these showing spaces join two opposite sides (F)."""
    for near, far in SIDES:
        reached = shown & near
        if not reached or not shown & far:
            continue
        edge = reached
        while edge:
            edge = around(edge) & shown & ~reached
            reached |= edge
            if reached & far:
                return True
    return False


def shortest_chain(shown: int) -> tuple[Space, ...]:
    """Return a shortest chain that joins two opposite sides, in order from side to side; empty if there is none."""
    best: list[int] = []
    for near, far in SIDES:
        came_from: dict[int, int] = dict.fromkeys(bits_of(shown & near), -1)
        edge = list(came_from)
        goal = next((bit for bit in edge if far >> bit & 1), None)
        while edge and goal is None:
            further: list[int] = []
            for bit in edge:
                for step in STEP:
                    neighbour = bit + step
                    if neighbour not in came_from and neighbour >= 0 and shown >> neighbour & 1:
                        came_from[neighbour] = bit
                        further.append(neighbour)
            edge = further
            goal = next((bit for bit in edge if far >> bit & 1), None)
        if goal is not None:
            chain = [goal]
            while came_from[chain[-1]] >= 0:
                chain.append(came_from[chain[-1]])
            if not best or len(chain) < len(best):
                best = chain
    return tuple(SPACE_AT[bit] for bit in reversed(best))
