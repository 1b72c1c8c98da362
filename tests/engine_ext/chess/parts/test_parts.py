"""Parts of questions: their words, entries, values at any moment, and answers by one thread."""

import struct

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import BEFORE, ROOT, GameBefore, Position
from engine_ext.chess.exact.search import LARGEST_VALUE, MATE_VALUE, ExactSearch
from engine_ext.chess.fen import START, read_fen, write_fen
from engine_ext.chess.parts.answer import (
    DEPTH_MIN,
    ExactQuestion,
    answer,
    answer_at_once,
    mating_line,
)
from engine_ext.chess.parts.entries import ENTRY_BYTES, unpack_entries
from engine_ext.chess.parts.part_search import PROBES_FROM, PartDeepener
from engine_ext.chess.parts.part_words import (
    PartQuestion,
    TableName,
    entries_text,
    position_text,
    read_entries,
    read_position,
)
from engine_ext.chess.parts.shared_table import TABLE_BYTES, TABLES
from engine_ext.contexts import CONTEXT_BYTES_MAX, ContextError
from engine_ext.search.part_text import Entry
from engine_ext.search.table import KeyedTable
from tests.engine_ext.chess.parts.questions import ENGINE, part_questions
from tests.engine_ext.chess.positions import playable

NO_GAME = GameBefore()


def value(position: Position, depth: int) -> int:
    search = ExactSearch(position, depth)
    search.run()
    assert search.value is not None
    return search.value


@settings(max_examples=40, deadline=None)
@given(
    playable, st.integers(1, 8), st.integers(-1, 7), st.integers(-200, 200), st.integers(1, 4000)
)
def test_bounds_are_true(
    board: ChessBoard, depth: int, reduced: int, alpha: int, nodes: int
) -> None:
    position = Position(board, 0, reduced if reduced < depth else -1)
    part = PartDeepener(position, depth, (alpha, alpha + 8), NO_GAME, KeyedTable(1 << 18))
    part.step(nodes)
    answer = part.answer()
    expected = value(Position(board), depth)
    if position.reduced >= 0:
        expected = max(expected, value(Position(board), position.reduced))
    assert answer.lower <= expected <= answer.upper
    children = position.children(depth, NO_GAME)
    for move in answer.moves[:4]:
        child, below = children[move.place]
        worth = -value(Position.from_bytes(child), below)
        if Position.from_bytes(child).reduced >= 0:
            continue  # the same, of two depths: see test_search.py
        assert move.lower <= worth <= move.upper
    while not part.is_done:
        part.step(1 << 20)
    proved = part.answer()
    assert proved.lower >= alpha + 8 or proved.upper <= alpha or proved.lower == proved.upper


def test_windows_beyond_all_values_are_not_searched() -> None:
    window = LARGEST_VALUE, LARGEST_VALUE + 1
    part = PartDeepener(Position(read_fen(START)), 8, window, NO_GAME, KeyedTable(1 << 18))
    assert part.is_done
    assert part.answer().nodes == 0


def test_moves_left_to_search_have_estimates() -> None:
    table = KeyedTable(1 << 20)
    before = PartDeepener(Position(read_fen(START)), 8, (-500, 500), NO_GAME, table)
    while not before.is_done:
        before.step(1 << 20)
    part = PartDeepener(Position(read_fen(START)), 9, (-500, 500), NO_GAME, table)
    part.step(600)
    estimates = [move.estimate for move in part.answer().moves]
    assert any(estimate is not None for estimate in estimates)
    assert all(estimate is None or abs(estimate) < 300 for estimate in estimates)


