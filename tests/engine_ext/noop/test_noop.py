"""The network's own game costs what its rounds say, and its answers are functions of their text."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.contexts import ContextError
from engine_ext.control import RunControl
from engine_ext.noop.front import FRONT
from engine_ext.noop.question import NUMBER_MAX, answer, noop_question
from engine_ext.noop.runner import engine_digest, noop_context, power_work, runner
from engine_ext.noop.trials import run_noop


@given(st.integers(0, 50), st.integers(0, NUMBER_MAX))
def test_the_answer_depends_on_the_question_alone(rounds: int, number: int) -> None:
    question = noop_question(rounds, number)
    assert answer(question, RunControl()) == services.answer(question, RunControl())


def test_questions_have_answers_of_their_own() -> None:
    questions = [noop_question(rounds, number) for rounds in range(5) for number in range(5)]
    assert len({answer(question, RunControl()) for question in questions}) == 25


def test_a_stopped_question_has_no_answer() -> None:
    control = RunControl()
    threading.Timer(0.02, control.stop).start()
    assert answer(noop_question(10**12), control) is None


@pytest.mark.parametrize(
    "text",
    [
        "noop-question/1",
        "noop-question/1 rounds=1",
        "noop-question/1 rounds=-1 number=0",
        "noop-question/1 rounds=01 number=0",
        "noop-question/1 rounds=9999999999999 number=0",
        "noop-question/1 rounds=0 number=4294967297",
        "noop-question/1 rounds=0 number=0 ",
    ],
)
def test_a_bad_question_is_refused(text: str) -> None:
    with pytest.raises(ContextError, match="expected") as caught:
        answer(text, RunControl())
    assert caught.value.code == "bad-context"


@given(st.integers(0, 10**9), st.integers(0, 20), st.integers(0, 50))
def test_any_split_gives_the_same_values(first: int, count: int, rounds: int) -> None:
    whole = run_noop(first, count, rounds, RunControl())
    parts = [run_noop(first + i, 1, rounds, RunControl())[0] for i in range(count)]
    assert whole == parts


@given(st.integers(0, 2**63))
def test_values_are_multiples_of_two_to_the_minus_32(seq: int) -> None:
    ((value,),) = run_noop(seq, 1, 1, RunControl())
    assert 0 <= value < 1
    assert (value * 2**32).is_integer()


def test_a_stopped_run_returns_only_finished_trials() -> None:
    control = RunControl()
    timer = threading.Timer(0.02, control.stop)
    timer.start()
    values = run_noop(0, 1000, 5_000_000, control)
    assert len(values) < 1000
    assert values == run_noop(0, len(values), 5_000_000, RunControl())


def test_context_text_names_alternatives_and_rounds() -> None:
    made = runner(noop_context(alternatives=3, rounds=7))
    assert len(made.alternative_names) == 3
    assert made.rounds == 7
    assert made.engine == engine_digest()
    assert len(made.run(0, 4, RunControl())) == 4


@pytest.mark.parametrize(
    "text",
    [
        "noop/1 alternatives=0 rounds=0",
        "noop/1 alternatives=65 rounds=0",
        "noop/1 alternatives=1 rounds=9999999999999",
        "noop/1 rounds=1",
    ],
)
def test_limits_are_errors(text: str) -> None:
    with pytest.raises(ContextError, match="expected"):
        runner(text)


def test_power_work_is_fixed() -> None:
    assert power_work(RunControl()) == power_work(RunControl()) > 0


def test_what_measures_the_network_is_no_game() -> None:
    assert not FRONT.is_game
    assert not services.is_played("noop")


def test_texts_of_the_game_begin_with_the_words_of_its_kinds() -> None:
    texts = (noop_context(), noop_question())
    assert tuple(text.split(" ")[0] for text in texts) == tuple(FRONT.kinds)


@given(st.integers(1, 64), st.integers(0, 10**12))
def test_contexts_are_described_where_the_front_says(alternatives: int, rounds: int) -> None:
    text = noop_context(alternatives, rounds)
    describe = FRONT.kinds["noop/1"].describe
    assert describe is not None
    description = describe(text)
    assert description == services.describe(text)
    assert description.facts == {"alternatives": alternatives, "rounds": rounds}


@given(st.integers(0, 50), st.lists(st.integers(0, NUMBER_MAX), min_size=2, max_size=2))
def test_questions_alike_in_their_work_keys_cost_the_same(rounds: int, numbers: list[int]) -> None:
    def cost(question: str) -> int:
        control = RunControl()
        assert services.answer(question, control) is not None
        return control.steps

    one, other = (noop_question(rounds, number) for number in numbers)
    assert cost(one) == cost(other)
    fields = dict(field.split("=") for field in one.split(" ")[1:])
    assert {key: fields[key] for key in FRONT.kinds["noop-question/1"].work_keys} == {
        "rounds": str(rounds)
    }
