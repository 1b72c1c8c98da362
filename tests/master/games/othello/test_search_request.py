from engine_ext.othello.answer import BoardQuestion
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.whole_search import WholeSearch
from engine_ext.services import engine_digest
from master.games.othello.search_request import search_request


def test_job_says_the_search_and_is_called_by_its_board() -> None:
    question = BoardQuestion(OthelloBoard.start(), 9)
    request = search_request(question, "manyply", is_trusting=True)
    whole = WholeSearch.from_text(request.context)
    assert whole == WholeSearch(engine_digest("othello"), question, "manyply", True)
    assert request.label == OthelloBoard.start().to_text()
    assert (request.trials, request.stop_se) == (None, None)
