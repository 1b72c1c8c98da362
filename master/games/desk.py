"""What a game offers to a page: positions that are asked about, and matches that are analysed.

Knows what is named, said and asked, as values; each game fills them in.  Must not know any game,
pages, or who asks.
"""

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
"""What was said about a question: a value for each of its fields."""


@dataclass(frozen=True)
class Action:
    """Something that is done with a position: it is asked about, or a job is begun.

    Args:
        name: that it is asked for by.
        label: on a button.
        fields: what can be said about it.
        ask: of a question: takes who answers, a position and settings, and returns the object that
            the command prints with --json; AskedError: it cannot be asked so.
        job: of a job: takes a position and settings, and returns the request; AskedError likewise.
        refusal: why it cannot be done with a position at all; empty: it can.
    """

    name: str
    label: str
    fields: tuple[Field, ...] = ()
    ask: Callable[[AskQuestions, Any, Settings], Awaitable[Report]] | None = None
    job: Callable[[Any, Settings], JobRequest] | None = None
    refusal: Callable[[Any], str] = lambda position: ""

    def settings(self, given: Mapping[str, object], position: Any) -> Settings:
        """Return what is said about a position, in full; AskedError: why it cannot be asked."""
        found = read_settings(self.fields, given)
        if why := self.refusal(position):
            raise AskedError(why)
        return found


@dataclass(frozen=True)
class PositionDesk:
    """A game's positions.

    Args:
        start: the text of the position that one begins with.
        expected: which texts are read, for people.
        read: takes a text, and returns a position; ValueError: it is none.
        text: takes a position, and returns the text that says all of it.
        show: takes a position, and returns its board and its other names: `board`, `ids`, `words`.
        actions: what is done with one.
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
    """What is told of an analysed match.

    Args:
        page: one file of HTML that asks for nothing.
        summary: in a line.
    """

    page: str
    summary: str


@dataclass(frozen=True)
class MatchPlan:
    """A match that is to be analysed.

    Args:
        title: who played it, in a line.
        warnings: what its file has that cannot be.
        questions: what has to be answered.
        report: takes the answers, in the order of the questions.
        script: the one script of the report's page.
    """

    title: str
    warnings: tuple[str, ...]
    questions: tuple[str, ...]
    report: Callable[[Sequence[str]], MatchReport]
    script: str


@dataclass(frozen=True)
class MatchDesk:
    """A game's matches.

    Args:
        suffixes: of the names that their files usually have.
        levels: how deep an analysis looks, by name: what each stands for.
        level: that is meant where none is named.
        plan: takes a file's content and name, and a level; RecordError: it is no match.
    """

    suffixes: tuple[str, ...]
    levels: Mapping[str, str]
    level: str
    plan: Callable[[bytes, str, str], MatchPlan]


@dataclass(frozen=True)
class Desk:
    """A game's; None: it has none of these."""

    positions: PositionDesk | None = None
    matches: MatchDesk | None = None
