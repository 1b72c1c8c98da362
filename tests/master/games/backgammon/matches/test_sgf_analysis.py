import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.analysis import (
    ActionAnalysis,
    CheckerAnalysis,
    CubeAnalysis,
    MoveAnalysis,
)
from engine_ext.backgammon.board import START
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.match_state import MatchState
from engine_ext.backgammon.ranking import Probs
from master.games.backgammon.matches.record import Play
from master.games.backgammon.matches.sgf_analysis import (
    Decision,
    point_letter,
    point_slot,
    read_analysis,
    read_exact_checker,
    read_exact_cube,
    read_number,
    read_numbers,
    read_steps,
    write_analysis,
    write_exact_checker,
    write_exact_cube,
    write_steps,
)
from master.games.backgammon.matches.sgf_tree import Node, parse_sgf
from master.games.errors import RecordError

PLAY = Play(0, (2, 1), ((24, 23), (13, 11)))
PLAYING = Decision(0, START, MatchState(), PLAY)
DOUBLING = Decision(0, START, MatchState())
IN_MATCH = Decision(0, START, MatchState(match_length=3))


# By gnubg 1.07, in a match to 3 points; what it shows of it, in the text that it exports.
MOVE = "[xwmk E ver 3 0.498605 0.137005 0.007681 0.141408 0.006638 -0.009084 0C 0 1 0.000000 1]"
OTHER = "[xvvu E ver 3 0.495860 0.124797 0.005664 0.134831 0.004531 -0.024934 0C 0 1 0.000000 1]"
ROLLED_OUT = (
    "X ver 3 Eq Trials 36 NoDouble Output 0.5588673949 0.1772249937 0.006476971321 0.1009186655 "
    "0.003482635366 0.2412965596 0.5314312577 StdDev 0.00170487666 0.001441146713 0.0002160414588 "
    "0.0009796251543 8.630783122e-05 0.005025522318 0.0008892400074 DoubleTake Output 0.5581489801 "
    "0.1764147878 0.006477205083 0.1017940417 0.003572074464 0.1904662549 0.5076980591 StdDev "
    "0.001756540267 0.001493614633 0.0002146367333 0.0008723660139 8.954656369e-05 0.004689097404 "
    "0.001354658394 SK 0 RC 1 1 0 1 0 1 2 1 1 5"
)
SHOWN_ROLLED_OUT = (0.316, 0.077, 0.241, 0.009)  # no double, double/take, cubeless, error
ROLLED_OUT_MOVE = (
    "[xwmk X ver 3 Score 0.4275529087 0.2833034098 Trials 36 Output 0.5833758712 0.1940978616 "
    "0.006128344219 0.09974830598 0.003773911158 0.2833034098 0.5425286889 StdDev 0.001581954886 "
    "0.001552647213 0.000207343779 0.0009649267304 5.783587039e-05 0.00829500705 0.0009185205563 "
    "SK 0 RC 1 1 0 1 0 1 2 1 1 5]"
)
SHOWN_MOVE_ERROR = 0.009


def node(text: str) -> Node:
    return parse_sgf(f"(;{text})", "a.sgf")[0].nodes[0]


def read_checker(text: str) -> CheckerAnalysis:
    analysis = read_analysis(node(text), PLAYING)
    assert analysis is not None
    assert analysis.checker is not None
    return analysis.checker


@given(st.integers(0, 1), st.lists(st.tuples(st.integers(1, 25), st.integers(0, 24)), max_size=4))
def test_steps_read_back_are_those_written(player: int, steps: list[tuple[int, int]]) -> None:
    assert read_steps(player, write_steps(player, steps)) == tuple(steps)


def test_letters_are_whites_points() -> None:
    assert [point_letter(0, slot) for slot in (1, 24, 25, 0)] == ["a", "x", "y", "z"]
    assert [point_letter(1, slot) for slot in (1, 24, 25, 0)] == ["x", "a", "y", "z"]
    assert [point_slot(1, letter) for letter in "xayz"] == [1, 24, 25, 0]


@pytest.mark.parametrize("letters", ["a", "abc", "zb", "a1", "abababababab"])
def test_other_letters_are_no_move(letters: str) -> None:
    with pytest.raises(RecordError, match="expected a move of up to four pairs of letters"):
        read_steps(0, letters)


def test_moves_are_the_movers() -> None:
    checker = read_checker(f"A[0]{MOVE}{OTHER}LU[-0.00908]")
    best = checker.moves[0]
    assert (best.text, best.level, checker.played) == ("24/23 13/11", "0-ply", 0)
    assert best.probs == Probs(0.498605, 0.137005, 0.007681, 0.141408, 0.006638)
    assert (best.equity_cubeful, best.std_error) == (-0.009084, None)
    assert best.equity_cubeless == Cube().cubeless_equity(best.probs)
    assert not checker.is_forced


