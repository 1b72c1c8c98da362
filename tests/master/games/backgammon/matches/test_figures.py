from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.met import kazaross_xg2
from master.games.backgammon.matches.figures import (
    Amount,
    Both,
    Counts,
    LuckMark,
    Mark,
    PlayerFigures,
    Tally,
    luck_mark,
    luck_rating,
    mark,
    match_figures,
    match_value,
    one_mark,
    rating,
    total,
)
from master.games.backgammon.matches.record import AnalysedMatch, Game, Match, Play, Resign, Result
from master.games.backgammon.matches.replay import check_match
from master.games.backgammon.matches.sgf_read import read_sgf
from tests.master.games.backgammon.matches.analysed_matches import analysed_matches, checker, cube
from tests.master.games.backgammon.matches.gnubg_program import needs_gnubg, run_gnubg
from tests.master.games.backgammon.matches.gnubg_statistics import (
    ANALYSE_AT_0_PLY,
    Statistics,
    noisy_players,
    statistics_of,
)
from tests.master.games.backgammon.matches.random_matches import matches

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
@pytest.mark.when_changed
def test_totals_are_sums_of_games(match: AnalysedMatch) -> None:
    figures = match_figures(match)
    for player in (0, 1):
        games = [both[player].tally for _, both in figures.games]
        assert figures.match[player].tally == total(games)
    alone = [match_figures(match, [index]) for index in range(len(match.match.games))]
    assert [one.match for one in alone] == [both for _, both in figures.games]


@pytest.mark.slow
@given(analysed_matches)
@pytest.mark.when_changed
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
@pytest.mark.when_changed
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
@pytest.mark.when_changed
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


COUNTS: dict[tuple[str, str], Callable[[PlayerFigures], int]] = {
    ("Chequerplay", "Total moves"): lambda own: own.tally.moves,
    ("Chequerplay", "Unforced moves"): lambda own: own.tally.unforced,
    ("Chequerplay", "Moves marked doubtful"): lambda own: own.tally.marks.numbers[1],
    ("Chequerplay", "Moves marked bad"): lambda own: own.tally.marks.numbers[2],
    ("Chequerplay", "Moves marked very bad"): lambda own: own.tally.marks.numbers[3],
    ("Luck", "Rolls marked very lucky"): lambda own: own.tally.luck_marks.numbers[0],
    ("Luck", "Rolls marked lucky"): lambda own: own.tally.luck_marks.numbers[1],
    ("Luck", "Rolls unmarked"): lambda own: own.tally.luck_marks.numbers[2],
    ("Luck", "Rolls marked unlucky"): lambda own: own.tally.luck_marks.numbers[3],
    ("Luck", "Rolls marked very unlucky"): lambda own: own.tally.luck_marks.numbers[4],
    ("Cube", "Total cube decisions"): lambda own: own.tally.cube_decisions,
    ("Cube", "Close or actual cube decisions"): lambda own: own.tally.close,
    ("Cube", "Doubles"): lambda own: own.tally.doubles,
    ("Cube", "Takes"): lambda own: own.tally.takes,
    ("Cube", "Passes"): lambda own: own.tally.passes,
}

AMOUNTS: dict[tuple[str, str], Callable[[PlayerFigures], Amount]] = {
    ("Chequerplay", "Error total"): lambda own: own.tally.checker,
    ("Cube", "Missed doubles below CP"): lambda own: own.tally.missed_below_cp,
    ("Cube", "Missed doubles above CP"): lambda own: own.tally.missed_above_cp,
    ("Cube", "Wrong doubles below DP"): lambda own: own.tally.wrong_double_below_dp,
    ("Cube", "Wrong doubles above TG"): lambda own: own.tally.wrong_double_above_tg,
    ("Cube", "Wrong takes"): lambda own: own.tally.wrong_takes,
    ("Cube", "Wrong passes"): lambda own: own.tally.wrong_passes,
    ("Cube", "Error total"): lambda own: own.tally.cube,
    ("Overall", "Error total"): lambda own: own.error,
}

