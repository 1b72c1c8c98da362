"""Parts of searches to hand out, and what is true of their answers."""

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.engine import engine_digest
from engine_ext.othello.parts import part_text
from engine_ext.othello.solving import move_scores
from engine_ext.search.part_text import Entry, PartAnswer
from protocol.messages import Answer, Search
from tests.engine_ext.othello.positions import running

WHOLE = (-64, 64)


def question(board: OthelloBoard, window: tuple[int, int] = WHOLE, engine: str = "") -> str:
    return part_text(engine or engine_digest(), board, board.empties, window)


ENDLESS_BOARD = OthelloBoard.start()


def new_search(
    part: int, board: OthelloBoard = ENDLESS_BOARD, news: int = -1, *, urgent: bool = False
) -> Search:
    """A part of a board; without one, of the start, which takes for ever."""
    return Search(part=part, attempt=0, context=question(board), news=news, urgent=urgent)


def small_boards(count: int, empties: int = 12) -> list[OthelloBoard]:
    """Boards that are solved in about a millisecond each."""
    return running(empties, count)


def long_boards(count: int) -> list[OthelloBoard]:
    """Boards that are solved in some 100 ms each, and leave entries in the table."""
    return running(18, count)


def check_announced_once(reported: list[Entry]) -> None:
    """What is stored again while news are fetched may be told twice; that takes a microsecond."""
    assert reported
    assert len(reported) - len(set(reported)) <= len(reported) // 20


def check_answer(board: OthelloBoard, answer: Answer, *, is_whole: bool) -> None:
    """Every bound must be true; of a whole answer under the whole window they meet."""
    scores, found = move_scores(board), PartAnswer.from_text(answer.text)
    assert found.lower <= max(scores.values()) <= found.upper
    assert not is_whole or found.lower == found.upper
    for move in found.moves:
        assert move.lower <= scores[board.moves()[move.place]] <= move.upper
