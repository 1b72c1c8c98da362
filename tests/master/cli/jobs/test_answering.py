import asyncio
import io
import math
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from rich.console import Console, Group

from engine_ext.noop.question import noop_question
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
from master.cli.jobs.kept_answers import kept_answers
from master.cli.jobs.unserved import NO_ANALYSER, UNSERVED_S, WAITING, WAITING_S, Unserved, reason
from master.cli.place import Place
from master.config.paths import database_path
from master.contract.questions import question_digest
from master.contract.views import UPDATE_INTERVAL_S, AnalyserLine
from master.store.answers import AnswerRow, write_answers
from master.store.schema import open_database, transaction
from tests.master.cli.shown import job_view, match_questions, update

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
    count = AnswerCount("decisions", ["a", "b", "c"])
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


def test_words_beside_the_bar_are_whole_on_a_usual_terminal() -> None:
    advance = Advance(9, 4210, 0.1, (READY,), "parts of rollouts")
    assert line(advance) in shown(advance, 80, 24)[0]


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


DAY = 20_000
FIRST, SECOND, THIRD = (noop_question(number=number) for number in range(3))
ANSWERS = {FIRST: "1" * 16, SECOND: "2" * 16}


def keep(state_dir: Path, known: dict[str, str], source: str = "") -> None:
    database = open_database(database_path(state_dir))
    rows = [AnswerRow(question_digest(text), "e", answer, source) for text, answer in known.items()]
    with transaction(database):
        write_answers(database, rows, [], DAY)
    database.close()


def test_nothing_is_known_and_nothing_made_where_there_is_no_store(state_dir: Path) -> None:
    assert kept_answers(Place(), ["q"]) == {}
    assert not state_dir.exists()


def test_what_is_kept_is_known_by_its_question(state_dir: Path) -> None:
    keep(state_dir, ANSWERS)
    assert kept_answers(Place(), [SECOND, THIRD, FIRST]) == ANSWERS


def test_use_is_noted_lest_what_is_used_goes_first(state_dir: Path) -> None:
    keep(state_dir, ANSWERS)
    kept_answers(Place(), [FIRST])
    database = open_database(database_path(state_dir))
    days = dict(database.execute("SELECT text, used FROM answer"))
    database.close()
    assert days[ANSWERS[FIRST]] > days[ANSWERS[SECOND]] == DAY


def test_master_elsewhere_is_asked_itself(state_dir: Path) -> None:
    keep(state_dir, ANSWERS)
    assert kept_answers(Place(master="/run/other.sock"), [FIRST]) == {}


def test_damaged_store_knows_nothing(state_dir: Path) -> None:
    state_dir.mkdir()
    database_path(state_dir).write_bytes(b"SQLite format 3\0, or so it says")
    assert kept_answers(Place(), [FIRST]) == {}


def test_kept_answer_that_cannot_be_is_dropped_named_and_asked_again(
    state_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(state_dir, {FIRST: "nan", SECOND: ANSWERS[SECOND]}, "liar")
    assert kept_answers(Place(), [FIRST, SECOND]) == {SECOND: ANSWERS[SECOND]}
    said = capsys.readouterr().err
    assert said == (
        "1 kept answer of liar cannot be, and will be asked again: "
        "expected 16 hex digits, not 'nan'\n"
    )
    assert kept_answers(Place(), [FIRST]) == {}
    assert not capsys.readouterr().err, "it is kept no more"


READY_STATUS = AnalyserLine("attic", "attic:4321", "ready", 2)
AWAY_STATUS = AnalyserLine("cellar", "cellar:4321", "connecting", text="cannot connect: refused")


def test_nobody_there_is_said_once_and_within_two_seconds() -> None:
    unserved, said = Unserved(), []
    times = [i * UPDATE_INTERVAL_S for i in range(100)]
    for now in times:
        said += [(now, text)] if (text := unserved.line(update(job_view()), now)) else []
    assert said == [(UNSERVED_S, NO_ANALYSER)]
    assert UNSERVED_S + UPDATE_INTERVAL_S < 2.0


def test_analyser_that_comes_and_goes_is_said_each_time_it_stays_away() -> None:
    unserved = Unserved()
    served, waiting = update(job_view(), AWAY_STATUS, READY_STATUS), update(job_view(), AWAY_STATUS)
    assert unserved.line(served, 0.0) == ""
    assert unserved.line(waiting, 1.0) == ""
    assert unserved.line(served, 1.5) == ""
    assert unserved.line(waiting, 2.0) == ""
    assert unserved.line(waiting, 2.5) == ""
    assert unserved.line(waiting, 3.0).endswith("cellar connecting (cannot connect: refused)")
    assert unserved.line(waiting, 9.0) == ""
    assert unserved.line(served, 9.5) == ""
    unserved.line(waiting, 10.0)
    assert unserved.line(waiting, 11.0)


def test_end_of_a_job_needs_no_analyser() -> None:
    unserved = Unserved()
    unserved.line(update(job_view()), 0.0)
    assert unserved.line(update(job_view(), is_final=True), 9.0) == ""


def test_wait_for_an_analyser_is_over_after_so_long_without_any() -> None:
    unserved = Unserved()
    assert not unserved.is_for(0.0, 99.0)
    for now in (1.0, 2.0, 3.0):
        unserved.line(update(job_view(), AWAY_STATUS), now)
    assert unserved.is_for(2.0, 3.0)
    assert not unserved.is_for(2.5, 3.0)
    assert not unserved.is_for(math.inf, 1e9)
    unserved.line(update(job_view(), READY_STATUS), 4.0)
    assert not unserved.is_for(2.0, 99.0)


def test_only_some_of_many_are_named() -> None:
    text = reason([AWAY_STATUS] * 1_000)
    assert text.count("cellar") == 3
    assert text.endswith(" and 997 more")


def test_master_in_this_process_is_given_more_time_and_waited_for() -> None:
    unserved, said = Unserved(is_elsewhere=False), []
    for now in (i * UPDATE_INTERVAL_S for i in range(100)):
        said += [(now, text)] if (text := unserved.line(update(job_view()), now)) else []
    assert said == [(WAITING_S, WAITING)]
