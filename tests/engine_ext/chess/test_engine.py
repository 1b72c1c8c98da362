"""Chess as the registry knows it: its digest, its power, parts of searches."""

import re

import pytest

from engine_ext import services
from engine_ext.chess import engine
from engine_ext.chess.board import available_kernels, force_kernel, kernel_name
from engine_ext.chess.exact.position import BEFORE, ROOT, GameBefore, Position
from engine_ext.chess.exact.search import ExactSearch
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.parts.part_words import PartQuestion, read_entries
from engine_ext.chess.parts.shared_table import TABLES
from engine_ext.control import RunControl
from engine_ext.search.part_text import PartAnswer
from engine_ext.services import ContextError

BOARD = read_fen(START)
BEFORE_IT = GameBefore([BOARD.key])


@pytest.fixture(autouse=True)
def fresh_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TABLES, "by_name", {})


def question(depth: int = 9, digest: str | None = None) -> str:
    position = Position(BOARD, ROOT | BEFORE)
    name = digest or engine.engine_digest()
    return PartQuestion(name, position, BEFORE_IT, depth, -30_000, 30_000).to_text()


def test_digest_is_of_the_search_s_answers_whatever_the_kernel() -> None:
    assert re.fullmatch("[0-9a-f]{16}", engine.engine_digest())
    assert engine.engine_digest() == services.engine_digest("chess")
    kernel, found = kernel_name(), []
    try:
        for name in available_kernels():
            force_kernel(name)
            found.append(engine.self_test())
    finally:
        force_kernel(kernel)
    assert found == [found[0]] * len(found)


def test_power_is_measured_by_the_same_work_each_time() -> None:
    control = RunControl()
    units = engine.power_work(control)
    assert units == engine.power_work(RunControl()) > 0
    assert control.steps // engine.POWER_UNIT_NODES == units


def test_part_is_searched_in_steps() -> None:
    control = RunControl()
    part = services.search_part(question(), control)
    while not part.step(1 << 10):
        assert part.news() == []
    answer = PartAnswer.from_text(part.end())
    search = ExactSearch(Position(BOARD, ROOT | BEFORE), 9, before=BEFORE_IT)
    search.run()
    assert answer.lower == answer.upper == search.value
    assert answer.nodes == control.steps


def test_what_one_part_finds_others_are_told() -> None:
    part = services.search_part(question(), RunControl(), 6)
    assert part.step(1 << 40)
    news = part.news()
    assert {depth for text in news for _, depth, _ in read_entries(text)[1]} >= {6, 7, 8, 9}
    TABLES.by_name.clear()
    for text in news:
        services.learn_entries("chess", text)
    again = services.search_part(question(), RunControl())
    assert again.step(1 << 40)
    nodes = PartAnswer.from_text(again.end()).nodes
    assert nodes < PartAnswer.from_text(part.end()).nodes // 2
    services.forget_announced("chess")
    assert list(TABLES.by_name) == []


def test_another_engine_is_not_this_one() -> None:
    with pytest.raises(ContextError) as caught:
        services.search_part(question(digest="0" * 16), RunControl())
    assert caught.value.code == "engine-mismatch"
