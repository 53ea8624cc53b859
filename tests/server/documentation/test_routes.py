"""Serving the documentation's site: caching, compression, types, what is not there, and what is said if nothing is."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from punct.server.app import create_app

GUIDE = "<!doctype html><title>Rules</title>" + "<p>A bridge.</p>" * 200


@pytest.fixture
def built(tmp_path: Path) -> Path:
    site = tmp_path / "site"
    (site / "_static").mkdir(parents=True)
    (site / "reference" / "punct").mkdir(parents=True)
    (site / "index.html").write_text("<!doctype html><title>PÜNCT</title>", encoding="utf-8")
    (site / "rules.html").write_text(GUIDE, encoding="utf-8")
    (site / "404.html").write_text("<!doctype html><title>nothing here</title>", encoding="utf-8")
    (site / "reference" / "punct" / "index.html").write_text("<!doctype html><title>punct</title>", encoding="utf-8")
    (site / "_static" / "furo.css").write_text("body {}", encoding="utf-8")
    (site / "_static" / "0123456789ab.js").write_text("let theme", encoding="utf-8")
    (site / "shot.webp").write_bytes(b"RIFF" + b"\x00" * 2000)
    (site / "nginx.conf").write_text("server {}", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    return site


@pytest.fixture(params=[False, True], ids=["home", "online"])
def client(tmp_path: Path, built: Path, request: pytest.FixtureRequest) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path / "data", documentation=built, online=request.param)) as client:
        yield client


def test_the_site_is_a_folder_whose_links_are_relative(client: TestClient) -> None:
    moved = client.get("/docs", follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (308, "/docs/")
    assert "PÜNCT" in client.get("/docs/").text
    assert "<title>punct</title>" in client.get("/docs/reference/punct/").text


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("rules.html", "text/html; charset=utf-8"),
        ("_static/furo.css", "text/css; charset=utf-8"),
        ("_static/0123456789ab.js", "text/javascript; charset=utf-8"),
        ("shot.webp", "image/webp"),
        ("nginx.conf", "text/plain; charset=utf-8"),
    ],
)
def test_files_have_their_types(client: TestClient, name: str, media_type: str) -> None:
    assert client.get(f"/docs/{name}").headers["content-type"] == media_type


def test_pages_are_revalidated_and_what_is_named_by_its_content_is_kept(client: TestClient) -> None:
    page = client.get("/docs/rules.html")
    assert page.headers["cache-control"] == "no-cache"
    again = client.get("/docs/rules.html", headers={"if-none-match": page.headers["etag"]})
    assert again.status_code == 304 and again.content == b""
    assert "immutable" in client.get("/docs/_static/0123456789ab.js").headers["cache-control"]
    assert client.get("/docs/_static/furo.css").headers["cache-control"] == "no-cache"


def test_texts_are_compressed_and_pictures_are_not(client: TestClient) -> None:
    with client.stream("GET", "/docs/rules.html", headers={"accept-encoding": "gzip"}) as page:
        raw = b"".join(page.iter_raw())
    assert page.headers["content-encoding"] == "gzip" and gzip.decompress(raw).decode() == GUIDE
    plain = client.get("/docs/rules.html", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.text == GUIDE


def test_head_has_the_headers_alone(client: TestClient) -> None:
    head, page = client.head("/docs/rules.html"), client.get("/docs/rules.html")
    assert head.status_code == 200 and head.content == b"" and head.headers["etag"] == page.headers["etag"]


def test_scripts_come_from_files_alone(client: TestClient) -> None:
    policy = dict(part.split(" ", 1) for part in client.get("/docs/").headers["content-security-policy"].split("; "))
    assert "'unsafe-inline'" not in policy["script-src"] and "https:" not in str(policy)


@pytest.mark.parametrize("path", ["/docs/gone.html", "/docs/reference/gone/", "/docs/reference"])
def test_what_is_not_there_has_a_page(client: TestClient, path: str) -> None:
    missing = client.get(path)
    assert missing.status_code == 404 and "nothing here" in missing.text
    again = client.get(path, headers={"if-none-match": missing.headers["etag"]})
    assert again.status_code == 404


@pytest.mark.parametrize(
    "path",
    ["/docs/../secret.txt", "/docs/%2e%2e/secret.txt", "/docs/_static/..%2f..%2fsecret.txt", "/docs//etc/passwd"],
)
def test_nothing_outside_the_folder_is_served(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404 and "secret" not in answer.text and "root:" not in answer.text


def test_other_paths_are_the_page(client: TestClient) -> None:
    assert "PÜNCT" not in client.get("/docsearch.js").text
    assert client.post("/docs/").status_code == 405


@pytest.mark.parametrize(
    ("has_sources", "told", "not_told"),
    [(True, "<code>make docs</code>", "installation"), (False, "installation", "make docs")],
    ids=["in a clone", "installed"],
)
def test_without_a_built_site_a_sentence_says_where_it_is(
    tmp_path: Path, has_sources: bool, told: str, not_told: str
) -> None:
    if has_sources:
        (tmp_path / "web").mkdir()
        for name in ("Makefile", "web/package.json"):
            (tmp_path / name).write_text("")
    site = tmp_path / "src/punct/server/documentation/built"
    with TestClient(create_app(tmp_path / "data", documentation=site)) as client:
        page = client.get("/docs/")
        assert page.status_code == 200 and told in page.text and not_told not in page.text
        assert '<a href="https://' in page.text
