"""Settings for every test: Hypothesis always tries the same examples, and time never decides."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "punct",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("punct")
