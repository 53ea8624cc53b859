"""Networks: the engine uses its own or another one; invalid files are errors.

Unlike most tests, these take the network that is shipped: it can be read, and is what an engine uses by default.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from bench.kernel import SIGNATURE_POSITIONS
from tests.cli.running import run
from tests.engine.searching import search_by_time
from tests.frozen_network import FROZEN_NETWORK_PATH

from punct import _kernel
from punct.engine import Engine, EngineError, Limits
from punct.engine.network import NETWORK_VARIABLE, OWN_NETWORK_PATH, load_network, own_network
from punct.engine.weights import default_weights
from punct.ugi.conversation import Conversation
from punct.ugi.engine import EngineThinker

pytestmark = pytest.mark.usefixtures("shipped_network")

TEXT = "standard w wEd5ne bTl5s"
HEAD = 12
"""Bytes before a network's numbers: its name and version."""


def signed(content: bytes) -> bytes:
    """Return content with its checksum."""
    return content + struct.pack("<Q", _kernel.network_checksum(content))


def with_number(content: bytes, at: int, number: bytes) -> bytes:
    return signed(content[:at] + number + content[at + len(number) : -8])


def test_an_engine_uses_its_own_network() -> None:
    own = Engine(limits=Limits(nodes=50)).play(TEXT)
    from_file = Engine(limits=Limits(nodes=50), network=OWN_NETWORK_PATH).play(TEXT)
    shared = Engine(limits=Limits(nodes=50), network=own_network()).play(TEXT)
    plain = Engine(limits=Limits(nodes=50), weights=default_weights()).play(TEXT)
    assert own.score == from_file.score == shared.score != plain.score


def test_a_variable_names_another_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """For engines that are given none, in this process and in others."""
    own = Engine(limits=Limits(nodes=50)).play(TEXT)
    monkeypatch.setenv(NETWORK_VARIABLE, str(FROZEN_NETWORK_PATH))
    frozen = Engine(limits=Limits(nodes=50)).play(TEXT)
    assert frozen.score == Engine(limits=Limits(nodes=50), network=FROZEN_NETWORK_PATH).play(TEXT).score != own.score
    assert Engine(limits=Limits(nodes=50), network=own_network()).play(TEXT).score == own.score
    monkeypatch.setenv(NETWORK_VARIABLE, "")
    assert Engine(limits=Limits(nodes=50)).play(TEXT).score == own.score


@pytest.mark.parametrize("command", ["engine", "serve --no-open", "worker --broker-url redis://127.0.0.1:9/0"])
def test_a_variable_that_names_no_network_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    path = tmp_path / "none.network"
    monkeypatch.setenv(NETWORK_VARIABLE, str(path))
    told = f"PUNCT_NETWORK names no network: {path} cannot be read: No such file or directory"
    if command == "engine":
        with pytest.raises(EngineError, match=re.escape(told)):
            Engine()
        Engine(network=OWN_NETWORK_PATH)
        Engine(weights=default_weights())
    else:
        pytest.importorskip("fastapi", reason="these commands need the server's extra")
        result = run(*command.split())
        assert result.exit_code == 2 and told in "".join(result.stderr.splitlines())


def test_the_own_network_is_small() -> None:
    assert OWN_NETWORK_PATH.stat().st_size <= 2_000_000


def test_a_search_by_nodes_with_a_network_is_deterministic() -> None:
    for text in SIGNATURE_POSITIONS:
        one, other = (Engine(limits=Limits(nodes=400)).analyse(text, variations=5) for _ in range(2))
        assert one == other


def test_a_tree_is_not_reused_when_the_network_changes() -> None:
    """Values of another network would stay in the tree for the whole game."""
    network, searcher = own_network(), _kernel.Searcher(8)
    before = search_by_time(searcher, "standard w", nodes=500)
    for kept in (True, False):
        after = search_by_time(searcher, "standard w", [before["move"]], nodes=1, variations=300)
        assert (sum(variation["visits"] for variation in after["variations"]) > after["nodes"]) == kept
        searcher.set_network(network)


@pytest.mark.parametrize(
    "damage, complaint",
    [
        (lambda content: b"", "begins with PUNCTNET"),
        (lambda content: b"PUNCTNET", "begins with PUNCTNET"),
        (lambda content: b"\x00" * len(content), "begins with PUNCTNET"),
        (lambda content: signed(b"PUNCTNET" + struct.pack("<I", 99) + content[HEAD:-8]), "another version"),
        (lambda content: content[:-9], "another length"),
        (lambda content: signed(content[:-8] + b"\x00"), "another length"),
        (lambda content: content[:5000] + bytes([content[5000] ^ 1]) + content[5001:], "checksum"),
        (lambda content: content[:-1] + bytes([content[-1] ^ 1]), "checksum"),
        (lambda content: with_number(content, len(content) - 8 - 4, struct.pack("<i", 1 << 30)), "too large"),
    ],
)
def test_invalid_networks_are_errors(tmp_path: Path, damage: Callable[[bytes], bytes], complaint: str) -> None:
    path = tmp_path / "some.network"
    path.write_bytes(damage(OWN_NETWORK_PATH.read_bytes()))
    with pytest.raises(EngineError, match=complaint) as caught:
        Engine(network=path)
    assert "some.network" in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"none\.network cannot be read"):
        load_network(tmp_path / "none.network")
    with pytest.raises(EngineError, match="cannot be read"):
        load_network(tmp_path)
    (tmp_path / "large").write_bytes(b"PUNCTNET" * (1 << 20))
    with pytest.raises(EngineError, match="too large"):
        load_network(tmp_path / "large")


def test_ugi_sets_a_network(tmp_path: Path) -> None:
    lines: list[str] = []
    conversation = Conversation(EngineThinker(), lines.append)
    conversation.handle(f"setoption name Network value {OWN_NETWORK_PATH}")
    assert not lines
    broken = tmp_path / "broken.network"
    broken.write_bytes(b"PUNCTNET")
    conversation.handle(f"setoption name Network value {broken}")
    assert lines[0].startswith("info string ") and "broken.network" in lines[0]
