"""What Othello offers is there, and speaks of Othello."""

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.games.othello.front import FRONT
from master.games.table import load


def test_othello_has_its_verbs_and_is_an_engine_of_a_board() -> None:
    assert list(FRONT.commands) == ["nboard"]
    assert set(FRONT.verbs) == {"analyse", "play", "search", "simulate", "perft"}


@pytest.mark.parametrize("words", [*((verb, "othello") for verb in FRONT.verbs), ("nboard",)])
def test_each_command_is_found_by_its_words_and_helps(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(manyply, [*words, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: manyply {' '.join(words)} ")


def test_jobs_of_othello_are_searches_and_positions_are_shown() -> None:
    for place in (FRONT.search_job, FRONT.search_words, FRONT.job_report, FRONT.job_lines):
        assert place.startswith("master.games.othello.")
        assert load(place) is not None
    assert callable(load(FRONT.read_position))
    assert callable(load(FRONT.show_position))
