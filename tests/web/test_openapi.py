"""The client's types are made from a description of the API that is kept beside the client: it must be the server's."""

from __future__ import annotations

import json
from pathlib import Path

from punct.server.api.app import create_app

DESCRIPTION = Path(__file__).parents[2] / "web" / "openapi.json"


def test_the_clients_description_is_the_servers() -> None:
    kept = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    assert kept == json.loads(json.dumps(create_app().openapi())), (
        "run: python -m punct.server.api.openapi > web/openapi.json && cd web && npm run types"
    )
