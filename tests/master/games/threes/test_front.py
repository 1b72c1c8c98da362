"""What Threes! offers is there, and speaks of Threes!."""

import json

import pytest
from click.testing import CliRunner

from engine_ext.threes.board import ThreesBoard
from master.games.table import load
from master.games.threes.front import FRONT

TEXT = "threes:1230456000000007"


def test_moves_are_shown_and_ranked() -> None:
    assert list(FRONT.commands) == []
    assert set(FRONT.verbs) == {"move", "perft"}


@pytest.mark.parametrize("place", sorted(FRONT.verbs.values()))
def test_help_of_each_command_speaks_of_its_boards(place: str) -> None:
    result = CliRunner().invoke(load(place), ["--help"])
    assert result.exit_code == 0
    assert "f the card 12288" in " ".join(result.output.split())


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
