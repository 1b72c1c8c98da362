"""The front of chess."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from master.games.front import Front

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine_ext.chess.board import ChessBoard
    from master.contract.search_views import SearchView
    from master.contract.views import JobView
    from master.games.handlers import Handlers
    from master.games.job_words import SearchWords
    from master.games.opponents import LevelGames
    from master.games.spans import DrawnPosition, Screen
    from master.reports.report import Report
    from master.search.running.task import Searching


def _read_position(text: str) -> ChessBoard:
    from master.games.chess.typed import read_shown

    return read_shown(text)


def _position_report(position: ChessBoard) -> Report:
    from master.games.chess.board_view import position_report

    return position_report(position)


def _draw_position(position: ChessBoard, screen: Screen) -> DrawnPosition:
    from master.games.chess.board_view import draw_position

    return draw_position(position, screen)


def _position_svg(position: ChessBoard) -> str:
    from master.games.chess.board_svg import board_svg

    return board_svg(position)


def _handlers() -> Handlers:
    from master.games.chess.handlers import HANDLERS

    return HANDLERS


async def _search_job(
    context: str, searching: Searching, on_view: Callable[[SearchView], None]
) -> str:
    from master.games.chess.fleet_search import search_whole

    return await search_whole(context, searching, on_view)


def _search_words() -> SearchWords:
    from master.games.chess.exact_report import WORDS

    return WORDS


def _job_report(view: JobView) -> Report:
    from master.games.chess.exact_report import job_report

    return job_report(view)


def _job_lines(view: JobView, width: int | None = None) -> list[str]:
    from master.games.chess.exact_report import job_lines

    return job_lines(view, width)


def _job_position(view: JobView) -> str:
    from engine_ext import services

    return str(services.describe(view.context).facts["fen"])


_TAG = re.compile(rb"""^[ \t]*\[[ \t]*[A-Z][A-Za-z0-9_]{0,63}[ \t]+"[^\n]*\]""", re.MULTILINE)
_OTHER_MATCH = re.compile(
    rb"^[ \t]*(?:;[ \t]*\[|[0-9]{1,9}[ \t]+points?[ \t]+match\b)", re.MULTILINE
)
_FIRST_MOVE = re.compile(
    rb"\s*(?:\{[^}]*\}\s*)*+1\.{1,3}\s*(?:[NBRQK]?[a-h]?[1-8]?x?[a-h][1-8]|[O0]-[O0])(?![a-z0-9/])"
)


def _is_record(head: bytes) -> bool:
    """Return whether a file is PGN: tags, or moves from the first one on."""
    is_tagged = _TAG.search(head) and not _OTHER_MATCH.search(head)
    return bool(is_tagged or _FIRST_MOVE.match(head))


def _record_form() -> str:
    return "games of chess (PGN)"


def _level_games() -> LevelGames:
    from master.games.chess.opponents import LEVEL_GAMES

    return LEVEL_GAMES


FRONT = Front(
    read_position=_read_position,
    position_form="chess:<FEN>",
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
