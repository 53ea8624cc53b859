"""The API's contract: paths, parameters, fields and codes stay as clients know them; descriptions may change.

``openapi.contract`` has a line for each operation and each model. A change that clients must know of changes its line:
write the file anew with ``python -m tests.server.test_openapi_contract``, and say so in the changelog.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from punct.server.app import create_app

CONTRACT: Final = Path(__file__).with_name("openapi.contract")
_PROSE: Final = frozenset({"description", "summary", "title", "examples", "example"})


def without_prose(value: Any, *, names: bool = False) -> Any:
    """Return a part of the document without its descriptions; ``names`` says that keys are names of fields."""
    if isinstance(value, list):
        return [without_prose(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: without_prose(item, names=key in ("properties", "schemas", "$defs"))
        for key, item in value.items()
        if names or key not in _PROSE
    }


def contract(document: dict[str, Any]) -> list[str]:
    """Return a line for each operation and each model."""
    operations = {
        f"{method.upper()} {path}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }
    parts = {**operations, **document["components"]["schemas"]}
    return [f"{name}\t{json.dumps(without_prose(part), sort_keys=True)}" for name, part in sorted(parts.items())]


def test_the_api_matches_its_contract() -> None:
    now = dict(line.split("\t") for line in contract(create_app().openapi()))
    before = dict(line.split("\t") for line in CONTRACT.read_text("utf-8").splitlines())
    assert now.keys() == before.keys()
    for name, part in before.items():
        assert json.loads(now[name]) == json.loads(part), name


if __name__ == "__main__":
    CONTRACT.write_text("\n".join(contract(create_app().openapi())) + "\n", "utf-8")
