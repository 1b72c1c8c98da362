"""The front of Threes!."""

from __future__ import annotations

from typing import TYPE_CHECKING

from master.games.front import Front

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine_ext.threes.board import ThreesBoard
    from master.contract.views import JobView
    from master.games.job_words import JobWords, Outcome
    from master.games.spans import DrawnPosition, Screen
    from master.games.watched import WatchedGame
    from master.reports.report import Report


def _read_position(text: str) -> ThreesBoard:
    from master.games.threes.board_view import read_position

    return read_position(text)


def _position_report(position: ThreesBoard) -> Report:
    from master.games.threes.board_view import position_report

    return position_report(position)


def _draw_position(position: ThreesBoard, screen: Screen) -> DrawnPosition:
    from master.games.threes.board_view import draw_position

    return draw_position(position, screen)


def _job_words() -> JobWords:
    from master.games.threes.report import WORDS

    return WORDS


def _job_report(view: JobView) -> Report:
    from master.games.threes.report import job_report

    return job_report(view)


def _job_lines(view: JobView, width: int | None = None) -> list[str]:
    from master.games.threes.report import job_lines

    return job_lines(view, width)


def _job_svg(view: JobView) -> str:
    from master.games.threes.report_plot import job_svg

    return job_svg(view)


def _job_outcomes(view: JobView) -> Sequence[Sequence[Outcome]]:
    from master.games.threes.report_plot import job_outcomes

    return job_outcomes(view)


def _job_unit() -> float:
    from engine_ext.threes.engine import SCORE_UNIT

    return SCORE_UNIT


def _watched() -> WatchedGame:
    from master.games.threes.watched import WATCHED

    return WATCHED


FRONT = Front(
    read_position=_read_position,
    position_form="threes:<16 hex digits>",
    position_report=_position_report,
    draw_position=_draw_position,
    job_words=_job_words,
    job_report=_job_report,
    job_lines=_job_lines,
    job_svg=_job_svg,
    job_outcomes=_job_outcomes,
    job_unit=_job_unit,
    watched=_watched,
)
