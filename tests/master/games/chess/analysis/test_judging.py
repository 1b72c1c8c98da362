"""Blunders are found where everybody knows them, and figures follow from what moves lost."""

import shutil

import chess
import chess.engine
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.probes.probe_text import ProbeValue
from master.games.chess.analysis.judging import JudgedMove, Mark, Position, chances, figures
from tests.master.games.chess.analysis.games import LEGAL, SCHOLAR, analysed

values = st.builds(ProbeValue, st.integers(-3_000, 3_000)) | st.builds(
    ProbeValue, st.integers(-9, 9).filter(bool), st.just(True)
)


@pytest.mark.parametrize(("text", "blunder"), [(SCHOLAR, "3... Nf6"), (LEGAL, "5... Bxd1")])
def test_the_blunder_is_found(text: str, blunder: str) -> None:
    game = analysed(text)
    worst = max(game.moves, key=lambda move: move.lost)
    assert game.name(worst) == blunder
    assert worst.mark is Mark.BLUNDER
    assert not worst.is_best
    last = game.moves[-1]
    assert last.value == ProbeValue(1, is_mate=True)
    assert last.mark is Mark.GOOD
    white, black = game.figures("w"), game.figures("b")
    assert white.accuracy is not None
    assert black.accuracy is not None
    assert white.accuracy > black.accuracy
    assert white.moves + black.moves == len(game.moves)


@pytest.mark.skipif(shutil.which("stockfish", path="/usr/games") is None, reason="no stockfish")
@pytest.mark.when_changed
def test_stockfish_sees_the_same_blunders() -> None:
    for text in (SCHOLAR, LEGAL):
        game = analysed(text)
        with chess.engine.SimpleEngine.popen_uci("/usr/games/stockfish") as engine:
            for move in game.moves:
                if move.mark is not Mark.BLUNDER:
                    continue
                board = chess.Board()
                for earlier in game.record.game.moves[: move.number]:
                    board.push(board.parse_uci(earlier))
                limit = chess.engine.Limit(nodes=50_000)
                best = engine.analyse(board, limit)["score"].relative.score(mate_score=3_000)
                board.push(board.parse_uci(move.move))
                made = -engine.analyse(board, limit)["score"].relative.score(mate_score=3_000)
                assert best - made > 100


@given(values, values)
def test_more_is_never_less(one: ProbeValue, other: ProbeValue) -> None:
    if not one.is_mate and not other.is_mate and one.number <= other.number:
        assert chances(one) <= chances(other)
    assert 0 <= chances(one) <= 100
    assert chances(ProbeValue(-one.number, one.is_mate)) == pytest.approx(100 - chances(one))


@given(values, values)
def test_a_move_loses_nothing_or_something(before: ProbeValue, after: ProbeValue) -> None:
    move = JudgedMove(0, "e2e4", Position(before, ("d2d4",)), Position(after, ("e7e5",)))
    assert 0 <= move.lost <= 100
    assert 0 <= move.accuracy <= 100
    assert 0 <= move.centipawns_lost <= 2_000
    assert (move.mark is Mark.GOOD) == (move.lost < 5)
    best = JudgedMove(0, "d2d4", Position(before, ("d2d4",)), Position(after, ("e7e5",)))
    assert (best.lost, best.mark) == (0, Mark.GOOD)


def test_who_has_not_moved_has_no_accuracy() -> None:
    game = analysed(SCHOLAR)
    nobody = figures(game.record.game, [], "w")
    assert nobody.accuracy is None
    assert nobody.moves == 0
