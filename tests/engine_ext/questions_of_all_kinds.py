"""A question of each kind that any game has, all soon answered, for tests of what asks them."""

from engine_ext.backgammon.board import START, position_from_id
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.questions import (
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
    MovesQuestion,
    RolloutSettings,
)
from engine_ext.chess.engine import TEST_POSITIONS
from engine_ext.chess.fen import read_fen
from engine_ext.chess.probes import probe_text as chess
from engine_ext.noop.question import noop_question
from engine_ext.othello.engine import played
from engine_ext.othello.probes import probe_text as othello
from engine_ext.services import engine_digest
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.questions import BoardAsked, PartsQuestion

STATE = GameState(START, MatchState(jacoby=False))
SHALLOW = AnalysisSettings(ply=0, cube_ply=0)


def _backgammon() -> dict[str, str]:
    engine = engine_digest("backgammon")
    cube = GameState(position_from_id("4Dn4ICiY55gBIg"), MatchState(jacoby=False))
    played_move = ((8, 5), (6, 5))
    rolled = AnalysisSettings(
        ply=0, cube_ply=0, rollout=RolloutSettings(2, truncation_ply=3, candidates=2)
    )
    return {
        "moves": MovesQuestion(engine, STATE, (3, 1), 0, (0, 3, 5)).to_text(),
        "play": AnalyseQuestion(
            engine, STATE, DecisionKind.MOVE, SHALLOW, (3, 1), played_move
        ).to_text(),
        "rolled out play": AnalyseQuestion(
            engine, STATE, DecisionKind.OPENING, rolled, (3, 1), played_move
        ).to_text(),
        "cube": AnalyseQuestion(engine, cube, DecisionKind.CUBE, SHALLOW).to_text(),
    }


def questions_of_all_kinds() -> dict[str, str]:
    """Return the questions by a name for each."""
    board = played(8, 30)
    threes = ThreesGame(3)
    found = _backgammon()
    found["look at Othello"] = othello.ProbeQuestion(
        engine_digest("othello"), board, 3, board.moves()[-1]
    ).to_text()
    found["look at chess"] = chess.ProbeQuestion(
        engine_digest("chess"), (read_fen(TEST_POSITIONS[0]),), (), 2_000, 3
    ).to_text()
    found["boards of Threes!"] = PartsQuestion(
        engine_digest("threes"), 2, (BoardAsked(threes.cells, threes.bag),)
    ).to_text()
    found["no-op"] = noop_question(rounds=10)
    return found
