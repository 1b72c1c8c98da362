import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings

from engine_ext.backgammon.context import RolloutContext
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState
from master.contract.views import JobView
from master.games.backgammon.drawing.board_svg import state_svg
from master.games.backgammon.rollout_report import (
    WORDS,
    best_play,
    export_lines,
    job_board,
    job_outcomes,
    ranked,
    rollout_lines,
    rollout_report,
    rollout_rows,
    state_of,
    xg_lines,
)
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from master.games.backgammon.typed import read_id
from tests.engine_ext.backgammon.states import game_states
from tests.master.cli.shown import POSITION, TWO_MOVES, alternative, job_view

NAMES = {"probs", "equity_cubeless", "equity_cubeful"}
PROBS = ["win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"]


def test_object_has_the_documented_keys() -> None:
    report = rollout_report(job_view(stopped_by="trials", **TWO_MOVES))
    assert list(report) == [
        "job", "trials", "stopped_by", "seed", "engine", "id", "settings", "alternatives",
    ]  # fmt: skip
    assert report["id"] == POSITION
    assert isinstance(report["settings"], dict)
    assert report["settings"]["seed"] == report["seed"]
    assert (report["job"], report["trials"], report["stopped_by"]) == (3, 36, "trials")
    assert (report["seed"], report["engine"]) == (5, "e" * 16)
    alternatives = report["alternatives"]
    assert isinstance(alternatives, list)
    first, second = alternatives
    differences = {"diff_to_best", "diff_std_error"}
    assert set(first) == {"name", "trials", "std_error", "mwc"} | NAMES | differences
    assert first["mwc"] is second["mwc"] is None
    assert set(first["std_error"]) == NAMES
    assert list(first["probs"]) == list(first["std_error"]["probs"]) == PROBS
    assert (first["name"], first["diff_to_best"], first["diff_std_error"]) == (
        "13/10 6/5", -0.25, 0.02,
    )  # fmt: skip
    assert (second["equity_cubeful"], second["std_error"]["equity_cubeful"]) == (0.35, 0.04)


def test_job_that_runs_is_stopped_by_nothing() -> None:
    assert rollout_report(job_view())["stopped_by"] is None


def test_object_before_the_first_round_is_empty() -> None:
    report = rollout_report(job_view(alternatives=()))
    assert (report["trials"], report["alternatives"]) == (0, [])
    assert rollout_lines(job_view(alternatives=())) == [
        "no trial of every alternative is finished yet"
    ]


def test_table_lists_the_best_first_with_errors_below() -> None:
    heading, best, best_errors, other, other_errors = rollout_lines(job_view(**TWO_MOVES))
    assert heading.split()[-3:] == ["Cubeless", "Cubeful", "Diff"]
    assert best.startswith(" 1. 8/5 6/5 ")
    assert best.split()[3:] == [
        "0.5000", "0.1250", "0.2500", "-", "0.5000", "0.0625", "0.0312", "+0.7500", "+0.3500",
    ]  # fmt: skip
    assert best_errors.strip().startswith("[0.0010")
    assert best_errors.endswith("0.0400]")
    assert other.endswith("+0.1000  -0.2500")
    assert other_errors.endswith("0.0100   0.0200]")
    assert heading.index("Diff") + 4 == len(heading) == len(other)


@pytest.mark.parametrize("width", [None, 60, 80, 120])
def test_match_play_has_its_winning_chance_beside_the_equity(width: int | None) -> None:
    view = moves_view(MATCH)
    cube = cube_of(read_id(MATCH).match)
    entries = rollout_report(view)["alternatives"]
    assert isinstance(entries, list)
    for entry, found in zip(entries, view.alternatives, strict=True):
        assert entry["mwc"] == cube.equity_to_mwc(found.means[-1])
    lines = rollout_lines(view, width)
    assert width is None or max(map(len, lines)) <= width
    if width != 60:
        assert "MWC" in lines[0]
        best, error = view.alternatives[ranked(view)[0]].means[-1], 0.01
        shown = "\n".join(lines)
        assert f"{100 * cube.equity_to_mwc(best):.2f}%" in shown
        spread = cube.equity_to_mwc(best + error) - cube.equity_to_mwc(best)
        assert f"{100 * spread:.2f}%" in shown
    assert not any("MWC" in line for line in rollout_lines(job_view(**TWO_MOVES), width))