RATES: dict[tuple[str, str], Callable[[PlayerFigures], float | None]] = {
    ("Chequerplay", "Error rate"): lambda own: own.checker_error_rate,
    ("Cube", "Error rate"): lambda own: own.cube_error_rate,
    ("Overall", "Error rate"): lambda own: own.error_rate,
    ("Overall", "Snowie error rate"): lambda own: own.snowie_error_rate,
}

COST_RATES: dict[tuple[str, str], Callable[[PlayerFigures], float | None]] = {
    ("Chequerplay", "Error rate"): lambda own: own.checker_cost_rate,
    ("Cube", "Error rate"): lambda own: own.cube_cost_rate,
    ("Overall", "Error rate"): lambda own: own.cost_rate,
    ("Luck", "Luck rate"): lambda own: own.luck_cost_rate,
}

WORDS: dict[tuple[str, str], Callable[[PlayerFigures], str | None]] = {
    ("Chequerplay", "Chequerplay rating"): lambda own: own.checker_rating,
    ("Luck", "Luck rating"): lambda own: own.luck_rating,
    ("Cube", "Cube decision rating"): lambda own: own.cube_rating,
    ("Overall", "Overall rating"): lambda own: own.overall_rating,
}


def is_printed(value: float, text: str) -> bool:
    """Whether a number rounds to a printed one; gnubg adds dozens in single precision."""
    digits = len(text.partition(".")[2])
    return abs(value - float(text)) <= 0.5 * 10.0**-digits + 2e-5 + 1e-6 * abs(value)


def check_statistics(own: PlayerFigures, printed: Statistics, player: int, scale: float) -> None:
    """Compare every figure that gnubg prints; costs are in points, or per cent of mwc."""
    for (section, label), count in COUNTS.items():
        assert str(count(own)) == printed.text(section, label, player), label
    for (section, label), amount_of in AMOUNTS.items():
        amount, numbers = amount_of(own), printed.numbers(section, label, player)
        if not label.startswith("Error"):
            assert str(amount.count) == numbers.pop(0), label
        if amount.count:
            assert is_printed(-amount.normalised, numbers[0]), label
            assert is_printed(-amount.cost * scale, numbers[1]), label
    for (section, label), rate in RATES.items():
        assert is_printed(-1000.0 * (rate(own) or 0.0), printed.numbers(section, label, player)[0])
    for (section, label), word in WORDS.items():
        assert (word(own) or "n/a") == printed.text(section, label, player), label
    for (section, label), cost_rate in COST_RATES.items():
        shown = printed.numbers(section, label, player)[1]
        sign = 1.0 if section == "Luck" else -1.0
        assert is_printed(sign * scale * (cost_rate(own) or 0.0), shown), label
    total_luck = printed.numbers("Luck", "Luck total", player)
    assert is_printed(own.tally.luck.normalised, total_luck[0])
    assert is_printed(own.tally.luck.cost * scale, total_luck[1])
    for label, result in (
        ("Actual result", own.result),
        ("Luck adjusted result", own.luck_adjusted_result),
    ):
        assert result is not None
        assert is_printed(result * scale, printed.numbers("Overall", label, player)[0]), label


@settings(max_examples=15)
@given(matches)
def test_each_game_begins_where_the_last_one_left_the_match(match: Match) -> None:
    met = kazaross_xg2()
    for game, following in pairwise(match.games):
        after = match_value(match, game, met, is_over=True)
        assert after == pytest.approx(match_value(match, following, met))
    assert match_value(match, match.games[0], met) == (0.5 if match.length else 0.0)


