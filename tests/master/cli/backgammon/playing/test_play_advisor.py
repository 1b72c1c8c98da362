"""The record is analysed meanwhile: master.cli.backgammon.playing.play_advisor."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from engine_ext.backgammon.questions import AnalysisSettings
from engine_ext.services import engine_digest
from master.cli.backgammon.playing.play_advisor import FAILURES_MAX, FleetAdvisor
from master.cli.fleet_thread import FleetThread
from master.cli.place import Place
from master.contract.errors import MasterError
from master.games.backgammon.matches.decisions import answered, ask_about
from master.games.backgammon.matches.record import AnalysedMatch, Match, Play, Resign
from master.games.backgammon.play.live_match import LiveMatch

STATIC = AnalysisSettings(0, 0)
DEADLINE_S = 60.0


def new_live() -> LiveMatch:
    return LiveMatch(AnalysedMatch(Match(("Ann", "manyply"), 3)))


def play_some(live: LiveMatch, rolls: Sequence[tuple[int, int]]) -> None:
    for dice in rolls:
        live.roll(dice)
        player = live.decider
        assert player is not None
        live.act(Play(player, dice, live.legal_moves()[0].steps))


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FleetThread]:
    patch = pytest.MonkeyPatch()
    state: Path = tmp_path_factory.mktemp("state")
    patch.setenv("XDG_STATE_HOME", str(state))
    patch.setenv("XDG_RUNTIME_DIR", str(state))
    with FleetThread(Place(local=1)) as opened:
        yield opened
    patch.undo()


def wait_until_known(advisor: FleetAdvisor, live: LiveMatch) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while advisor.left(live):
        assert time.monotonic() < deadline, "no answers came"
        advisor.wait_a_moment()


@pytest.mark.slow
def test_what_comes_meanwhile_is_what_an_analysis_afterwards_says(fleet: FleetThread) -> None:
    advisor, live = FleetAdvisor(fleet, 0, STATIC), new_live()
    for dice in ((3, 1), (6, 4), (5, 5), (2, 1)):
        play_some(live, [dice])
        advisor.follow(live)
    live.act(Resign(0))
    wait_until_known(advisor, live)
    asked = ask_about(live.match, STATIC, engine_digest("backgammon"))
    answers = fleet.run(lambda master: master.ask([one.question.to_text() for one in asked]))
    after = answered(live.match, asked, answers)
    assert live.analysed.analyses[0][:4] == after.analyses[0][:4]
    assert not advisor.trouble


@pytest.mark.slow
def test_answers_to_moves_taken_back_do_not_reach_the_moves_played_instead(
    fleet: FleetThread,
) -> None:
    advisor, live = FleetAdvisor(fleet, 0, STATIC), new_live()
    play_some(live, [(3, 1)])
    advisor.follow(live)
    live.undo()
    moves = live.legal_moves()
    live.act(Play(0, (3, 1), moves[-1].steps))
    wait_until_known(advisor, live)
    known = live.analysed.of(0, 0)
    assert known is not None
    assert known.checker is not None
    played = known.checker.moves[known.checker.played]
    assert played.equity_cubeful < known.checker.moves[0].equity_cubeful


class DeadFleet:
    """A fleet whose every call fails."""

    def __init__(self) -> None:
        self.calls = 0

    def start(self, work: Callable[[Any], Coroutine[Any, Any, Any]]) -> Future[Any]:
        self.calls += 1
        failed: Future[Any] = Future()
        failed.set_exception(MasterError("the master is ending"))
        return failed


def test_a_fleet_that_is_gone_is_not_asked_for_ever_and_nothing_waits_for_it() -> None:
    dead = DeadFleet()
    advisor, live = FleetAdvisor(dead, 0, STATIC), new_live()  # type: ignore[arg-type]
    play_some(live, [(3, 1), (6, 4)])
    for _ in range(10):
        advisor.follow(live)
    assert dead.calls == FAILURES_MAX
    assert advisor.left(live) == 0
    assert advisor.trouble == "the master is ending"
