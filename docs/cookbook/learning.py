"""Run the loop of a learner without its network: 32 games in a batch, each position stored twice, once mirrored."""

import numpy as np
from numpy.typing import NDArray

from punct import kernel

rng = np.random.default_rng(1)
batch = kernel.Batch.start(32, "basic")
seen: list[NDArray[np.uint8]] = []
finished = 0
for _ in range(70):
    mirror = int(rng.integers(1, 12))
    seen += [batch.planes(), batch.transformed(mirror).planes()]  # the input of a network
    results = batch.step(batch.sample(rng))  # a network would choose among the legal actions
    finished += int((results != 0).sum())
    batch.reset(results != 0)
print("positions:", np.concatenate(seen).shape)
print("games at an end:", finished)
print("chances:", batch.evaluate().shape, "distances:", batch.distances().shape)
