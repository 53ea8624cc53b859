"""An asynchronous client: two engines play while something else goes on. Whoever cancels a task stops its search."""

import asyncio
import sys

from punct import Colour, Game
from punct.engine import AsyncEngine, Limits


async def play(turns: int) -> Game:
    """Let two levels play the first turns of a game."""
    seats = {Colour.WHITE: AsyncEngine(3, seed=1), Colour.BLACK: AsyncEngine(1, seed=2)}
    game = Game("basic")
    while game.outcome() is None and len(game.moves) < turns:
        thinking = seats[game.position.turn].play(game, Limits(nodes=40))
        played, _ = await asyncio.gather(thinking, asyncio.sleep(0))  # the loop is free meanwhile
        game.push(played.move)
    return game


print(asyncio.run(play(int(sys.argv[1]))))
