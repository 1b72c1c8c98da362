"""How a search of a chess position is watched: master.cli.chess.search_watch."""

from __future__ import annotations

import re

import pytest

from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import START, read_fen
from master.cli.chess.search_watch import watched
from master.games.chess.threaded_search import ChessQuestion, ThreadedSearch
from master.games.chess.values import mate_moves

BOARD = read_fen(START)
MATE_IN_ONE = read_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")


def table() -> FastTable:
    return FastTable(1 << 20)


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("master.cli.chess.search_watch.FIRST_PLAIN_S", 0)
    monkeypatch.setattr("master.cli.jobs.progress.FIRST_PLAIN_S", 0)


def test_a_search_that_is_done_in_time_is_answered() -> None:
    found = watched(ChessQuestion(BOARD, depth=3), table(), 60.0)
    assert found.answer.status is not None
    assert (found.answer.status.depth, found.is_interrupted) == (3, False)
    assert found.answer.nodes > 0


def test_a_search_whose_time_is_up_has_a_move() -> None:
    found = watched(ChessQuestion(BOARD), table(), 0.0)
    assert found.answer.lines[0].moves[0] in BOARD.moves()
    assert not found.is_interrupted


def test_a_mate_needs_no_more_time() -> None:
    found = watched(ChessQuestion(MATE_IN_ONE), table(), 3600.0)
    assert mate_moves(found.answer.lines[0].value) == 1


def test_ctrl_c_leaves_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: ThreadedSearch, __: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ThreadedSearch, "wait", interrupt)
    found = watched(ChessQuestion(BOARD), table())
    assert found.is_interrupted
    assert found.answer.lines[0].moves[0] in BOARD.moves()


def test_a_long_search_tells_how_it_stands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    impatient(monkeypatch)
    watched(ChessQuestion(BOARD, depth=8), table())
    out, err = capsys.readouterr()
    assert out == ""
    assert re.match(r"depth \d+, .*[\d,]+ nodes, ", err)
    watched(ChessQuestion(BOARD, depth=8), table(), is_quiet=True)
    assert capsys.readouterr() == ("", "")
