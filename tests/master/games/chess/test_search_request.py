from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.parts.answer import DEPTH_MAX, DEPTH_MIN, ExactQuestion
from engine_ext.chess.whole_search import WholeSearch
from engine_ext.services import engine_digest
from master.games.chess.search_request import DEPTH_DEFAULT, search_request


def test_job_says_the_search_and_is_called_by_its_depth() -> None:
    board = read_fen(START)
    question = ExactQuestion(board, GameBefore.of_game([board]), DEPTH_DEFAULT)
    request = search_request(question, "manyply")
    whole = WholeSearch.from_text(request.context)
    assert (whole.engine, whole.question.board) == (engine_digest("chess"), board)
    assert (whole.question.depth, whole.strategy) == (DEPTH_DEFAULT, "manyply")
    assert request.label == f"chess, depth {DEPTH_DEFAULT}"


def test_usual_depth_is_one_that_can_be_searched() -> None:
    assert DEPTH_MIN <= DEPTH_DEFAULT <= DEPTH_MAX
