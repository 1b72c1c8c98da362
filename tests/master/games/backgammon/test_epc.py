import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.xgid import to_xgid
from master.games.backgammon.epc import PIPS_A_ROLL, effective_pips, epc_note, epc_report
from master.games.backgammon.typed import read_id
from tests.master.games.backgammon.matches.gnubg_program import needs_gnubg, run_gnubg

NAMES = ("X", "O")
SIDE = st.lists(st.integers(0, 5), min_size=6, max_size=6).filter(
    lambda counts: 1 <= sum(counts) <= 15
)


def side(*home: int, outside: int = 0) -> tuple[int, ...]:
    """Return a side by its counts on points 1 to 6, and so many checkers on point 7."""
    return (15 - sum(home) - outside, *home, *(0,) * (6 - len(home)), outside, *(0,) * 18)


def state_of(on_roll: tuple[int, ...], opponent: tuple[int, ...]) -> GameState:
    return GameState(Position(on_roll, opponent), MatchState())


def mean_rolls(*chances: Fraction) -> float:
    """Return the mean of how many rolls it takes, given the chance of more than 0, 1, ..."""
    return float(sum(chances))


@pytest.mark.parametrize(
    ("home", "rolls"),
    [
        ((1,), mean_rolls(Fraction(1))),
        ((2,), mean_rolls(Fraction(1))),
        ((3,), mean_rolls(Fraction(1), Fraction(30, 36))),
        ((4,), mean_rolls(Fraction(1), Fraction(30, 36))),
        # A checker on the six-point: 27 of 36 rolls take it off, and any second one does.
        ((0, 0, 0, 0, 0, 1), mean_rolls(Fraction(1), Fraction(9, 36))),
        ((), 0.0),
    ],
)
def test_count_is_the_mean_of_rolls_in_pips(home: tuple[int, ...], rolls: float) -> None:
    found, _ = effective_pips(Position(side(*home), side(1)))
    assert found is not None
    assert found.epc == pytest.approx(rolls * 49 / 6, abs=1e-3)
    assert found.wastage == pytest.approx(
        found.epc - sum(point * count for point, count in enumerate(home, start=1))
    )


@settings(max_examples=50, deadline=None)
@given(SIDE, SIDE)
def test_each_side_has_its_own_count_at_either_turn(mine: list[int], theirs: list[int]) -> None:
    one, other = side(*mine), side(*theirs)
    found = effective_pips(Position(one, other))
    assert found == effective_pips(Position(other, one))[::-1]
    assert all(each is not None and each.wastage >= 0 for each in found)


def test_side_with_a_checker_outside_is_not_known_and_contact_is_no_race() -> None:
    known, unknown = effective_pips(Position(side(3), side(2, outside=1)))
    assert known is not None
    assert unknown is None
    touching = Position(side(2, 0, 0, 0, 0, 1), (12, 2, *(0,) * 18, 1, *(0,) * 5))
    assert effective_pips(touching) == (None, None)
    start = read_id("4HPwATDgc/ABMA")
    assert (epc_report(start), epc_note(start, NAMES)) == (None, "")


def test_report_and_note_have_both_sides() -> None:
    state = state_of(side(7, 0, 3, 2, 3), side(0, 0, 0, 5, 5, 5))
    report = epc_report(state)
    assert report is not None
    mine, theirs = report
    assert mine is not None
    assert theirs is not None
    assert list(mine) == ["epc", "wastage"]
    assert epc_note(state, NAMES) == (
        f"EPC: X {mine['epc']:.2f} (wastage {mine['wastage']:.2f}), "
        f"O {theirs['epc']:.2f} (wastage {theirs['wastage']:.2f})"
    )
    assert epc_note(state_of(side(2), side(1, outside=1)), NAMES) == (
        f"EPC: X {PIPS_A_ROLL:.2f} (wastage {PIPS_A_ROLL - 2:.2f})"
    )


TWO_HUMANS = [
    "set automatic game off", "set automatic roll off", "set player 0 human", "set player 1 human",
]  # fmt: skip


@needs_gnubg
@pytest.mark.reference
@pytest.mark.slow
@pytest.mark.parametrize(
    "homes", [((7, 0, 3, 2, 3), (0, 0, 0, 5, 5, 5)), ((2, 2, 2, 2, 2, 2), (15,)),
              ((0, 1, 0, 4, 0, 3), (3, 3, 3))],
)  # fmt: skip
def test_counts_are_gnubgs(homes: tuple[tuple[int, ...], tuple[int, ...]], tmp_path: Path) -> None:
    position = Position(*(side(*home) for home in homes))
    xgid = to_xgid(GameState(position, MatchState()))
    shown = run_gnubg(tmp_path, [*TWO_HUMANS, f"set xgid {xgid}", "eval"])
    for word, index in (("EPC", 0), ("Wastage", 1)):
        (line,) = re.findall(rf"^{word}\t\s*([\d.]+)\t\s*([\d.]+)", shown, re.MULTILINE)
        found = [side[index] for side in effective_pips(position) if side is not None]
        assert found == pytest.approx([*map(float, line)], abs=2e-3)


MATCH = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:2:3:0:7:10"


@needs_gnubg
@pytest.mark.reference
@pytest.mark.slow
def test_winning_chances_of_a_match_are_gnubgs(tmp_path: Path) -> None:
    """Its own equities, turned into chances by our table, are its own chances."""
    asked = [word for kind in ("off", "on") for word in (f"set output mwc {kind}", "hint")]
    shown = run_gnubg(tmp_path, [*TWO_HUMANS, f"set xgid {MATCH}", *asked])
    pattern = r"(?:No double|Double, (?:pass|take))\s+([-+]?[\d.]+)"
    values = [float(text) for text in re.findall(pattern, shown)]
    equities, percents = values[:3], values[3:]
    assert len(equities) == len(percents) == 3
    to_mwc = cube_of(read_id(MATCH).match).equity_to_mwc
    assert [100 * to_mwc(equity) for equity in equities] == pytest.approx(percents, abs=0.02)
