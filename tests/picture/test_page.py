"""A game as HTML to step through: whole without anything from outside, every moment once, texts only as texts."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from punct import Colour, Game, Position, PunctError, WrongTypeError, kernel, picture

TURNS = ("Ed5ne", "Tl5s", "d5-d8n", "Tb5n", "d8-d8s")


def game() -> Game:
    made = Game(tags={"White": "Anna & <b>", "Black": 'Ben "B"', "Event": "Test"})
    for turn in TURNS:
        made.push(turn)
    return made


class Reader(HTMLParser):
    """Every element by its name, with its attributes; and that they are closed in order."""

    EMPTY = frozenset({"input", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def test_every_moment_has_its_button_and_its_board() -> None:
    page = Reader(picture.html(game(), name="g"))
    radios = page.all("input")
    assert [radio["id"] for radio in radios] == [f"g-{ply}" for ply in range(6)]
    assert [radio["aria-label"] for radio in radios][:3] == ["Start", "Move 1, White: Ed5ne", "Move 2, Black: Tl5s"]
    assert [radio["id"] for radio in radios if "checked" in radio] == ["g-5"]
    moments = {group["class"]: group for group in page.all("g") if "class" in group}
    assert set(moments) == {f"m{ply}" for ply in range(6)}
    assert [name for name, group in moments.items() if group.get("display") != "none"] == ["m5"]
    targets = {label["for"] for label in page.all("label")}
    assert targets == {f"g-{ply}" for ply in range(6)}


def test_it_needs_nothing_from_outside_and_no_script() -> None:
    text = picture.html(game(), name="g")
    page = Reader(text)
    ids = [attributes["id"] for _, attributes in page.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert all(name is not None and name.startswith("g") for name in ids)
    used = [use["href"] or "" for use in page.all("use")] + [
        f"#{name}" for name in re.findall(r"url\(#([^)]+)\)", text)
    ]
    assert used
    assert {name.removeprefix("#") for name in used} <= set(ids)
    assert not page.all("script")
    assert not page.all("img")
    assert not page.all("link")
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert not any(name.startswith("on") for _, attributes in page.found for name in attributes)


def test_what_is_drawn_again_is_written_once() -> None:
    position = kernel.Position()
    made = Game()
    for move in position.play_random(5, 40, moved=20):
        made.push(move)
    alone = sum(len(picture.svg(moment)) for moment in made.positions())
    assert len(picture.html(made)) < alone / 4


def test_texts_stay_texts() -> None:
    made = game()
    made.comment = "<script>alert(1)</script>\nsecond line"
    page = Reader(picture.html(made, name="g"))
    assert not page.all("script")
    words = "".join(page.words)
    assert "<script>alert(1)</script>" in words
    assert 'Anna & <b> – Ben "B", Test' in words


def test_it_follows_the_variation_one_looks_at_and_tells_the_end() -> None:
    made = game()
    made.resign(Colour.BLACK)
    words = "".join(Reader(picture.html(made)).words)
    assert "White wins (resignation), 1-0" in words
    made.go_to_start()
    made.push("Td2n")
    page = Reader(picture.html(made, name="g"))
    assert [radio["aria-label"] for radio in page.all("input")] == ["Start", "Move 1, White: Td2n"]
    made.back()
    page = Reader(picture.html(made, name="g"))
    assert len(page.all("input")) == 6
    assert [radio["id"] for radio in page.all("input") if "checked" in radio] == ["g-0"]
    assert "also: Td2n" in "".join(page.words)


def test_a_notebook_shows_it_and_two_do_not_get_in_each_others_way() -> None:
    made = game()
    first, second = made._repr_html_(), made._repr_html_()
    assert first.startswith('<div class="punct-game" id="punct-')
    assert first != second
    assert Reader(Game()._repr_html_()).all("input")


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(WrongTypeError, match="only a Game can be stepped through"):
        picture.html(Position())  # type: ignore[arg-type]
    for name in ("", "1x", "a b", "a<b", "ä"):
        with pytest.raises(PunctError, match="cannot begin an id"):
            picture.html(game(), name=name)