def test_played_move_is_found_wherever_it_stands() -> None:
    assert read_checker(f"A[7]{OTHER}{MOVE}").played == 1
    with pytest.raises(RecordError, match="expected the move that was played"):
        read_checker(f"A[0]{OTHER}")


@pytest.mark.parametrize(
    ("evaluation", "level"),
    [
        ("E 0.5 0.1 0 0.1 0 0.01 2C 0 1 0.0", "2-ply"),
        ("E ver 2 0.5 0.1 0 0.1 0 0.01 1C 0 1 0.0 0", "1-ply"),
        ("E ver 3 0.5 0.1 0 0.1 0 0.01 4 0 1 0.0 1", "4-ply cubeless"),
    ],
)
def test_evaluations_of_all_versions_are_read(evaluation: str, level: str) -> None:
    (move,) = read_checker(f"A[0][xwmk {evaluation}]").moves
    assert (move.level, move.equity_cubeful, move.probs[0]) == (level, 0.01, 0.5)


@pytest.mark.parametrize(
    "value",
    [
        "E 0 0 0 0 2C 0 1 0.0 {0} {1}",
        "E ver 2 2C 0 1 0.0 1 {0} {1}",
        "E ver 3 2C 1 0.000000 1 {0} {1}",
    ],
)
def test_cube_evaluations_of_all_versions_are_read(value: str) -> None:
    outputs = ("0.5 0.1 0 0.1 0 0.25 0.3", "0.5 0.1 0 0.1 0 0.25 -0.2")
    analysis = read_analysis(node(f"DA[{value.format(*outputs)}]"), DOUBLING)
    assert analysis is not None
    assert analysis.cube is not None
    cube = analysis.cube
    assert (cube.no_double, cube.double_take, cube.double_pass) == (0.3, -0.2, 1.0)
    assert (cube.level, cube.equity_cubeless, cube.probs.lose_gammon) == ("2-ply", 0.25, 0.1)
    assert cube.action == "no double, beaver"


def test_cubeful_numbers_of_cubes_in_a_match_are_winning_chances() -> None:
    cube = read_analysis(node(f"DA[{ROLLED_OUT}]"), IN_MATCH)
    assert cube is not None
    assert cube.cube is not None
    found = cube.cube
    shown = (found.no_double, found.double_take, found.equity_cubeless, found.std_error)
    assert shown == pytest.approx(SHOWN_ROLLED_OUT, abs=0.0006)
    assert (found.level, found.action) == ("rollout 36", "no double")


def test_rolled_out_moves_are_read() -> None:
    decision = Decision(0, START, MatchState(match_length=3), PLAY)
    analysis = read_analysis(node(f"A[0]{ROLLED_OUT_MOVE}"), decision)
    assert analysis is not None
    assert analysis.checker is not None
    (move,) = analysis.checker.moves
    assert (move.level, move.equity_cubeful) == ("rollout 36", 0.4275529087)
    assert move.equity_cubeless == 0.2833034098
    assert move.std_error == pytest.approx(SHOWN_MOVE_ERROR, abs=0.0006)


def test_one_legal_move_is_forced() -> None:
    play = Play(0, (6, 6), ((24, 18), (24, 18), (13, 7), (13, 7)))
    listed = "A[0][xrxrmgmg E ver 3 0.5 0.1 0 0.1 0 0.01 2C 0 1 0 1]"
    analysis = read_analysis(node(listed), Decision(0, START, MatchState(), play))
    assert analysis is not None
    assert analysis.checker is not None
    assert not analysis.checker.is_forced


def test_nothing_said_is_nothing_known() -> None:
    assert read_analysis(node("W[21xwmk]MR[]"), PLAYING) is None
    assert read_analysis(node("A[0][xwmk ]"), PLAYING) is None
    assert read_analysis(node("LU[-inf]"), PLAYING) is None


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("A[0][xwmk Q 1]", "expected an evaluation, E, or a rollout, X, not 'Q'"),
        ("A[0][xwmk E ver 3 0.5]", "expected 6 numbers, found 1"),
        ("A[0][xwmk E ver 3 2 0 0 0 0 0 2C]", "a probability lies between 0 and 1"),
        ("A[0][xwmk E ver 3 0.5 0 0 0 0 0 C]", "expected the plies of an evaluation"),
        ("A[0][xwmk X ver 3 Score 1 2]", "expected Output and 7 numbers in a rollout"),
        ("A[0][ab E ver 3 0.5 0 0 0 0 0 2C]", "illegal play"),
        ("DA[E ver 3 0C 1 2]", "expected 14 numbers"),
        ("DA[]", "expected an evaluation, E, or a rollout, X, not ''"),
        ("LU[x]", "expected a number, not 'x'"),
    ],
)
def test_what_gnubg_does_not_write_is_refused(text: str, error: str) -> None:
    with pytest.raises(RecordError, match=error):
        read_analysis(node(text), PLAYING)


