"""Answers requests about positions; the games' handlers read them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field as Limit

from master.api.engines import chosen_engine
from master.api.messages import Done
from master.api.routing import Operation
from master.api.rules import Need, Refusal, RefusedError
from master.api.site import Site
from master.contract.shapes import Asked, Count, Shown
from master.contract.views import AnalyserLine, JobRequest
from master.games.errors import AskedError
from master.games.handlers import (
    Action,
    Field,
    Handlers,
    Kind,
    MatchHandlers,
    PositionHandlers,
    Settings,
)
from master.games.table import GAMES, front_of
from master.reports.report import Report

ASK_S = 50.0
"""Time limit for an answer: shorter than a request's, so that the error has a reason."""

ASKED_MAX = 16
"""Questions at a time: some people with some windows."""

POSITION_CHARACTERS_MAX = 8_192
"""Of a position: a long game that leads to one."""

ERROR_CHARACTERS_MAX = 500
"""Length of an error message, which may repeat the typed text."""

MATCH_BYTES_MAX = 1 << 20
"""Of a match's file: one that gnubg has analysed in full has half of that."""

Name = Annotated[str, Limit(max_length=40)]
PositionText = Annotated[str, Limit(max_length=POSITION_CHARACTERS_MAX)]


@dataclass(frozen=True, slots=True)
class FieldShown(Shown):
    """A setting of an action; see master.games.handlers.Field."""

    name: str
    label: str
    sort: Kind
    default: Any
    least: float
    most: float
    options: tuple[str, ...]
    hint: str


@dataclass(frozen=True, slots=True)
class ActionShown(Shown):
    """An action on positions; `is_job`: it starts a job, else it answers a question."""

    name: str
    label: str
    title: str
    is_job: bool
    fields: tuple[FieldShown, ...]


@dataclass(frozen=True, slots=True)
class PositionsShown(Shown):
    """A game's positions: the first one, the accepted texts, and the possible actions."""

    start: str
    expected: str
    actions: tuple[ActionShown, ...]


@dataclass(frozen=True, slots=True)
class LevelShown(Shown):
    """A depth of an analysis."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class LevelsShown(Shown):
    """How a game's matches are analysed: usual suffixes, depths, the default, the largest file.

    `has_engines`: another engine may be chosen, of those that analysers have.
    """

    suffixes: tuple[str, ...]
    levels: tuple[LevelShown, ...]
    level: str
    bytes_max: Count
    has_engines: bool = False


@dataclass(frozen=True, slots=True)
class GameShown(Shown):
    """A game; None: nothing can be asked about its positions, or its matches are not analysed."""

    game: str
    positions: PositionsShown | None
    matches: LevelsShown | None


@dataclass(frozen=True, slots=True)
class GamesShown(Shown):
    """All games."""

    games: tuple[GameShown, ...]


@dataclass(frozen=True, slots=True)
class OtherName(Shown):
    """Another name of a position."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class PositionShown(Shown):
    """A position.

    Args:
        game: the game.
        position: its complete text.
        board: its drawing, as the page's boards read it.
        ids: its other names.
        title: for a heading.
        words: its description.
        refusals: the reason for each action that is impossible.
    """

    game: str
    position: str
    board: Report
    ids: tuple[OtherName, ...]
    title: str
    words: str
    refusals: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PositionQuestion(Asked):
    """A question about a position: the name of an action, and its settings."""

    game: Name
    position: PositionText
    action: Name
    settings: Report | None = None


@dataclass(frozen=True, slots=True)
class PositionJob(PositionQuestion):
    """A job about a position, and its label."""

    label: Annotated[str, Limit(max_length=200)] = ""


@dataclass(frozen=True, slots=True)
class PositionAnswer(Shown):
    """The answer; `report` is the object that the command prints with --json."""

    game: str
    position: str
    action: str
    report: Report