def cube_view(no_double: float, double_take: float, rules: str) -> JobView:
    """A rollout of the cube question of the start."""
    position = f"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:{rules}:10"
    return cube_view_of(no_double, double_take, position)


@pytest.mark.parametrize(
    ("equities", "rules", "said"),
    [
        ((0.2, 0.3), "0:0", ("Doubled: take +0.3000, pass +1.0000", "double, take")),
        ((0.8, 1.2), "0:0", ("Doubled: take +1.2000, pass +1.0000", "double, pass")),
        ((1.1, 1.2), "0:0", ("Doubled: take +1.2000, pass +1.0000", "too good to double, pass")),
        # The better alternative is the double; not if it is beavered.
        (
            (-0.2, -0.15),
            "3:0",
            ("Doubled: take -0.1500, beaver -0.3000, pass +1.0000", "no double, beaver"),
        ),
        ((-0.2, -0.15), "1:0", ("Doubled: take -0.1500, pass +1.0000", "double, take")),
        ((0.3, 0.4), "0:7", ("Doubled: take +0.4000, pass +1.0000", "double, take")),
    ],
)
def test_cube_question_is_answered(
    equities: tuple[float, float], rules: str, said: tuple[str, str]
) -> None:
    doubled, action = said
    lines = rollout_lines(cube_view(*equities, rules))
    assert lines[-2:] == [doubled, f"Proper cube action: {action}"]
    assert not any("cube action" in line for line in rollout_lines(job_view(**TWO_MOVES)))


def test_names_go_above_the_numbers_where_the_terminal_is_narrow() -> None:
    lines = rollout_lines(job_view(**TWO_MOVES), 70)
    assert max(map(len, lines)) <= 70
    assert lines[1] == " 1. 8/5 6/5"
    assert lines[4] == " 2. 13/10 6/5  -0.2500 [0.0200]"
    assert rollout_lines(job_view(**TWO_MOVES), 200) == rollout_lines(job_view(**TWO_MOVES))


def test_error_of_a_single_trial_is_not_known() -> None:
    single = replace(alternative(0.25), trials=1, std_errors=(None,) * 7)
    _, values, errors = rollout_lines(job_view(alternatives=(single,)))
    assert values.endswith("+0.2500")
    assert errors.strip("[] ").split() == ["-"] * 9


def test_who_is_out_of_contention_is_said_and_comes_last() -> None:
    out = replace(alternative(0.9, diff=0.1), trials=12)
    names = ("13/10 6/5", "8/5 6/5", "24/20")
    two = job_view(**TWO_MOVES).alternatives
    view = job_view(alternative_names=names, alternatives=(*two, out), stop_settled=2.33)
    lines = rollout_lines(view)
    assert [line.split()[1] for line in lines[1:-1:2]] == ["8/5", "13/10", "24/20"]
    assert lines[-1] == "Out of contention: 24/20 after 12"


def test_chance_that_rounds_to_zero_has_no_minus_anywhere() -> None:
    found = replace(alternative(-0.00001), means=(-0.00001,) * 7)
    view = job_view(alternatives=(found,))
    texts = [rollout_lines(view), rollout_lines(view, 40), rollout_rows(view, 80)]
    texts += [export_lines(view), xg_lines(view), [best_play(view)]]
    for lines in texts:
        assert not re.search(r"-0[.]0+(?![0-9])", "\n".join(lines))
        assert re.search(r"0[.]000", "\n".join(lines))


def test_alternatives_that_are_equal_are_ranked_by_cubeless_equity() -> None:
    worse, better = (
        replace(alternative(-1.0), means=(0.1, 0.0, 0.0, 0.0, 0.0, cubeless, -1.0))
        for cubeless in (-0.9, -0.7)
    )
    names = ("6/1 6/2", "5/off 4/off")
    assert ranked(job_view(alternative_names=names, alternatives=(worse, better))) == [1, 0]


def test_best_play_has_its_equity_and_error() -> None:
    assert WORDS.best(job_view(**TWO_MOVES)) == "8/5 6/5 +0.3500 [0.0400]"


