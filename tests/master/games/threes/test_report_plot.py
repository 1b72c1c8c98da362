"""The drawing of games of Threes!: what it says, read back."""

from xml.etree import ElementTree

import pytest

from engine_ext.threes.engine import CARDS
from master.contract.views import AlternativeSummary
from master.games.threes.report_plot import job_outcomes, job_svg
from tests.master.games.threes.test_report import summary, view

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
