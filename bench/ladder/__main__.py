"""Run one of the ladder's players from wherever one is: ``python path/to/bench/ladder guard``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.ladder.players import main  # the folder of this project must be known first

main()
