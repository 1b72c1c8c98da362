"""`manyply move` over analysers: the ranking of one machine, whoever is lost on the way."""

import signal
from contextlib import AsyncExitStack

import pytest

from master.games.backgammon.position_reports import move_report
from master.games.backgammon.typed import read_id
from tests.daemons.analyser_programs import HERE, listening
from tests.daemons.command_line import POSITION, Home, rest_of

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

STATE = read_id(POSITION)
EVERY_ROLL = ("move", POSITION, "--all-rolls", "--plies", "2", "--json")


def analysers(*ports: int) -> list[str]:
    return ["--local", "0", *(word for p in ports for word in ("--analyser", f"{HERE}:{p}"))]


@pytest.mark.when_changed
async def test_rankings_over_analysers_are_the_local_ones(home: Home) -> None:
    here = await home.run(*EVERY_ROLL)
    async with AsyncExitStack() as stack:
        programs = [await stack.enter_async_context(listening("--workers", "1")) for _ in "ab"]
        ports = [port for _, port in programs]
        there = await home.run(*EVERY_ROLL, *analysers(*ports))
        deep = ("move", POSITION, "--dice", "21", "--plies", "3", "--json")
        one = await home.run(*deep, *analysers(*ports))
    assert there.report == here.report
    assert len(here.report["rolls"]) == 21
    assert one.report == move_report(STATE, (2, 1), 3)


@pytest.mark.when_changed
async def test_an_analyser_killed_midway_changes_nothing(home: Home) -> None:
    every_roll = ("move", POSITION, "--all-rolls", "--plies", "3", "--json")
    async with AsyncExitStack() as stack:
        (victim, first), (_, second) = [
            await stack.enter_async_context(listening("--workers", "1")) for _ in "ab"
        ]
        async with home.running(*every_roll, *analysers(first, second)) as process:
            await home.has_answers(1)  # of some 80, for more than a second
            victim.send_signal(signal.SIGKILL)
            ended = await rest_of(process)
    assert ended.report == (await home.run(*every_roll)).report
