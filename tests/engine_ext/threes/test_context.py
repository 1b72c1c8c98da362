"""Contexts of games of Threes! come back from their texts, and other texts are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.services import ContextError
from engine_ext.threes.context import PLIES_MAX, SEED_MAX, ThreesContext, describe

CONTEXTS = st.builds(
    ThreesContext,
    st.from_regex("[0-9a-f]{16}", fullmatch=True),
    st.integers(1, PLIES_MAX),
    st.integers(0, SEED_MAX),
)
TEXT = ThreesContext("0123456789abcdef", 2, 7).to_text()


@given(CONTEXTS)
def test_context_comes_back_from_its_text(context: ThreesContext) -> None:
    assert ThreesContext.from_text(context.to_text()) == context


def test_text_is_the_documented_one() -> None:
    assert TEXT == "threes/1 engine=0123456789abcdef plies=2 seed=7"


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
    ],
)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ContextError, match="expected") as caught:
        ThreesContext.from_text(text)
    assert caught.value.code == "bad-context"


@given(CONTEXTS)
def test_context_of_any_engine_is_described(context: ThreesContext) -> None:
    described = describe(context.to_text())
    assert described == services.describe(context.to_text())
    assert described.facts == {"plies": context.plies, "seed": context.seed}
    assert f"{context.plies}-ply" in described.line
    assert str(context.seed) in described.line
