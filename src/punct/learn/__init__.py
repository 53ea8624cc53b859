"""The engine learns from its own games: it plays, fits a network, and keeps it if it wins a match.

``Run`` is the whole circle, in a folder from which it always goes on; ``Report`` tells what has come of it. On the
command line it is ``punct learn``. Needs ``pip install 'punct[learn]'``.
"""

from punct.lazy import loading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from punct.learn.errors import LearnError
    from punct.learn.report import Report
    from punct.learn.run import Progress, RayHands, Run
    from punct.learn.samples import About, Sample, read_samples, write_samples
    from punct.learn.settings import Settings, read_settings
    from punct.learn.state import Round, State
else:  # who reads samples alone does not load the rest
    __getattr__, __dir__ = loading(
        __name__,
        globals(),
        {
            "errors": "LearnError",
            "report": "Report",
            "run": "Progress RayHands Run",
            "samples": "About Sample read_samples write_samples",
            "settings": "Settings read_settings",
            "state": "Round State",
        },
    )

__all__ = [
    "About",
    "LearnError",
    "Progress",
    "RayHands",
    "Report",
    "Round",
    "Run",
    "Sample",
    "Settings",
    "State",
    "read_samples",
    "read_settings",
    "write_samples",
]