class PositionsHandlers:
    """Answers requests about positions."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._asked = 0

    @Operation("GET", "/api/games", Need.READING)
    async def games(self) -> GamesShown:
        """List the games, what can be asked about their positions, and how matches are analysed."""
        return await asyncio.to_thread(_games)  # they are loaded for it

    @Operation("GET", "/api/positions", Need.READING)
    async def position(self, game: str, text: str) -> PositionShown:
        """Read a position: its board, its other names, and what cannot be asked about it."""
        return await asyncio.to_thread(_shown, game, text)

    @Operation("POST", "/api/positions/ask", Need.TOKEN)
    async def ask_position(self, body: PositionQuestion) -> PositionAnswer:
        """Ask about a position; the report is the object that the command prints with --json."""
        analysers = await self._site.master.who()
        wanted = await asyncio.to_thread(read_wanted, body, analysers, is_job=False)
        if self._asked >= ASKED_MAX:
            text = f"{ASKED_MAX} questions wait for answers already"
            raise RefusedError(Refusal(503, "too-many-questions", text))
        self._asked += 1
        try:
            return await self._answered(wanted)
        finally:
            self._asked -= 1

    async def _answered(self, wanted: Wanted) -> PositionAnswer:
        ask = wanted.action.ask
        assert ask is not None, "it is a question"
        try:
            async with asyncio.timeout(ASK_S):
                report = await ask(self._site.master.ask, wanted.position, wanted.settings)
        except AskedError as error:
            raise refused("bad-question", error) from None
        except TimeoutError:
            text = f"no answer within {ASK_S:g} s: are analysers ready?"
            raise RefusedError(Refusal(503, "too-slow", text)) from None
        text = wanted.handlers.text(wanted.position)
        return PositionAnswer(wanted.game, text, wanted.action.name, report)

    @Operation("POST", "/api/positions/start", Need.TOKEN)
    async def start(self, body: PositionJob) -> Done:
        """Start a job about a position, such as a rollout."""
        analysers = await self._site.master.who()
        job = await asyncio.to_thread(_job_of, body, analysers)
        submitting = self._site.background.begin(self._site.master.submit(job))
        return Done(await asyncio.shield(submitting))


@dataclass(frozen=True)
class Wanted:
    """An action with a position.

    Args:
        game: the position's.
        handlers: those of the game.
        position: as the game has it.
        action: the action.
        settings: its settings.
    """

    game: str
    handlers: PositionHandlers
    position: Any
    action: Action
    settings: Settings


def read_wanted(
    body: PositionQuestion, analysers: Sequence[AnalyserLine] = (), *, is_job: bool
) -> Wanted:
    """Return the action of a body; blocks while the game is loaded.

    Args:
        body: of the request.
        analysers: whose engines may be chosen.
        is_job: whether to begin a job, or to answer a question.

    Raises:
        RefusedError: it makes no sense; the text names the expected form.
    """
    handlers, position = read_position(body.game, body.position)
    try:
        action = handlers.action(body.action)
        if (action.job is not None) != is_job:
            here = "start" if action.job is not None else "ask"
            raise AskedError(f"{body.action} is for /api/positions/{here}")
        settings = action.settings(body.settings or {}, position)
    except AskedError as error:
        raise refused("bad-question", error) from None
    engines = {
        field.name: chosen_engine(analysers, body.game, text) if text else None
        for field in action.fields
        if field.sort is Kind.ENGINE
        for text in [settings[field.name]]
    }
    return Wanted(body.game, handlers, position, action, {**settings, **engines})


def _job_of(body: PositionJob, analysers: Sequence[AnalyserLine]) -> JobRequest:
    """Return the job that a body asks for; blocks while the engine is loaded."""
    wanted = read_wanted(body, analysers, is_job=True)
    make = wanted.action.job
    assert make is not None, "it is a job"
    try:
        job = make(wanted.position, wanted.settings)
    except AskedError as error:
        raise refused("bad-question", error) from None
    return replace(job, label=body.label) if body.label else job


def handlers_of(game: str) -> Handlers:
    """Return a game's handlers, and load them; RefusedError: there is no such game."""
    if game not in GAMES:
        text = f"expected a game, one of {', '.join(GAMES)}"
        raise RefusedError(Refusal(422, "unknown-game", text))
    load = front_of(game).handlers
    return Handlers() if load is None else load()


def read_position(game: str, text: str) -> tuple[PositionHandlers, Any]:
    """Return a game's handlers and the position of a text; RefusedError."""
    handlers = handlers_of(game).positions
    if handlers is None:
        why = f"nothing can be asked about positions of {game} here"
        raise RefusedError(Refusal(422, "unknown-game", why))
    if len(text) > POSITION_CHARACTERS_MAX:
        why = f"expected a position of at most {POSITION_CHARACTERS_MAX} characters"
        raise RefusedError(Refusal(422, "bad-query", why))
    try:
        return handlers, handlers.read(text)
    except ValueError as error:
        raise refused("bad-position", error) from None


def refused(code: str, error: ValueError) -> RefusedError:
    """Return the refusal that a wrong value is, in one line."""
    return RefusedError(Refusal(422, code, " ".join(str(error).split())[:ERROR_CHARACTERS_MAX]))


def _games() -> GamesShown:
    return GamesShown(tuple(game_shown(game, handlers_of(game)) for game in GAMES))


def game_shown(game: str, handlers: Handlers) -> GameShown:
    """Return a game with its actions and levels."""
    positions, matches = handlers.positions, handlers.matches
    return GameShown(
        game,
        None if positions is None else _positions(positions),
        None if matches is None else _levels(matches),
    )


def _positions(handlers: PositionHandlers) -> PositionsShown:
    actions = tuple(
        ActionShown(
            each.name,
            each.label,
            each.title or each.label,
            each.job is not None,
            tuple(map(_field, each.fields)),
        )
        for each in handlers.actions
    )
    return PositionsShown(handlers.start, handlers.expected, actions)


def _field(field: Field) -> FieldShown:
    return FieldShown(
        field.name, field.label, field.sort, field.default, field.least, field.most,
        tuple(field.options), field.hint,
    )  # fmt: skip


def _levels(handlers: MatchHandlers) -> LevelsShown:
    levels = tuple(LevelShown(name, words) for name, words in handlers.levels.items())
    return LevelsShown(
        tuple(handlers.suffixes), levels, handlers.level, MATCH_BYTES_MAX,
        handlers.plan_by is not None,
    )  # fmt: skip


def _shown(game: str, text: str) -> PositionShown:
    """Return a position: its drawing, and the reason for each action that is impossible."""
    handlers, position = read_position(game, text)
    shown: Any = handlers.show(position)
    refusals = {each.name: each.refusal(position) for each in handlers.actions}
    return PositionShown(
        game,
        handlers.text(position),
        shown["board"],
        tuple(OtherName(**each) for each in shown["ids"]),
        shown["title"],
        shown["words"],
        {name: why for name, why in refusals.items() if why},
    )
