"""The interface between a game and the command line, the page and the jobs.

Each game declares a front.  A front names places, `module:name`, as package entry points do, and
loads none of them: the list of commands needs no engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class CommandGroup(StrEnum):
    """Headings of the list of commands, in its order."""

    JOBS = "Roll out, and jobs"
    POSITIONS = "Positions"
    MATCHES = "Matches"
    PLAY = "Play"
    ENGINES = "Engines for other programs"
    FLEETS = "Fleets"
    MEASURE = "Measure"
    SHELL = "Shell"


class ListedCommand(NamedTuple):
    """A command: its place, its description, and the heading that lists it."""

    place: str
    help: str
    group: CommandGroup


@dataclass(frozen=True)
class Front:
    """A game.

    Args:
        commands: of its own, by name; no other game may have a command of that name.
        verbs: of those that games share (master.cli.games.VERBS), the click command of this one.
        read_position: takes a typed text, and returns a position or raises ValueError.
        show_position: takes a position and `is_json`, and prints it.
        position_svg: takes a position, and returns a drawing of it.
        handlers: its positions and matches on the page (master.games.handlers.Handlers).
        search_job: of a game whose positions are searched as jobs: an async function.  It takes
            the job's context, a function that runs tasks (master.search.running.task.Searching) and
            a callback for progress (takes a SearchView), and returns the answer as the game's text.
        search_words: the texts that show such a search while it runs (SearchWords).
        job_words: the texts that show a job of trials while it runs (JobWords).
        job_report: takes the view of a job, and returns its documented object.
        job_lines: takes the view and the terminal's width, and returns the table of the result.
        job_texts: by the name of an option, such as `export`: takes the view of a job, and returns
            lines to be pasted elsewhere.
        job_svg: takes the view of a job that has a result, and returns a drawing of it.
        job_board: takes the view of a job of trials, and returns a drawing of its position.
        job_outcomes: takes the view of a job of trials, and returns for each alternative the
            shares of its games' outcomes (master.games.outcomes).
        job_notes: takes the view of a job of trials that has a result, and returns the lines that
            follow its table.
        job_unit: the factor by which the ranking value is multiplied for people; empty: none.
        watched: of a game that the engine plays on the page (WatchedGame).
    """

    commands: Mapping[str, ListedCommand] = field(default_factory=dict)
    verbs: Mapping[str, str] = field(default_factory=dict)
    read_position: str = ""
    show_position: str = ""
    position_svg: str = ""
    handlers: str = ""
    search_job: str = ""
    search_words: str = "master.games.search_words:PLAIN"
    job_words: str = "master.games.job_words:PLAIN"
    job_report: str = "master.reports.job_result:job_report"
    job_lines: str = "master.reports.job_result:job_lines"
    job_texts: Mapping[str, str] = field(default_factory=dict)
    job_svg: str = ""
    job_board: str = ""
    job_outcomes: str = ""
    job_notes: str = ""
    job_unit: str = ""
    watched: str = ""
