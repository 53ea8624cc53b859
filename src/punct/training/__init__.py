"""Train networks on the engine's own games: self-play, a fit, and a match that accepts or rejects the network.

``TrainingRun`` runs the whole cycle in a folder, from which it always continues; ``Report`` summarises the results. On
the command line it is ``punct learn``. Needs ``pip install 'punct[training]'``.
"""

from punct.lazy import loading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from punct.training.errors import TrainingError
    from punct.training.progress import Progress
    from punct.training.report import Report
    from punct.training.run import RayWorkers, TrainingRun
    from punct.training.run_folder import Round, State
    from punct.training.samples import Sample, SampleMetadata, read_samples, write_samples
    from punct.training.settings import Settings, read_settings
else:  # reading samples does not load the rest
    __getattr__, __dir__ = loading(
        __name__,
        globals(),
        {
            "errors": "TrainingError",
            "report": "Report",
            "progress": "Progress",
            "run": "RayWorkers TrainingRun",
            "samples": "SampleMetadata Sample read_samples write_samples",
            "settings": "Settings read_settings",
            "run_folder": "Round State",
        },
    )

__all__ = [
    "Progress",
    "RayWorkers",
    "Report",
    "Round",
    "Sample",
    "SampleMetadata",
    "Settings",
    "State",
    "TrainingError",
    "TrainingRun",
    "read_samples",
    "read_settings",
    "write_samples",
]
