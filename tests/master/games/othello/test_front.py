"""What Othello offers is there, and speaks of Othello."""

import click
import pytest
from click.testing import CliRunner

from master.games.othello.front import FRONT
from master.games.table import load


def test_othello_is_played_searched_simulated_and_counted_and_is_an_engine_of_a_board() -> None:
    assert list(FRONT.commands) == ["nboard"]
    assert set(FRONT.verbs) == {"play", "search", "simulate", "perft"}


@pytest.mark.parametrize("place", [*sorted(FRONT.verbs.values()), FRONT.commands["nboard"].place])
def test_help_of_each_command_speaks_of_othello(place: str) -> None:
    command = load(place)
    assert isinstance(command, click.Command)
    result = CliRunner().invoke(command, ["--help"])
    assert result.exit_code == 0
    assert "othello" in result.output.lower()


def test_jobs_of_othello_are_searches_and_no_position_is_shown() -> None:
    for place in (FRONT.search_job, FRONT.search_words, FRONT.job_report, FRONT.job_lines):
        assert place.startswith("master.games.othello.")
        assert load(place) is not None
    assert FRONT.read_position == FRONT.show_position == ""
