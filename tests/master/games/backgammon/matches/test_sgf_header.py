"""What the first node of a game says: automatic doubles and matches without a cube."""

from pathlib import Path

import pytest
from hypothesis import given

from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, OPPONENT, GameState, MatchState
from engine_ext.backgammon.questions import DecisionKind
from master.games.backgammon.levels import LEVELS
from master.games.backgammon.matches.decisions import ask_about
from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.record import AnalysedMatch, Double, Play, Result
from master.games.backgammon.matches.sgf_header import (
    Setup,
    read_dice,
    read_header,
    read_player,
    split_trees,
    uses_cube,
    without_crawford,
    write_setup,
)
from master.games.backgammon.matches.sgf_read import read_sgf
from master.games.backgammon.matches.sgf_tree import Node, Tree, parse_sgf
from master.games.backgammon.matches.sgf_write import write_sgf
from master.games.errors import RecordError
from tests.engine_ext.backgammon.states import game_states
from tests.master.games.backgammon.matches.gnubg_program import (
    needs_gnubg,
    run_gnubg,
    self_play_commands,
)
from tests.master.games.backgammon.matches.test_sgf_read import HEAD, OPENING


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


def setup_of(*nodes: Node) -> Setup:
    setup = Setup()
    for node in nodes:
        setup.add(node)
    return setup


def node(text: str) -> Node:
    return parse_sgf(f"(;{text})", "a.sgf")[0].nodes[0]


@given(game_states)
def test_game_set_up_is_the_one_written(state: GameState) -> None:
    setup = setup_of(*write_setup(state))
    assert setup.exact == state


@given(game_states)
def test_gnubgs_own_properties_say_the_same(state: GameState) -> None:
    match = state.match
    nodes = write_setup(state)
    bare = [Node(tuple(pair for pair in each.properties if pair[0] != "XG")) for each in nodes]
    own = match.score[::-1] if match.player_on_roll else match.score
    rules = MatchState(
        match_length=match.match_length,
        score=(own[0], own[1]),
        crawford=match.crawford,
        jacoby=match.jacoby,
        beavers=match.beavers,
    )
    found = setup_of(*bare).state(match.player_on_roll, rules)
    assert found.position == state.position
    kept = (found.match.cube_value, found.match.cube_owner, found.match.dice, found.match.score)
    assert kept == (match.cube_value, match.cube_owner, match.dice, match.score)


def test_gnubgs_set_up_is_read() -> None:
    """Saved by gnubg 1.07: `set board`, `set cube value 2`, `set cube owner 1`, `set dice 31`."""
    setup = setup_of(
        node(
            "PL[W]AE[a:y]AW[f][f][f][f][f][h][h][h][m][m][m][m][m][x][x]"
            "AB[s][s][s][s][s][q][q][q][l][l][l][l][l][a][a]"
        ),
        node("CV[2]"),
        node("CP[b]"),
        node("PL[B]DI[31]"),
    )
    by_black = setup.state(1, MatchState(match_length=5, score=(1, 2)))
    assert by_black.position == START
    assert (by_black.match.cube_value, by_black.match.cube_owner) == (2, ON_ROLL)
    assert (by_black.match.score, by_black.match.dice) == ((2, 1), (3, 1))
    assert setup.state(0, MatchState(match_length=5)).match.cube_owner == OPPONENT


def test_points_are_whites_and_checkers_are_added() -> None:
    setup = setup_of(node("AE[a:y]"), node("AW[a][a][y]AB[x:x]"))
    position = setup.state(0, MatchState()).position
    assert position.on_roll == (12, 2, *[0] * 23, 1)
    assert position.opponent == (14, 1, *[0] * 24)


def test_automatic_doubles_leave_the_cube_centred() -> None:
    state = Setup(cube_value=4).state(0, MatchState())
    assert (state.match.cube_value, state.match.cube_owner) == (4, CENTRED)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("AW[aa]", "expected a point, a to y, not 'aa'"),
        ("AE[z]", "expected a point, a to y, not 'z'"),
        ("CP[x]", "expected a cube's owner, c, w or b, not 'x'"),
        ("XG[-]", "expected an XGID in XG: "),
        ("PL[X]", "expected a player, W or B, not 'X'"),
        ("DI[71]", "expected two dice, as 31, not '71'"),
    ],
)
def test_wrong_set_ups_are_refused(text: str, error: str) -> None:
    with pytest.raises(RecordError, match=error):
        Setup().add(node(text))


@pytest.mark.parametrize("text", ["AW[a]", "CV[3]", "CV[99999]", "CV[a]", "CP[w]", "AB[f]"])
def test_impossible_set_ups_are_refused(text: str) -> None:
    with pytest.raises(RecordError, match="expected a possible set-up: "):
        setup_of(node(text)).state(0, MatchState())


def test_players_and_dice_are_read() -> None:
    assert (read_player("W"), read_player("B")) == (0, 1)
    assert read_dice("26") == (2, 6)
    with pytest.raises(RecordError, match="expected a player"):
        read_player(None)


def game(number: int, white: int, black: int, *, length: int = 5, names: str = "AB") -> str:
    """Write a game that white won by a point."""
    rules = (
        f"MI[length:{length}][game:{number}][ws:{white}][bs:{black}]PW[{names[0]}]PB[{names[1]}]"
    )
    return f"{HEAD}{rules}RE[W+1])\n"


FIRST = game(0, 0, 0) + game(1, 1, 0)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", [2]),
        (game(0, 0, 0), [2, 1]),
        (game(0, 0, 0, length=7) + game(1, 1, 0, length=7), [2, 2]),
        (game(0, 0, 0, names="AC") + FIRST, [2, 1, 2]),
        (game(2, 2, 0), [3]),
        (game(0, 2, 0), [3]),
        (game(2, 0, 0), [3]),
        ("(;GM[1])\n" + game(0, 0, 0, names="AC"), [3, 1]),
        (game(1, 0, 0, names="AC"), [3]),
    ],
)
def test_a_match_begins_with_a_game_0_that_goes_on_no_other(text: str, counts: list[int]) -> None:
    trees = parse_sgf(FIRST + text, "a.sgf")
    found = split_trees(trees)
    assert [len(each) for each in found] == counts
    assert tuple(tree for each in found for tree in each) == trees


def test_a_game_that_is_played_on_at_no_score_is_of_the_same_match() -> None:
    """Nothing tells it from a match begun anew by the same players."""
    open_game = game(0, 0, 0).replace("RE[W+1]", "")
    assert len(split_trees(parse_sgf(open_game + open_game, "a.sgf"))) == 1


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
