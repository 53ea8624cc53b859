"""The titles of events, in the page's languages."""

from __future__ import annotations

from typing import Final

_DEADLINE: Final = {
    "en": "PÜNCT: your move against {opponent} is due",
    "de": "PÜNCT: dein Zug gegen {opponent} ist fällig",
    "fr": "PÜNCT\u00a0: dernier délai pour jouer contre {opponent}",
    "nl": "PÜNCT: uiterste tijd voor je zet tegen {opponent}",
    "it": "PÜNCT: scade il tempo per la mossa contro {opponent}",
    "es": "PÜNCT: vence el plazo para jugar contra {opponent}",
    "pl": "PÜNCT: mija czas na ruch przeciwko graczowi {opponent}",
}


def deadline_title(language: str, opponent: str) -> str:
    """Return the title of a deadline."""
    return _DEADLINE.get(language, _DEADLINE["en"]).replace("{opponent}", opponent)
