import re
from collections.abc import Callable

import pytest

from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.ids import parse_id
from master.contract.views import JobView
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from master.games.backgammon.rollout_texts import export_lines, xg_lines
from master.games.backgammon.typed import read_id
from tests.master.cli.shown import TWO_MOVES, alternative, job_view

MATCH = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:3:0:7:10"
CRAWFORD = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:6:3:1:7:10"


def moves_view(xgid: str) -> JobView:
    context = to_context(read_id(xgid), RolloutOptions(moves=("13/10 6/5", "8/5 6/5")))
    return job_view(context=context.to_text(), **TWO_MOVES)


CENTRED = "4HPwATDgc/ABMA"
PLAIN = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
OWNED = "XGID=aCBBBBA-----A---A-----cfA-:1:1:1:00:2:1:0:11:10"
LEADING = "XGID=-ABBBBBa-----Ba----cBb--h-:0:0:1:00:4:0:0:7:10"


def cube_view(no_double: float, double_take: float, position: str = CENTRED) -> JobView:
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
    assert "36 games of each: 2 plays of 31" in text
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
    lines = xg_lines(cube_view(no_double, double_take, position))
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
    lines = xg_lines(cube_view(no_double, -0.2))
    best = max(no_double, -0.4)
    diff = "" if best == -0.4 else f" ({-0.4 - best:+.3f})"
    assert f"       Double/Beaver: -0.400{diff}" in lines
    assert f"Best Cube action: {action}" in lines


def test_cubeless_equity_of_a_double_is_in_points_before_doubling() -> None:
    """At .5 wins and the gammons of both sides: +0.281 at any cube, twice that once doubled."""
    line = next(x for x in xg_lines(cube_view(0.7, 0.8)) if x.startswith("Cubeless"))
    assert line == "Cubeless Equities: No Double=+0.281, Double=+0.562"


def test_cubeless_equity_of_a_double_in_a_match_goes_by_the_score() -> None:
    """Each end of the game at twice the cube, weighed by its chance."""
    before = Cube(match_length=7, score=(4, 0))
    doubled, theirs = before.after_take(), before.after_take().swapped()
    won = {k: doubled.equity_to_mwc(doubled.outcome_equity(k)) for k in (1, 2, 3)}
    lost = {k: 1 - theirs.equity_to_mwc(theirs.outcome_equity(k)) for k in (1, 2, 3)}
    mwc = 0.375 * won[1] - 0.125 * won[2] + 0.25 * won[3]
    mwc += 0.4375 * lost[1] + 0.03125 * lost[2] + 0.03125 * lost[3]
    line = next(x for x in xg_lines(cube_view(0.7, 0.8, LEADING)) if x.startswith("Cubeless"))
    assert line.endswith(f"Double={before.mwc_to_equity(mwc):+.3f}")


def test_stake_stands_above_as_xg_writes_it() -> None:
    money = xg_lines(cube_view(0.7, 0.8))
    assert "X:Player 1   O:Player 2" in money
    assert "Score is X:0 O:0. Unlimited Game, Jacoby Beaver" in money
    assert "Score is X:0 O:0. Unlimited Game" in xg_lines(cube_view(0.7, 0.8, PLAIN))
    assert "Pip count  X: 167  O: 167 X-O: 0-0" in money
    owned = xg_lines(cube_view(0.7, 0.8, OWNED))
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
    (read,) = parser.parse_string("\n".join(xg_lines(cube_view(no_double, double_take, position))))
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
