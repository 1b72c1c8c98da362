"""A watched search by steps ends with its answer, or with the status that was enough."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from master.cli.searching.steps import watched_steps


def counted(count: int) -> Generator[int, None, str]:
    yield from range(count)
    return "found"


def line(status: int, seconds: float) -> str:
    return f"at {status}"


def test_search_that_ends_gives_its_answer_and_prints_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert watched_steps(counted(5), line, lambda status, seconds: False) == "found"
    assert capsys.readouterr() == ("", "")


def test_search_is_given_up_at_the_first_status_that_is_enough() -> None:
    assert watched_steps(counted(5), line, lambda status, seconds: status >= 2) == 2
