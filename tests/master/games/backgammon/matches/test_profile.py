from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.board import Position
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.judging import ActionChoice
from master.games.backgammon.matches.profile import (
    UNDATED,
    PlayedMatch,
    Profile,
    ProfileKind,
    kind_of,
    performance,
    profile_of,
)
from master.games.backgammon.matches.record import AnalysedMatch, Play
from tests.master.games.backgammon.matches.analysed_matches import analysed, analysed_matches
from tests.master.games.backgammon.matches.random_matches import random_match

DATES = ("2026-03-01", "2025-12", "March", "", "2026-03-09")


def played(match: AnalysedMatch, player: int = 0, date: str = "") -> PlayedMatch:
    tags = {"date": date} if date else {}
    match = replace(match, match=replace(match.match, tags=tags))
    return PlayedMatch("a.mat", match, match_figures(match), (player,))


def several() -> list[PlayedMatch]:
    return [
        played(analysed(random_match(seed, games_max=1), seed), 0, date)
        for seed, date in enumerate(DATES)
    ]


def all_decisions(profile: Profile) -> int:
    return sum(own.decisions for _, own in profile.matches)


@pytest.mark.slow
@settings(max_examples=12)
@given(st.lists(analysed_matches, max_size=3), st.integers(0, 1))
def test_kinds_months_and_matches_are_the_same_decisions(
    matches: list[AnalysedMatch], player: int
) -> None:
    profile = profile_of([played(match, player) for match in matches])
    whole = profile.overall
    for parts in (
        [own for _, own in profile.matches],
        [own for *_, own in profile.months],
        [own for _, own in profile.sorts],
    ):
        for name in ("decisions", "counted", "errors"):
            assert sum(getattr(part, name) for part in parts) == getattr(whole, name)
        assert sum(part.loss for part in parts) == pytest.approx(whole.loss)
        assert sum(part.counted_loss for part in parts) == pytest.approx(whole.counted_loss)
    assert len(profile.worst) == whole.errors
    losses = [each.error for _, each in profile.worst]
    assert losses == sorted(losses, reverse=True)


@pytest.mark.slow
@settings(max_examples=15)
@given(analysed_matches, st.integers(0, 1))
def test_rating_over_one_match_is_that_of_the_match(match: AnalysedMatch, player: int) -> None:
    own = played(match, player)
    expected = own.figures.match[player].pr
    assert performance(own.decisions).pr == (None if expected is None else pytest.approx(expected))


def test_matches_go_by_date_and_those_without_one_come_last() -> None:
    profile = profile_of(several())
    dates = [match.date for match, _ in profile.matches]
    assert dates == ["2025-12", "2026-03-01", "2026-03-09", UNDATED, UNDATED]
    assert [(month, count) for month, count, _ in profile.months] == [
        ("2025-12", 1), ("2026-03", 2), (UNDATED, 2),
    ]  # fmt: skip
    assert all_decisions(profile) == profile.overall.decisions > 0


def test_first_move_of_either_player_is_the_opening() -> None:
    match = analysed(random_match(2, games_max=2), 1)
    for each in match_figures(match).decisions:
        if each.choice is not ActionChoice.MOVE:
            assert kind_of(match, each).value == each.choice.value
            continue
        actions = match.match.games[each.game].actions[: each.action]
        own = [one for one in actions if isinstance(one, Play) and one.player == each.player]
        assert (kind_of(match, each) is ProfileKind.OPENING) is (not own)


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ({6: 2, 20: 2}, ProfileKind.CONTACT),
        ({6: 2, 13: 2}, ProfileKind.RACE),
        ({6: 2, 1: 2}, ProfileKind.BEAR_OFF),
        ({6: 8, 4: 7}, ProfileKind.BEAR_OFF),
    ],
)
def test_later_moves_go_by_the_position(points: dict[int, int], expected: ProfileKind) -> None:
    match = analysed(random_match(2, games_max=1), 1)
    each = next(
        one
        for one in match_figures(match).decisions
        if one.choice is ActionChoice.MOVE and one.action > 6
    )
    own = tuple(points.get(point, 0) for point in range(26))
    other = tuple(2 if point == 6 else 0 for point in range(26))
    moved = replace(each, state=replace(each.state, position=Position(own, other)))
    assert kind_of(match, moved) is expected


def test_opponents_are_those_of_another_name() -> None:
    match = played(analysed(random_match(1, games_max=1), 1), 1)
    assert match.opponents == ("Ann",)
    assert replace(match, players=(0, 1)).opponents == ("Ann", "Bob")
