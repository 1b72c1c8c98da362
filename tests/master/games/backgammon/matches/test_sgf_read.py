import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.board import START
from master.games.backgammon.matches import sgf_tree
from master.games.backgammon.matches.record import (
    GAMES_MAX,
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.backgammon.matches.repairs import WITHOUT_RULE
from master.games.backgammon.matches.replay import GameStage, start_of
from master.games.backgammon.matches.sgf_read import read_sgf
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
from master.games.backgammon.matches.sgf_write import write_sgf
from master.games.errors import RecordError

HEAD = "(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]"
MONEY = f"{HEAD}MI[length:0][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Jacoby]"
MATCH = f"{HEAD}MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]"
OPENING = "\n;W[31hefe]"  # white, player 0: 8/5 6/5


def read(text: str) -> Match:
    return read_sgf(text, "a.sgf").match


def test_header_is_read() -> None:
    match = read(
        f"{HEAD}MI[length:7][game:0][ws:6][bs:2]PW[A\\]nn]PB[Bob]WR[1800]BR[1700]DT[2026-11-21]"
        "EV[Cup]RO[2]PC[Here]AN[Me]GC[Two\nlines]RU[Crawford:CrawfordGame]XT[site:b\\:c])"
    )
    assert match.players == ("A]nn", "Bob")
    assert (match.length, match.uses_crawford, match.beavers) == (7, True, False)
    assert (match.games[0].score, match.games[0].is_crawford) == ((6, 2), True)
    assert match.tags == {
        "rating0": "1800", "rating1": "1700", "date": "2026-11-21", "event": "Cup", "round": "2",
        "place": "Here", "annotator": "Me", "comment": "Two\nlines", "site": "b:c",
    }  # fmt: skip


def test_actions_are_read() -> None:
    match = read(
        f"{MATCH}RE[W+1]{OPENING};B[double];W[take];B[62lrln];W[double];B[drop])".replace(
            "RE[W+1]", "RE[W+2]"
        )
    )
    (game,) = match.games
    assert game.actions[0] == Play(0, (3, 1), ((8, 5), (6, 5)))
    assert game.actions[1:3] == (Double(1), Take(0))
    assert game.actions[4:] == (Double(0), Drop(1))
    assert game.result == Result(0, 2)


def test_moves_that_join_steps_of_a_checker_are_split() -> None:
    (game,) = read(f"{MATCH};W[65xm])").games
    assert game.actions == (Play(0, (6, 5), ((24, 18), (18, 13))),)


def test_a_double_answered_by_a_double_is_a_beaver() -> None:
    match = read(
        f"{MONEY}{OPENING};B[double];W[double];B[take];B[62lrtv])".replace("62lrtv", "62lrln")
    )
    assert match.beavers
    assert match.games[0].actions[1:3] == (Double(1), Beaver(0))


def test_resignation_is_in_the_result() -> None:
    (game,) = read(f"{MATCH}RE[B+4R]{OPENING};B[double];W[take];B[62lrln])").games
    assert game.actions[-1] == Resign(0, 2)
    assert game.result == Result(1, 4)


def test_gammon_resigned_against_the_jacoby_rule_is_kept_as_a_result() -> None:
    """gnubg counts it, with a centred cube too."""
    (game,) = read(f"{MONEY}RE[B+2R]\n;PL[W]DI[41])").games
    assert game.actions == (Play(0, (4, 1), ()),)
    assert game.result == Result(1, 2)


def test_a_roll_left_unmoved_is_kept() -> None:
    """gnubg ends an unfinished game with the roll, and again with a move of nothing."""
    hinted = read(f"{MATCH}{OPENING}\n;PL[B]DI[65]\n;B[65])").games[0]
    rolled = read(f"{MATCH}{OPENING}\n;PL[B]DI[65])").games[0]
    assert hinted.actions[1:] == rolled.actions[1:] == (Play(1, (6, 5), ()),)
    moved = read(f"{MATCH}{OPENING}\n;PL[B]DI[65]\n;B[65agln])".replace("agln", "aggl")).games[0]
    assert len(moved.actions) == 2


def test_comments_belong_to_their_actions() -> None:
    (game,) = read(
        f"{MATCH}C[Before]{OPENING}C[One\nmove]\n;B[double]C[a][b];W[take]\n;C[End])"
    ).games
    assert game.comments == ((0, "Before"), (0, "One\nmove"), (1, "a"), (1, "b"), (3, "End"))


def test_game_set_up_by_gnubg_is_read() -> None:
    """The roll before the set-up was the opening's, and of another board."""
    (game,) = read(
        f"{MATCH}\n;PL[W]DI[41]\n;PL[W]AE[a:y]AW[f][f][f][f][f][h][h][h][m][m][m][m][m][x][x]"
        "AB[s][s][s][s][s][q][q][q][l][l][l][l][l][a][a]\n;CV[2]\n;CP[b]\n;B[31qtst])"
    ).games
    assert game.start is not None
    assert game.start.position == START
    assert (game.start.match.player_on_roll, game.start.match.cube_value) == (1, 2)
    assert len(game.actions) == 1


def test_position_saved_with_a_roll_starts_from_it() -> None:
    (game,) = read(f"{MATCH}\n;PL[B]AE[a:y]AW[a]AB[x]\n;PL[B]DI[31])").games
    assert game.start is not None
    assert (game.start.match.dice, game.start.match.player_on_roll) == ((3, 1), 1)
    assert game.actions == ()


def test_automatic_doubles_turn_the_cube_before_the_game() -> None:
    (game,) = read(f"{MONEY}CV[2]{OPENING})").games
    assert (game.start, game.cube) == (None, 2)
    assert start_of(Match(("", ""), 0), game).stage is GameStage.OPENING


def test_only_the_main_line_is_read() -> None:
    (game,) = read(f"{MATCH}{OPENING}(;B[62lrln])(;B[double]))").games
    assert len(game.actions) == 2


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("(;GM[1])", "a.sgf:1: expected a game of backgammon, GM[6], not GM[1]"),
        ("(;FF[4])", "a.sgf:1: expected a game of backgammon, GM[6], not GM[None]"),
        (f"{HEAD}MI[length:x])", "a.sgf:1: expected a number, not 'x'"),
        (f"{HEAD}RU[Nackgammon])", "a.sgf:1: expected usual backgammon, not Nackgammon"),
        (f"{MATCH}RE[Draw])", "a.sgf:1: expected a result as W+2 or B+1R, not 'Draw'"),
        (f"{MATCH}{OPENING}\n;W[31hefe])", "a.sgf:3: it is player 1's turn"),
        (f"{MATCH}{OPENING}\n;B[pass])", "a.sgf:3: expected two dice, as 31, not 'pa'"),
        (f"{MATCH}{OPENING}\n;B[62ab])", "a.sgf:3: illegal play: with 6-2, 24/23"),
        (f"{MATCH}{OPENING}\n\n;AW[a])", "a.sgf:4: expected no set-up in the middle"),
        (f"{MATCH}\n;W[double]", "a.sgf:2: expected ';', '(' or ')'"),
        (f"{MATCH}{OPENING}\n;PL[B]DI[65]\n;B[64aglp])", "expected the move of the roll before"),
        (f"{MONEY}{OPENING};B[double];W[double]\n;B[drop])", "sgf:3: expected the beaver to be"),
        (
            f"{MONEY}{OPENING};B[double];W[double])",
            "expected the beaver to be taken before the end",
        ),
        (
            f"{MATCH}RE[W+7R]{OPENING})",
            "expected a resignation of 1 to 3 times the cube, 1, not of",
        ),
        (
            f"{MATCH}{OPENING};B[double]XR[W1]\n;XR[W9])",
            "a.sgf:3: a resignation is of 1 to 3",
        ),
        (f"{MATCH}{OPENING}\n;XR[X])", "a.sgf:3: expected a resignation as W1 or B2"),
    ],
)
def test_errors_name_the_line_and_what_was_expected(text: str, error: str) -> None:
    with pytest.raises(RecordError) as raised:
        read(text)
    assert error in str(raised.value)


