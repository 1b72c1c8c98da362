import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.games.backgammon.matches import sgf_tree
from master.games.backgammon.matches.sgf_tree import (
    DEPTH_MAX,
    Node,
    Tree,
    compose,
    decode_sgf,
    from_text,
    parse_sgf,
    split_composed,
    to_simple_text,
    to_text,
    write_sgf_trees,
)
from master.games.errors import RecordError

# FF[4] turns other white space into blanks, and all line breaks into one kind.
texts = st.text(st.characters(exclude_characters="\t\v\f\r", codec="utf-8"), max_size=20)
simple_texts = texts.map(lambda text: text.replace("\n", " "))
names = st.from_regex(r"[A-Z]{1,2}", fullmatch=True)
nodes = st.dictionaries(
    names, st.lists(texts.map(from_text), min_size=1, max_size=3).map(tuple), max_size=4
).map(lambda properties: Node(tuple(properties.items())))
sequences = st.lists(nodes, min_size=1, max_size=4).map(tuple)
trees = st.recursive(
    st.builds(Tree, sequences),
    lambda inner: st.builds(Tree, sequences, st.lists(inner, max_size=2).map(tuple)),
    max_leaves=5,
)


@given(st.lists(trees, min_size=1, max_size=3).map(tuple))
@pytest.mark.when_changed
def test_collection_read_back_is_the_one_written(collection: tuple[Tree, ...]) -> None:
    assert parse_sgf(write_sgf_trees(collection), "a.sgf") == collection


@given(texts)
def test_text_read_back_is_the_one_written(text: str) -> None:
    assert to_text(from_text(text)) == text


@given(st.lists(simple_texts, min_size=1, max_size=4))
def test_composed_parts_read_back_are_those_written(parts: list[str]) -> None:
    assert split_composed(compose(*parts)) == tuple(parts)


@given(st.text(st.sampled_from("()[];\\: \n\taAB1é"), max_size=40) | st.text(max_size=40))
def test_any_text_is_read_or_refused_with_its_line(text: str) -> None:
    collection: tuple[Tree, ...] = ()
    refusal = "a.sgf:"
    try:
        collection = parse_sgf(text, "a.sgf")
    except RecordError as error:
        refusal = str(error)
    assert refusal.startswith("a.sgf:")
    if not collection:
        return
    assert parse_sgf(write_sgf_trees(collection), "a.sgf") == collection
    for node in collection[0].main_line():
        for _, values in node.properties:
            for value in values:
                to_text(value)
                split_composed(value)


@given(st.binary(max_size=60) | st.binary(max_size=40).map(lambda rest: b"(;CA[" + rest))
def test_any_bytes_are_decoded_or_refused(content: bytes) -> None:
    refusal = "a.sgf"
    try:
        decode_sgf(content, "a.sgf")
    except RecordError as error:
        refusal = str(error)
    assert refusal.startswith("a.sgf")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "a.sgf:1: expected '(' and a game"),
        ("(;A[1]\n;B[2]", "a.sgf:2: expected ';', '(' or ')'"),
        ("(;A[1]\n\n;B)", "a.sgf:3: expected a value in square brackets"),
        ("(;A[1\n", "a.sgf:1: expected a property, a value in brackets, or one of ( ) ;"),
        ("(;A[1]A[2])", "a.sgf:1: expected a property's name in capitals, each once a node"),
        ("()", "a.sgf:1: expected ';' and a node"),
    ],
)
def test_errors_name_file_line_and_what_was_expected(text: str, error: str) -> None:
    with pytest.raises(RecordError) as raised:
        parse_sgf(text, "a.sgf")
    assert str(raised.value) == error


def test_nodes_know_their_lines() -> None:
    (tree,) = parse_sgf("(;A[1\n2]\n;B[]\r\n ;C[])", "a.sgf")
    assert [node.line for node in tree.nodes] == [1, 3, 4]


def test_names_in_mixed_case_are_those_of_their_capitals() -> None:
    (tree,) = parse_sgf("(;GaMe[6])", "a.sgf")
    assert tree.nodes[0].value("GM") == "6"


