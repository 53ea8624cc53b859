"""Records for the command to work on."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.running import WON_GAME

from punct import Game, records


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return a record of a game that White won."""
    game = Game(tags={"White": "Anna", "Black": "Ben"})
    for move in WON_GAME:
        game.push(move)
    game.comment = "a long edge"
    path = tmp_path / "won.punct"
    records.dump(game, path)
    return path
