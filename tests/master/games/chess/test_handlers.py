from engine_ext.chess.fen import START
from engine_ext.chess.whole_search import WholeSearch
from master.games.chess.handlers import HANDLERS, position_text, shown_position
from master.games.chess.typed import read_typed_fen

MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
CHESS960 = "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1"


def test_men_stand_where_the_fen_has_them() -> None:
    board = shown_position(read_typed_fen(START))["board"]
    assert isinstance(board, dict)
    assert board["ranks"][0] == "8"
    assert board["rows"][0][0] == ["♜", "black"]
    assert board["rows"][7][4] == ["♚", "white"]
    assert board["rows"][4] == [None] * 8


def test_castling_of_chess960_is_kept_in_the_text() -> None:
    board = read_typed_fen(CHESS960)
    assert read_typed_fen(position_text(board)) == board


def test_check_is_said_and_mate_is_not_searched() -> None:
    assert HANDLERS.positions is not None
    (search,) = HANDLERS.positions.actions
    mated, start = read_typed_fen(MATED), read_typed_fen(START)
    assert "in check" in str(shown_position(mated)["title"])
    assert "no legal move" in search.refusal(mated)
    assert search.job is not None
    request = search.job(start, search.settings({"depth": 8}, start))
    assert WholeSearch.from_text(request.context).question.depth == 8
