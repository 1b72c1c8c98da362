"""Contexts and questions of Threes! come back from their texts; its front offers their kinds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.contexts import ANSWER_CHARACTERS_MAX, CONTEXT_BYTES_MAX, ContextError
from engine_ext.front import TRIALS
from engine_ext.threes import depth, engine, questions
from engine_ext.threes.context import (
    KIND,
    PLIES_MAX,
    RARE_MAX,
    RARE_MIN,
    SEED_MAX,
    Lookahead,
    ThreesContext,
    describe,
    read_plies,
)
from engine_ext.threes.depth import UNLIMITED
from engine_ext.threes.engine import engine_digest
from engine_ext.threes.front import FRONT
from engine_ext.threes.questions import (
    BOARDS_MAX,
    SERVICE,
    VALUE_MAX,
    BoardAsked,
    PartsQuestion,
    read_values,
    write_values,
)
from engine_ext.threes.questions import (
    PLIES_MAX as ASKED_PLIES_MAX,
)
from tests.engine_ext.threes.test_net import BAGS

LOOKAHEADS = st.tuples(st.integers(1, PLIES_MAX), st.integers(1, PLIES_MAX)).flatmap(
    lambda ends: st.builds(
        Lookahead,
        st.just(min(ends)),
        st.just(max(ends)),
        st.none() | st.integers(RARE_MIN, RARE_MAX),
    )
)
CONTEXTS = st.builds(
    ThreesContext,
    st.from_regex("[0-9a-f]{16}", fullmatch=True),
    LOOKAHEADS,
    st.integers(0, SEED_MAX),
)
TEXT = ThreesContext("0123456789abcdef", Lookahead(2, 2), 7).to_text()
DEEP = ThreesContext("0123456789abcdef", Lookahead(3, 5, 400), 7).to_text()


@given(CONTEXTS)
def test_context_comes_back_from_its_text(context: ThreesContext) -> None:
    assert ThreesContext.from_text(context.to_text()) == context


def test_text_is_the_documented_one() -> None:
    assert TEXT == "threes/1 engine=0123456789abcdef plies=2 seed=7"
    assert DEEP == "threes/1 engine=0123456789abcdef plies=3-5 rare=400 seed=7"


@pytest.mark.parametrize(
    "text",
    [
        "",
        TEXT + " ",
        TEXT + "\n",
        TEXT.replace("threes/1", "threes/2"),
        TEXT.replace("0123", "012"),
        TEXT.replace("abcdef", "ABCDEF"),
        TEXT.replace("plies=2", "plies=0"),
        TEXT.replace("plies=2", "plies=02"),
        TEXT.replace("plies=2", f"plies={PLIES_MAX + 1}"),
        TEXT.replace("seed=7", "seed=-7"),
        TEXT.replace("seed=7", "seed=07"),
        TEXT.replace("seed=7", f"seed={SEED_MAX + 1}"),
        TEXT.replace(" plies=2", ""),
        TEXT.replace("plies=2", "plies=2-2"),
        TEXT.replace("plies=2", "plies=3-2"),
        TEXT.replace("plies=2", f"plies=2-{PLIES_MAX + 1}"),
        DEEP.replace("rare=400", "rare=1"),
        DEEP.replace("rare=400", f"rare={RARE_MAX + 1}"),
        DEEP.replace("rare=400", "rare="),
    ],
)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ContextError, match="expected") as caught:
        ThreesContext.from_text(text)
    assert caught.value.code == "bad-context"


@given(CONTEXTS)
@pytest.mark.when_changed
def test_context_of_any_engine_is_described(context: ThreesContext) -> None:
    described, lookahead = describe(context.to_text()), context.lookahead
    assert described == services.describe(context.to_text())
    facts = {
        "plies": lookahead.plies, "plies_max": lookahead.plies_max, "rare": lookahead.rare,
        "seed": context.seed,
    }  # fmt: skip
    assert facts | described.facts == facts
    assert ("plies_max" in described.facts) == (lookahead.plies != lookahead.plies_max)
    assert ("rare" in described.facts) == (lookahead.rare is not None)
    assert lookahead.words in described.line
    assert str(context.seed) in described.line


@given(LOOKAHEADS)
def test_look_comes_back_from_its_text(lookahead: Lookahead) -> None:
    assert read_plies(lookahead.text) == Lookahead(lookahead.plies, lookahead.plies_max)


def test_no_move_ahead_is_taken_as_one() -> None:
    assert read_plies("0") == Lookahead(1, 1)


def test_look_reads_as_people_say_it() -> None:
    assert Lookahead(3, 3).words == "3-ply"
    assert Lookahead(3, 5, 400).words == "3- to 5-ply, chances up to 1 in 400"


@pytest.mark.parametrize("text", ["", "00", "0-2", "9", "3-", "-3", "5-3", "3-9", "three", "3 - 5"])
def test_other_looks_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected 1 to 8 moves, or from N to M"):
        read_plies(text)


def test_limits_are_those_of_the_engine() -> None:
    assert depth.rarity_of(RARE_MAX) < depth.UNLIMITED
    assert depth.rarity_of(RARE_MIN) > 0
    assert depth.DEEPEST == PLIES_MAX


BOARDS = st.builds(
    BoardAsked, st.integers(0, 2**64 - 1), BAGS, st.just(UNLIMITED) | st.integers(0, 255)
)
QUESTIONS = st.builds(
    PartsQuestion,
    st.from_regex("[0-9a-f]{16}", fullmatch=True),
    st.integers(1, ASKED_PLIES_MAX),
    st.lists(BOARDS, min_size=1, max_size=9).map(tuple),
)
ONE = BoardAsked(0x7000000000654321, (2, 1, 0))
QUESTION = PartsQuestion("0123456789abcdef", 3, (ONE, BoardAsked(1, (4, 4, 4), 96))).to_text()


@given(QUESTIONS)
def test_question_comes_back_from_its_text(question: PartsQuestion) -> None:
    assert PartsQuestion.from_text(question.to_text()) == question


def test_text_of_a_question_is_the_documented_one() -> None:
    assert QUESTION == (
        "threes-expectimax/1 engine=0123456789abcdef plies=3"
        " boards=1234560000000007.210,1000000000000000.444.96"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        QUESTION + " ",
        QUESTION.replace("/1", "/2"),
        QUESTION.replace("plies=3", "plies=0"),
        QUESTION.replace("plies=3", f"plies={ASKED_PLIES_MAX + 1}"),
        QUESTION.replace(".210", ".510"),
        QUESTION.replace(".210", ""),
        QUESTION.replace(".96", ".256"),
        QUESTION.replace(".96", ".096"),
        QUESTION.replace(".96", ".-1"),
        QUESTION.replace("1234", "123"),
        QUESTION.replace(",", ",,"),
        QUESTION + ",",
        QUESTION + ",1000000000000000.444" * BOARDS_MAX,
    ],
)
def test_other_text_of_a_question_is_refused(text: str) -> None:
    with pytest.raises(ContextError, match="expected") as caught:
        PartsQuestion.from_text(text)
    assert caught.value.code == "bad-context"


def test_largest_question_and_its_answer_fit_their_lines() -> None:
    boards = (BoardAsked(2**64 - 1, (4, 4, 4), 255),) * BOARDS_MAX
    assert len(PartsQuestion("f" * 16, 7, boards).to_text()) < CONTEXT_BYTES_MAX
    assert len(write_values([1 / 3e-9] * BOARDS_MAX)) < ANSWER_CHARACTERS_MAX


@given(st.lists(st.floats(0.0, VALUE_MAX, allow_subnormal=False), min_size=1))
def test_values_come_back_to_the_bit(values: list[float]) -> None:
    assert read_values(write_values(values), len(values)) == values


@pytest.mark.parametrize(
    "text",
    ["", "1", "1 2 3", "1  2", "1 nan", "1 inf", "1 -2", "1 1e99", "1 1_0", "1 x", "1 2 "],
)
def test_other_answer_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_values(text, 2)


OWN_TEXT = ThreesContext(engine_digest(), Lookahead(1, 1), 1).to_text()


def test_threes_is_a_game_whose_trials_are_asked_for() -> None:
    assert FRONT.is_game
    assert services.is_played("threes")
    assert services.game_services("threes") == (TRIALS, SERVICE)


def test_contexts_are_of_the_kind_that_the_front_declares() -> None:
    assert list(FRONT.kinds) == [KIND, questions.KIND]
    assert OWN_TEXT.split(" ", maxsplit=1)[0] == KIND
    assert services.context_game(OWN_TEXT) == "threes"
    describe = FRONT.kinds[KIND].describe
    assert describe is not None
    assert describe(OWN_TEXT) == services.describe(OWN_TEXT)


def test_engine_is_where_the_front_says() -> None:
    assert FRONT.engine_digest() == engine.engine_digest() == services.engine_digest("threes")
    assert FRONT.trials is not None
    assert FRONT.trials.value_ranges(OWN_TEXT) == engine.value_ranges(OWN_TEXT)


def test_values_of_boards_are_not_kept() -> None:
    game, kind = services.question_kind(f"{questions.KIND} engine={'0' * 16}")
    assert (game, kind.service, kind.is_kept) == ("threes", SERVICE, False)
