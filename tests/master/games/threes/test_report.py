"""Reports and drawings of jobs of Threes!, and its front."""

import json
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.threes.board import DIRECTION_NAMES, ThreesBoard
from engine_ext.threes.context import Lookahead, ThreesContext
from engine_ext.threes.engine import CARDS, SCORE_UNIT, VALUE_NAMES
from master.cli.app import manyply
from master.contract.views import AlternativeSummary, JobView
from master.games.job_words import JobWords
from master.games.threes.board_view import heading, read_position
from master.games.threes.front import FRONT
from master.games.threes.report import (
    BAR_WIDTH,
    WORDS,
    highest,
    interval,
    job_lines,
    job_report,
    label,
    reached,
    score_quantiles,
)
from master.games.threes.report_plot import job_outcomes, job_svg
from master.games.watched import WatchedGame
from tests.engine_ext.threes.reference_threes import (
    Cards,
    after,
    board_of,
    cards_of_boards,
    score,
)
from tests.master.cli.shown import job_view

RATES = (1.0, 0.99, 0.9, 0.6, 0.35, 0.05, 0.0)
SCORES = tuple(20.0 * step * step for step in range(10, 31))
"""At every twentieth of the games, in SCORE_UNIT."""

CONTEXT = ThreesContext("e" * 16, Lookahead(2, 2), 7)


def summary(
    rates: tuple[float, ...] = RATES,
    games: int = 100,
    error: float | None = 640.0,
    quantiles: tuple[float, ...] = SCORES,
) -> AlternativeSummary:
    """Return games of 60,000 points in the mean."""
    small = None if error is None else error / SCORE_UNIT
    errors = (None if error is None else 2.5, *(small for _ in CARDS), small)
    means = (812.0, *rates, 60_000 / SCORE_UNIT)
    return AlternativeSummary(games, means, errors, 0.0, None, quantiles)


def view(*found: AlternativeSummary, **changes: Any) -> JobView:
    fields: dict[str, Any] = {
        "game": "threes", "context": CONTEXT.to_text(), "alternative_names": ("games",),
        "value_names": VALUE_NAMES, "label": label(CONTEXT), "alternatives": found,
    }  # fmt: skip
    return job_view(**(fields | changes))


@pytest.mark.parametrize(
    ("hits", "games", "bounds"),
    [
        (0, 10, (0.0, 0.2775)),
        (10, 10, (0.7225, 1.0)),
        (5, 10, (0.2366, 0.7634)),
        (1, 1, (0.2065, 1.0)),
        (15, 50, (0.1910, 0.4375)),
    ],
)
def test_interval_is_wilson_s(hits: int, games: int, bounds: tuple[float, float]) -> None:
    assert interval(hits / games, games) == pytest.approx(bounds, abs=5e-5)


@given(st.integers(1, 10**6), st.data())
def test_interval_holds_its_rate_and_mirrors(games: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, games))
    low, high = interval(hits / games, games)
    assert 0.0 <= low <= hits / games <= high <= 1.0
    assert low < high
    assert interval(1 - hits / games, games) == pytest.approx((1 - high, 1 - low), abs=1e-9)
    assert (low == 0.0) == (hits == 0)
    assert (high == 1.0) == (hits == games)


def test_shares_of_the_highest_cards_are_differences_of_the_rates() -> None:
    shares = highest(summary())
    assert list(shares) == [0, *CARDS]
    assert shares == pytest.approx(
        {0: 0.0, 192: 0.01, 384: 0.09, 768: 0.3, 1536: 0.25, 3072: 0.3, 6144: 0.05, 12288: 0.0}
    )
    assert reached(summary()) == dict(zip(CARDS, RATES, strict=True))


