"""Tables and plots of simulations, whoever has published what."""

from master.cli.othello.simulate_command import SOURCE_5
from master.cli.simulating.report import speedup_svg, timeline_svg
from tests.master.cli.othello.test_simulate_command import REPORT


def test_plots_name_what_they_show() -> None:
    assert "source 5, par" in speedup_svg(REPORT, SOURCE_5)
    drawn = timeline_svg(REPORT, "FFO26", [(0.0, 0), (2.0, 64)], 10.0, 64)
    assert "FFO26" in drawn
    assert "milliseconds" in drawn