@pytest.mark.parametrize("width", range(60, 141, 10))
def test_rows_fit_and_stand_below_their_headings(width: int) -> None:
    heading, *rows = WORDS.rows(job_view(**TWO_MOVES), width)
    assert [row.split()[:2] for row in rows] == [["1.", "8/5"], ["2.", "13/10"]]
    assert max(map(len, (heading, *rows))) <= width
    assert ("W bg" in heading) == (width >= 100)


@settings(max_examples=50)
@given(game_states)
def test_position_of_a_rollout_is_the_one_that_was_asked_about(state: GameState) -> None:
    match = replace(state.match, dice=None, is_double_offered=False, resignation=0)
    if state.position.result or max(match.cube_value, 0) > 4096:
        return
    asked = replace(state, match=match)
    found = state_of(to_context(asked, RolloutOptions()))
    assert found.position == asked.position
    ours = ("cube_value", "cube_owner", "match_length", "crawford", "jacoby", "beavers", "dice")
    assert [getattr(found.match, name) for name in ours] == [getattr(match, name) for name in ours]
    if match.match_length:
        assert found.match.score == match.score


def test_board_has_the_roll_whose_moves_are_compared() -> None:
    context = to_context(read_id(POSITION), RolloutOptions(dice=(3, 1), candidates=2))
    state = state_of(context)
    assert state.match.dice == (3, 1)
    assert job_board(job_view(context=context.to_text())) == state_svg(state)
    plain = RolloutContext.from_text(job_view().context)
    assert state_of(plain).match.dice is None


def test_outcomes_are_distinguished_from_the_best_to_the_worst() -> None:
    first, _ = job_outcomes(job_view(**TWO_MOVES))
    assert [(each.share, each.is_won) for each in first] == [
        (0.25, True), (-0.125, True), (0.375, True),
        (0.4375, False), (0.03125, False), (0.03125, False),
    ]  # fmt: skip


MATCH = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:3:0:7:10"
CRAWFORD = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:6:3:1:7:10"


def moves_view(xgid: str) -> JobView:
    context = to_context(read_id(xgid), RolloutOptions(moves=("13/10 6/5", "8/5 6/5")))
    return job_view(context=context.to_text(), **TWO_MOVES)


CENTRED = "4HPwATDgc/ABMA"
PLAIN = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
OWNED = "XGID=aCBBBBA-----A---A-----cfA-:1:1:1:00:2:1:0:11:10"
LEADING = "XGID=-ABBBBBa-----Ba----cBb--h-:0:0:1:00:4:0:0:7:10"


def cube_view_of(no_double: float, double_take: float, position: str = CENTRED) -> JobView:
    context = to_context(read_id(position), RolloutOptions(is_cube=True))
    return job_view(
        context=context.to_text(),
        alternative_names=("no double", "double, take"),
        alternatives=(alternative(no_double), alternative(double_take, diff=-0.1)),
    )


@pytest.mark.parametrize("xgid", [MATCH, CRAWFORD])
@pytest.mark.parametrize("lines", [export_lines, xg_lines])
def test_ids_lead_back_to_what_was_asked(xgid: str, lines: Callable[[JobView], list[str]]) -> None:
    xg, gnubg, *_ = lines(moves_view(xgid))
    asked = read_id(xgid)
    for text in (xg, gnubg.removeprefix("GNUBG ID: ")):
        read = parse_id(text)
        assert read.position == asked.position
        for name in ("score", "match_length", "crawford", "cube_value", "cube_owner", "dice"):
            assert getattr(read.match, name) == getattr(asked.match, name), name


def test_text_is_ascii_and_says_stake_question_settings_and_engine() -> None:
    view = moves_view(MATCH)
    text = "\n".join(export_lines(view))
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 90
    assert "X 2, O 3, match to 7\n" in text
    assert "X to play 31\n" in text
    assert "36 games of each: 2 candidates for 3-1" in text
    assert text.endswith(f"engine {view.engine}")
    assert "Crawford game" in "\n".join(export_lines(moves_view(CRAWFORD)))


def test_moves_are_listed_in_the_words_of_xg_best_first() -> None:
    text = "\n".join(xg_lines(moves_view(MATCH)))
    assert re.findall(r"(\d)\. Rollout +(\S+ \S+) +(eq:.*)", text) == [
        ("1", "8/5 6/5", "eq:+0.350"),
        ("2", "13/10 6/5", "eq:+0.100 (-0.250)"),
    ]
    assert "Player:   50.00% (G:12.50% B:25.00%)" in text
    assert "Confidence: ± 0.078 (+0.272..+0.428)" in text


