"""The program values the same moves here and over analysers, and prints how long that took."""

import pytest

from tests.benchmarks import threes_fleet


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.timeout(240)
def test_rows_are_of_decisions_that_came_out_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    threes_fleet.main(["--plies", "3,4", "--decisions", "8", "--least-ms", "0"])
    _, headings, *rows = capsys.readouterr().out.splitlines()
    assert headings.split()[:2] == ["plies", "decisions"]
    assert [row.split()[:2] for row in rows] == [["3", "8"], ["4", "2"], ["all", "10"]]


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.timeout(240)
def test_nothing_that_takes_long_enough_leaves_rows_empty(
    capsys: pytest.CaptureFixture[str],
) -> None:
    threes_fleet.main(["--plies", "1", "--decisions", "2", "--least-ms", "60000"])
    assert capsys.readouterr().out.splitlines()[-1].split() == ["all", "0"]


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.timeout(240)
def test_jobs_of_games_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    threes_fleet.main(["--plies", "1", "--games", "40"])
    *_, line = capsys.readouterr().out.splitlines()
    assert line.startswith("a job of 40 games, 1-ply: one analyser ")
