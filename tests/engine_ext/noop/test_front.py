"""The network's own game is played by nobody, and its questions cost what their rounds say."""

from importlib import import_module

from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.control import RunControl
from engine_ext.noop.front import FRONT
from engine_ext.noop.question import NUMBER_MAX, noop_question
from engine_ext.noop.runner import noop_context


def test_what_measures_the_network_is_no_game() -> None:
    assert not FRONT.is_game
    assert not services.is_played("noop")


def test_texts_of_the_game_begin_with_the_words_of_its_kinds() -> None:
    texts = (noop_context(), noop_question())
    assert tuple(text.split(" ")[0] for text in texts) == tuple(FRONT.kinds)


@given(st.integers(1, 64), st.integers(0, 10**12))
def test_contexts_are_described_where_the_front_says(alternatives: int, rounds: int) -> None:
    text = noop_context(alternatives, rounds)
    description = import_module(FRONT.kinds["noop/1"].describing).describe(text)
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
