"""The in-process event bus: a feature publishes what has happened, others subscribe, and neither imports the other."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeVar

_log = logging.getLogger(__name__)
Event = TypeVar("Event")


class EventBus:
    """Calls subscribers synchronously, in the order in which they subscribed.

    Events are plain classes, defined in the feature that they are about. An event tells of a change that is stored
    already: a subscriber that fails is logged, and neither undoes the change nor keeps it from the other subscribers.
    """

    def __init__(self) -> None:
        self._subscribers: defaultdict[type, list[Callable[[Any], None]]] = defaultdict(list)

    def subscribe(self, kind: type[Event], subscriber: Callable[[Event], None]) -> None:
        """Call a function with every event of a class from now on."""
        self._subscribers[kind].append(subscriber)

    def publish(self, event: object) -> None:
        """Pass an event to its subscribers."""
        for subscriber in self._subscribers[type(event)]:
            try:
                subscriber(event)
            except Exception:
                _log.exception("a subscriber to %s failed", type(event).__name__)
