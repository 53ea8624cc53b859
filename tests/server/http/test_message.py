"""Messages for live connections: the same bytes for all, compressed or not, can be read by any client."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.server.game_requests import create_game, play_moves
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame
from websockets.streams import StreamReader

from punct.server.app import create_app
from punct.server.games import snapshots
from punct.server.games.engine_status import IDLE
from punct.server.games.service import Games
from punct.server.http.compression import MIN_COMPRESSED_BYTES, deflate, gzip_of_blocks, stored_block
from punct.server.http.registry import Services
from punct.server.live.frames import Message


def read(frame: bytes, *, compressed: bool) -> str:
    """Return the text of a frame, as another program understands it."""
    reader = StreamReader()
    reader.feed_data(frame)
    extensions = [PerMessageDeflate(True, True, 15, 15)] if compressed else []
    parsing = Frame.parse(reader.read_exact, mask=False, extensions=extensions)
    with pytest.raises(StopIteration) as parsed:
        next(parsing)
    assert not reader.buffer
    return bytes(parsed.value.value.data).decode()


@given(st.text(max_size=20), st.sampled_from([0, 1, 5, 90, 4000]))
def test_a_frame_contains_its_text(part: str, times: int) -> None:
    message = Message(part * times)
    assert read(message.frame(compressed=False), compressed=False) == message
    assert read(message.frame(compressed=True), compressed=True) == message
    assert message.frame(compressed=True) is message.frame(compressed=True)
    if len(message) >= MIN_COMPRESSED_BYTES:
        assert len(message.frame(compressed=True)) < len(message.frame(compressed=False)) / 2


@given(st.binary(max_size=3000), st.binary(max_size=50), st.binary(max_size=50))
def test_a_compressed_block_can_be_embedded_anywhere(content: bytes, before: bytes, after: bytes) -> None:
    blocks = deflate(content)
    assert gzip.decompress(gzip_of_blocks(content, blocks)) == content
    whole = zlib.decompressobj(-15).decompress(stored_block(before) + blocks + stored_block(after))
    assert whole == before + content + after


def test_a_game_is_compressed_once_for_responses_and_live_connections(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, workers=1)) as client:
        game = play_moves(client, create_game(client), "Ed5ne", "Tl5s")
        services: Services = client.app.state.services  # type: ignore[attr-defined]
        shown = client.portal.call(services.get(Games).get, game["id"])  # type: ignore[union-attr]
        snapshot = snapshots.Snapshot(shown, IDLE)
        assert gzip.decompress(snapshot.compressed) == snapshot.body and snapshot.blocks is snapshot.blocks
        wanted = f'{{"type":"game","game":{snapshot.body.decode()}}}'
        assert snapshot.message == wanted == read(snapshot.message.frame(compressed=True), compressed=True)
