import math

from master.cli.jobs.unserved import NO_ANALYSER, UNSERVED_S, WAITING, WAITING_S, Unserved, reason
from master.contract.views import UPDATE_INTERVAL_S, AnalyserLine
from tests.master.cli.shown import job_view, update

READY = AnalyserLine("attic", "attic:4321", "ready", 2)
AWAY = AnalyserLine("cellar", "cellar:4321", "connecting", text="cannot connect: refused")


def test_nobody_there_is_said_once_and_within_two_seconds() -> None:
    unserved, said = Unserved(), []
    times = [i * UPDATE_INTERVAL_S for i in range(100)]
    for now in times:
        said += [(now, text)] if (text := unserved.line(update(job_view()), now)) else []
    assert said == [(UNSERVED_S, NO_ANALYSER)]
    assert UNSERVED_S + UPDATE_INTERVAL_S < 2.0


def test_analyser_that_comes_and_goes_is_said_each_time_it_stays_away() -> None:
    unserved = Unserved()
    served, waiting = update(job_view(), AWAY, READY), update(job_view(), AWAY)
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
        unserved.line(update(job_view(), AWAY), now)
    assert unserved.is_for(2.0, 3.0)
    assert not unserved.is_for(2.5, 3.0)
    assert not unserved.is_for(math.inf, 1e9)
    unserved.line(update(job_view(), READY), 4.0)
    assert not unserved.is_for(2.0, 99.0)


def test_only_some_of_many_are_named() -> None:
    text = reason([AWAY] * 1_000)
    assert text.count("cellar") == 3
    assert text.endswith(" and 997 more")


def test_master_in_this_process_is_given_more_time_and_waited_for() -> None:
    unserved, said = Unserved(is_elsewhere=False), []
    for now in (i * UPDATE_INTERVAL_S for i in range(100)):
        said += [(now, text)] if (text := unserved.line(update(job_view()), now)) else []
    assert said == [(WAITING_S, WAITING)]