def test_after_a_while_all_moves_have_been_searched() -> None:
    position = Position(read_fen(START), ROOT)
    part = PartDeepener(position, 12, (0, 8), NO_GAME, KeyedTable(1 << 20))
    part.step(PROBES_FROM // 4)
    early = part.answer().moves
    assert part.examined == 0
    part.step(PROBES_FROM)
    later = part.answer().moves
    assert not part.is_done
    assert len(early) < len(later) == 20
    assert all(move.estimate is not None for move in later)
    assert 0 < part.examined <= 20


@pytest.mark.parametrize("reduced", [-1, 5])
def test_an_idle_part_proves_nothing(reduced: int) -> None:
    position = Position(read_fen(START), 0, reduced)
    part = PartDeepener(position, 9, (0, 8), NO_GAME, KeyedTable(1 << 18))
    answer = part.answer()
    assert (answer.lower, answer.upper, answer.best) == (-LARGEST_VALUE, LARGEST_VALUE, None)


def test_estimates_of_mates_are_values() -> None:
    table, root = KeyedTable(1 << 20), Position(read_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1"))
    for window in ((MATE_VALUE - 8, MATE_VALUE), (-MATE_VALUE, 8 - MATE_VALUE)):
        for depth in (10, 11):
            part = PartDeepener(root, depth, window, NO_GAME, table)
            while not part.is_done:
                part.step(1 << 20)
        for nodes in (1, 2000):
            part = PartDeepener(root, 12, window, NO_GAME, table)
            part.step(nodes)
            for move in part.answer().moves:
                assert move.estimate is None or abs(move.estimate) <= LARGEST_VALUE


def question(fen: str, depth: int) -> ExactQuestion:
    board = read_fen(fen)
    return ExactQuestion(board, GameBefore.of_game([board]), depth)


def played(fen: str, line: tuple[str, ...]) -> chess.Board:
    """Play a line by the library, which knows what is legal."""
    board = chess.Board(fen)
    for move in line:
        board.push_uci(move)
    return board


@pytest.mark.parametrize("depth", [DEPTH_MIN, 7, 10])
def test_value_is_the_search_s_and_the_line_is_legal(depth: int) -> None:
    asked = question("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", depth)
    found = answer_at_once(asked, KeyedTable(1 << 20))
    search = ExactSearch(asked.position, depth, before=asked.before)
    search.run()
    assert found.value == search.value
    assert found.line[0] == asked.position.moves(depth, asked.before)[int(search.best_move or -1)]
    played(write_fen(asked.board), found.line)
    assert found == answer_at_once(asked, KeyedTable(1 << 20))


def test_a_mate_is_reported_to_its_end() -> None:
    fen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"
    found = answer_at_once(question(fen, 13), KeyedTable(1 << 20))
    assert found.is_mate
    assert played(fen, found.line).is_checkmate()
    assert len(found.line) == 3


@pytest.mark.when_changed
def test_statuses_grow() -> None:
    steps = answer(question(START, 13), KeyedTable(1 << 20))
    reported = []
    while True:
        try:
            reported.append(next(steps))
        except StopIteration:
            break
    nodes = [each.nodes for each in reported]
    assert nodes == sorted(nodes)
    assert len(reported) > 1


def test_there_is_no_mate_where_there_is_none() -> None:
    assert mating_line(read_fen(START)) == ()
    assert mating_line(read_fen("7k/5Q2/8/8/8/8/8/K7 b - - 0 1")) == ()


NAME = TableName(ENGINE)

words64 = st.integers(0, 2**64 - 1)
bounds = st.integers(-LARGEST_VALUE, LARGEST_VALUE)


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    lower, upper = sorted((draw(bounds), draw(bounds)))
    depth = draw(st.integers(1, 40))
    key = struct.pack("<QQB", draw(words64), draw(words64), depth)
    return key, depth, struct.pack("<hhHQ", lower, upper, 0xFFFF, draw(words64))


@given(part_questions())
@pytest.mark.when_changed
def test_questions_are_read_as_they_were_written(question: PartQuestion) -> None:
    text = question.to_text()
    read = PartQuestion.from_text(text)
    assert read.to_text() == text
    assert read.position.to_bytes(read.depth) == question.position.to_bytes(question.depth)
    assert read.before == question.before


@given(st.lists(entries(), min_size=1, max_size=250))
def test_entries_are_read_as_they_were_written(each: list[Entry]) -> None:
    texts = entries_text(NAME, each)
    assert [one for text in texts for one in read_entries(text)[1]] == each
    assert {read_entries(text)[0] for text in texts} == {NAME}


def test_a_part_in_words() -> None:
    board = read_fen(START).play("e2e4")
    position = Position(board, BEFORE, 6)
    text = PartQuestion(ENGINE, position, GameBefore([5]), 9, -8, 8).to_text()
    assert text == (
        f"chess-search/1 engine={ENGINE} "
        "position=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_-_0;b;6;"
        "00000000000000000000000000000005 kind=depth depth=9 alpha=-8 beta=8"
    )


def test_the_longest_question_fits() -> None:
    fen = "r1b1k1nr/p1p1p1p1/1p1p1p1p/n1q5/N1Q1B3/1P1P1P1P/P1P1P1P1/R3K1NR w KQkq - 99 1"
    before = GameBefore(range(2**127, 2**127 + 128))
    text = PartQuestion(
        ENGINE, Position(read_fen(fen), ROOT | BEFORE, 39), before, 40, -(2**29), 2**29
    ).to_text()
    assert len(text) < CONTEXT_BYTES_MAX


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("8/8/8/4k3/8/8/3R4/4K3_w_-_-_0", "8/8/8/4k3/8/8/3R4/8_w_-_-_0"),
        ("_w_-_-_0;", "_w_-_-_00;"),
        (";rb;", ";br;"),
        (";rb;", ";;"),
        (";-;", ";9;"),
        (";-;", ";08;"),
        ("depth=9", "depth=41"),
        ("alpha=-8", "alpha=8"),
        (";-; kind", ";-;5 kind"),
    ],
)
def test_what_makes_no_sense_is_refused(old: str, new: str) -> None:
    position = Position(read_fen("8/8/8/4k3/8/8/3R4/4K3 w - - 0 1"), ROOT | BEFORE)
    text = PartQuestion(ENGINE, position, GameBefore(), 9, -8, 8).to_text()
    assert PartQuestion.from_text(text).to_text() == text
    assert old in text
    with pytest.raises(ContextError, match=r"expected|has|is no") as caught:
        PartQuestion.from_text(text.replace(old, new))
    assert caught.value.code == "bad-context"


