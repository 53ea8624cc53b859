"""Metrics of a training run, written at once: lines of JSON, and event files for TensorBoard."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from punct.training.errors import TrainingError, import_optional


class Metrics:
    """Writes metrics to two files. After a crash a value may be there twice: the later one counts."""

    def __init__(self, lines: Path, events: Path) -> None:
        """Open or create the files; a line cut off by a crash is removed."""
        module: Any = import_optional("tensorboardX")
        try:
            text = lines.read_bytes() if lines.exists() else b""
            if not text.endswith(b"\n") and text:
                lines.write_bytes(text[: text.rfind(b"\n") + 1])
            self._lines = lines.open("a", encoding="utf-8")
        except OSError as error:
            raise TrainingError(f"{lines} cannot be used: {error.strerror}") from None
        self._events: Any = module.SummaryWriter(str(events), flush_secs=10)

    def add(self, step: int, values: Mapping[str, float], **labels: int | str) -> None:
        """Write the values of a step, each named ``group/name``; labels, such as the round, go to JSON alone."""
        time = datetime.now(UTC).isoformat(timespec="seconds")
        self._lines.write(json.dumps({"time": time, "step": step, **labels, **values}) + "\n")
        self._lines.flush()
        for name, value in values.items():
            self._events.add_scalar(name, value, step)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._events.close()
        self._lines.close()


def read_metrics(lines: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a metrics file; invalid ones are skipped, for nothing is decided by metrics."""
    if not lines.exists():
        return
    for line in lines.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict) and isinstance(data.get("step"), int):
            yield data
