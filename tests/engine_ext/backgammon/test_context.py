"""A context and its text are the same thing, and a bad text is refused in one sentence."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon import context as c
from engine_ext.backgammon.move_filters import MOVE_FILTERS
from engine_ext.services import ContextError

ENGINE = "0123456789abcdef"
START = "4HPwATDgc/ABMA"

position_ids = st.text("ABCxyz019+/", min_size=14, max_size=14)
moves = st.builds(
    c.Alternative,
    st.just(c.AlternativeKind.MOVE),
    position_ids,
    st.text(st.characters(codec="ascii"), min_size=1, max_size=30),
)
alternatives = st.one_of(st.sampled_from([c.POSITION_ITSELF, c.NO_DOUBLE, c.DOUBLE_TAKE]), moves)
dice = st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6))


mets = st.sampled_from(["kazaross-xg2", "half.2.3.jS3jJig", "pair1.2.3.by6CNvBPLW7dqiWqzY"])


@st.composite
def contexts(draw: st.DrawFn) -> c.RolloutContext:
    length = draw(st.integers(0, c.MATCH_LENGTH_MAX))
    score = draw(st.tuples(*[st.integers(0, max(0, length - 1))] * 2))
    is_one_away = length > 0 and length - 1 in score
    levels = st.none() | st.integers(0, 3)
    late = draw(st.tuples(levels, levels))
    truncation_ply = draw(st.integers(0, c.TRUNCATION_PLY_MAX))
    is_initial = draw(st.booleans())
    several = st.lists(alternatives, min_size=1, max_size=5).map(tuple)
    return c.RolloutContext(
        engine=draw(st.text("0123456789abcdef", min_size=16, max_size=16)),
        position_id=draw(position_ids),
        cube_value=2 ** draw(st.integers(0, 12)),
        cube_owner=-1 if is_initial else draw(st.integers(-1, 1)),
        match_length=length,
        score=score,
        crawford=is_one_away and draw(st.booleans()),
        jacoby=length == 0 and draw(st.booleans()),
        beavers=length == 0 and draw(st.booleans()),
        met=draw(mets) if length else "none",
        dice=draw(dice),
        alternatives=(c.POSITION_ITSELF,) if is_initial else draw(several),
        seed=draw(st.integers(0, c.SEED_MAX)),
        ply=draw(st.integers(0, 3)),
        cube_ply=draw(st.integers(0, 3)),
        opponent_ply=draw(levels),
        opponent_cube_ply=draw(levels),
        late_after=0 if late == (None, None) else draw(st.integers(1, c.TRUNCATION_PLY_MAX)),
        late_ply=late[0],
        late_cube_ply=late[1],
        move_filter=draw(st.sampled_from(MOVE_FILTERS)),
        variance_reduction=draw(st.booleans()),
        truncation_ply=truncation_ply,
        evaluation_ply=draw(levels) if truncation_ply else None,
        bearoff_truncation=draw(st.booleans()),
        quasi_random=draw(st.booleans()),
        rollout_initial=is_initial,
    )


@given(contexts())
def test_text_comes_back_as_the_same_context(context: c.RolloutContext) -> None:
    text = context.to_text()
    assert text.isascii()
    assert text.isprintable()
    assert c.RolloutContext.from_text(text) == context
    assert c.RolloutContext.from_text(text).to_text() == text


@given(st.text())
def test_any_other_text_is_a_context_error(text: str) -> None:
    with pytest.raises(ContextError) as caught:
        c.RolloutContext.from_text(text)
    assert caught.value.code == "bad-context"


@given(contexts(), st.data())
@pytest.mark.when_changed
def test_a_damaged_text_is_refused_or_means_what_it_says(
    context: c.RolloutContext, data: st.DataObject
) -> None:
    text = context.to_text()
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.characters()) + text[at + 1 :]
    try:
        read = c.RolloutContext.from_text(damaged)
    except ContextError:
        return
    assert read.to_text() == damaged


def test_a_match_by_the_shipped_table_is_written_as_ever() -> None:
    """A stored rollout's text is its identity."""
    match = c.RolloutContext(
        ENGINE, START, match_length=7, score=(2, 4), jacoby=False, met="kazaross-xg2"
    )
    assert match.to_text() == (
        f"backgammon-rollout/1 engine={ENGINE} position_id={START.replace('/', '%2F')} "
        "cube_value=1 cube_owner=centred match_length=7 score=2-4 crawford=no jacoby=no "
        "beavers=no met=kazaross-xg2 dice=none alternatives=position seed=0 ply=0 cube_ply=0 "
        "opponent_ply=same opponent_cube_ply=same late_after=0 late_ply=same late_cube_ply=same "
        "move_filter=normal cubeful=yes variance_reduction=yes truncation_ply=0 "
        "evaluation_ply=same bearoff_truncation=yes quasi_random=yes rollout_initial=no"
    )