CUBE_CASES = [
    (CENTRED, 0.7, 0.8, ["+0.700 (-0.100)", "+0.800", "+1.000 (+0.200)"], "Double / Take"),
    (CENTRED, 0.9, 1.2, ["+0.900 (-0.100)", "+1.200 (+0.200)", "+1.000"], "Double / Pass"),
    (CENTRED, 0.7, 0.6, ["+0.700", "+0.600 (-0.100)", "+1.000 (+0.300)"], "No double / Take"),
    (
        PLAIN, 1.1, 1.3, ["+1.100", "+1.300 (+0.200)", "+1.000 (-0.100)"],
        "Too good to double / Pass",
    ),
    (
        PLAIN, 1.1, 0.9, ["+1.100", "+0.900 (-0.200)", "+1.000 (-0.100)"],
        "Too good to double / Take",
    ),
    (OWNED, 0.4, 0.5, ["+0.400 (-0.100)", "+0.500", "+1.000 (+0.500)"], "Redouble / Take"),
    (OWNED, 0.4, 0.3, ["+0.400", "+0.300 (-0.100)", "+1.000 (+0.600)"], "No redouble / Take"),
    (OWNED, 0.9, 1.1, ["+0.900 (-0.100)", "+1.100 (+0.100)", "+1.000"], "Redouble / Pass"),
    (
        OWNED, 1.1, 1.4, ["+1.100", "+1.400 (+0.300)", "+1.000 (-0.100)"],
        "Too good to redouble / Pass",
    ),
    (LEADING, 0.7, 0.9, ["+0.700 (-0.200)", "+0.900", "+1.000 (+0.100)"], "Double / Take"),
]  # fmt: skip
"""Position, both equities, the three answers as they are printed, and the action."""


@pytest.mark.parametrize(("position", "no_double", "double_take", "answers", "action"), CUBE_CASES)
def test_cube_answers_are_worded_as_xg_words_them(
    position: str, no_double: float, double_take: float, answers: list[str], action: str
) -> None:
    lines = xg_lines(cube_view_of(no_double, double_take, position))
    double = "Redouble" if position == OWNED else "Double"
    start = lines.index("Cubeful Equities:") + 1
    labels = (f"No {double.lower()}:", f"{double}/Take:", f"{double}/Pass:")
    read = [re.fullmatch(r" {7}(\S.*:) +([-+].*)", line) for line in lines[start : start + 3]]
    assert [each.groups() for each in read if each] == list(zip(labels, answers, strict=True))
    assert f"Best Cube action: {action}" in lines
    assert "Analyzed in Rollout" in lines
    assert "X on roll, cube action" in lines
    low, high = no_double - 0.0196, no_double + 0.0196
    assert f"  Confidence No Double: ± 0.020 ({low:+.3f}..{high:+.3f})" in lines


@pytest.mark.parametrize(
    ("no_double", "action"), [(0.1, "No double / Beaver"), (-0.5, "Double / Beaver")]
)
def test_beaver_has_a_line_and_is_named(no_double: float, action: str) -> None:
    lines = xg_lines(cube_view_of(no_double, -0.2))
    best = max(no_double, -0.4)
    diff = "" if best == -0.4 else f" ({-0.4 - best:+.3f})"
    assert f"       Double/Beaver: -0.400{diff}" in lines
    assert f"Best Cube action: {action}" in lines


def test_cubeless_equity_of_a_double_is_in_points_before_doubling() -> None:
    """At .5 wins and the gammons of both sides: +0.281 at any cube, twice that once doubled."""
    line = next(x for x in xg_lines(cube_view_of(0.7, 0.8)) if x.startswith("Cubeless"))
    assert line == "Cubeless Equities: No Double=+0.281, Double=+0.562"


