"""What a game offers to the command line, and to every other way in: declared by each game.

A front names places, `module:name`, and loads none of them, as the entry points of a package: the
list of commands needs no engine.
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
    """A command: its place, what it does, and the heading that lists it."""

    place: str
    help: str
    group: CommandGroup


@dataclass(frozen=True)
class Front:
    """A game.

    Args:
        commands: of its own, by name; no other game may have a command of that name.
        verbs: of those that games share (master.cli.games.VERBS), the click command of this one.
        read_position: takes what a user typed, and returns a position or raises ValueError.
        show_position: takes a position and `is_json`, and prints it.
        position_svg: takes a position, and returns a drawing of it.
        desk: what a page can do with its positions and matches (master.games.desk.Desk).
        search_job: of a game whose positions are searched as jobs: takes the job's context, how a
            task is carried out (master.search.running.task.Searching) and what is to be told how it
            stands (a SearchView), and returns, awaited, the answer in the game's words.
        search_words: how such a search reads while it goes on (SearchWords).
        job_words: how a job of trials reads while it runs (JobWords).
        job_report: takes the view of a job, and returns its documented object.
        job_lines: takes the view and the terminal's width, and returns the table of the result.
        job_texts: by the name of an option, such as `export`: takes the view of a job, and returns
            lines to be pasted elsewhere.
        job_svg: takes the view of a job that has a result, and returns a drawing of it.
        job_board: takes the view of a job of trials, and returns a drawing of its position.
        job_outcomes: takes the view of a job of trials, and returns of each alternative how its
            games end (master.games.outcomes).
        job_notes: takes the view of a job of trials that has a result, and returns the lines that
            follow its table.
        job_unit: what the value that ranks is multiplied by for people; empty: it is not.
        watched: of a game that the engine plays for those who watch the page (WatchedGame).
    """

    commands: Mapping[str, ListedCommand] = field(default_factory=dict)
    verbs: Mapping[str, str] = field(default_factory=dict)
    read_position: str = ""
    show_position: str = ""
    position_svg: str = ""
    desk: str = ""
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
