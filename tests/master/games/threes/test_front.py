"""What Threes! offers is there, and speaks of Threes!."""

import json

import pytest
from click.testing import CliRunner

from engine_ext.threes.board import ThreesBoard
from master.cli.app import manyply
from master.games.job_words import JobWords
from master.games.table import load
from master.games.threes.front import FRONT
from master.games.watched import WatchedGame

TEXT = "threes:1230456000000007"


def test_games_are_played_out_and_moves_are_shown_and_ranked() -> None:
    assert list(FRONT.commands) == []
    assert set(FRONT.verbs) == {"rollout", "play", "move", "perft", "bench"}


@pytest.mark.parametrize("verb", FRONT.verbs)
def test_each_command_is_found_by_its_words_and_helps(verb: str) -> None:
    result = CliRunner().invoke(manyply, [verb, "threes", "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: manyply {verb} threes ")


def test_jobs_have_words_of_their_own() -> None:
    assert isinstance(load(FRONT.job_words), JobWords)
    for place in (FRONT.job_report, FRONT.job_lines, FRONT.job_svg):
        assert place.startswith("master.games.threes.")
        assert callable(load(place))


def test_games_can_be_watched() -> None:
    assert isinstance(load(FRONT.watched), WatchedGame)


def test_position_that_was_typed_is_read_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    board = load(FRONT.read_position)(TEXT)
    assert isinstance(board, ThreesBoard)
    load(FRONT.show_position)(board, is_json=True)
    assert json.loads(capsys.readouterr().out)["board"] == TEXT.removeprefix("threes:")
    load(FRONT.show_position)(board, is_json=False)
    assert capsys.readouterr().out.startswith(TEXT)


@pytest.mark.parametrize("text", ["", TEXT[7:], TEXT[:-1], f"{TEXT}0", f"{TEXT[:-1]}g", "threes:"])
def test_what_is_no_position_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="threes: and 16 hex digits"):
        load(FRONT.read_position)(text)