def test_cubeless_equity_of_a_double_in_a_match_goes_by_the_score() -> None:
    """Each end of the game at twice the cube, weighed by its chance."""
    before = Cube(match_length=7, score=(4, 0))
    doubled, theirs = before.after_take(), before.after_take().swapped()
    won = {k: doubled.equity_to_mwc(doubled.outcome_equity(k)) for k in (1, 2, 3)}
    lost = {k: 1 - theirs.equity_to_mwc(theirs.outcome_equity(k)) for k in (1, 2, 3)}
    mwc = 0.375 * won[1] - 0.125 * won[2] + 0.25 * won[3]
    mwc += 0.4375 * lost[1] + 0.03125 * lost[2] + 0.03125 * lost[3]
    line = next(x for x in xg_lines(cube_view_of(0.7, 0.8, LEADING)) if x.startswith("Cubeless"))
    assert line.endswith(f"Double={before.mwc_to_equity(mwc):+.3f}")


def test_stake_stands_above_as_xg_writes_it() -> None:
    money = xg_lines(cube_view_of(0.7, 0.8))
    assert "X:Player 1   O:Player 2" in money
    assert "Score is X:0 O:0. Unlimited Game, Jacoby Beaver" in money
    assert "Score is X:0 O:0. Unlimited Game" in xg_lines(cube_view_of(0.7, 0.8, PLAIN))
    assert "Pip count  X: 167  O: 167 X-O: 0-0" in money
    owned = xg_lines(cube_view_of(0.7, 0.8, OWNED))
    assert "Score is X:2 O:1 11 pt.(s) match." in owned
    assert "Cube: 2, X own cube" in owned
    theirs = xg_lines(moves_view(MATCH))
    assert "Cube: 2, O own cube" in theirs
    assert "X to play 31" in theirs
    assert any(line.endswith("6-3/7 Crawford") for line in xg_lines(moves_view(CRAWFORD)))


ANKI_PARSER = "ankigammon.parsers.xg_text_parser"


@pytest.mark.reference
@pytest.mark.parametrize(("position", "no_double", "double_take", "answers", "action"), CUBE_CASES)
def test_ankigammon_reads_a_cube_rollout(
    position: str, no_double: float, double_take: float, answers: list[str], action: str
) -> None:
    parser = pytest.importorskip(ANKI_PARSER, reason="ankigammon is not installed").XGTextParser
    (read,) = parser.parse_string(
        "\n".join(xg_lines(cube_view_of(no_double, double_take, position)))
    )
    asked = read_id(position).match
    assert read.decision_type.name == "CUBE_ACTION"
    assert (read.match_length, read.cube_value) == (asked.match_length, asked.cube_value)
    assert (read.player_win_pct, read.player_gammon_pct, read.opponent_gammon_pct) == (
        50.0, 12.5, 6.25,
    )  # fmt: skip
    assert read.cubeless_equity is not None
    assert read.double_cubeless_equity is not None
    given = [(move.equity, move.xg_error) for move in read.candidate_moves if move.from_xg_analysis]
    reported = [re.findall(r"[-+][\d.]+", answer) for answer in answers]
    assert given == [(float(each[0]), float(each[1]) if each[1:] else 0.0) for each in reported]
    best = read.get_best_move().notation.replace("Redouble", "Double")
    kept = action.replace("Redouble", "Double").replace("redouble", "double")
    assert best == kept.replace(" / ", "/").replace("No d", "No D").replace(" to double", "")


@pytest.mark.reference
@pytest.mark.parametrize("xgid", [MATCH, CRAWFORD])
def test_ankigammon_reads_a_rollout_of_plays(xgid: str) -> None:
    parser = pytest.importorskip(ANKI_PARSER, reason="ankigammon is not installed").XGTextParser
    (read,) = parser.parse_string("\n".join(xg_lines(moves_view(xgid))))
    assert read.decision_type.name == "CHECKER_PLAY"
    assert read.dice == (3, 1)
    assert read.crawford == (xgid == CRAWFORD)
    assert [
        (move.notation, move.equity, move.xg_error, move.rank, move.analysis_level)
        for move in read.candidate_moves
    ] == [
        ("8/5 6/5", 0.35, 0.0, 1, "Rollout"),
        ("13/10 6/5", 0.1, -0.25, 2, "Rollout"),
    ]
    assert read.candidate_moves[0].player_win_pct == 50.0
    assert read.candidate_moves[0].opponent_backgammon_pct == 3.12


def test_job_without_a_result_has_none() -> None:
    for lines in (export_lines, xg_lines):
        assert "no trial of every alternative is finished yet" in lines(job_view(alternatives=()))
