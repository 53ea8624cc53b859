"""SGF's syntax, and files that only pretend to have it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punct import InvalidRecordError, PunctError, records
from punct.records.sgf.syntax import find_tree, looks_like_sgf, read_tree
from punct.records.sgf.tree import SgfNode, write_sgf
from punct.records.source import TextBuffer


def read_sgf(text: str) -> list[SgfNode]:
    """Return the first node of every tree."""
    scroll, roots = TextBuffer(text), []
    while find_tree(scroll):
        root, end = read_tree(scroll)
        scroll.go_to(end)
        roots.append(root)
    return roots


def shape(node: SgfNode) -> list[object]:
    return [node.properties, *(shape(child) for child in node.children)]


def test_trees() -> None:
    (root,) = read_sgf("(;A[1];B[2](;C[3])(;D[4](;E[5])(;F[6])))")
    assert shape(root) == [
        [("A", "1")],
        [[("B", "2")], [[("C", "3")]], [[("D", "4")], [[("E", "5")]], [[("F", "6")]]]],
    ]


def test_properties_keep_their_order_and_several_values() -> None:
    (root,) = read_sgf("( ;\n P0 [id x]\tp1[y] [z]P0[w];)")
    assert root.properties == [("P0", "id x"), ("P1", "y"), ("P1", "z"), ("P0", "w")]
    assert (root.get("P1"), root.get("Q")) == ("y", None)
    assert root.children[0].properties == []


def test_escapes() -> None:
    (root,) = read_sgf("(;C[a\\]b\\\\c\\:d\\\ne\\\r\nf\ng)(;])")
    assert root.get("C") == "a]b\\c:def\ng)(;"


def test_lines_are_counted() -> None:
    first, second = read_sgf("x\n(;A[\n\n]\n;B[1])\n\n(;C[1])")
    assert (first.line, first.children[0].line, second.line) == (2, 5, 7)


values = st.text(st.sampled_from("[]\\();:\n aé"), max_size=12)
nodes = st.lists(st.tuples(st.sampled_from(("A", "BC", "P0")), values), max_size=4)


@st.composite
def trees(draw: st.DrawFn) -> SgfNode:
    root = SgfNode(draw(nodes))
    made = [root]
    for _ in range(draw(st.integers(0, 8))):
        node = SgfNode(draw(nodes))
        draw(st.sampled_from(made)).children.append(node)
        made.append(node)
    return root


@given(st.lists(trees(), max_size=3))
def test_every_tree_comes_back(roots: list[SgfNode]) -> None:
    assert [shape(root) for root in read_sgf(write_sgf(roots))] == [shape(root) for root in roots]


@pytest.mark.parametrize(
    ("text", "line", "token", "why"),
    [
        ("nothing", 1, "", "no SGF here"),
        ("()", 1, "", "no SGF here"),
        ("\n(;A[1]", 2, "(", "has no end"),
        ("(;A[1]\n;B[1\n", 2, "[1", "no closing ]"),
        ("(;A;B[1])", 1, "A", "no value"),
        ("(;A[1]B)", 1, "B", "no value"),
        ("(;\n[1])", 2, "[1]", "belongs to no property"),
        ("(;A[1](B[2]))", 1, "B", "begins with a node"),
        ("(;A[1](\n))", 2, ")", "begins with a node"),
        ("(;A[1](;B[2])C[3])", 1, "C", "must stand in a node"),
        ("(;A[1](;B[2]);C[3])", 1, ";", "cannot follow a variation"),
        ("(;A[1]\n!)", 2, "!)", "was expected"),
        ("(;A[1]\x00)", 1, "", "was expected"),
        ("(;1A[1])", 1, "1A", "was expected"),
    ],
)
def test_faults_name_line_word_and_reason(text: str, line: int, token: str, why: str) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        read_sgf(text)
    assert str(caught.value).startswith(f"line {line}: ")
    assert token in str(caught.value)
    assert why in str(caught.value)


def test_nothing_holds_no_games() -> None:
    assert read_sgf(" \n") == []
    assert write_sgf([]) == ""


def test_what_begins_as_sgf() -> None:
    assert looks_like_sgf("\ufeff\n (\n;GM[25])")
    assert not looks_like_sgf("1. Ed5ne (1. Ef8sw) *")
    assert not looks_like_sgf("")


@pytest.mark.parametrize(
    "text",
    [
        "(;" * 20_000,
        "(" * 20_000,
        "( " * 20_000,
        "(" + " " * 100_000,
        "(;C[" + "\\" * 100_001,
        "(;C[" + "x" * 2_000_000,
        "(;" + "A" * 1_000_000 + ")",
        "(;GM[25]" + "(;P0[1 Pick W 3]" * 10_000 + ")" * 10_001,
        "(;GM[25]" + ";P0[1 Pick W 3]C[x](;)" * 1 + ")",
        "(;GM[25]" + "(;P0[1 Pick W 3]C[x](;)" * 5_000 + ")" * 5_001,
        "(;GM[25];P0[" + "9" * 1_000_000 + " Pick " + "W " * 500_000 + "])",
        "(;GM[25];P0[1 Dropb " + "9" * 1_000_000 + "])",
        "(;GM[" + "2" * 1_000_000 + "])",
    ],
    ids=range(13),
)
def test_hostile_sizes_end_in_an_error_or_a_game(text: str) -> None:
    try:
        (game,) = records.loads(text, "sgf")
    except InvalidRecordError as error:
        assert len(str(error)) < 500
    else:
        assert game.moves == ()


@given(st.text(st.sampled_from('()[];:\\PGMDropbickEd5ne 0129W.{}"*/-\n\x00\ud800') | st.characters(), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for form in ("text", "sgf", None):
        try:
            records.loads(text, form)
        except PunctError as error:
            assert isinstance(error, InvalidRecordError)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    for prefix in (b"", b"(;GM[25];P0[", b'[White "'):
        try:
            records.loads(prefix + content)
        except PunctError as error:
            assert isinstance(error, InvalidRecordError)