LATE = f"{HEAD}MI[length:5][game:0][ws:4][bs:2]PW[Ann]PB[Bob]"
DOUBLED = f"RE[W+1]{OPENING};B[double];W[take];B[62lrln];W[double];B[drop])".replace("W+1", "W+2")


@pytest.mark.parametrize(
    ("rules", "rest", "breach"),
    [
        ("RU[Crawford:CrawfordGame]", DOUBLED, "a double in the Crawford game"),
        ("RU[Crawford:CrawfordGame]", f"{OPENING})", ""),
        (
            "RU[Crawford]",
            DOUBLED,
            "",
        ),  # a record that begins late: an earlier game may have been it
        ("", DOUBLED, ""),
    ],
)
def test_a_match_that_breaks_the_crawford_rule_is_read_without_it_and_named(
    rules: str, rest: str, breach: str
) -> None:
    found = read_sgf(LATE + rules + rest, "a.sgf")
    expected = (f"a.sgf: game 1: {breach}{WITHOUT_RULE}",) if breach else ()
    assert found.warnings == expected
    assert found.match.uses_crawford == (bool(rules) and not breach)
    assert found.match.games[0].is_crawford == ("CrawfordGame" in rules and not breach)


def test_a_game_wrongly_called_the_crawford_game_is_named() -> None:
    found = read_sgf(f"{MATCH}{OPENING})".replace("RU[Crawford]", "RU[Crawford:CrawfordGame]"), "a")
    assert found.warnings == (f"a: game 1: at 0-0 this is no Crawford game{WITHOUT_RULE}",)


