"""The side-by-side programs in small: that they run and read their peers, not what comes out."""

import json
from math import isclose
from pathlib import Path

import pytest

from engine_ext.backgammon.board import START
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.notation import parse_move
from tests.benchmarks import (
    backgammon_accuracy,
    backgammon_openings,
    backgammon_speed,
    gnubg_program,
    rollout_agreement,
)
from tests.benchmarks.rolled_out import RolledOut, RolloutSettings, roll_out

TRANSCRIPT = """
Rollout done. Printing final results.

Current Position:
  0.516387 0.141688 0.006620 - 0.483613 0.125663 0.004326 CL +0.051093 CF {cubeful}
 [0.006123 0.004884 0.002684 - 0.006123 0.004308 0.001830 CL  0.016410 CF  0.053994] 1r
Full cubeful rollout with variance reduction
108 games, Mersenne Twister dice gen. with seed 1 and quasi-random dice
wall_s=5.000000 cpu_s=4.000000
"""


def result_of(equity: float, std_error: float) -> RolledOut:
    return RolledOut(100, 2.0, (0.5,) * 5 + (equity, equity), (0.01,) * 5 + (std_error, std_error))


def test_every_opening_roll_has_accepted_plays_and_all_are_legal() -> None:
    rolls = {(high, low) for high in range(1, 7) for low in range(1, high)}
    assert set(backgammon_openings.ACCEPTED) == rolls
    for dice, plays in backgammon_openings.ACCEPTED.items():
        after = {parse_move(START, dice, play).after for play in plays}
        assert len(after) == len(plays)


def test_gnubgs_report_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = TRANSCRIPT.format(cubeful="+0.077339") + TRANSCRIPT.format(cubeful="-0.100000")
    monkeypatch.setattr(gnubg_program, "run_commands", lambda *_: printed)
    first, second = gnubg_program.roll_out("gnubg", ["a", "b"], RolloutSettings(108))
    assert first.means == (0.516387, 0.141688, 0.00662, 0.125663, 0.004326, 0.051093, 0.077339)
    assert first.std_errors[-2:] == (0.01641, 0.053994)
    assert first.cpu_s == 4.0
    assert second.means[-1] == -0.1


def test_a_report_without_results_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gnubg_program, "run_commands", lambda *_: "no game in progress")
    with pytest.raises(gnubg_program.GnubgError, match="0 rollouts of 1"):
        gnubg_program.roll_out("gnubg", ["a"], RolloutSettings(108))


def test_distance_is_in_combined_standard_errors() -> None:
    ours, theirs = result_of(0.3, 0.03), result_of(0.2, 0.04)
    assert isclose(rollout_agreement.distance(ours, theirs, 6), 2.0)


def test_time_to_a_standard_error_grows_with_its_square() -> None:
    assert isclose(result_of(0.0, 0.02).cpu_s_to_hundredth, 8.0)


def test_a_rate_is_better_when_larger_and_an_error_when_smaller() -> None:
    ours = backgammon_speed.Speeds(10.0, None, result_of(0.0, 0.01), None)
    peer = backgammon_speed.Speeds(5.0, 7.0, result_of(0.0, 0.02), None)
    rows = {row[0]: row[1:] for row in backgammon_speed.comparison_rows(ours, [peer])}
    assert rows["static evaluations/s, own loop"] == ["10", "5", "2.00"]
    assert rows["static evaluations/s, through Python"] == ["-", "7", "-"]
    assert rows["standard error, reduced"] == ["0.0100", "0.0200", "2.00"]


def test_ours_begins_after_the_cube_decision_as_gnubgs_does() -> None:
    # A double that every opponent passes: a trial that could double would end at once.
    state = parse_id(rollout_agreement.POSITIONS["prime against anchor"])
    assert roll_out(state, RolloutSettings(2)).std_errors[-1] > 0.0


@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.timeout(240)
def test_speed_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    backgammon_speed.main(["--trials", "4", "--plain-trials", "4", "--run-s", "0.01"])
    printed = capsys.readouterr().out
    assert "trials/s, variance reduction" in printed
    assert gnubg_program.find_gnubg() is None or " gnubg " in printed


@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.timeout(240)
def test_accuracy_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("numpy", reason="scoring needs the extra `training`")
    row = json.dumps({"position_id": START.position_id, "equity": 0.07})
    path = tmp_path / "rollouts.jsonl"
    path.write_text(f"{row}\n" * 3)
    backgammon_accuracy.main([str(path), "--positions", "2"])
    printed = capsys.readouterr().out
    assert "2 positions" in printed
    assert "ours" in printed


@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.timeout(240)
def test_agreement_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    rollout_agreement.main(["--trials", "4"])
    printed = capsys.readouterr().out
    assert "largest distance" in printed or gnubg_program.ABSENT in printed


def test_openings_are_played(capsys: pytest.CaptureFixture[str]) -> None:
    backgammon_openings.main(["--rolls", "2", "--trials", "4", "--truncate", "3"])
    assert "0-ply accepted" in capsys.readouterr().out
