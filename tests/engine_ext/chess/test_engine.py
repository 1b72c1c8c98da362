"""Chess in the registry: its digest, power and kinds of text, parts, and whole searches."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.chess import engine
from engine_ext.chess.board import ChessBoard, available_kernels, force_kernel, kernel_name
from engine_ext.chess.exact.position import BEFORE, ROOT, GameBefore, Position
from engine_ext.chess.exact.search import ExactSearch
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.front import FRONT
from engine_ext.chess.parts.answer import DEPTH_MAX, DEPTH_MIN, ExactAnswer, ExactQuestion
from engine_ext.chess.parts.part_words import FORM, PartQuestion, read_entries
from engine_ext.chess.parts.shared_table import TABLES
from engine_ext.chess.probes.probe_text import KIND as PROBE
from engine_ext.chess.whole_search import KIND, WholeSearch, answer_text, describe, read_answer
from engine_ext.contexts import ContextError
from engine_ext.control import RunControl
from engine_ext.front import SEARCH, WHOLE_SEARCH
from engine_ext.search.part_text import PartAnswer
from tests.engine_ext.chess.parts.questions import ENGINE, befores, part_questions
from tests.engine_ext.chess.positions import playable

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


def test_findings_of_one_part_are_sent_to_others() -> None:
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


@given(part_questions())
@pytest.mark.when_changed
def test_every_part_is_of_the_kind_that_the_front_declares(question: PartQuestion) -> None:
    text = question.to_text()
    assert services.question_kind(text) == ("chess", FRONT.kinds[text.split(" ")[0]])


def test_all_that_is_asked_has_a_service() -> None:
    services_of = {word: kind.service for word, kind in FRONT.kinds.items()}
    assert services_of == {PROBE: "looks", FORM.question_kind: SEARCH, KIND: WHOLE_SEARCH}
    assert FRONT.is_game


TEXT = (
    f"chess/1 engine={ENGINE} "
    "position=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0;rb;-; "
    "depth=12 strategy=manyply trust=0"
)


@given(playable, befores, st.integers(DEPTH_MIN, DEPTH_MAX), st.booleans())
@pytest.mark.when_changed
def test_searches_are_read_as_they_were_written(
    board: ChessBoard, before: GameBefore, depth: int, is_trusting: bool
) -> None:
    whole = WholeSearch(ENGINE, ExactQuestion(board, before, depth), "manyply", is_trusting)
    read = WholeSearch.from_text(whole.to_text())
    assert read.to_text() == whole.to_text()
    assert read.question.before == before


def test_a_search_in_words() -> None:
    board = read_fen(START)
    whole = WholeSearch(ENGINE, ExactQuestion(board, GameBefore(), 12), "manyply")
    assert whole.to_text() == TEXT
    assert describe(TEXT).line == "White to move, depth 12"
    assert describe(TEXT).facts["fen"] == START


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("depth=12", "depth=3"),
        ("depth=12", "depth=41"),
        (";rb;", ";b;"),
        (";rb;-;", ";rb;5;"),
        ("trust=0", "trust=2"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0", "7k/5Q2/8/8/8/8/8/K7_b_-_-_0"),
    ],
)
def test_what_makes_no_sense_is_refused(old: str, new: str) -> None:
    assert old in TEXT
    with pytest.raises(ContextError, match="expected"):
        WholeSearch.from_text(TEXT.replace(old, new))


def test_answers_are_read_as_they_were_written() -> None:
    found = ExactAnswer(-48, 12, ("e2e4", "e7e5"), 77)
    assert read_answer(answer_text(found), 77) == found
