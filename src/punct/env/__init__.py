"""Environments for reinforcement learning: PettingZoo, Gymnasium, OpenSpiel, and arrays of games without any of them.

>>> from punct import env
>>> games = env.VectorEnv(256, "basic", seed=1)
>>> steps = games.step(games.sample())
>>> int(steps.terminated.sum())
0

======================  ================================================================  ==================
name                    what it is                                                        needs
======================  ================================================================  ==================
``Episode``             one game in numbers, one call per step
``VectorEnv``           many at once in NumPy arrays
``PunctEnv``            Gymnasium's ``Punct-v0``: one agent against an opponent           ``punct[env]``
``PunctVectorEnv``      the same many times, for ``gymnasium.make_vec``                   ``punct[env]``
``aec_env, raw_env``    PettingZoo: two agents that move alternately                      ``punct[env]``
``openspiel_game``      OpenSpiel's ``python_punct``                                      ``punct[openspiel]``
======================  ================================================================  ==================

All of them play games, not just positions: a position that stands for the third time is a draw. Actions are the numbers
of ``punct.kernel.Batch``, observations its planes.
"""

from importlib.util import find_spec

from punct.extras import explain_missing
from punct.lazy import loading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from punct.env.aec import aec_env, raw_env
    from punct.env.agent import PunctEnv
    from punct.env.agents import PunctVectorEnv
    from punct.env.episode import MAX_PLIES, Episode
    from punct.env.openspiel import openspiel_game
    from punct.env.vector import VectorEnv
else:
    _load, __dir__ = loading(
        __name__,
        globals(),
        {
            "aec": "aec_env raw_env",
            "agent": "PunctEnv",
            "agents": "PunctVectorEnv",
            "episode": "MAX_PLIES Episode",
            "openspiel": "openspiel_game",
            "vector": "VectorEnv",
        },
    )

    def __getattr__(name: str) -> object:
        with explain_missing(f"punct.env.{name}"):
            return _load(name)


__all__ = [
    "MAX_PLIES",
    "Episode",
    "PunctEnv",
    "PunctVectorEnv",
    "VectorEnv",
    "aec_env",
    "openspiel_game",
    "raw_env",
]

if find_spec("gymnasium"):  # so that gymnasium.make("Punct-v0") finds it
    import gymnasium

    gymnasium.register(
        "Punct-v0", entry_point="punct.env.agent:PunctEnv", vector_entry_point="punct.env.agents:PunctVectorEnv"
    )
