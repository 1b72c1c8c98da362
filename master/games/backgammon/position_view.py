"""A position on the web page: its board of points, its IDs, and its description in words."""

from __future__ import annotations

from dataclasses import replace

from engine_ext.backgammon.ids import to_gnubg_id, to_xgid
from engine_ext.backgammon.match_state import CENTRED, GameState, MatchState
from master.games.backgammon.drawing.board_svg import BoardDrawing, board_text, board_title
from master.games.backgammon.play.board_view import BoardScene, scene_of
from master.reports.report import Report

SIDES = ("bottom", "top")

NAMES = ("Bottom", "Top")


def state_text(state: GameState) -> str:
    """Return the ID that contains all of a state: an XGID has no place for a resignation."""
    return to_gnubg_id(state) if state.match.resignation else to_xgid(state)


def shown_state(state: GameState) -> Report:
    """Return a state's board, its IDs, and its description in words."""
    drawing = BoardDrawing(scene_by_player(state), is_double_offered=state.match.is_double_offered)
    return {
        "board": board_object(drawing.scene, state.match),
        "ids": [
            {"name": "XGID", "text": to_xgid(state)},
            {"name": "GNUBG ID", "text": to_gnubg_id(state)},
        ],
        "title": board_title(drawing),
        "words": board_text(drawing),
    }


def scene_by_player(state: GameState) -> BoardScene:
    """Return a state with its players on the same sides as in its ID."""
    scene = scene_of(state, names=NAMES)
    if state.match.player_on_roll == 1:
        return scene
    owner = scene.cube_owner if scene.cube_owner == CENTRED else 1 - scene.cube_owner
    return replace(
        scene,
        position=state.position.swapped(),
        scores=scene.scores[::-1],
        cube_owner=owner,
        turn=1,
    )


def board_object(scene: BoardScene, match: MatchState) -> Report:
    """Return a board of points; each player's points are counted from that player's home.

    Checkers are 26 numbers: borne off, points 1 to 24, on the bar.
    """
    return {
        "kind": "points",
        "bottom": list(scene.position.on_roll),
        "top": list(scene.position.opponent),
        "turn": SIDES[scene.turn],
        "dice": None if scene.dice is None else list(scene.dice),
        "cube": {
            "value": scene.cube_value,
            "owner": None if scene.cube_owner == CENTRED else SIDES[scene.cube_owner],
            "log2_max": match.cube_log2_max,
        },
        "match_length": scene.match_length,
        "scores": list(scene.scores),
        "is_crawford": scene.is_crawford,
        "has_jacoby": match.jacoby,
        "has_beavers": match.beavers,
        "is_double_offered": match.is_double_offered,
        "pips": list(scene.position.pip_counts()),
    }