def test_a_mistake_that_is_not_of_the_rule_is_reported_as_ever() -> None:
    with pytest.raises(RecordError, match="illegal play"):
        read_sgf(f"{LATE}RU[Crawford:CrawfordGame];W[31aeae])", "a.sgf")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (f"{MATCH}{OPENING})\n{MONEY})", "expected players, length and rules as in the first"),
        (f"{MATCH}RE[W+1]{OPENING})\n{MATCH})", "expected the score 1-0, found 0-0"),
        (f"{MATCH}{OPENING})\n{MATCH}{OPENING};W[31hefe])", "it is player 1's turn"),
        (f"{MATCH}{OPENING})\n{MATCH}{OPENING};AW[a])", "expected no set-up in the middle"),
        (
            f"{MONEY}{OPENING})\n{MONEY}{OPENING};B[double];W[double];B[double])",
            "expected the beaver to be taken: a beaver of a beaver (raccoon) cannot be kept",
        ),
    ],
)
def test_a_bad_game_is_skipped_by_name_and_the_others_are_read(text: str, error: str) -> None:
    found = read_sgf(text, "a.sgf")
    (skipped,) = found.skipped
    assert (skipped.number, skipped.reason[: len(error)]) == (2, error)
    assert skipped.line is not None
    assert len(found.match.games[0].actions) == 1
    assert found.match.games[1].actions == ()


def test_a_session_may_have_no_cube() -> None:
    without = f"{HEAD}MI[length:3][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[NoCube:Crawford]{OPENING}"
    match = read(f"{without})")
    assert not match.uses_cube
    assert "RU[Crawford:NoCube]" in write_sgf(AnalysedMatch(match))
    assert read(f"{without};B[double])").uses_cube


def test_more_games_than_a_match_has_are_refused() -> None:
    with pytest.raises(RecordError, match=f"^a.sgf:1: expected at most {GAMES_MAX:,} games"):
        read_sgf("(;GM[6])" * (GAMES_MAX + 1), "a.sgf")


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