def test_object_has_the_documented_keys() -> None:
    report = job_report(view(summary(), stopped_by="trials"))
    assert list(report) == [
        "job", "games", "stopped_by", "engine", "settings", "score", "moves", "reached",
    ]  # fmt: skip
    assert (report["games"], report["stopped_by"], report["engine"]) == (100, "trials", "e" * 16)
    assert report["settings"] == {"plies": 2, "seed": 7}
    assert report["score"] == {
        "mean": 60_000.0,
        "std_error": 640.0,
        "quantiles": {
            "5": 77_440.0, "25": 144_000.0, "50": 256_000.0, "75": 400_000.0, "95": 538_240.0,
        },
    }  # fmt: skip
    assert report["moves"] == {"mean": 812.0, "std_error": 2.5}
    assert report["reached"] == [
        {"card": card, "rate": rate, "interval": list(interval(rate, 100))}
        for card, rate in zip(CARDS, RATES, strict=True)
    ]


def test_nothing_is_said_before_the_first_game() -> None:
    assert job_report(view())["games"] == 0
    assert job_report(view())["stopped_by"] is None
    assert "score" not in job_report(view())
    assert job_lines(view()) == ["no game is finished yet"]


def test_lines_are_score_rates_and_a_histogram() -> None:
    first, shares, scores, heading, *rows = job_lines(view(summary()))
    assert first == "100 games: score 60,000 +- 1,254, 812 moves each"
    assert shares == "of games       5 %      25 %      50 %      75 %      95 %"
    assert scores == "score to    77,440   144,000   256,000   400,000   538,240"
    assert heading.split() == ["reached", "95", "%", "interval", "highest", "card"]
    assert rows[0].split() == ["less", "0.00%"]
    assert [row.split()[0] for row in rows[1:]] == [f"{card:,}" for card in CARDS]
    assert rows[4].split() == ["1,536", "60.00%", "50.20%", "-", "69.06%", "25.00%", "#" * 33]
    bars = [row.count("#") for row in rows]
    assert bars == [0, 1, 12, 40, 33, 40, 7, 0]
    assert max(bars) == BAR_WIDTH


@given(st.lists(st.integers(0, 100), min_size=7, max_size=7), st.sampled_from([60, 80, 140]))
def test_columns_stand_below_their_headings_and_fit(counts: list[int], width: int) -> None:
    rates = tuple(count / 100 for count in sorted(counts, reverse=True))
    _, _, _, heading, *rows = lines = job_lines(view(summary(rates)), width)
    assert max(map(len, lines)) <= width
    reached_end = heading.index("reached") + len("reached")
    interval_end = heading.index("interval") + len("interval")
    for row in rows[1:]:
        assert [row[end - 1 : end + 1] for end in (reached_end, interval_end)] == ["% ", "% "]
    shares_end = {row.rindex("%") for row in rows}
    assert len(shares_end) == 1


def test_job_of_an_older_version_has_no_quantiles() -> None:
    older = view(summary(quantiles=()))
    assert score_quantiles(summary(quantiles=())) == {}
    assert job_report(older)["score"] == {
        "mean": 60_000.0, "std_error": 640.0, "quantiles": None,
    }  # fmt: skip
    assert len(job_lines(older)) == len(job_lines(view(summary()))) - 2
    assert "reached" in job_lines(older)[1]


def test_single_game_has_no_error() -> None:
    alone = summary(games=1, error=None, quantiles=(60_000 / SCORE_UNIT,) * 21)
    assert job_lines(view(alone))[0] == "1 game: score 60,000, 812 moves each"
    assert WORDS.best(view(alone)) == "score 60,000, 3072 in 35.0%"
    score = job_report(view(alone))["score"]
    assert isinstance(score, dict)
    assert score["std_error"] is None
    assert set(score["quantiles"].values()) == {60_000.0}


@pytest.mark.parametrize("rates", [RATES, (0.0,) * 7, (1.0,) * 7, (0.5,) + (0.0,) * 6])
def test_rows_of_a_running_job_show_the_last_cards_reached(rates: tuple[float, ...]) -> None:
    heading, row = WORDS.rows(view(summary(rates)), 60)
    shown = [card for card, rate in zip(CARDS, rates, strict=True) if rate][-4:]
    assert heading.split() == ["Score", "Moves", *map(str, shown)]
    assert row.split()[:3] == ["games", "60,000", "812"]
    assert row.split()[3:] == [f"{rates[CARDS.index(card)]:.1%}" for card in shown]
    assert len(heading) == len(row) <= 60