def test_nobody_passes_in_check() -> None:
    board = read_fen("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1")
    word = position_text(Position(board), GameBefore()).replace(";-;-", ";p;-")
    with pytest.raises(ContextError, match="nobody passes in check"):
        read_position(word)


def packed(depth: int = 5, lower: int = -3, upper: int = 8) -> bytes:
    return struct.pack("<QQBhhHQ", 1, 2, depth, lower, upper, 7, 99)


def test_entries_are_unpacked_in_their_order() -> None:
    found = unpack_entries(packed() + packed(6))
    assert [depth for _, depth, _ in found] == [5, 6]
    assert b"".join(key + content for key, _, content in found) == packed() + packed(6)
    assert len(packed()) == ENTRY_BYTES


@pytest.mark.parametrize(
    "wrong",
    [
        packed(0),
        packed(41),
        packed(lower=9),
        packed(upper=LARGEST_VALUE + 1),
        packed(lower=-LARGEST_VALUE - 1),
        packed()[:-1],
    ],
)
def test_what_could_be_no_entry_is_refused(wrong: bytes) -> None:
    with pytest.raises(ValueError, match="expected entries"):
        unpack_entries(packed() + wrong)


class Watcher:
    """Somebody who wants news."""


def test_each_engine_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TABLES, "by_name", {})
    one = TABLES.table(TableName(ENGINE))
    assert TABLES.table(TableName(ENGINE)) is one
    assert TABLES.table(TableName("f" * 16)) is not one
    assert one.table.byte_count == TABLE_BYTES


def test_news_name_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TABLES, "by_name", {})
    begun = KeyedTable(1 << 16)
    shared = TABLES.table(TableName(ENGINE), begun)
    assert shared.table is begun
    watcher = Watcher()
    shared.watch(watcher, 4)
    begun.store_key(1, 2, 5, -8, 8)
    begun.store_key(3, 4, 3, -8, 8)
    (text,) = shared.news()
    name, entries = read_entries(text)
    assert name == TableName(ENGINE)
    assert [depth for _, depth, _ in entries] == [5]
