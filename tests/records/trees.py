"""Random games with comments, variations and every way to end, for round trips."""

from __future__ import annotations

import random

from hypothesis import strategies as st
from tests.random_play import choose_move, play_random

from punct import Colour, Game, Rules

texts = st.text(
    st.sampled_from('{}()[]\\";:.* \n\té×1') | st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=30
)
"""Comments and names, rich in what records give a meaning to."""


def grow(rules: Rules, seed: int, size: int, remarks: list[str]) -> Game:
    """Return a game of so many random turns, some of them variations, that begins anywhere."""
    rng = random.Random(seed)
    start = rng.choice((f"{rules} w", f"{rules} b", str(play_random(rules, seed, rng.randrange(40)))))
    game = Game(start)
    tags = ["White", "Black", "Event", "Site", "Date", "Round", "Game", "Other", "x_1"]
    for name in rng.sample(tags, rng.randrange(len(tags))):
        value = rng.choice(remarks).replace("\n", " ").strip()
        if value:
            game.tags[name] = value
    nodes = [game.root]
    for _ in range(size):
        if rng.random() < 0.3:
            game.go_to(rng.choice(nodes))
        move = choose_move(game.position, rng, 0.4) if game.outcome() is None else None
        if move is not None:
            game.push(move)
            nodes.append(game.node)
        if rng.random() < 0.3:
            game.comment = rng.choice(remarks)
    game.go_to_end()
    if game.outcome() is None:
        match rng.randrange(4):
            case 0:
                game.resign(rng.choice(tuple(Colour)))
            case 1:
                game.lose_on_time(rng.choice(tuple(Colour)))
            case 2:
                game.agree_draw()
    return game


games = st.builds(
    grow,
    rules=st.sampled_from(Rules),
    seed=st.integers(0, 2**32),
    size=st.integers(0, 14),
    remarks=st.lists(texts, min_size=1, max_size=4),
)
