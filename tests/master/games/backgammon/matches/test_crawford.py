"""Reading without the Crawford rule what breaks it: master.games.backgammon.matches.repairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from master.games.backgammon.matches.record import AnalysedMatch, Double, Game, Match
from master.games.backgammon.matches.repairs import WITHOUT_RULE, CrawfordFlags, read_forgiving
from master.games.errors import RecordError
from master.games.skipped import SkippedGame

LATE = AnalysedMatch(Match(("Ann", "Bob"), 3, (Game((2, 0), (Double(0),)),)))


def reader(
    found: AnalysedMatch, fault: str = "", *, is_crawford: bool = True
) -> Callable[[CrawfordFlags | None], AnalysedMatch]:
    """Return a reader of a match that its rules do not allow, and perhaps nothing does."""

    def read(flags: CrawfordFlags | None) -> AnalysedMatch:
        if flags is None:
            raise RecordError("by the rules")
        flags.append(is_crawford)
        if fault:
            raise RecordError(fault)
        return replace(found, match=replace(found.match, uses_crawford=False))

    return read


def test_a_match_is_read_by_its_rules_where_it_can_be() -> None:
    asked: list[CrawfordFlags | None] = []

    def read(flags: CrawfordFlags | None) -> AnalysedMatch:
        asked.append(flags)
        return LATE

    assert read_forgiving(read, "a") is LATE
    assert asked == [None]


def test_what_breaks_the_rule_is_read_without_it_and_named() -> None:
    found = read_forgiving(reader(LATE), "a")
    assert found.warnings == (f"a: game 1: a double in the Crawford game{WITHOUT_RULE}",)


def test_a_fault_that_stays_without_the_rule_is_the_one_told() -> None:
    with pytest.raises(RecordError, match="illegal play"):
        read_forgiving(reader(LATE, "illegal play"), "a")


def test_a_fault_that_is_no_breach_of_the_rule_is_not_forgiven() -> None:
    with pytest.raises(RecordError, match="by the rules"):
        read_forgiving(reader(LATE, is_crawford=False), "a")


def skipping(flags: CrawfordFlags | None, *, is_breach: bool) -> AnalysedMatch:
    """Skip a game by the rules; without the Crawford rule skip none, or the same."""
    skipped = (SkippedGame(1, "no double here"),)
    if flags is None:
        return AnalysedMatch(replace(LATE.match, games=(Game((2, 0)),)), skipped=skipped)
    flags.append(True if is_breach else None)
    found = replace(LATE, match=replace(LATE.match, uses_crawford=False))
    return found if is_breach else replace(found, skipped=skipped)


def test_a_game_that_is_skipped_for_the_rule_alone_is_read_without_it() -> None:
    found = read_forgiving(lambda flags: skipping(flags, is_breach=True), "a")
    assert found.skipped == ()
    assert found.warnings == (f"a: game 1: a double in the Crawford game{WITHOUT_RULE}",)


def test_a_game_that_is_skipped_with_and_without_the_rule_leaves_the_rule() -> None:
    found = read_forgiving(lambda flags: skipping(flags, is_breach=False), "a")
    assert found.match.uses_crawford
    assert (found.warnings, len(found.skipped)) == ((), 1)
