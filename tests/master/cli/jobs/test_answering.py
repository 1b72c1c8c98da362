import asyncio
import io
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from rich.console import Console, Group

from master.cli.backgammon.analysing.analyse_asking import answer_here
from master.cli.errors import CommandError, ExitCode
from master.cli.jobs import answering
from master.cli.jobs.answering import (
    IDLE_S_MAX,
    Advance,
    AnswerCount,
    Idleness,
    answer_by_fleet,
    line,
    view,
)
from master.cli.place import Place
from master.config.paths import database_path
from master.contract.views import AnalyserLine
from tests.master.cli.shown import match_questions

READY = AnalyserLine("attic", "attic:4321", "ready", workers=2, trials=17)
ALONE = AnalyserLine("local", "local", "ready", workers=1, trials=3)
AWAY = AnalyserLine("cellar", "cellar:4321", "connecting", text="cannot connect")


def shown(advance: Advance, width: int, height: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width, height=height).print(Group(*view(advance, width, height)))
    return out.getvalue().splitlines()


@pytest.mark.sockets
@pytest.mark.slow
def test_fleet_answers_as_this_core_does(state_dir: Path) -> None:
    questions = match_questions(5)
    assert answer_by_fleet(Place(local=1), questions, is_quiet=True) == answer_here(questions)
    assert database_path(state_dir).exists()


@pytest.mark.sockets
@pytest.mark.slow
def test_more_questions_than_are_asked_together_are_asked_in_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answering, "ASKED_MAX", 2)
    questions = match_questions(5)
    assert answer_by_fleet(Place(local=1), questions, is_quiet=True) == answer_here(questions)


@pytest.mark.sockets
@pytest.mark.slow
def test_question_that_is_none_ends_the_command() -> None:
    questions = [*match_questions(1), "backgammon-analyse/1 nonsense"]
    with pytest.raises(CommandError) as caught:
        answer_by_fleet(Place(local=1), questions, is_quiet=True)
    assert caught.value.exit_code is ExitCode.JOB_FAILED
    assert "question 1" in str(caught.value)


def test_that_nobody_computes_is_news_once_each_time() -> None:
    alone, helped = Advance(1, 3, 0.0, (AWAY,)), Advance(1, 3, 0.0, (AWAY, READY))
    idleness = Idleness(0.0)
    times = [(alone, 0.5), (alone, 1.0), (alone, 1.5), (helped, 2.0), (alone, 2.5), (alone, 3.0)]
    news = [idleness.is_news(advance, part * IDLE_S_MAX) for advance, part in times]
    assert news == [False, True, False, False, False, True]
    assert not Idleness(0.0).is_news(Advance(3, 3, 0.0, (AWAY,)), IDLE_S_MAX)


class MasterElsewhere:
    """A master without analysers that is asked."""

    is_elsewhere = True

    async def ask(self, questions: Sequence[str], on_answer: object = None) -> list[str]:
        await asyncio.Event().wait()
        return []

    async def who(self) -> tuple[AnalyserLine, ...]:
        return (AWAY,)


def test_questions_that_nobody_answers_at_a_master_are_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @asynccontextmanager
    async def open_it(*words: object) -> AsyncIterator[MasterElsewhere]:
        yield MasterElsewhere()

    monkeypatch.setattr(answering, "open_master", open_it)
    monkeypatch.setattr(answering, "IDLE_S_MAX", 0.05)
    with pytest.raises(CommandError, match=r"cellar connecting .cannot connect.*goes on") as caught:
        answer_by_fleet(Place(wait_s=0.0), ["noop-question/1 number=1"], is_quiet=True)
    assert caught.value.exit_code == ExitCode.JOB_FAILED


def test_one_worker_is_no_workers() -> None:
    (_, who) = shown(Advance(3, 9, 1.0, (ALONE,)), 80, 10)
    assert who.split()[-2:] == ["1", "worker"]


def test_corrected_answer_counts_once() -> None:
    count = AnswerCount(3)
    for index in (2, 0, 2):
        count.record(index, "answer")
    assert (count.done, count.total) == (2, 3)


@pytest.mark.parametrize(
    ("advance", "text"),
    [
        (Advance(98, 314, 12.0, (READY, AWAY)), "98/314 decisions, 12.0/s, 18 s left, 1 analyser"),
        (Advance(0, 314, 0.0, (AWAY,)), "0/314 decisions, 0.0/s, no analyser is ready"),
        (Advance(3, 3, 1.0, (READY, READY)), "3/3 decisions, 1.0/s, 0 s left, 2 analysers"),
    ],
)
def test_log_line_says_how_far_it_is_and_who_computes(advance: Advance, text: str) -> None:
    assert line(advance) == text


def test_display_has_a_line_for_each_analyser() -> None:
    lines = shown(Advance(98, 314, 12.0, (READY, AWAY)), 80, 24)
    assert "98/314 decisions" in lines[0]
    assert lines[1].split() == ["attic", "ready", "17", "answers,", "2", "workers"]
    assert lines[2].split() == ["cellar", "connecting", "cannot", "connect"]


@pytest.mark.parametrize(("width", "height"), [(20, 3), (40, 5), (200, 50)])
def test_display_fits_the_terminal(width: int, height: int) -> None:
    lines = shown(Advance(98, 314, 12.0, (READY, AWAY) * 30), width, height)
    assert len(lines) < height
    assert max(map(len, lines)) <= width
