import re
from collections.abc import Callable

import pytest

from engine_ext.backgammon.ids import parse_id
from master.cli.backgammon.rollout_texts import export_lines, xg_lines
from master.contract.views import JobView
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from master.games.backgammon.typed import read_id
from tests.master.cli.shown import TWO_MOVES, alternative, job_view

MATCH = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:3:0:7:10"
CRAWFORD = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:6:3:1:7:10"


def moves_view(xgid: str) -> JobView:
    context = to_context(read_id(xgid), RolloutOptions(moves=("13/10 6/5", "8/5 6/5")))
    return job_view(context=context.to_text(), **TWO_MOVES)


def cube_view(no_double: float, double_take: float) -> JobView:
    context = to_context(read_id("4HPwATDgc/ABMA"), RolloutOptions(is_cube=True))
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
    assert "Conf.: +- 0.078 (+0.272...+0.428) [95%]" in text


@pytest.mark.parametrize(
    ("no_double", "double_take", "answers", "action"),
    [
        (0.7, 0.8, ["+0.700 (-0.100)", "+0.800", "+1.000 (+0.200)"], "double, take"),
        (0.9, 1.2, ["+0.900 (-0.100)", "+1.200 (+0.200)", "+1.000"], "double, pass"),
    ],
)
def test_cube_action_is_told_with_all_three_answers(
    no_double: float, double_take: float, answers: list[str], action: str
) -> None:
    lines = xg_lines(cube_view(no_double, double_take))
    table = "\n".join(lines)
    assert re.findall(r"(?:No double|Double/Take|Double/Pass): +([-+(].*)", table) == answers
    assert f"Proper cube action: {action}" in lines
    assert "X on roll, cube action?" in lines


def test_job_without_a_result_has_none() -> None:
    for lines in (export_lines, xg_lines):
        assert "no trial of every alternative is finished yet" in lines(job_view(alternatives=()))
