"""Moves are valued here or over a fleet by what it costs, and come out the same."""

import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from engine_ext.threes.context import Lookahead
from engine_ext.threes.division import Division
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.net_file import shipped_net
from master.cli.errors import CommandError, ExitCode
from master.cli.place import Place
from master.cli.threes import decider as module
from master.cli.threes.decider import Decider, Valued
from master.config.fleet_list import FleetEntry, parse_fleet_address
from master.games.threes.decisions import Decision
from tests.engine_ext.threes.plain_threes import played

GAME = played(1)[90]
DECISION = Decision.of(GAME.cells, GAME.bag, GAME.next_ranks, Lookahead(3, 3))
HERE = Place()
NOBODY = FleetEntry("", parse_fleet_address("exec:false"))
ANALYSER = FleetEntry(
    "", parse_fleet_address(f"exec:{sys.executable} -m analyser --stdio --workers 1 --name attic")
)


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


def expected(decision: Decision) -> Valued:
    found = Adviser(shipped_net()).values(
        decision.cells, decision.bag, decision.next_ranks, decision.plies, decision.rarity
    )
    return Valued(decision.plies, dict(sorted(found.items(), key=lambda item: -item[1])))


def check(found: Valued, plies: int) -> None:
    right = expected(replace(DECISION, plies=plies))
    assert found == right
    assert list(found.values) == list(right.values)


@pytest.mark.parametrize("place", [HERE, Place(analysers=(NOBODY,)), Place(master="/nonexistent")])
def test_what_costs_less_than_asking_is_done_here(place: Place) -> None:
    with Decider(place) as decider:
        check(decider.value(DECISION), 3)
        assert decider.shares() == {}
        assert decider.has_own_fleet == (place != HERE)


@pytest.mark.parametrize("place", [Place(analysers=(NOBODY,), local=0), Place(master="/nowhere")])
def test_one_move_ahead_is_nobodys_business(place: Place) -> None:
    with Decider(place) as decider:
        check(decider.value(replace(DECISION, plies=1)), 1)


@pytest.mark.when_changed
def test_cut_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[int]()
    divided = Decision.divided

    def counted(decision: Decision, below: int) -> Division:
        made.append(below)
        return divided(decision, below)

    monkeypatch.setattr(Decision, "divided", counted)
    with Decider(Place(analysers=(ANALYSER,), local=0)) as decider:
        check(decider.value(replace(DECISION, plies=5)), 5)
    assert len(made) == len({*made}) > 0


@pytest.mark.slow
@pytest.mark.when_changed
def test_a_fleet_values_as_this_process_does_and_tells_its_shares() -> None:
    with Decider(Place(analysers=(ANALYSER,), local=0)) as decider:
        for plies in (2, 3, 4):
            check(decider.value(replace(DECISION, plies=plies)), plies)
        shares = decider.shares()
    assert list(shares) == ["attic"]
    assert shares["attic"] >= 3


@pytest.mark.slow
def test_long_work_calls_all_cores_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FLEET_S_MIN", 0.0)
    with Decider(HERE) as decider:
        check(decider.value(replace(DECISION, plies=5)), 5)
        assert list(decider.shares()) == ["local"]


@pytest.mark.slow
def test_a_fleet_of_nobody_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    place = Place(analysers=(NOBODY,), local=0)
    with Decider(place) as decider, pytest.raises(CommandError, match="no analyser can") as caught:
        decider.value(DECISION)
    assert caught.value.exit_code is ExitCode.JOB_FAILED


@pytest.mark.slow
def test_a_master_that_is_not_there_is_an_error() -> None:
    with Decider(Place(master="/nonexistent")) as decider, pytest.raises(CommandError) as caught:
        decider.open_fleet()
    assert caught.value.exit_code is ExitCode.UNREACHABLE


@pytest.mark.slow
@pytest.mark.parametrize("place", [HERE, Place(local=2)])
def test_time_changes_how_far_it_looks_and_nothing_else(place: Place) -> None:
    with Decider(place) as decider:
        found = decider.value_within(DECISION, 0.4)
        check(found, found.plies)
        assert found.plies >= DECISION.plies
        check(decider.value(DECISION), 3)


def test_look_that_is_not_finished_in_time_counts_for_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = count()
    monkeypatch.setattr("master.cli.threes.decider.time.monotonic", lambda: float(next(clock)))
    with Decider(HERE) as decider:
        # Of three seconds by this clock two are left for the second look, one for the third.
        found = decider.value_within(replace(DECISION, plies=1), 2.5)
    check(found, 3)


def test_seven_moves_are_not_looked_ahead_in_no_time() -> None:
    with Decider(HERE) as decider:
        assert decider._value(replace(DECISION, plies=7), 0.02) is None
        check(decider.value(DECISION), 3)


def test_interrupted_decider_values_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(work: object) -> None:
        raise KeyboardInterrupt

    with Decider(HERE) as decider:
        with monkeypatch.context() as patched:
            patched.setattr(module, "interruptible", interrupted)
            with pytest.raises(KeyboardInterrupt):
                decider.value(DECISION)
        check(decider.value(DECISION), 3)


def test_board_without_a_move_has_no_values() -> None:
    end = played(1)[-1]
    decision = Decision(end.cells, end.bag, end.next_ranks, 2)
    with Decider(HERE) as decider:
        assert decider.value_within(decision, 1.0) == Valued(2, {})
