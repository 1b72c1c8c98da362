"""The timing of decisions in small: that it runs and reads gnubg, not what comes out."""

import pytest

from tests.benchmarks import backgammon_play_speed as speed
from tests.benchmarks import gnubg_program

ANSWERS = """
    1. Cubeful 2-ply    24/21 24/20                  Eq.: -0.069736
       0.463429 0.144345 0.004797 - 0.536571 0.113110 0.006224
    2. Cubeful 2-ply    13/10 24/20                  Eq.: -0.169736 (-0.100000)
wall_s=0.030000 cpu_s=0.020000
wall_s=0.002000 cpu_s=0.001000
"""


def test_decisions_come_of_their_seed() -> None:
    asked = speed.decisions(3, 5)
    assert asked == speed.decisions(3, 5)
    assert asked != speed.decisions(3, 6)
    assert all(not position.result for position, _ in asked)


def test_the_table_of_nodes_changes_no_play() -> None:
    asked = speed.decisions(2, 5)
    with_table, without = (speed.our_time(asked, 1, is_cached=kept) for kept in (True, False))
    assert with_table.best == without.best
    assert [row[-1] for row in speed.rows([with_table, without])] == ["2 of 2", "2 of 2"]


def test_gnubgs_hints_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gnubg_program, "run_commands", lambda *_: ANSWERS)
    timed = speed.gnubg_time("gnubg", speed.decisions(2, 5), 2, is_pruned=True)
    assert timed.best == ["24/21 24/20", ""]
    assert timed.seconds == pytest.approx(0.0105)
    with pytest.raises(gnubg_program.GnubgError, match="2 answers of 3"):
        speed.gnubg_time("gnubg", speed.decisions(3, 5), 2, is_pruned=True)
