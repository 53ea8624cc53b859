"""A stronger network changes no expectation: tests play by a frozen one, wherever they have something played."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from starlette.testclient import TestClient
from tests.analysis.test_page import FOUND, games, reviewed
from tests.frozen_network import COMPRESSED_NETWORK_PATH, ROOT, frozen_network, prune
from tests.kernel.page import ask

from punct import _kernel
from punct.engine import Engine, Limits, network
from punct.server.app import create_app

TEXT: Final = "standard w wEd5ne bTl5s"
MAX_COMPRESSED_BYTES: Final = 60_000
PROGRAM: Final = f"from punct.engine import Engine, Limits; print(Engine().play({TEXT!r}, Limits(nodes=60)).score)"


def test_it_is_small_and_made_as_stated() -> None:
    assert len(COMPRESSED_NETWORK_PATH.read_bytes()) <= MAX_COMPRESSED_BYTES
    assert prune(frozen_network()) == frozen_network()


def score_here() -> float:
    return Engine().play(TEXT, Limits(nodes=60)).score


def score_of_a_process() -> float:
    """As of a server's workers and of the command line."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    return float(done.stdout)


def score_in_the_page() -> float:
    (report,) = ask([("punct_search", [TEXT], [60, 0, 1, 0, 0])])
    return float(report["variations"][0]["score"])


def review() -> dict[str, Any]:
    """The review of a game, as the page's tests expect it."""
    return json.loads(json.dumps(reviewed(games()[1])[1]))  # type: ignore[no-any-return]


def served_network(folder: Path) -> bytes:
    """The network that a page fetches from a server, as browser tests do."""
    name = "assets/network-0123456789ab.bin"
    (folder / "assets").mkdir(exist_ok=True)
    (folder / name).write_bytes(b"the one it was built with")
    with TestClient(create_app(folder / "data", web=folder, workers=1)) as client:
        answer = client.get(f"/{name}")
    assert ("immutable" in answer.headers["cache-control"]) == (answer.content == b"the one it was built with")
    return answer.content


def test_another_shipped_network_changes_no_expectation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    expectations: list[Callable[[], object]] = [
        score_here, score_of_a_process, score_in_the_page, review, lambda: served_network(tmp_path)
    ]  # fmt: skip
    expected = [expectation() for expectation in expectations]
    assert review() in json.loads(FOUND.read_text(encoding="utf-8")) and served_network(tmp_path) == frozen_network()
    another = tmp_path / "another.network"
    another.write_bytes(another_network())
    monkeypatch.setattr(network, "OWN_NETWORK_PATH", another)
    assert [expectation() for expectation in expectations] == expected
    # And each of them would change if tests played by what is shipped.
    monkeypatch.delenv(network.NETWORK_VARIABLE)
    assert all(expectation() != value for expectation, value in zip(expectations, expected, strict=True))


def another_network() -> bytes:
    """Return a network unlike the one that is shipped: its first layer is empty."""
    content = network.OWN_NETWORK_PATH.read_bytes()
    first = _kernel.NETWORK_INPUTS * _kernel.NETWORK_HIDDEN
    changed = content[:12] + bytes(first) + content[12 + first : -8]
    return changed + struct.pack("<Q", _kernel.network_checksum(changed))


def test_of_the_page_s_tests_only_that_of_the_build_reads_the_shipped_one() -> None:
    sources = (path for path in (ROOT / "web" / "tests").rglob("*.ts"))
    assert [path.name for path in sources if "own.network" in path.read_text(encoding="utf-8")] == ["building.test.ts"]