def text_with(key: str, value: str) -> str:
    text = c.RolloutContext(ENGINE, START).to_text()
    return re.sub(f" {key}=[^ ]*", f" {key}={value}", text)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("engine", "xyz"),
        ("position_id", "short"),
        ("cube_value", "3"),
        ("cube_value", "01"),
        ("cube_owner", "nobody"),
        ("match_length", "65"),
        ("match_length", "7"),
        ("score", "1-0"),
        ("crawford", "yes"),
        ("jacoby", "1"),
        ("met", "kazaross-xg2"),
        ("met", "Kazaross"),
        ("met", "half.2.3.jS3j=ig"),
        ("dice", "37"),
        ("alternatives", ""),
        ("alternatives", "move"),
        ("alternatives", "position:a:b"),
        ("seed", "-1"),
        ("seed", str(2**63)),
        ("ply", "4"),
        ("ply", "0.5"),
        ("move_filter", "wide"),
        ("truncation_ply", "1001"),
        ("opponent_ply", "4"),
        ("opponent_cube_ply", "none"),
        ("late_after", "1001"),
        ("late_after", "2"),
        ("late_ply", "1"),
        ("evaluation_ply", "1"),
    ],
)
def test_a_bad_value_is_named(key: str, value: str) -> None:
    with pytest.raises(ContextError) as caught:
        c.RolloutContext.from_text(text_with(key, value))
    assert caught.value.code == "bad-context"


def test_every_key_is_required_once_and_no_other_is_known() -> None:
    text = c.RolloutContext(ENGINE, START).to_text()
    kind, *words = text.split(" ")
    for i in range(len(words)):
        with pytest.raises(ContextError, match="missing"):
            c.RolloutContext.from_text(" ".join([kind, *words[:i], *words[i + 1 :]]))
    with pytest.raises(ContextError, match="twice"):
        c.RolloutContext.from_text(f"{text} ply=0")
    with pytest.raises(ContextError, match="unknown key"):
        c.RolloutContext.from_text(f"{text} colour=red")


def test_keys_in_another_order_are_not_canonical() -> None:
    kind, first, second, *words = c.RolloutContext(ENGINE, START).to_text().split(" ")
    with pytest.raises(ContextError, match="canonical"):
        c.RolloutContext.from_text(" ".join([kind, second, first, *words]))


def test_a_level_that_is_the_standard_one_is_the_same_context() -> None:
    same = c.RolloutContext(ENGINE, START, ply=2, cube_ply=1, truncation_ply=9)
    named = replace(same, opponent_ply=2, opponent_cube_ply=1, evaluation_ply=1)
    assert named == same
    assert " opponent_ply=same " in named.to_text()
    with pytest.raises(ContextError, match="canonical"):
        c.RolloutContext.from_text(same.to_text().replace("opponent_ply=same", "opponent_ply=2"))


def test_an_opening_roll_comes_before_any_move_or_cube() -> None:
    initial = c.RolloutContext(ENGINE, START, rollout_initial=True)
    with pytest.raises(ContextError, match="only a position itself"):
        replace(initial, alternatives=(c.NO_DOUBLE,))
    with pytest.raises(ContextError, match="nobody owns the cube"):
        replace(initial, cube_owner=1, cube_value=2)


def test_alternatives_have_the_names_a_user_reads() -> None:
    move = c.Alternative(c.AlternativeKind.MOVE, START, "8/5 6/5")
    names = [a.name for a in (c.POSITION_ITSELF, c.NO_DOUBLE, c.DOUBLE_TAKE, move)]
    assert names == ["position", "no double", "double, take", "8/5 6/5"]


def test_a_cube_question_needs_a_cube() -> None:
    context = c.RolloutContext(ENGINE, START, alternatives=(c.NO_DOUBLE, c.DOUBLE_TAKE))
    with pytest.raises(ContextError, match="cubeful"):
        replace(context, cubeful=False)
