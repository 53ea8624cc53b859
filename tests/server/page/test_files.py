"""Serving the built page: caching, compression, paths within the page, and a page when nothing is built."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from punct.server.app import create_app

SCRIPT = "export const pieces = 18\n" * 200
NUMBERS = bytes(range(64)) * 40


@pytest.fixture
def built(tmp_path: Path) -> Path:
    web = tmp_path / "web"
    (web / "assets").mkdir(parents=True)
    (web / "index.html").write_text("<!doctype html><title>PÜNCT</title>")
    (web / "sw.js").write_text("// the service worker")
    (web / "assets" / "index-abc123.js").write_text(SCRIPT)
    (web / "assets" / "font-abc123.woff2").write_bytes(b"\x00" * 2000)
    (web / "assets" / "network-abc123.bin").write_bytes(NUMBERS)
    (tmp_path / "secret.txt").write_text("secret")
    return web


@pytest.fixture
def client(tmp_path: Path, built: Path) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path / "data", web=built)) as client:
        yield client


def test_hashed_files_are_cached_for_good_and_the_page_is_revalidated(client: TestClient) -> None:
    script = client.get("/assets/index-abc123.js")
    assert script.text == SCRIPT and script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]
    page = client.get("/")
    assert "PÜNCT" in page.text and page.headers["cache-control"] == "no-cache"
    again = client.get("/", headers={"if-none-match": page.headers["etag"]})
    assert again.status_code == 304 and again.content == b""


def test_the_service_worker_is_revalidated_and_allowed_at_the_root(client: TestClient) -> None:
    worker = client.get("/sw.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["cache-control"] == "no-cache"
    policy = dict(part.split(" ", 1) for part in worker.headers["content-security-policy"].split("; "))
    assert policy["worker-src"] == policy["manifest-src"] == "'self'"


def test_texts_are_compressed_and_fonts_are_not(client: TestClient) -> None:
    with client.stream("GET", "/assets/index-abc123.js", headers={"accept-encoding": "gzip"}) as script:
        raw = b"".join(script.iter_raw())
    assert script.headers["content-encoding"] == "gzip" and gzip.decompress(raw).decode() == SCRIPT
    assert len(raw) < len(SCRIPT) / 10 and script.headers["vary"] == "Accept-Encoding"
    plain = client.get("/assets/index-abc123.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.text == SCRIPT
    font = client.get("/assets/font-abc123.woff2", headers={"accept-encoding": "identity"})
    assert font.headers["content-type"] == "font/woff2"


def test_the_network_is_compressed_and_cached_for_good(client: TestClient) -> None:
    with client.stream("GET", "/assets/network-abc123.bin", headers={"accept-encoding": "gzip"}) as network:
        raw = b"".join(network.iter_raw())
    assert network.headers["content-type"] == "application/octet-stream"
    assert network.headers["content-encoding"] == "gzip" and gzip.decompress(raw) == NUMBERS
    assert len(raw) < len(NUMBERS) and "immutable" in network.headers["cache-control"]


def test_paths_of_the_page_return_the_page(client: TestClient) -> None:
    assert client.get("/game/abc").text == client.get("/").text
    assert client.get("/assets/old-000.js").status_code == 404
    assert client.get("/favicon.ico").status_code == 404


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "/%00", "//etc"]
)
def test_nothing_outside_the_folder_is_served(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert "secret" not in answer.text and answer.status_code in {200, 404}


def test_a_rebuilt_client_is_seen_at_once(client: TestClient, built: Path) -> None:
    client.get("/")
    (built / "index.html").write_text("<!doctype html><title>new</title>")
    assert "new" in client.get("/").text


@pytest.mark.parametrize(
    ("has_sources", "told", "not_told"),
    [(True, "<code>make play</code>", "pip install"), (False, "<code>pip install", "make play")],
    ids=["in a clone", "installed"],
)
def test_without_a_built_client_the_page_says_how(tmp_path: Path, has_sources: bool, told: str, not_told: str) -> None:
    if has_sources:
        (tmp_path / "web").mkdir()
        for name in ("Makefile", "web/package.json"):
            (tmp_path / name).write_text("")
    web = tmp_path / "src/punct/server/page/built"
    with TestClient(create_app(tmp_path / "data", web=web)) as client:
        page = client.get("/")
        assert page.status_code == 200 and told in page.text and not_told not in page.text
        assert client.get("/api/v1/health").json()["status"] == "ok"
