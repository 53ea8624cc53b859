"""Networks: the engine's own is used, others may be, and what is none is refused with a sentence."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from bench.kernel import SIGNATURE_POSITIONS

from punct import _kernel
from punct.engine import Engine, EngineError, Limits
from punct.engine.network import OWN, load_network, own_network
from punct.engine.weights import default_weights
from punct.ugi.engine import OurEngine
from punct.ugi.serving import Conversation

TEXT = "standard w wEd5ne bTl5s"
HEAD = 12
"""Bytes before a network's numbers: its name and version."""


def signed(content: bytes) -> bytes:
    """Numbers with the checksum they should have."""
    return content + struct.pack("<Q", _kernel.network_checksum(content))


def with_number(content: bytes, at: int, number: bytes) -> bytes:
    return signed(content[:at] + number + content[at + len(number) : -8])


def test_an_engine_plays_by_its_own_network() -> None:
    own = Engine(limits=Limits(nodes=50)).play(TEXT)
    given = Engine(limits=Limits(nodes=50), network=OWN).play(TEXT)
    shared = Engine(limits=Limits(nodes=50), network=own_network()).play(TEXT)
    plain = Engine(limits=Limits(nodes=50), weights=default_weights()).play(TEXT)
    assert own.score == given.score == shared.score != plain.score


def test_the_own_network_is_small() -> None:
    assert OWN.stat().st_size <= 2_000_000


def test_a_network_by_nodes_is_the_same_every_time() -> None:
    for text in SIGNATURE_POSITIONS:
        one, other = (Engine(limits=Limits(nodes=400)).analyse(text, variations=5) for _ in range(2))
        assert one == other


def test_a_tree_is_not_kept_when_the_network_changes() -> None:
    """What another network thought would stay in the tree for the whole game."""
    network, searcher = own_network(), _kernel.Searcher(8)
    before = searcher.search("standard w", seconds=0.05)
    searcher.set_network(network)
    after = searcher.search("standard w", [before["move"]], seconds=1e-3)
    assert after["nodes"] < before["nodes"] / 2


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
def test_what_is_no_network_is_refused(tmp_path: Path, damage: Callable[[bytes], bytes], complaint: str) -> None:
    path = tmp_path / "some.network"
    path.write_bytes(damage(OWN.read_bytes()))
    with pytest.raises(EngineError, match=complaint) as refusal:
        Engine(network=path)
    assert "some.network" in str(refusal.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"none\.network cannot be read"):
        load_network(tmp_path / "none.network")
    with pytest.raises(EngineError, match="cannot be read"):
        load_network(tmp_path)
    (tmp_path / "large").write_bytes(b"PUNCTNET" * (1 << 20))
    with pytest.raises(EngineError, match="too large"):
        load_network(tmp_path / "large")


def test_a_conversation_takes_a_network(tmp_path: Path) -> None:
    said: list[str] = []
    conversation = Conversation(OurEngine(), said.append)
    conversation.handle(f"setoption name Network value {OWN}")
    assert not said
    broken = tmp_path / "broken.network"
    broken.write_bytes(b"PUNCTNET")
    conversation.handle(f"setoption name Network value {broken}")
    assert said[0].startswith("info string ") and "broken.network" in said[0]
