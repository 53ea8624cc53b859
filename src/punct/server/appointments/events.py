"""Events of appointments."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AppointmentsChanged:
    """An appointment of these players was proposed, answered, cancelled or begun, or one of them is there now."""

    player_ids: tuple[str, ...]
