from pathlib import Path

import pytest

from engine_ext.backgammon.questions import AnalysisSettings
from master.cli.backgammon.analysing import analyse_asking
from master.cli.backgammon.analysing.analyse_asking import AnswerOptions
from master.cli.backgammon.analysing.analyse_depth import Depth
from master.cli.backgammon.analysing.analyse_here import answer_here
from master.cli.jobs import answering
from master.cli.place import Place
from tests.master.cli.shown import match_questions

SHALLOW = Depth(AnalysisSettings(0, 0))


def test_little_is_answered_on_this_core_and_not_kept(state_dir: Path) -> None:
    questions = match_questions(3)
    assert (
        AnswerOptions(SHALLOW, Place(), True).answers(questions * 2) == answer_here(questions) * 2
    )
    assert not state_dir.exists()


@pytest.mark.sockets
@pytest.mark.slow
def test_what_is_kept_starts_no_fleet(monkeypatch: pytest.MonkeyPatch) -> None:
    questions, options = match_questions(4), AnswerOptions(SHALLOW, Place(local=1), True)
    first = options.answers(questions)

    def refuse(*args: object, **options: object) -> list[str]:
        raise AssertionError("a fleet is started")

    monkeypatch.setattr(answering, "answer_by_fleet", refuse)
    assert options.answers(questions[1:]) == first[1:]


@pytest.mark.parametrize("most", [2, 3])
def test_much_is_shared_out(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    asked: list[str] = []

    def answer(place: Place, questions: list[str], *, is_quiet: bool) -> list[str]:
        asked.extend(questions)
        return [f"to {text}" for text in questions]

    monkeypatch.setattr(answering, "answer_by_fleet", answer)
    monkeypatch.setattr(analyse_asking, "QUESTIONS_HERE_MAX", most)
    questions = match_questions(3)
    AnswerOptions(SHALLOW, Place(), True).answers([*questions, questions[0]])
    assert asked == (questions if most < 3 else [])
