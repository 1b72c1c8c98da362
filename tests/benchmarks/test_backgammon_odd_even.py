"""The odd and even program in small: what counts as a shift, a cost, a close decision."""

import pytest

from engine_ext.backgammon.board import START
from tests.benchmarks import backgammon_odd_even, gnubg_program
from tests.benchmarks.backgammon_odd_even import Answers

LEVELS = [((0.52, 0.15, 0.01, 0.13, 0.01), (0.08, -0.19)), ((0.53, 0.15, 0, 0.13, 0), (0.1, -0.17))]
GNUBG_PRINTS = f"\n> b = ...; print('answer', ...)\nanswer {LEVELS}\n"


def said(*levels: tuple[float, float]) -> Answers:
    no_double, double_take = zip(*levels, strict=True)
    return Answers(no_double, no_double, no_double, double_take)


def test_a_cost_is_what_the_judge_sees_given_away() -> None:
    judge = said((0.0, 0.0), (0.8, 0.9))
    assert backgammon_odd_even.lost_by_double(said((0.8, 0.7)), 0, judge) == pytest.approx(0.1)
    assert backgammon_odd_even.lost_by_double(said((0.8, 1.2)), 0, judge) == 0.0
    assert backgammon_odd_even.lost_by_take(said((0.8, 1.2)), 0, judge) == pytest.approx(0.1)
    assert backgammon_odd_even.lost_by_take(said((0.8, 0.7)), 0, judge) == 0.0
    passed = said((0.9, 1.4))  # the double is worth 1 to him, and a take costs .4
    assert backgammon_odd_even.lost_by_double(said((0.8, 0.7)), 0, passed) == pytest.approx(0.1)
    assert backgammon_odd_even.lost_by_take(said((0.8, 0.7)), 0, passed) == pytest.approx(0.4)


def test_a_shift_is_each_level_less_the_one_before() -> None:
    asked = [said((0.0, 0.0), (0.1, 0.0)), said((0.0, 0.0), (0.3, 0.0))]
    rows = {row[0]: row[1:] for row in backgammon_odd_even.shift_rows("x", asked)}
    assert rows["x, no double"] == ["2", "+0.2000", "0.0707", "0.2236"]
    assert rows["x, take less no double"][1] == "-0.2000"


@pytest.mark.parametrize(
    ("no_double", "double_take", "near"),
    [(0.6, 0.7, True), (0.97, 1.6, True), (0.5, 1.1, True), (-0.1, -0.6, False), (1.4, 2.2, False)],
)
def test_a_decision_is_close_by_the_deepest_levels(
    no_double: float, double_take: float, near: bool
) -> None:
    shallow = (0.6, 0.7)
    asked = said(shallow, shallow, (no_double - 0.02, double_take), (no_double + 0.02, double_take))
    assert backgammon_odd_even.is_near(asked) == near


def test_gnubgs_answers_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gnubg_program, "run_commands", lambda *_: GNUBG_PRINTS)
    [asked] = backgammon_odd_even.gnubg_answers("gnubg", [START])
    assert asked.no_double == (0.08, 0.1)
    assert asked.double_take == (-0.19, -0.17)
    assert asked.cubeless == pytest.approx((0.06, 0.08))
    with pytest.raises(gnubg_program.GnubgError, match="1 answers to 2 questions"):
        backgammon_odd_even.gnubg_answers("gnubg", [START, START])


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_levels_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch", reason="the training extra is not installed")
    backgammon_odd_even.main(["--contact", "12", "--race", "3", "--ours-alone"])
    assert "contact, ours, no double" in capsys.readouterr().out
