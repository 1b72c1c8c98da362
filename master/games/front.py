"""The interface between a game and the command line, the page and the jobs.

Each game declares a front of functions.  They import the game's modules when they are called: a
list of games needs no engine.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from master.contract.search_views import SearchView
    from master.contract.views import JobView
    from master.games.handlers import Handlers
    from master.games.job_words import JobWords, Outcome, SearchWords
    from master.games.opponents import LevelGames
    from master.games.spans import DrawnPosition, Screen
    from master.games.watched import WatchedGame
    from master.reports.report import Report
    from master.search.running.task import Searching

    SearchJob: TypeAlias = Callable[[str, Searching, Callable[[SearchView], None]], Awaitable[str]]


def _plain_search_words() -> SearchWords:
    from master.games.job_words import PLAIN_SEARCH

    return PLAIN_SEARCH


def _plain_job_words() -> JobWords:
    from master.games.job_words import PLAIN

    return PLAIN


def _plain_report(view: JobView) -> Report:
    from master.reports.job_result import job_report

    return job_report(view)


def _plain_lines(view: JobView, width: int | None = None) -> list[str]:
    from master.reports.job_result import job_lines

    return job_lines(view, width)


def _no_unit() -> float:
    return 1.0


class Recorded(Protocol):
    """A move of a recorded game, named as reports name it: `move 3.42 of m2.mat`."""

    @property
    def position(self) -> Any:
        """The position that it was decided in."""

    @property
    def questions(self) -> Sequence[str]:
        """The questions whose answers, where they are kept, are its analysis."""

    def lines(self, answers: Mapping[str, str], width: int | None = None) -> Sequence[str]:
        """Return the lines that `show` prints, given the kept answers and a terminal's width."""

    def report(self, answers: Mapping[str, str]) -> Report:
        """Return the object that `show --json` prints likewise."""


@dataclass(frozen=True)
class Front:
    """A game; None: it has no such function.

    Args:
        read_position: takes a typed text, and returns a position or raises ValueError.
        read_recorded: takes a typed text, and returns the move of a file that it names, None if it
            names none, or raises ValueError.
        position_report: takes a position, and returns the object that `show --json` prints.
        draw_position: takes a position and a screen, and returns what `show` prints.
        position_svg: takes a position, and returns a drawing of it.
        position_form: an example of such a text, or its form.
        is_record: takes the beginning of a file, and returns whether it is a record of this game.
        record_form: returns the formats of such records, with the game's name.
        handlers: its positions and matches on the page.
        search_job: of a game whose positions are searched as jobs.  It takes the job's context, a
            function that runs tasks and a callback for progress, and returns the answer as the
            game's text.
        search_words: the texts that show such a search while it runs.
        job_words: the texts that show a job of trials while it runs.
        job_report: takes the view of a job, and returns its documented object.
        job_lines: takes the view and the terminal's width, and returns the table of the result.
        job_texts: by the name of an option, such as `export`: takes the view of a job, and returns
            lines to be pasted elsewhere.
        job_svg: takes the view of a job that has a result, and returns a drawing of it.
        job_board: takes the view of a job of trials, and returns a drawing of its position.
        job_outcomes: takes the view of a job of trials, and returns for each alternative the
            shares of its games' outcomes.
        job_notes: takes the view of a job of trials that has a result, and returns the lines that
            follow its table.
        job_position: takes the view of a job, and returns its position as a text that
            `read_position` and the page read.
        job_unit: the factor by which the ranking value is multiplied for people.
        watched: the game that the engine plays on the page.
        level_games: games between the levels of its opponents.
    """

    read_position: Callable[[str], Any] | None = None
    read_recorded: Callable[[str], Recorded | None] | None = None
    position_report: Callable[[Any], Report] | None = None
    draw_position: Callable[[Any, Screen], DrawnPosition] | None = None
    position_svg: Callable[[Any], str] | None = None
    position_form: str = ""
    is_record: Callable[[bytes], bool] | None = None
    record_form: Callable[[], str] | None = None
    handlers: Callable[[], Handlers] | None = None
    search_job: SearchJob | None = None
    search_words: Callable[[], SearchWords] = _plain_search_words
    job_words: Callable[[], JobWords] = _plain_job_words
    job_report: Callable[[JobView], Report] = _plain_report
    job_lines: Callable[[JobView, int | None], list[str]] = _plain_lines
    job_texts: Mapping[str, Callable[[JobView], list[str]]] = field(default_factory=dict)
    job_svg: Callable[[JobView], str] | None = None
    job_board: Callable[[JobView], str] | None = None
    job_outcomes: Callable[[JobView], Sequence[Sequence[Outcome]]] | None = None
    job_notes: Callable[[JobView], Sequence[str]] | None = None
    job_position: Callable[[JobView], str] | None = None
    job_unit: Callable[[], float] = _no_unit
    watched: Callable[[], WatchedGame] | None = None
    level_games: Callable[[], LevelGames] | None = None
