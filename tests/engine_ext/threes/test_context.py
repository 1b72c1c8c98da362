"""Contexts of games of Threes! come back from their texts, and other texts are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.services import ContextError
from engine_ext.threes import depth
from engine_ext.threes.context import (
    PLIES_MAX,
    RARE_MAX,
    RARE_MIN,
    SEED_MAX,
    Lookahead,
    ThreesContext,
    describe,
    read_plies,
)

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
