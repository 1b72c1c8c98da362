from dataclasses import replace

import pytest
from hypothesis import given

from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.match_state import GameState
from master.matches.analysed import AnalysedMatch
from master.matches.figures import Both, match_figures
from master.matches.record import Game, Match, Play, Resign, Result
from master.matches.replay import check_match
from master.matches.tally import total
from tests.master.matches.analysed_matches import analysed_matches, checker, cube

OPENING = Play(0, (3, 1), ((8, 5), (6, 5)))
REPLY = Play(1, (6, 5), ((24, 18), (18, 13)))
RUN = Play(0, (6, 5), ((24, 18), (18, 13)))


def figures_of(*analyses: ActionAnalysis | None, length: int = 0) -> Both:
    """The figures of three moves, analysed so, and player 1's resignation."""
    actions = (OPENING, REPLY, RUN, Resign(1, 1))
    match = Match(("A", "B"), length, (Game((0, 0), actions, Result(0, 1)),))
    return match_figures(AnalysedMatch(match, (analyses,))).match


def swapped(match: AnalysedMatch) -> AnalysedMatch:
    """Give each player the other's number."""
    games = []
    for game in match.match.games:
        start = game.start
        if start is not None:
            other = replace(start.match, player_on_roll=1 - start.match.player_on_roll)
            start = GameState(start.position, other)
        result = game.result and replace(game.result, winner=1 - game.result.winner)
        actions = tuple(replace(each, player=1 - each.player) for each in game.actions)
        games.append(
            replace(game, score=game.score[::-1], actions=actions, result=result, start=start)
        )
    return replace(match, match=replace(match.match, games=tuple(games)))


@pytest.mark.slow
@given(analysed_matches)
def test_totals_are_sums_of_games(match: AnalysedMatch) -> None:
    figures = match_figures(match)
    for player in (0, 1):
        games = [both[player].tally for _, both in figures.games]
        assert figures.match[player].tally == total(games)
    alone = [match_figures(match, [index]) for index in range(len(match.match.games))]
    assert [one.match for one in alone] == [both for _, both in figures.games]


@pytest.mark.slow
@given(analysed_matches)
def test_swapping_the_players_swaps_the_figures(match: AnalysedMatch) -> None:
    other = swapped(match)
    check_match(other.match)
    own, swap = match_figures(match), match_figures(other)
    for tally, twin in ((own.match[0].tally, swap.match[1].tally),
                        (own.match[1].tally, swap.match[0].tally)):  # fmt: skip
        assert twin == replace(tally, result=twin.result, luck_adjusted=twin.luck_adjusted)
        assert twin.result == pytest.approx(tally.result, abs=1e-12)
        assert twin.luck_adjusted == pytest.approx(tally.luck_adjusted, abs=1e-12)


@pytest.mark.slow
@given(analysed_matches)
def test_results_cancel_out(match: AnalysedMatch) -> None:
    one, two = match_figures(match).match
    assert one.tally.result == -two.tally.result
    assert one.tally.luck_adjusted == pytest.approx(-two.tally.luck_adjusted, abs=1e-12)
    is_finished = match.match.length and match.match.games[-1].result is not None
    if is_finished:
        scores = [sum(game.result.points for game in match.match.games
                      if game.result is not None and game.result.winner == player)
                  for player in (0, 1)]  # fmt: skip
        if max(scores) >= match.match.length:
            assert abs(one.tally.result) == pytest.approx(0.5)


@pytest.mark.slow
@given(analysed_matches)
def test_errors_are_listed_largest_first(match: AnalysedMatch) -> None:
    figures = match_figures(match)
    errors = [each.error for each in figures.errors()]
    assert errors == sorted((each.error for each in figures.decisions if each.error), reverse=True)
    blunders = figures.errors(0.12)
    assert blunders == [each for each in figures.errors() if each.error >= 0.12]


def test_no_errors_are_a_pr_of_zero() -> None:
    own, other = figures_of(checker(0.0, 0.1), checker(0.0, 0.1), checker(0.0, 0.1))
    assert (own.pr, own.error_rate, own.snowie_error_rate) == (0.0, 0.0, 0.0)
    assert own.overall_rating == other.overall_rating == "Supernatural"


def test_pr_is_500_times_the_mean_error() -> None:
    own, other = figures_of(checker(0.02), checker(0.1), checker(0.04))
    assert own.pr == pytest.approx(15.0)
    assert other.pr == pytest.approx(50.0)


def test_obvious_decisions_dilute_no_rate() -> None:
    obvious = replace(checker(0.04), cube=cube(0.0, -1.0).cube)
    own, _ = figures_of(None, None, obvious)
    assert own.pr == pytest.approx(20.0)
    assert own.error_rate == pytest.approx(0.04)
    assert own.cube_error_rate is None
    assert own.cube_rating is None


def test_snowie_rate_divides_by_the_moves_of_both() -> None:
    own, other = figures_of(checker(0.02), checker(0.1), checker(0.04))
    assert own.snowie_error_rate == pytest.approx(0.02)
    assert other.snowie_error_rate == pytest.approx(0.1 / 3)


def test_what_was_not_analysed_has_no_rates() -> None:
    own, _ = figures_of(None, None, None)
    assert own.tally.moves == 2
    rates = (own.pr, own.error_rate, own.checker_rating, own.luck_rate, own.luck_rating)
    assert rates == (None,) * 5
    assert own.luck_adjusted_result is None
    assert own.result == 1.0


def test_luck_is_taken_off_the_result() -> None:
    own, other = figures_of(*(ActionAnalysis(luck=luck) for luck in (0.25, -0.5, 0.125)))
    assert own.luck_rate == pytest.approx(0.1875)
    assert own.luck_adjusted_result == pytest.approx(1.0 - 0.375 - 0.5)
    assert other.luck_adjusted_result == pytest.approx(-0.125)


def test_result_of_a_match_is_winning_chance() -> None:
    own, other = figures_of(None, None, None, length=1)
    assert (own.result, other.result) == (0.5, -0.5)
