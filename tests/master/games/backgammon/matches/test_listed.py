import pytest

from engine_ext.backgammon.analysis import ActionAnalysis, CheckerAnalysis, CubeAnalysis
from engine_ext.backgammon.analysis_text import analysis_to_text
from engine_ext.backgammon.questions import AnalyseQuestion, AnalysisSettings, DecisionKind
from master.games.backgammon.matches.id_list import (
    AnalysedDecision,
    ListedDecision,
    answered_list,
    ask_about_list,
    read_id_list,
)
from master.games.backgammon.matches.judging import ActionChoice
from tests.master.games.backgammon.matches.analysed_matches import checker, cube

ENGINE = "0123456789abcdef"
SETTINGS = AnalysisSettings(0, 0)
MONEY = "4HPwATDgc/ABMA:cAkAAAAAAAAA"
DOUBLED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10"
CRAWFORD = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:6:1:7:10"


def listed(line: str) -> list[ListedDecision]:
    return read_id_list(line, "list.txt")


def question(line: str) -> AnalyseQuestion:
    faults = list[str]()
    ((_, asked),) = ask_about_list(listed(line), SETTINGS, ENGINE, "list.txt", faults=faults)
    assert not faults
    return asked


def known(line: str, analysis: ActionAnalysis) -> AnalysedDecision:
    (answered,) = answered_list(listed(line), [analysis_to_text(analysis)])
    return answered


def test_roll_asks_about_its_moves_alone() -> None:
    asked = question(f"{MONEY} 31 8/5 6/5")
    assert (asked.kind, asked.dice) == (DecisionKind.MOVE, (3, 1))
    assert asked.played == ((8, 5), (6, 5))
    assert (asked.settings.cube_ply, asked.settings.luck_ply) == (None, None)


@pytest.mark.parametrize("line", [MONEY, f"{MONEY} double", DOUBLED, f"{DOUBLED} take"])
def test_anything_else_asks_about_the_cube(line: str) -> None:
    assert question(line).kind is DecisionKind.CUBE


def test_question_that_is_none_is_named_and_left_out() -> None:
    lines, faults = listed(f"# the leader\n{CRAWFORD}\n{MONEY}"), list[str]()
    ((line, _),) = ask_about_list(lines, SETTINGS, ENGINE, "list.txt", faults=faults)
    assert line.line == 3
    (fault,) = faults
    assert fault.startswith("list.txt:2: nothing is to decide")


def test_what_was_done_is_judged() -> None:
    answered = known(f"{MONEY} 31 8/5 6/5", checker(0.125))
    assert isinstance(answered.known, CheckerAnalysis)
    assert answered.judgement is not None
    assert answered.judgement.error == 0.125
    taken = known(f"{DOUBLED} take", cube(0.875, 1.25))
    assert taken.judgement is not None
    assert (taken.judgement.choice, taken.judgement.error) == (ActionChoice.TAKE, 0.25)


def test_line_that_says_nothing_of_it_is_not_judged() -> None:
    assert known(f"{MONEY} 31", checker(0.125)).judgement is None
    answered = known(MONEY, cube(0.5, 0.25))
    assert isinstance(answered.known, CubeAnalysis)
    assert answered.judgement is None
