"""Write an archive of random games to try things on."""

import sys

from punct import Game, kernel, records

games = []
for seed in range(int(sys.argv[1])):
    game = Game("basic", tags={"White": "Anna", "Black": "Ben", "Round": str(seed + 1)})
    for move in kernel.Position("basic").play_random(seed, 500):
        game.push(move)
    games.append(game)
records.dump(games, "archive.punct")
