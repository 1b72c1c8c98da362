"""The interface between a game and the web page: positions, actions, their settings, matches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from master.contract.questions import AskQuestions
from master.contract.views import JobRequest
from master.games.errors import AskedError
from master.reports.report import Report

TEXT_CHARACTERS_MAX = 200
"""Of one text: the longest move has some thirty."""


class Kind(StrEnum):
    """The type of a field's value."""

    COUNT = "count"  # a whole number
    NUMBER = "number"
    OPTION = "option"  # one of some words
    TEXT = "text"
    TEXTS = "texts"
    ENGINE = "engine"  # the name or digest of an engine; empty: the game's own


@dataclass(frozen=True)
class Field:
    """One setting.

    Args:
        name: of the field.
        label: for people; empty: it is not on a form.
        sort: the type of the value.
        default: the value if none is given; None: there is no default.
        least: the minimum of a number.
        most: the maximum of a number, or of the count of texts.
        options: the allowed words; of a text, those that a form offers.
        hint: an example, shown in an empty field.
    """

    name: str
    label: str
    sort: Kind
    default: Any = None
    least: float = 0
    most: float = 0
    options: tuple[str, ...] = ()
    hint: str = ""

    def read(self, value: object) -> Any:
        """Return a value of the field's type; None: no value is given.

        Raises:
            AskedError: the value has another type; the text names the expected one.
        """
        if value is None:
            return self.default
        if not self._is_fitting(value):
            raise AskedError(f"{self.name}: expected {self.expected}")
        return tuple(value) if self.sort is Kind.TEXTS else value  # type: ignore[arg-type]

    def _is_fitting(self, value: object) -> bool:
        match self.sort:
            case Kind.COUNT:
                return self._is_number(value) and isinstance(value, int)
            case Kind.NUMBER:
                return self._is_number(value)
            case Kind.OPTION:
                return value in self.options
            case Kind.TEXT | Kind.ENGINE:
                return _is_text(value)
        return isinstance(value, list) and len(value) <= self.most and all(map(_is_text, value))

    def _is_number(self, value: object) -> bool:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and self.least <= value <= self.most  # type: ignore[operator]

    @property
    def expected(self) -> str:
        """The expected value, for people."""
        match self.sort:
            case Kind.COUNT:
                return f"a whole number from {self.least:.0f} to {self.most:.0f}"
            case Kind.NUMBER:
                return f"a number from {self.least:g} to {self.most:g}"
            case Kind.OPTION:
                return f"one of {', '.join(self.options)}"
            case Kind.TEXT:
                return f"a text of at most {TEXT_CHARACTERS_MAX} characters"
            case Kind.ENGINE:
                return "the name or the digest of an engine"
        return f"a list of at most {self.most:.0f} texts"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= TEXT_CHARACTERS_MAX


def read_settings(fields: Sequence[Field], given: Mapping[str, object]) -> dict[str, Any]:
    """Return a value for each field.

    Raises:
        AskedError: a value does not fit, or a name is none of the fields'.
    """
    known = {field.name: field for field in fields}
    for name in given:
        if name not in known:
            expected = f"one of {', '.join(known)}" if known else "no settings"
            raise AskedError(f"{name[:TEXT_CHARACTERS_MAX]!r}: expected {expected}")
    return {name: field.read(given.get(name)) for name, field in known.items()}


Settings = Mapping[str, Any]
"""The settings of a question: a value for each of its fields.

The value of an engine's field is a NamedEngine, or None for the game's own.
"""


@dataclass(frozen=True)
class NamedEngine:
    """An engine that an analyser has.

    Args:
        digest: of the engine.
        name: for people.
    """

    digest: str
    name: str


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
        title: above its form; empty: the label.
    """

    name: str
    label: str
    fields: tuple[Field, ...] = ()
    ask: Callable[[AskQuestions, Any, Settings], Awaitable[Report]] | None = None
    job: Callable[[Any, Settings], JobRequest] | None = None
    refusal: Callable[[Any], str] = lambda position: ""
    title: str = ""

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
        players: their names, if the game studies players.
    """

    title: str
    warnings: tuple[str, ...]
    questions: tuple[str, ...]
    report: Callable[[Sequence[str]], MatchReport]
    script: str
    players: tuple[str, ...] = ()


@dataclass(frozen=True)
class StudiedFile:
    """An analysed match: its file, the file's name, the level, and the answers to its plan."""

    content: bytes
    name: str
    level: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class Study:
    """How a game shows a player what analysed matches teach.

    Args:
        read: takes a match and a player's name, and returns the match as the other two take it;
            None: the player is not in it; RecordError: it is to be analysed again.
        profile: takes such matches and the name, and returns the object that the command `profile`
            prints with --json.
        quiz: takes such matches and a maximum of questions, and returns these: each has a `board`,
            a `prompt`, and `options` with their losses.
    """

    read: Callable[[StudiedFile, str], Any]
    profile: Callable[[Sequence[Any], str], Report]
    quiz: Callable[[Sequence[Any], int], Sequence[Report]]


@dataclass(frozen=True)
class MatchHandlers:
    """A game's matches.

    Args:
        suffixes: the usual ones of match files.
        levels: the depths of an analysis by name, each with its description.
        level: the default one.
        plan: takes a file's content and name, and a level; RecordError: the file is no match.
        plan_by: the same by another engine; None: the game has one engine alone.
        study: of a game that studies players.
    """

    suffixes: tuple[str, ...]
    levels: Mapping[str, str]
    level: str
    plan: Callable[[bytes, str, str], MatchPlan]
    plan_by: Callable[[bytes, str, str, NamedEngine], MatchPlan] | None = None
    study: Study | None = None


@dataclass(frozen=True)
class Handlers:
    """A game's; None: it has none of these."""

    positions: PositionHandlers | None = None
    matches: MatchHandlers | None = None
