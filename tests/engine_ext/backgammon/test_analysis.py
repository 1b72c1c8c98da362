"""What an analysis says of a decision follows from its equities as the rules have it."""

from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.analysis import CheckerAnalysis, CubeAnalysis, MoveAnalysis
from engine_ext.backgammon.ranking import Probs

PROBS = Probs(0.5, 0.1, 0.0, 0.1, 0.0)

equities = st.floats(-6.0, 6.0)


def cube_analysis(
    no_double: float, double_take: float, double_pass: float, double_beaver: float | None = None
) -> CubeAnalysis:
    return CubeAnalysis(
        "2-ply", no_double, double_take, double_pass, "", 0.0, PROBS, double_beaver=double_beaver
    )


def checker_analysis(values: list[float], played: int) -> CheckerAnalysis:
    moves = tuple(MoveAnalysis(str(i), "2-ply", e, 0.0, PROBS) for i, e in enumerate(values))
    return CheckerAnalysis(moves, played, len(values) == 1)


cubes = st.builds(cube_analysis, equities, equities, equities, st.none() | equities)


@given(cubes)
def test_an_opponent_who_answers_best_leaves_the_least(cube: CubeAnalysis) -> None:
    assert cube.doubled == min(cube.not_passed, cube.double_pass)
    assert cube.doubled <= cube.double_pass
    assert cube.doubled in (cube.double_take, cube.double_pass, cube.double_beaver)


@given(cubes)
def test_a_player_who_acts_best_has_the_most(cube: CubeAnalysis) -> None:
    assert cube.best >= cube.no_double
    assert cube.best >= cube.doubled
    assert cube.best in (cube.no_double, cube.doubled)


@given(cubes)
def test_a_beaver_is_an_answer_only_where_there_is_one(cube: CubeAnalysis) -> None:
    taken = cube.double_take if cube.double_beaver is None else cube.double_beaver
    assert cube.not_passed == taken


@given(equities, equities, equities, st.floats(0.0, 3.0))
def test_a_beaver_that_gains_the_opponent_something_costs_the_doubler_no_less(
    no_double: float, double_take: float, double_pass: float, gain: float
) -> None:
    plain = cube_analysis(no_double, double_take, double_pass)
    beavered = cube_analysis(no_double, double_take, double_pass, double_take - gain)
    assert beavered.doubled <= plain.doubled
    assert beavered.best <= plain.best


@given(st.lists(equities, min_size=1, max_size=8), st.data())
def test_the_error_of_a_play_is_what_the_best_one_has_over_it(
    values: list[float], data: st.DataObject
) -> None:
    ranked = sorted(values, reverse=True)
    played = data.draw(st.integers(0, len(ranked) - 1))
    analysis = checker_analysis(ranked, played)
    assert analysis.error == ranked[0] - ranked[played]
    assert (analysis.error == 0.0) == (ranked[played] == ranked[0])
    assert checker_analysis(ranked, 0).error == 0.0


def test_an_equal_play_that_has_a_last_bit_more_is_no_error() -> None:
    assert checker_analysis([0.1, 0.1 + 2**-54], 1).error == 0.0
