"""A watched game is the game that the command and a rollout play, and each frame is true."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.control import RunControl
from engine_ext.threes.board import ThreesBoard, rank_of
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.player import play_game
from master.cli.app import manyply
from master.cli.threes.playing.play_threes import read_game_file
from master.games.threes.played_frames import frames
from master.games.threes.record import DIRECTION_OF

SEEDS = st.integers(0, 2**53 - 1)


def whole(seed: int, level: str = "1") -> list[Any]:
    return [*frames(seed, level)]


def board_of(frame: Any) -> ThreesBoard:
    ranks = [rank_of(card) if card else 0 for card in frame["cards"]]
    return ThreesBoard(sum(rank << 4 * square for square, rank in enumerate(ranks)))


@settings(max_examples=10)
@given(SEEDS)
def test_game_is_that_of_a_rollout(seed: int) -> None:
    played = play_game(shipped_net(), seed, 0, 1, RunControl())
    game = whole(seed)
    last = board_of(game[-1])
    assert (len(game) - 1, last.highest, last.score) == played


@pytest.mark.slow
def test_deep_game_is_that_of_a_rollout() -> None:
    game = whole(7, "3")
    last = board_of(game[-1])
    assert (len(game) - 1, last.highest, last.score) == play_game(
        shipped_net(), 7, 0, 3, RunControl()
    )


@pytest.mark.slow
@pytest.mark.when_changed
def test_game_is_that_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    arguments = ["play", "threes", "--seed", "5", "--plies", "2", "--auto", "--name", "Ann"]
    result = CliRunner().invoke(manyply, arguments)
    assert result.exit_code == 0, result.output
    (path,) = (tmp_path / "manyply" / "matches").iterdir()
    record, *_ = read_game_file(path)
    game = whole(5, "2")
    assert [frame["move"] for frame in game[:-1]] == [DIRECTION_OF[each] for each in record.moves]
    assert board_of(game[-1]) == record.board


@settings(max_examples=5)
@given(SEEDS)
def test_each_frame_follows_from_the_one_before(seed: int) -> None:
    game = whole(seed)
    for frame, after in pairwise(game):
        board = board_of(frame)
        assert set(frame["values"]) == set(board.moves())
        assert frame["values"][frame["move"]] == max(frame["values"].values())
        assert frame["score"] == board.score
        shifted = board.shifted(frame["move"])
        entered, rank = after["entered"], board_of(after).ranks[after["entered"]]
        assert entered in board.entries(frame["move"])
        assert after["cards"][entered] in frame["next"]
        assert shifted.with_card(entered, rank) == board_of(after)
    assert game[0]["entered"] is None
    assert (game[-1]["move"], game[-1]["values"]) == (None, {})


def test_same_seed_is_the_same_game_and_another_is_not() -> None:
    assert whole(1) == whole(1) != whole(2)
