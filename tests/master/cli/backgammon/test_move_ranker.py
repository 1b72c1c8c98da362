"""Moves are ranked here or over a fleet by what it costs, and come out the same."""

import sys
from pathlib import Path

import pytest

from engine_ext.backgammon.notation import ALL_ROLLS
from engine_ext.backgammon.play import rank_moves
from master.cli.backgammon import move_ranker
from master.cli.backgammon.move_ranker import Ranker
from master.cli.errors import CommandError, ExitCode
from master.cli.place import Place
from master.config.fleet_list import FleetEntry, parse_fleet_address
from master.config.paths import control_socket_path, default_state_dir
from master.games.backgammon.typed import read_id
from tests.master.cli.shown import POSITION

STATE = read_id(POSITION)
NOBODY = FleetEntry("", parse_fleet_address("exec:false"))
HERE = Place()
NOWHERE = Place(analysers=(NOBODY,), local=0)


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


@pytest.mark.parametrize("ply", [0, 1])
def test_here_each_roll_is_ranked_as_by_itself(ply: int) -> None:
    with Ranker(HERE, ply, None) as ranker:
        ranked = ranker.rank(STATE, ALL_ROLLS)
    assert ranked == [rank_moves(STATE, dice, ply) for dice in ALL_ROLLS]


@pytest.mark.parametrize("place", [HERE, Place(analysers=(NOBODY,)), Place(master="/nonexistent")])
def test_what_costs_less_than_calling_is_done_here(place: Place) -> None:
    with Ranker(place, 2, None) as ranker:
        assert ranker.rank(STATE, [(3, 1)]) == [rank_moves(STATE, (3, 1), 2)]


@pytest.mark.slow
@pytest.mark.when_changed
def test_a_fleet_ranks_as_this_process_does_and_is_called_once() -> None:
    analyser = f"exec:{sys.executable} -m analyser --stdio --workers 1"
    place = Place(analysers=(FleetEntry("", parse_fleet_address(analyser)),), local=0)
    with Ranker(place, 1, None) as ranker:
        for dice in ((3, 1), (6, 6)):
            assert ranker.rank(STATE, [dice]) == [rank_moves(STATE, dice, 1)]


@pytest.mark.slow
def test_a_fleet_of_nobody_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    with Ranker(NOWHERE, 0, None) as ranker, pytest.raises(CommandError) as caught:
        ranker.rank(STATE, [(3, 1)])
    assert caught.value.exit_code is ExitCode.JOB_FAILED
    assert "no analyser can be used" in str(caught.value)


@pytest.mark.slow
def test_a_master_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_ranker, "FLEET_S_MIN", 0.0)
    place = Place(master="/nonexistent")
    with Ranker(place, 2, None) as ranker, pytest.raises(CommandError) as caught:
        ranker.rank(STATE, [(3, 1)])
    assert caught.value.exit_code is ExitCode.UNREACHABLE


@pytest.mark.slow
def test_a_socket_left_behind_is_no_master(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_ranker, "FLEET_S_MIN", 0.0)
    path = control_socket_path(default_state_dir())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    with Ranker(HERE, 2, None) as ranker:
        assert ranker.rank(STATE, [(3, 1)]) == [rank_moves(STATE, (3, 1), 2)]
