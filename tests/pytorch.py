"""Whether PyTorch is installed, which fits need: it is a download of its own, by `make torch`."""

from __future__ import annotations

import importlib.util
from typing import Final

import pytest

HAS_TORCH: Final = importlib.util.find_spec("torch") is not None
MISSING: Final = "PyTorch is not installed"
NEEDS_TORCH: Final = pytest.mark.skipif(not HAS_TORCH, reason=MISSING)
