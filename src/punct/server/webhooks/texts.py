"""The words of the message that tries a webhook, in the page's languages."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

_TEXTS: Final = {
    "en": "You will be told here when it is your turn.",
    "de": "Hier erfährst du, wenn du am Zug bist.",
    "fr": "Vous serez averti ici quand ce sera à vous de jouer.",
    "nl": "Hier hoor je het als jij aan de beurt bent.",
    "it": "Qui saprai quando tocca a te.",
    "es": "Aquí se te avisará cuando te toque jugar.",
    "pl": "Tutaj pojawi się wiadomość, gdy przyjdzie Twoja kolej.",
}


def trial_message(language: str, now: datetime) -> dict[str, Any]:
    """Return the payload of a message that tries a webhook."""
    return {
        "kind": "test",
        "subject": "test",
        "title": "PÜNCT",
        "body": _TEXTS.get(language, _TEXTS["en"]),
        "path": "/account",
        "at": now.isoformat(),
        "game": None,
    }
