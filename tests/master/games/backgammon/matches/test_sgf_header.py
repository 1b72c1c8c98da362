"""What the first node of a game says: automatic doubles and matches without a cube."""

from pathlib import Path

import pytest

from engine_ext.backgammon.questions import DecisionKind
from master.games.backgammon.matches.decisions import LEVELS, ask_about
from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.record import AnalysedMatch, Double, Play
from master.games.backgammon.matches.sgf_header import read_header, uses_cube, without_crawford
from master.games.backgammon.matches.sgf_tree import Tree, parse_sgf
from master.games.backgammon.matches.sgf_write import write_sgf
from master.games.errors import RecordError
from tests.master.games.backgammon.matches.gnubg_program import (
    needs_gnubg,
    run_gnubg,
    self_play_commands,
)


def tree_of(properties: str, moves: str = "") -> Tree:
    (tree,) = parse_sgf(f"(;GM[6]MI[length:5][ws:4][bs:1]PW[Ann]PB[Bob]{properties}{moves})", "a")
    return tree


def test_a_header_is_read_and_may_lose_the_crawford_rule() -> None:
    tree = tree_of("RU[Crawford:CrawfordGame]RE[B+2R]CV[2]")
    header = read_header(tree, is_beavered=False, is_cube_used=True)
    assert (header.match.players, header.match.uses_crawford) == (("Ann", "Bob"), True)
    assert (header.game.score, header.game.is_crawford, header.game.cube) == ((4, 1), True, 2)
    assert header.is_resigned
    plain = without_crawford(header)
    assert not plain.match.uses_crawford
    assert not plain.game.is_crawford


def test_a_cube_value_that_is_no_number_is_refused() -> None:
    with pytest.raises(RecordError, match="expected a number, not 'two'"):
        read_header(tree_of("CV[two]"), is_beavered=False, is_cube_used=True)


def test_a_game_without_a_cube_says_so_and_has_no_double() -> None:
    assert uses_cube(tree_of(""))
    assert not uses_cube(tree_of("RU[NoCube]"))
    assert uses_cube(tree_of("RU[NoCube]", ";W[31hefe];B[double]"))


@needs_gnubg
@pytest.mark.reference
@pytest.mark.slow
@pytest.mark.when_changed
def test_automatic_doubles_are_the_same_in_both_of_its_formats(tmp_path: Path) -> None:
    """Of the last game no score tells in .mat."""
    commands = self_play_commands(0, seed=16)
    commands.insert(-1, "set automatic doubles 3")
    save = ["save match a.sgf", "export match mat a.mat"]
    run_gnubg(tmp_path, [*commands, *["new game"] * 7, *save])
    sgf, mat = (read_match_file(tmp_path / f"a.{name}") for name in ("sgf", "mat"))
    assert sgf.skipped == mat.skipped == ()
    cubes = [game.cube for game in sgf.match.games]
    assert max(cubes) > 1
    assert [game.cube for game in mat.match.games[:-1]] == cubes[:-1]
    assert [game.result for game in mat.match.games[:-1]] == [
        game.result for game in sgf.match.games[:-1]
    ]
    (tmp_path / "b.sgf").write_text(write_sgf(sgf))
    assert read_match_file(tmp_path / "b.sgf").match == sgf.match
    run_gnubg(tmp_path, ["load match b.sgf", "save match c.sgf"])
    assert read_match_file(tmp_path / "c.sgf").match.games == sgf.match.games


@needs_gnubg
@pytest.mark.reference
@pytest.mark.slow
def test_a_match_without_a_cube_is_asked_nothing_about_it_and_keeps_the_rule(
    tmp_path: Path,
) -> None:
    commands = self_play_commands(3, seed=5)
    commands.insert(-1, "set cube use off")
    run_gnubg(tmp_path, [*commands, "save match a.sgf"])
    match = read_match_file(tmp_path / "a.sgf").match
    assert not match.uses_cube
    assert not any(isinstance(action, Double) for game in match.games for action in game.actions)
    asked = ask_about(match, LEVELS["quick"], "0" * 16)
    assert len(asked) == sum(isinstance(a, Play) for game in match.games for a in game.actions)
    assert all(one.question.kind is not DecisionKind.CUBE for one in asked)
    assert {one.question.settings.cube_ply for one in asked} == {None}
    (tmp_path / "b.sgf").write_text(write_sgf(AnalysedMatch(match)))
    run_gnubg(tmp_path, ["load match b.sgf", "save match c.sgf"])
    assert "NoCube" in (tmp_path / "c.sgf").read_text()
