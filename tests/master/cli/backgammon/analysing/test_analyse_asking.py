from pathlib import Path

import pytest

from engine_ext.backgammon.questions import AnalysisSettings
from master.cli.backgammon.analysing.analyse_asking import AnswerOptions, answer_here
from master.cli.backgammon.analysing.analyse_depth import Depth
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


def test_each_question_is_asked_once_and_all_of_them_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[list[str]] = []

    def answer(place: Place, questions: list[str], *, is_quiet: bool) -> list[str]:
        calls.append(questions)
        return [f"to {text}" for text in questions]

    monkeypatch.setattr(answering, "answer_by_fleet", answer)
    first, second = match_questions(2)
    options = AnswerOptions(Depth(AnalysisSettings(2, 2)), Place(), is_quiet=True)
    answers = options.answers([first, second, first])
    assert calls == [[first, second]]
    assert answers == [f"to {first}", f"to {second}", f"to {first}"]
