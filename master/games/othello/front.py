"""The front of Othello."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from master.games.front import Front

if TYPE_CHECKING:
    from collections.abc import Callable

    from master.contract.search_views import SearchView
    from master.contract.views import JobView
    from master.games.handlers import Handlers
    from master.games.job_words import SearchWords
    from master.games.opponents import LevelGames
    from master.games.othello.record import OthelloRecord
    from master.games.spans import DrawnPosition, Screen
    from master.reports.report import Report
    from master.search.running.task import Searching


def _read_position(text: str) -> OthelloRecord:
    from master.games.othello.record import read_shown

    return read_shown(text)


def _position_report(position: OthelloRecord) -> Report:
    from master.games.othello.board_view import position_report

    return position_report(position)


def _draw_position(position: OthelloRecord, screen: Screen) -> DrawnPosition:
    from master.games.othello.board_view import draw_position

    return draw_position(position, screen)


def _position_svg(position: OthelloRecord) -> str:
    from master.games.othello.board_svg import record_svg

    return record_svg(position)


def _handlers() -> Handlers:
    from master.games.othello.handlers import HANDLERS

    return HANDLERS


async def _search_job(
    context: str, searching: Searching, on_view: Callable[[SearchView], None]
) -> str:
    from master.games.othello.fleet_search import search_whole

    return await search_whole(context, searching, on_view)


def _search_words() -> SearchWords:
    from master.games.othello.search_report import WORDS

    return WORDS


def _job_report(view: JobView) -> Report:
    from master.games.othello.search_report import job_report

    return job_report(view)


def _job_lines(view: JobView, width: int | None = None) -> list[str]:
    from master.games.othello.search_report import job_lines

    return job_lines(view, width)


def _job_position(view: JobView) -> str:
    from engine_ext import services

    return str(services.describe(view.context).facts["board"])


_GGF = re.compile(rb"\(\s*;[^\[]{0,64}\bGM\s*\[\s*Othello", re.IGNORECASE)
_TRANSCRIPT = re.compile(
    rb"(?:\s*(?:\#.*)?\n)*+\s*(?:f5|d3|c4|e6)"
    rb"(?:(?:[ \t,;]|-(?!-))*+(?:[a-h][1-8]|--|pa(?:ss)?)){3,}+\s*(?:\n|\Z)",
    re.IGNORECASE,
)
"""Two dashes are a pass, one is between moves: of a long row only one reading is tried."""

_WTHOR = struct.Struct("<4BIHHBBBx")
_WTHOR_GAME_BYTES = 68


def _is_record(head: bytes) -> bool:
    return bool(_GGF.search(head) or _TRANSCRIPT.match(head)) or _is_wthor(head)


def _is_wthor(head: bytes) -> bool:
    """Return whether a file begins as the French federation's: a date, so many games, board 8."""
    if len(head) < _WTHOR.size:
        return False
    century, _, month, day, count, names, _, size, kind, _ = _WTHOR.unpack_from(head)
    is_dated = century in (19, 20) and 1 <= month <= 12 and 1 <= day <= 31
    is_of_games = names == 0 and count > 0 and kind == 0 and size in (0, 8)
    return is_dated and is_of_games and len(head) <= _WTHOR.size + count * _WTHOR_GAME_BYTES


def _record_form() -> str:
    return "games of Othello (.wtb, GGF, transcripts)"


def _level_games() -> LevelGames:
    from master.games.othello.opponents import LEVEL_GAMES

    return LEVEL_GAMES


FRONT = Front(
    read_position=_read_position,
    position_form="othello:f5d6c3",
    is_record=_is_record,
    record_form=_record_form,
    position_report=_position_report,
    draw_position=_draw_position,
    position_svg=_position_svg,
    handlers=_handlers,
    search_job=_search_job,
    search_words=_search_words,
    job_report=_job_report,
    job_lines=_job_lines,
    job_position=_job_position,
    level_games=_level_games,
)
