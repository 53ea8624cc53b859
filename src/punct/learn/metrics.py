"""Figures of a learning, written as they come: lines of JSON, and event files for TensorBoard."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from punct.learn.errors import LearnError, needed


class Metrics:
    """Two files that grow. After a sudden end a figure may be there twice: the later one counts."""

    def __init__(self, lines: Path, events: Path) -> None:
        """Begin, or go on; a line torn by a sudden end is dropped."""
        module: Any = needed("tensorboardX")
        try:
            text = lines.read_bytes() if lines.exists() else b""
            if not text.endswith(b"\n") and text:
                lines.write_bytes(text[: text.rfind(b"\n") + 1])
            self._lines = lines.open("a", encoding="utf-8")
        except OSError as error:
            raise LearnError(f"{lines} cannot be used: {error.strerror}") from None
        self._events: Any = module.SummaryWriter(str(events), flush_secs=10)

    def add(self, step: int, figures: Mapping[str, float], **about: int | str) -> None:
        """Write down figures, each named ``group/name``, that belong to a step; JSON gets what they are about too."""
        time = datetime.now(UTC).isoformat(timespec="seconds")
        self._lines.write(json.dumps({"time": time, "step": step, **about, **figures}) + "\n")
        self._lines.flush()
        for name, figure in figures.items():
            self._events.add_scalar(name, figure, step)

    def flush(self) -> None:
        """Have everything on its way to the disk."""
        self._events.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._events.close()
        self._lines.close()


def read_metrics(lines: Path) -> Iterator[dict[str, Any]]:
    """Yield what was written down; lines that make no sense are passed over, figures are no decisions."""
    if not lines.exists():
        return
    for line in lines.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict) and isinstance(data.get("step"), int):
            yield data
