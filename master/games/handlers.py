"""The interface between a game and the web page: positions, actions on them, match analysis."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from master.contract.questions import AskQuestions
from master.contract.views import JobRequest
from master.games.errors import AskedError
from master.games.settings import Field, read_settings
from master.reports.report import Report

Settings = Mapping[str, Any]
"""The settings of a question: a value for each of its fields."""


@dataclass(frozen=True)
class Action:
    """An action on a position: a question about it, or a job.

    Args:
        name: by which a request names it.
        label: on a button.
        fields: its settings.
        ask: of a question: takes a function that answers, a position and settings; returns
            the object that the command prints with --json; AskedError: the settings are invalid.
        job: of a job: takes a position and settings, and returns the request; AskedError likewise.
        refusal: the reason why the action is impossible for a position; empty: it is possible.
    """

    name: str
    label: str
    fields: tuple[Field, ...] = ()
    ask: Callable[[AskQuestions, Any, Settings], Awaitable[Report]] | None = None
    job: Callable[[Any, Settings], JobRequest] | None = None
    refusal: Callable[[Any], str] = lambda position: ""

    def settings(self, given: Mapping[str, object], position: Any) -> Settings:
        """Return the complete settings for a position; AskedError says why they are invalid."""
        found = read_settings(self.fields, given)
        if why := self.refusal(position):
            raise AskedError(why)
        return found


@dataclass(frozen=True)
class PositionHandlers:
    """A game's positions.

    Args:
        start: the text of the first position that the page shows.
        expected: a description of the accepted texts, for people.
        read: takes a text, and returns a position; ValueError: the text is no position.
        text: takes a position, and returns its complete text.
        show: takes a position, and returns its board and its other names: `board`, `ids`, `words`.
        actions: the possible actions.
    """

    start: str
    expected: str
    read: Callable[[str], Any]
    text: Callable[[Any], str]
    show: Callable[[Any], Report]
    actions: tuple[Action, ...]

    def action(self, name: str) -> Action:
        """Return the action of a name; AskedError: there is none."""
        for action in self.actions:
            if action.name == name:
                return action
        names = ", ".join(action.name for action in self.actions)
        raise AskedError(f"expected one of {names}")


@dataclass(frozen=True)
class MatchReport:
    """The report of an analysed match.

    Args:
        page: one HTML file that loads nothing else.
        summary: in one line.
    """

    page: str
    summary: str


@dataclass(frozen=True)
class MatchPlan:
    """A match that is to be analysed.

    Args:
        title: the players, in one line.
        warnings: about errors in its file.
        questions: to be answered.
        report: takes the answers, in the order of the questions.
        script: the one script of the report's page.
    """

    title: str
    warnings: tuple[str, ...]
    questions: tuple[str, ...]
    report: Callable[[Sequence[str]], MatchReport]
    script: str


@dataclass(frozen=True)
class MatchHandlers:
    """A game's matches.

    Args:
        suffixes: the usual ones of match files.
        levels: the depths of an analysis by name, each with its description.
        level: the default one.
        plan: takes a file's content and name, and a level; RecordError: the file is no match.
    """

    suffixes: tuple[str, ...]
    levels: Mapping[str, str]
    level: str
    plan: Callable[[bytes, str, str], MatchPlan]


@dataclass(frozen=True)
class Handlers:
    """A game's; None: it has none of these."""

    positions: PositionHandlers | None = None
    matches: MatchHandlers | None = None