def test_escapes_and_soft_line_breaks_are_read() -> None:
    assert to_text("a\\\nb\\]\\\\\\:\tc\r\nd") == "ab]\\: c\nd"
    assert to_simple_text("a\\\r\nb\nc") == "ab c"


def test_main_line_follows_the_first_variations() -> None:
    (tree,) = parse_sgf("(;A[1](;A[2](;A[3])(;A[9]))(;A[8]))", "a.sgf")
    assert [node.value("A") for node in tree.main_line()] == ["1", "2", "3"]


def test_variations_deeper_than_the_limit_are_refused() -> None:
    deep = "(;A[]" * DEPTH_MAX + ")" * DEPTH_MAX
    assert len(parse_sgf(deep, "a.sgf")) == 1
    with pytest.raises(RecordError, match=f"variations at most {DEPTH_MAX} deep"):
        parse_sgf(f"(;A[]{deep})", "a.sgf")


def test_longer_collections_than_the_limit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sgf_tree, "CHARACTERS_MAX", 10)
    with pytest.raises(RecordError, match="at most 10 characters"):
        parse_sgf("(;A[12345])", "a.sgf")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"(;CA[UTF-8]PW[\xc3\xa9])", "é"),
        (b"(;FF[4]CA[iso-8859-15]PW[\xe9])", "é"),
        (b"(;PW[\xe9])", "é"),
        (b"\xef\xbb\xbf(;PW[\xc3\xa9])", "é"),
    ],
)
def test_the_character_set_is_the_one_that_is_named(content: bytes, text: str) -> None:
    (tree,) = parse_sgf(decode_sgf(content, "a.sgf"), "a.sgf")
    assert tree.nodes[0].value("PW") == text


def test_wrong_bytes_and_character_sets_are_refused() -> None:
    with pytest.raises(RecordError, match=r"a\.sgf:2: expected text in UTF-8, as CA says"):
        decode_sgf(b"(;CA[UTF-8]\nPW[\xe9])", "a.sgf")
    with pytest.raises(RecordError, match="there is no character set 'KLINGON'"):
        decode_sgf(b"(;CA[KLINGON])", "a.sgf")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("(;GM[6]\n;C[" + "a" * 70_000 + "])", r"^a\.sgf:2: expected a value of at most 65,536"),
        ("(;GM[6]\n" + ";" * 1_001 + ")", r"^a\.sgf:2: expected at most 1,000 nodes$"),
        ("(;GM[6]\n;AB" + "[a]" * 2_001 + ")", r"^a\.sgf:2: expected at most 2,000 values$"),
        ("(;GM[6])" * 1_001, r"^a\.sgf:1: expected at most 1,000 nodes$"),
        ("(;GM[6])" * 501, r"^a\.sgf:1: expected at most 500 games$"),
    ],
    ids=["value", "nodes", "values", "nodes of games", "games"],
)
def test_what_no_match_has_is_refused_before_it_takes_memory(
    text: str, error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sgf_tree, "GAMES_MAX", 500 if "500" in error else 2_000)
    monkeypatch.setattr(sgf_tree, "NODES_MAX", 1_000)
    monkeypatch.setattr(sgf_tree, "VALUES_MAX", 2_000)
    with pytest.raises(RecordError, match=error):
        parse_sgf(text, "a.sgf")


def test_long_values_with_escapes_take_no_memory_for_ways_back() -> None:
    value = "\\]" * 30_000
    tracemalloc.start()
    (tree,) = parse_sgf(f"(;C[{value}])", "a.sgf")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert tree.nodes[0].value("C") == value
    assert peak < 10 * len(value)


@pytest.mark.parametrize("name", ["punycode", "unicode_escape", "IDNA", "raw_unicode_escape"])
def test_encodings_of_python_alone_are_no_character_sets(name: str) -> None:
    with pytest.raises(RecordError, match=f"there is no character set '{name}'"):
        decode_sgf(f"(;CA[{name}])".encode(), "a.sgf")
