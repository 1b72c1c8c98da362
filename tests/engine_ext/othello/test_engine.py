import re

import pytest

from engine_ext import services
from engine_ext.control import RunControl
from engine_ext.othello import engine, shared_table
from engine_ext.othello.board import (
    SIZES,
    OthelloBoard,
    available_kernels,
    force_kernel,
    kernel_name,
)
from engine_ext.othello.parts import PartKind, TableName, entries_text, part_text
from engine_ext.othello.parts import read_entries as read
from engine_ext.othello.search import DepthSearch
from engine_ext.othello.solving import solve
from engine_ext.othello.table import HashTable
from engine_ext.search.part_text import PartAnswer
from engine_ext.search.table import BYTES_MIN
from engine_ext.services import ContextError
from tests.engine_ext.othello.positions import played, running

BOARD = running(18, 1)[0]


@pytest.fixture(autouse=True)
def fresh_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_table.TABLES, "by_name", {})


def question(**other: object) -> str:
    digest = str(other.get("engine", engine.engine_digest()))
    kind = PartKind(str(other.get("kind", "solve")))
    return part_text(digest, BOARD, BOARD.empties, (-64, 64), kind)


def test_digest_is_of_the_search_s_answers_whatever_the_kernel() -> None:
    assert re.fullmatch("[0-9a-f]{16}", engine.engine_digest())
    assert engine.engine_digest() == services.engine_digest("othello")
    kernel, found = kernel_name(), []
    try:
        for name in available_kernels():
            force_kernel(name)
            found.append(engine.self_test())
    finally:
        force_kernel(kernel)
    assert found == [found[0]] * len(found)
    assert len(found[0]) == len(SIZES)


def test_power_is_measured_by_the_same_work_each_time() -> None:
    control = RunControl()
    units = engine.power_work(control)
    assert units == engine.power_work(RunControl()) > 0
    assert control.steps // engine.POWER_UNIT_NODES == units


def test_part_is_searched_in_steps() -> None:
    control = RunControl()
    part = services.search_part(question(), control)
    while not part.step(1 << 16):
        assert part.news() == []
    answer = PartAnswer.from_text(part.end())
    assert answer.lower == answer.upper == solve(BOARD).score
    assert answer.nodes == control.steps


def test_part_of_a_depth_has_a_table_of_its_own() -> None:
    board = running(40, 1)[0]
    text = part_text(engine.engine_digest(), board, 6, (-6400, 6400), PartKind.DEPTH)
    part = services.search_part(text, RunControl(), 4)
    assert part.step(1 << 40)
    (news,) = part.news()
    name, entries = read(news)
    assert name == TableName(engine.engine_digest(), PartKind.DEPTH)
    assert {depth for _, depth, _ in entries} == {4, 5, 6}
    search = DepthSearch(board, 6)
    search.run()
    found = PartAnswer.from_text(part.end())
    assert found.lower == found.upper == search.value
    services.learn_entries("othello", news)
    assert list(shared_table.TABLES.by_name) == [name]


def test_parts_share_a_table_and_its_news_and_an_ended_one_is_told_nothing() -> None:
    one = services.search_part(question(), RunControl(), 15)
    other = services.search_part(question(), RunControl())
    one.step(1 << 40)
    assert other.news() == []
    assert one.news()
    other.step(1 << 40)
    assert PartAnswer.from_text(other.end()).nodes < PartAnswer.from_text(one.end()).nodes
    third = services.search_part(question(), RunControl())
    third.step(1 << 40)
    assert one.news() == []


def test_parts_after_a_table_has_grown_use_the_larger_one(monkeypatch: pytest.MonkeyPatch) -> None:
    first = services.search_part(question(), RunControl())
    first.step(1 << 40)
    first.end()  # its solver is idle now, and has the small table
    (shared,) = shared_table.TABLES.by_name.values()
    small = shared.table
    monkeypatch.setattr("engine_ext.search.shared_table.FILL_MAX", -1.0)
    second = services.search_part(question(), RunControl())
    assert shared.table.byte_count > small.byte_count
    assert shared.table.probe(BOARD, BOARD.empties) == small.probe(BOARD, BOARD.empties)
    shared.table.clear()
    second.step(1 << 40)
    assert shared.table.probe(BOARD, BOARD.empties) == small.probe(BOARD, BOARD.empties)