def test_best_is_the_score_with_its_error() -> None:
    assert WORDS.best(view(summary())) == "score 60,000 [640], 3072 in 35.0%"


def test_label_says_how_it_is_played() -> None:
    assert label(CONTEXT) == "Threes!, 2-ply, seed 7"


SVG = "{http://www.w3.org/2000/svg}"


def texts(found: AlternativeSummary) -> list[str]:
    drawn = ElementTree.fromstring(job_svg(view(found)))
    return [str(text.text) for text in drawn.iter(f"{SVG}text")]


def test_cards_shares_and_quantiles_are_written() -> None:
    said = texts(summary())
    assert said[0] == "Threes!, 2-ply, seed 7: 100 games"
    assert {"less", *(f"{card:,}" for card in CARDS)} <= set(said)
    assert [text for text in said if text.endswith(" %") and text[0].isdigit()] == [
        "0.0 %", "1.0 %", "9.0 %", "30.0 %", "25.0 %", "30.0 %", "5.0 %", "0.0 %",
    ]  # fmt: skip
    assert [text for text in said if " %: " in text] == [
        "5 %: 77,440", "25 %: 144,000", "50 %: 256,000", "75 %: 400,000", "95 %: 538,240",
    ]  # fmt: skip
    assert job_svg(view(summary())) == job_svg(view(summary()))


@pytest.mark.parametrize("quantiles", [(0.0,) * 21, (1.0,) * 21, (0.5, *[2.0] * 19, 4e4)])
def test_any_scores_are_drawn(quantiles: tuple[float, ...]) -> None:
    assert "Threes!, 2-ply, seed 7: 1 game" in texts(summary(games=1, quantiles=quantiles))


def test_scores_are_left_out_where_they_are_unknown() -> None:
    assert "Scores" in texts(summary())
    assert "Scores" not in texts(summary(quantiles=()))


def test_outcomes_are_the_highest_cards_that_came() -> None:
    (outcomes,) = job_outcomes(view(summary()))
    assert [round(each.share, 4) for each in outcomes] == [0.01, 0.09, 0.3, 0.25, 0.3, 0.05]
    assert outcomes[0].name.startswith("highest card ")


TEXT = "threes:1230456000000007"


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["show", *args])


def test_board_is_drawn_below_its_text() -> None:
    lines = ran(TEXT).stdout.splitlines()
    assert lines[:4] == [
        f"{TEXT}  363 points", "", "+-----+-----+-----+-----+", "|  1  |  2  |  3  |     |",
    ]  # fmt: skip
    assert len(lines) == 11


@settings(max_examples=20)
@given(cards_of_boards)
def test_object_has_the_cards_and_the_legal_moves(cards: Cards) -> None:
    board = board_of(cards)
    found = json.loads(ran(f"threes:{board.to_text()}", "--json").stdout)
    moves = [name for name in DIRECTION_NAMES if after(cards, name) != cards]
    assert found == {
        "board": board.to_text(), "cards": list(cards), "score": score(cards), "moves": moves,
    }  # fmt: skip


def test_board_that_is_over_says_so() -> None:
    assert heading(ThreesBoard.from_text("2" * 16)).endswith("2  0 points, no move is legal")


def test_what_is_no_board_is_one_line_that_says_how_boards_look() -> None:
    result = ran("threes:12")
    assert result.exit_code == 2
    assert "'threes:12' is no board: expected threes: and 16 hex digits" in result.stderr


def test_jobs_have_words_of_their_own_and_games_can_be_watched() -> None:
    assert isinstance(FRONT.job_words(), JobWords)
    assert FRONT.watched is not None
    assert isinstance(FRONT.watched(), WatchedGame)


@pytest.mark.parametrize("text", ["", TEXT[7:], TEXT[:-1], f"{TEXT}0", f"{TEXT[:-1]}g", "threes:"])
def test_what_is_no_position_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="threes: and 16 hex digits"):
        read_position(text)
