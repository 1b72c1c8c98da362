"""Getting many questions answered by a master, here or elsewhere, and its analysers."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rich.console import RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from engine_ext.services import context_game
from master.api.client import MasterGoneError
from master.cli.errors import CommandError, ExitCode
from master.cli.jobs.estimate import duration
from master.cli.jobs.live_view import BAR_WIDTH_MAX
from master.cli.jobs.progress import ProgressDisplay
from master.cli.jobs.unserved import reason
from master.cli.jobs.watching import run_async, signals_of
from master.cli.master_access import open_master
from master.cli.place import Place
from master.contract.errors import NoAnalyserError
from master.contract.master import Master
from master.contract.questions import QUESTIONS_MAX, QuestionError
from master.contract.rate import RateMeter
from master.contract.views import AnalyserLine

REFRESH_S = 0.25
"""Time between two updates of the progress: as often as a person can follow."""

IDLE_S_MAX = 5.0
"""Time without an analyser before a message: links are dialled, and lost ones again, sooner."""

ASKED_MAX = QUESTIONS_MAX // 2
"""Questions asked together: of a hundred matches, and some other command may ask as well."""

WORDS_WIDTH = 52
"""The columns that the words beside the bar usually need: so it keeps its width."""


def answer_by_fleet(
    place: Place, questions: Sequence[str], *, is_quiet: bool, unit: str = "decisions"
) -> list[str]:
    """Answer questions by a master here or elsewhere; the answers stay stored.

    Workers of this process load only the engines of the games in the questions.

    Args:
        place: the master and its analysers.
        questions: the questions.
        is_quiet: show no progress but on a terminal.
        unit: names the questions to users.

    Raises:
        CommandError: no analyser or master can be used, or a question cannot be answered.
        SystemExit: Ctrl-C; a line has said how to go on.
    """

    games = tuple(sorted({context_game(question) for question in questions}))

    async def work() -> list[str]:
        with ProgressDisplay(is_quiet=is_quiet) as progress, signals_of(progress):
            async with open_master(place, progress.show_notice, games) as master:
                return await _ask(master, AnswerCount(unit, questions), progress, place.patience_s)

    return run_async(work())


async def _ask(
    master: Master, count: AnswerCount, progress: ProgressDisplay, wait_s: float
) -> list[str]:
    """Ask, and show the progress; print at an interruption that nothing is lost."""
    # A master of this process gives up by itself.
    bound_s = wait_s if master.is_elsewhere else math.inf
    showing = asyncio.create_task(_show(master.who, count, progress, bound_s))
    asking = asyncio.create_task(_ask_in_turn(master, count))
    try:
        await asyncio.wait((asking, showing), return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():
            showing.result()
        return await asking
    except asyncio.CancelledError:
        progress.show_text(
            f"stopped; {count.done} of {count.total} {count.unit} are done and kept: "
            "the same command goes on with the others"
        )
        raise
    except QuestionError as error:
        raise CommandError(str(error), ExitCode.JOB_FAILED) from error
    except NoAnalyserError as error:
        text = f"{error}; what is analysed is kept: the same command goes on"
        raise NoAnalyserError(text) from error
    except MasterGoneError as error:
        text = f"{error}; what is analysed is kept there: the same command goes on"
        raise MasterGoneError(text) from error
    finally:
        showing.cancel()
        asking.cancel()
        await asyncio.gather(showing, asking, return_exceptions=True)


async def _ask_in_turn(master: Master, count: AnswerCount) -> list[str]:
    """Ask as many at once as a master that has other questions too can hold."""
    answers, questions = list[str](), count.questions
    for first in range(0, len(questions), ASKED_MAX):

        def record(index: int, answer: str, first: int = first) -> None:
            count.record(first + index, answer)

        answers += await master.ask(questions[first : first + ASKED_MAX], on_answer=record)
    return answers


class AnswerCount:
    """How many of the questions are answered."""

    def __init__(self, unit: str, questions: Sequence[str]) -> None:
        """Start with none; `unit` names the questions to users."""
        self.unit = unit
        self.questions = questions
        self._known: set[int] = set()

    @property
    def total(self) -> int:
        """How many questions there are."""
        return len(self.questions)

    @property
    def done(self) -> int:
        """How many are answered."""
        return len(self._known)

    def record(self, index: int, answer: str) -> None:
        """Take note of an answer; a corrected one counts once."""
        self._known.add(index)


@dataclass(frozen=True)
class Advance:
    """Progress of the questions.

    Args:
        done: questions answered.
        total: all questions.
        per_s: answers a second over the last seconds.
        analysers: the analysers, a line each.
        unit: names the questions to users.
    """

    done: int
    total: int
    per_s: float
    analysers: tuple[AnalyserLine, ...] = ()
    unit: str = "decisions"

    @property
    def ready(self) -> int:
        """How many analysers answer."""
        return sum(each.state == "ready" for each in self.analysers)


class Idleness:
    """Detects times without a ready analyser, which the output in JSON would not show."""

    def __init__(self, now: float) -> None:
        """Start at a time."""
        self._since = now
        self._is_said = False

    def is_news(self, advance: Advance, now: float) -> bool:
        """Return whether no analyser was ready for IDLE_S_MAX; true once each such time."""
        if advance.ready or advance.done == advance.total:
            self._since, self._is_said = now, False
        is_idle = self.is_for(IDLE_S_MAX, now)
        is_news, self._is_said = is_idle and not self._is_said, is_idle
        return is_news

    def is_for(self, seconds: float, now: float) -> bool:
        """Return whether no analyser was ready for so long."""
        return now - self._since >= seconds


async def _show(
    who: Callable[[], Awaitable[tuple[AnalyserLine, ...]]],
    count: AnswerCount,
    progress: ProgressDisplay,
    wait_s: float,
) -> None:
    """Show the progress until cancelled; NoAnalyserError after `wait_s` without an analyser."""
    meter, idleness = RateMeter(time.monotonic(), count.done), Idleness(time.monotonic())
    while True:
        meter.record(time.monotonic(), count.done)
        advance = Advance(count.done, count.total, meter.per_s(), await who(), count.unit)
        if idleness.is_news(advance, time.monotonic()):
            progress.show_text("no analyser is ready: waiting for one")
        if idleness.is_for(max(wait_s, IDLE_S_MAX), time.monotonic()):
            raise NoAnalyserError(reason(advance.analysers))
        progress.draw(partial(view, advance), line(advance))
        await asyncio.sleep(REFRESH_S)


def line(advance: Advance) -> str:
    """Return one line for a log: `98/314 decisions, 12/s, 18 s left, 3 analysers`."""
    words = [f"{advance.done}/{advance.total} {advance.unit}", f"{advance.per_s:.1f}/s"]
    if advance.per_s > 0:
        words.append(f"{duration((advance.total - advance.done) / advance.per_s)} left")
    ready = advance.ready
    words.append(
        f"{ready} analyser{'' if ready == 1 else 's'}" if ready else "no analyser is ready"
    )
    return ", ".join(words)


def view(advance: Advance, width: int, height: int) -> list[RenderableType]:
    """Return the display: a bar, and a line for each analyser that there is room for."""
    words = line(advance)
    bar_width = max(5, min(BAR_WIDTH_MAX, width - max(WORDS_WIDTH, len(words) + 1)))
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=bar_width)
    grid.add_column(no_wrap=True, overflow="crop")
    share = advance.done / advance.total if advance.total else 1.0
    grid.add_row(ProgressBar(total=1.0, completed=share, width=bar_width), Text(words[:width]))
    room = max(1, height - 2)
    name_width = max((len(each.name) for each in advance.analysers), default=0)
    return [grid, *(_analyser(each, name_width, width) for each in advance.analysers[:room])]


def _analyser(each: AnalyserLine, name_width: int, width: int) -> Text:
    plural = "" if each.workers == 1 else "s"
    what = f"{each.trials:>6} answers, {each.workers} worker{plural}" if each.workers else each.text
    text = f"{each.name:{name_width}}  {each.state:11} {what}"
    return Text(text[:width], no_wrap=True, overflow="crop", style="dim")
