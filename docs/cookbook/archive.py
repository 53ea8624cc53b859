"""Print statistics of an archive: how games end, how long they last, how they begin."""

import sys
from collections import Counter
from statistics import mean

from punct import records

ended: Counter[str] = Counter()
first_kinds: Counter[str] = Counter()
lengths: list[int] = []
for game in records.iter_games(sys.argv[1], on_error=print):  # an invalid game does not stop the rest
    ended[str(game.outcome() or "unfinished")] += 1
    lengths.append(len(game.moves))
    first = game.moves[0] if game.moves else None
    if first is not None and first.kind is not None:
        first_kinds[first.kind.words] += 1

for words, count in [*ended.most_common(), *first_kinds.most_common(2)]:
    print(f"{count:4} {words}")
print(f"{mean(lengths):4.0f} moves on average")
