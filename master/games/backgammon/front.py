"""The front of backgammon."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from master.games.front import Front, Recorded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine_ext.backgammon.match_state import GameState
    from master.contract.views import JobView
    from master.games.handlers import Handlers
    from master.games.job_words import JobWords, Outcome
    from master.games.opponents import LevelGames
    from master.games.spans import DrawnPosition, Screen
    from master.reports.report import Report


def _read_position(text: str) -> GameState:
    from master.games.backgammon.typed import read_id

    return read_id(text)


def _read_recorded(text: str) -> Recorded | None:
    if " of " not in text:
        return None
    from master.games.backgammon.matches.recorded import read_recorded

    return read_recorded(text)


def _is_record(head: bytes) -> bool:
    from master.games.backgammon.matches.files import is_record

    return is_record(head)


def _record_form() -> str:
    from master.games.backgammon.matches.files import KNOWN

    return KNOWN


def _position_report(position: GameState) -> Report:
    from master.games.backgammon.play.board_view import position_report

    return position_report(position)


def _draw_position(position: GameState, screen: Screen) -> DrawnPosition:
    from master.games.backgammon.play.board_view import draw_position

    return draw_position(position, screen)


def _position_svg(position: GameState) -> str:
    from master.games.backgammon.drawing.board_svg import state_svg

    return state_svg(position)


def _handlers() -> Handlers:
    from master.games.backgammon.handlers import HANDLERS

    return HANDLERS


def _job_words() -> JobWords:
    from master.games.backgammon.rollout_report import WORDS

    return WORDS


def _job_report(view: JobView) -> Report:
    from master.games.backgammon.rollout_report import rollout_report

    return rollout_report(view)


def _job_lines(view: JobView, width: int | None = None) -> list[str]:
    from master.games.backgammon.rollout_report import rollout_lines

    return rollout_lines(view, width)


def _export(view: JobView) -> list[str]:
    from master.games.backgammon.rollout_report import export_lines

    return export_lines(view)


def _xg_table(view: JobView) -> list[str]:
    from master.games.backgammon.rollout_report import xg_lines

    return xg_lines(view)


def _job_board(view: JobView) -> str:
    from master.games.backgammon.rollout_report import job_board

    return job_board(view)


def _job_outcomes(view: JobView) -> Sequence[Sequence[Outcome]]:
    from master.games.backgammon.rollout_report import job_outcomes

    return job_outcomes(view)


def _job_notes(view: JobView) -> list[str]:
    from master.games.backgammon.rollout_report import cube_lines

    return cube_lines(view)


def _job_position(view: JobView) -> str:
    from engine_ext import services

    position_id = services.describe(view.context).facts["position_id"]
    if re.fullmatch(rf"{re.escape(str(position_id))}:[A-Za-z0-9+/]{{12}}", view.label):
        return view.label  # most jobs have this label, which needs no import
    from master.games.backgammon.rollout_report import job_position

    return job_position(view)


def _level_games() -> LevelGames:
    from master.games.backgammon.play.opponents import LEVEL_GAMES

    return LEVEL_GAMES


FRONT = Front(
    read_position=_read_position,
    read_recorded=_read_recorded,
    position_form="XGID=..., a 14-character position ID",
    is_record=_is_record,
    record_form=_record_form,
    position_report=_position_report,
    draw_position=_draw_position,
    position_svg=_position_svg,
    handlers=_handlers,
    job_words=_job_words,
    job_report=_job_report,
    job_lines=_job_lines,
    job_texts={"export": _export, "xg-table": _xg_table},
    job_board=_job_board,
    job_outcomes=_job_outcomes,
    job_notes=_job_notes,
    job_position=_job_position,
    level_games=_level_games,
)