def test_stopped_part_tells_what_is_proved_so_far() -> None:
    control = RunControl()
    part = services.search_part(question(), control)
    control.stop()
    assert not part.step(1 << 40)
    answer = PartAnswer.from_text(part.end())
    assert (answer.lower, answer.upper, answer.nodes) == (-64, 64, 0)


def test_learned_entries_spare_work() -> None:
    part = services.search_part(question(), RunControl(), 14)
    part.step(1 << 40)
    texts, nodes = part.news(), PartAnswer.from_text(part.end()).nodes
    shared_table.TABLES.by_name.clear()
    for text in texts * 2:
        services.learn_entries("othello", text)
    again = services.search_part(question(), RunControl())
    again.step(1 << 40)
    assert PartAnswer.from_text(again.end()).nodes < nodes // 2


def whole_answer() -> PartAnswer:
    """Search BOARD to its end with the tables that there are."""
    part = services.search_part(question(), RunControl(), 14)
    part.step(1 << 40)
    return PartAnswer.from_text(part.end())


def lies() -> list[str]:
    """Say that each move of BOARD loses everything."""
    table = HashTable(BYTES_MIN)
    table.news(0)
    for move in BOARD.moves():
        table.store(BOARD.play(move), BOARD.empties - 1, 64, 64, 1)
    return entries_text(TableName(engine.engine_digest()), table.news(0))


def test_lies_that_were_told_and_what_follows_from_them_are_forgotten() -> None:
    truth = whole_answer()
    shared_table.TABLES.by_name.clear()
    for text in lies():
        services.learn_entries("othello", text)
    (shared,) = shared_table.TABLES.by_name.values()
    misled = whole_answer()
    assert (misled.lower, misled.upper) != (truth.lower, truth.upper), "the lies were not believed"
    services.forget_announced("othello")
    assert shared not in shared_table.TABLES.by_name.values()
    again = whole_answer()
    assert (again.lower, again.upper) == (truth.lower, truth.upper)


def test_what_own_searches_proved_alone_is_kept() -> None:
    nodes = whole_answer().nodes
    services.forget_announced("othello")
    assert whole_answer().nodes < nodes // 2


def test_dear_entries_stay_until_the_tables_are_aged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_table, "TABLE_BYTES", BYTES_MIN)
    table = shared_table.shared_table(TableName(engine.engine_digest())).table
    start = OthelloBoard.start()
    crowd = [played(seed, 20) for seed in range(400)]
    table.store(start, 60, 0, 0, 10**9)
    for is_aged in (False, True):
        if is_aged:
            services.forget_announced("othello")
        for board in crowd:
            table.store(board, 20, 0, 0, 1)
        assert (table.probe(start, 60) is None) == is_aged


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (question(engine="0" * 16), "engine-mismatch"),
        (question().replace("depth=18", "depth=17"), "bad-context"),
        ("othello-search/1", "bad-context"),
        ("noop-question/1 rounds=1 number=1", "bad-context"),
        ("x" * 9000, "bad-context"),
    ],
)
def test_what_is_no_part_is_refused(text: str, code: str) -> None:
    with pytest.raises(ContextError) as caught:
        services.search_part(text, RunControl())
    assert caught.value.code == code


def test_entries_of_another_engine_are_not_learned() -> None:
    part = services.search_part(question(), RunControl(), 14)
    part.step(1 << 40)
    name, entries = read(part.news()[0])
    (text,) = entries_text(TableName("0" * 16), entries)
    with pytest.raises(ContextError) as caught:
        services.learn_entries("othello", text)
    assert caught.value.code == "engine-mismatch"
    assert TableName("0" * 16) not in shared_table.TABLES.by_name
    assert name in shared_table.TABLES.by_name
