"""Backgammon's entry for the web page: all actions on its positions and its matches."""

from __future__ import annotations

from engine_ext.backgammon.board import START
from engine_ext.backgammon.ids import to_xgid
from engine_ext.backgammon.match_state import GameState, MatchState
from master.games.backgammon.handlers.asked import QUESTIONS
from master.games.backgammon.handlers.match_plan import MATCHES
from master.games.backgammon.handlers.rolled import ROLLOUT
from master.games.backgammon.handlers.shown import shown_state, state_text
from master.games.backgammon.typed import read_id
from master.games.handlers import Handlers, PositionHandlers

HANDLERS = Handlers(
    PositionHandlers(
        start=to_xgid(GameState(START, MatchState())),
        expected="an XGID, a GNUBG ID or a position ID",
        read=read_id,
        text=state_text,
        show=shown_state,
        actions=(*QUESTIONS, ROLLOUT),
    ),
    MATCHES,
)