def test_cubes_beyond_the_engines_are_kept_in_properties_of_ours() -> None:
    match = MatchState(cube_value=8192, cube_owner=0)
    analysis = read_analysis(node(f"DA[{ROLLED_OUT}]"), DOUBLING)
    assert analysis is not None
    properties = write_analysis(analysis, Decision(0, START, match))
    assert [name for name, _ in properties] == ["XD"]
    assert read_analysis(Node(tuple(properties)), Decision(0, START, match)) == analysis
    with pytest.raises(RecordError, match="expected no analysis at a cube that shows 8192"):
        read_analysis(node(f"DA[{ROLLED_OUT}]"), Decision(0, START, match))


def test_what_follows_from_gnubgs_properties_is_written_once() -> None:
    analysis = read_analysis(node(f"A[0]{MOVE}{OTHER}LU[-0.00908]"), PLAYING)
    assert analysis is not None
    assert [name for name, _ in write_analysis(analysis, PLAYING)] == ["A", "LU"]


def test_illegal_moves_are_not_written() -> None:
    probs = Probs(0.5, 0.0, 0.0, 0.0, 0.0)
    checker = CheckerAnalysis((MoveAnalysis("1/off", "0-ply", 0.0, 0.0, probs),), 0, False)
    with pytest.raises(RecordError, match="expected legal moves in an analysis, not 1/off"):
        write_analysis(ActionAnalysis(checker), PLAYING)


numbers = st.floats(allow_nan=False, allow_infinity=False)
probs = st.builds(Probs, numbers, numbers, numbers, numbers, numbers)
texts = st.text(st.characters(exclude_characters="\t\v\f\r\n", codec="utf-8"), max_size=9)
errors = st.none() | numbers
moves = st.builds(MoveAnalysis, texts, texts, numbers, numbers, probs, errors)
cubes = st.builds(
    CubeAnalysis, texts, numbers, numbers, numbers, texts, numbers, probs, errors, errors
)


@st.composite
def checkers(draw: st.DrawFn) -> CheckerAnalysis:
    listed = draw(st.lists(moves, min_size=1, max_size=3))
    played = draw(st.integers(0, len(listed) - 1))
    return CheckerAnalysis(tuple(listed), played, draw(st.booleans()))


@given(checkers())
def test_moves_read_back_are_those_written(checker: CheckerAnalysis) -> None:
    assert read_exact_checker(write_exact_checker(checker)) == checker


@given(cubes)
def test_cube_read_back_is_the_one_written(cube: CubeAnalysis) -> None:
    assert read_exact_cube(write_exact_cube(cube)) == cube


@given(st.lists(st.text(st.sampled_from("0123456789.:e-\\ a"), max_size=20), min_size=1))
def test_any_values_are_read_or_refused(values: list[str]) -> None:
    for read in (lambda: read_exact_checker(values), lambda: read_exact_cube(values[0])):
        try:
            read()
        except RecordError:
            continue


@pytest.mark.parametrize("head", ["1:0", "0", "0:2", "a:0", "0:0:0"])
def test_played_move_must_be_listed(head: str) -> None:
    move = "8/5:0-ply:0 0 0 0 0 0 0:"
    assert read_exact_checker(["0:1", move]).is_forced
    with pytest.raises(RecordError, match=r"expected XA\[played:0 or 1\]"):
        read_exact_checker([head, move])


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("a:b", "expected 5 parts between colons in XD, found 2"),
        ("a:b:1 2::", "expected 9 numbers, found 2"),
        ("a:b:1 2 3 4 5 6 7 8 9:x:", "expected a number, not 'x'"),
    ],
)
def test_other_counts_of_fields_are_refused(value: str, error: str) -> None:
    with pytest.raises(RecordError, match=error):
        read_exact_cube(value)


@pytest.mark.parametrize("word", ["", "x", "nan", "inf", "-inf"])
def test_only_finite_numbers_are_read(word: str) -> None:
    with pytest.raises(RecordError, match="expected a number"):
        read_number(word)


def test_numbers_are_counted() -> None:
    assert read_numbers(["1", "-2.5e-3"], 2) == (1.0, -0.0025)
    with pytest.raises(RecordError, match="expected 3 numbers, found 1"):
        read_numbers(["1"], 3)
