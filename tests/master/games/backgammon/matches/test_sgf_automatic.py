from pathlib import Path

import pytest

from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.record import Result
from master.games.backgammon.matches.sgf_read import read_sgf
from master.games.backgammon.matches.sgf_write import write_sgf
from tests.master.games.backgammon.matches.gnubg_program import (
    needs_gnubg,
    run_gnubg,
    self_play_commands,
)
from tests.master.games.backgammon.matches.test_sgf_read import HEAD, OPENING


def session_game(score: str, result: str, cube: int) -> str:
    """Write a money game whose first double is passed."""
    white, black = score.split("-")
    rules = f"MI[length:0][ws:{white}][bs:{black}]PW[Ann]PB[Bob]RU[Jacoby]"
    return f"{HEAD}{rules}CV[{cube}]RE[{result}]{OPENING};B[double];W[drop])\n"


def test_automatic_doubles_that_the_scores_do_not_count_are_left_out_and_named() -> None:
    found = read_sgf(
        session_game("0-0", "B+4", 4)
        + session_game("0-1", "B+1", 1)
        + session_game("0-2", "B+8", 8)
        + session_game("0-6", "B+2", 2),
        "a.sgf",
    )
    assert found.skipped == ()
    assert [(game.score, game.cube) for game in found.match.games] == [
        ((0, 0), 1), ((0, 1), 1), ((0, 2), 4), ((0, 6), 1)
    ]  # fmt: skip
    assert [game.result for game in found.match.games] == [
        Result(1, points) for points in (1, 1, 4, 1)
    ]
    assert found.warnings == (
        "a.sgf: the scores do not count the automatic doubles of games 1, 3, 4; "
        "read without them, as the scores say",
    )


def test_automatic_doubles_that_the_scores_count_stay() -> None:
    found = read_sgf(session_game("0-0", "B+4", 4) + session_game("0-4", "B+2", 2), "a.sgf")
    assert [game.cube for game in found.match.games] == [4, 2]
    assert (found.skipped, found.warnings) == ((), ())


def test_a_score_that_no_automatic_double_explains_is_named_without_its_game_twice() -> None:
    found = read_sgf(session_game("0-0", "B+4", 4) + session_game("3-1", "B+2", 2), "a.sgf")
    assert found.notices == ("game 2: expected the score 0-4, found 3-1; skipped",)


@needs_gnubg
@pytest.mark.reference
@pytest.mark.slow
@pytest.mark.when_changed
def test_a_session_played_without_display_is_read_as_its_mat_export_has_it(
    tmp_path: Path,
) -> None:
    """Then gnubg's scores do not count the automatic doubles that its cubes and results have."""
    commands = self_play_commands(0, seed=16)
    commands[-1:-1] = ["set display off", "set automatic doubles 3"]
    save = ["save match a.sgf", "export match mat a.mat"]
    run_gnubg(tmp_path, [*commands, *["new game"] * 7, *save])
    assert "CV[4]" in (tmp_path / "a.sgf").read_text()
    sgf, mat = (read_match_file(tmp_path / f"a.{name}") for name in ("sgf", "mat"))
    assert sgf.skipped == mat.skipped == ()
    assert len(sgf.match.games) == 8
    assert [(game.score, game.cube, game.result) for game in sgf.match.games] == [
        (game.score, game.cube, game.result) for game in mat.match.games
    ]
    (warning,) = sgf.warnings
    assert warning.startswith("a.sgf: the scores do not count the automatic doubles of games 1, 4")
    (tmp_path / "b.sgf").write_text(write_sgf(sgf))
    assert read_match_file(tmp_path / "b.sgf").match == sgf.match
