"""What the engine says at a chess board: master.cli.chess.play_advisor."""

from __future__ import annotations

import pytest

from engine_ext.chess.fast.search import FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import START, read_fen
from master.cli.chess.play_advisor import ChessAdvisor
from master.games.chess.game import game_from
from master.games.chess.level import Level
from master.games.chess.threaded_search import ThreadedSearch
from master.games.chess.values import mate_moves
from tests.master.games.chess.games import random_game

BYTES = 1 << 20
BEGUN = game_from(read_fen(START))
MATE_IN_ONE = game_from(read_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"))
FORCED = game_from(read_fen("k6R/2r5/1K6/8/8/8/8/8 b - - 0 1"))


def advisor(level: Level) -> ChessAdvisor:
    return ChessAdvisor(level, BYTES)


def test_to_a_depth_the_same_game_has_the_same_answer_whatever_was_asked_before() -> None:
    asked = advisor(Level(4, None))
    for seed in range(4):
        game = random_game(seed, 20)
        search = FastSearch(game.board, game.boards[:-1], FastTable(BYTES), is_chess960=False)
        while search.depth < 4 and search.deepen():
            pass
        choice = asked.choose(game)
        assert (choice.value, choice.moves) == search.lines[0]
        assert advisor(Level(4, None)).choose(game) == choice


def test_hints_are_the_best_moves_in_order() -> None:
    hints = advisor(Level(3, None)).hints(BEGUN, 60)
    assert sorted(hint.moves[0] for hint in hints) == BEGUN.board.moves()
    values = [hint.value for hint in hints]
    assert values == sorted(values, reverse=True)


def test_against_the_clock_there_is_a_move() -> None:
    asked = advisor(Level(None, 0.1))
    assert asked.choose(BEGUN).moves[0] in BEGUN.board.moves()
    assert mate_moves(advisor(Level(None, 3600.0)).choose(MATE_IN_ONE).value) == 1


def test_a_single_move_takes_no_time() -> None:
    assert advisor(Level(None, 3600.0)).choose(FORCED).moves[0] == "c7c8"


def test_ctrl_c_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: ThreadedSearch, __: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ThreadedSearch, "wait", interrupt)
    with pytest.raises(KeyboardInterrupt):
        advisor(Level(None, 3600.0)).choose(BEGUN)