@needs_gnubg
@pytest.mark.reference
@pytest.mark.slow
@pytest.mark.parametrize(("length", "seed"), [(0, 7), (7, 77), (5, 3)])
@pytest.mark.when_changed
def test_figures_of_gnubgs_analysis_are_the_statistics_gnubg_prints(
    tmp_path: Path, length: int, seed: int
) -> None:
    """Every figure, to every digit that gnubg prints; from a file, since that rounds equities."""
    games = [f"new match {length}"] if length else ["new session", *["new game"] * 9]
    automatic = f"set automatic game {'on' if length else 'off'}"
    play = [*noisy_players(seed=seed), automatic, "set beavers 0", *games]
    run_gnubg(tmp_path, [*play, *ANALYSE_AT_0_PLY, "analyse match", "save match own.sgf"])
    printed = statistics_of(tmp_path, "own.sgf")
    match = read_sgf((tmp_path / "own.sgf").read_text(), "own.sgf")
    for player, own in enumerate(match_figures(match).match):
        check_statistics(own, printed, player, 100.0 if length else 1.0)


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (0.0, Mark.NONE),
        (0.0299, Mark.NONE),
        (0.03, Mark.DOUBTFUL),
        (0.06, Mark.BAD),
        (0.1199, Mark.BAD),
        (0.12, Mark.VERY_BAD),
        (3.0, Mark.VERY_BAD),
    ],
)
def test_error_is_marked_from_its_threshold_on(error: float, word: Mark) -> None:
    assert mark(error) is word


@pytest.mark.parametrize(
    ("luck", "word"),
    [
        (0.61, LuckMark.VERY_LUCKY),
        (0.6, LuckMark.LUCKY),
        (0.3, LuckMark.NONE),
        (-0.3, LuckMark.NONE),
        (-0.31, LuckMark.UNLUCKY),
        (-0.61, LuckMark.VERY_UNLUCKY),
    ],
)
def test_roll_is_marked_beyond_its_threshold(luck: float, word: LuckMark) -> None:
    assert luck_mark(luck) is word


@pytest.mark.parametrize(
    ("rate", "word"),
    [
        (0.0, "Supernatural"),
        (0.0049, "World class"),
        (0.005, "Expert"),
        (0.0119, "Advanced"),
        (0.0179, "Intermediate"),
        (0.0259, "Casual player"),
        (0.030447, "Beginner"),
        (0.035, "Awful!"),
        (1.0, "Awful!"),
    ],
)
def test_rates_have_gnubgs_words(rate: float, word: str) -> None:
    assert rating(rate) == word


@pytest.mark.parametrize(
    ("rate", "word"),
    [
        (0.1129, "Go to Las Vegas"),
        (0.0486, "Good dice, man!"),
        (0.0301, "Good dice, man!"),
        (-0.0209, "None"),
        (0.0, "None"),
        (-0.0436, "Bad dice, man!"),
        (-0.0669, "Go to bed"),
    ],
)
def test_luck_rates_have_the_words_gnubg_prints(rate: float, word: str) -> None:
    assert luck_rating(rate) == word


counts = st.integers(0, 1000)
eighths = st.integers(-1000, 1000).map(lambda number: number / 8)  # they add up exactly
amounts = st.builds(Amount, counts, eighths, eighths)
marks = st.tuples(*[counts] * len(Mark)).map(Counts)
luck_marks = st.tuples(*[counts] * len(LuckMark)).map(Counts)
tallies = st.builds(
    Tally,
    marks=marks,
    luck_marks=luck_marks,
    **dict.fromkeys(("rolls", "moves", "unforced", "close", "finished"), counts),
    **dict.fromkeys(("checker", "luck", "counted", "wrong_takes", "missed_below_cp"), amounts),
    result=eighths,
)


@given(tallies, tallies, tallies)
def test_tallies_add_up_in_any_grouping(a: Tally, b: Tally, c: Tally) -> None:
    assert a + (b + c) == (a + b) + c == total((a, b, c))
    assert a + Tally() == a == Tally() + a


@given(tallies, tallies)
def test_cube_errors_of_a_sum_are_the_sum_of_the_cube_errors(a: Tally, b: Tally) -> None:
    assert (a + b).cube == a.cube + b.cube


def test_one_mark_counts_in_its_own_place() -> None:
    assert one_mark(Mark.BAD) == Counts((0, 0, 1, 0))
    assert one_mark(LuckMark.VERY_LUCKY) == Counts((1, 0, 0, 0, 0))
