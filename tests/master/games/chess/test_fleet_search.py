"""Whole answers about a position by a fleet, which is simulated: they are the sequential ones."""

from collections.abc import AsyncGenerator

import chess
import pytest

from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.fen import read_fen
from engine_ext.chess.parts.answer import ExactQuestion, answer_at_once
from engine_ext.chess.whole_search import WholeSearch, read_answer
from engine_ext.control import RunControl
from engine_ext.search.part_text import PartAnswer
from engine_ext.search.table import KeyedTable
from engine_ext.services import ContextError, engine_digest
from master.contract.search_views import SearchView
from master.games.chess import fleet_search as module
from master.games.chess.fleet_search import FleetSearcher, prove, search_whole
from master.games.chess.tree import DeepeningEngine
from master.games.chess.wording import GAME, ChessWording
from master.laboratory.laboratory import Laboratory
from master.search import Costs, SearchScheduler
from master.search.events import HandOutPart
from master.search.running.status import SearchStatus
from master.search.running.task import SearchTask
from tests.engine_ext.chess.parts.questions import ENGINE

COSTS = Costs(latency=100, message=20, entry=1, poll=50)

POSITIONS = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 92 80",
)


class Simulated:
    """Two simulated analysers."""

    def __init__(self, before: GameBefore) -> None:
        self._before = before

    async def search(self, task: SearchTask) -> AsyncGenerator[SearchStatus, None]:
        scheduler = SearchScheduler(task.spec, task.wording.rules, task.strategy, COSTS)
        engines = [DeepeningEngine(self._before, KeyedTable(1 << 20)) for _ in range(2)]
        run = Laboratory(scheduler, engines, COSTS).run()
        for found in (None, run.answer):
            yield SearchStatus(9, None, None, None, run.nodes, 1.0, 1, 0, (), (), found)


@pytest.fixture(autouse=True)
def nothing_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HERE_DEPTH_MAX", 5)


def asked(fen: str, depth: int) -> ExactQuestion:
    board = read_fen(fen)
    return ExactQuestion(board, GameBefore.of_game([board]), depth)


@pytest.mark.parametrize("fen", POSITIONS)
@pytest.mark.parametrize("depth", [6, 9])
async def test_value_and_move_are_the_sequential_ones(fen: str, depth: int) -> None:
    question = asked(fen, depth)
    found = await FleetSearcher(Simulated(question.before).search).answer(question)
    expected = answer_at_once(question, KeyedTable(1 << 20))
    assert (found.value, found.line[0]) == (expected.value, expected.line[0])
    board = chess.Board(fen)
    for move in found.line:
        board.push_uci(move)
    assert board.is_checkmate() == found.is_mate
    assert found.nodes > 0


async def test_little_is_searched_here() -> None:
    question = asked(POSITIONS[0], 5)
    found = await FleetSearcher(Simulated(question.before).search).answer(question)
    assert found == answer_at_once(question, KeyedTable(1 << 20))


async def test_a_search_in_words_is_answered_in_words() -> None:
    reported: list[SearchView] = []
    question = asked(POSITIONS[1], 8)
    whole = WholeSearch(engine_digest(GAME), question, "manyply", is_trusting=True)
    text = await search_whole(whole.to_text(), Simulated(question.before).search, reported.append)
    expected = answer_at_once(question, KeyedTable(1 << 20))
    assert read_answer(text, 1).value == expected.value
    assert reported[0].phase == "depth 8"
    assert reported[-1].nodes > 0
    wrong = WholeSearch(engine_digest(GAME), question, "nonsense")
    with pytest.raises(ContextError, match="expected a strategy of"):
        await search_whole(wrong.to_text(), Simulated(question.before).search, reported.append)


def test_parts_are_proved_here() -> None:
    question = asked(POSITIONS[0], 6)
    wording = ChessWording(engine_digest(GAME), question.before)
    part = HandOutPart(1, 1, 1, question.position.to_bytes(6), 6, -30_000, 30_000)
    answer = PartAnswer.from_text(prove(wording.question(part), RunControl()))
    assert answer.lower == answer.upper
    assert answer.lower == answer_at_once(question, KeyedTable(1 << 20)).value
    assert wording.engine != ENGINE
