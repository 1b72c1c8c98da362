import pytest
from hypothesis import given

from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, OPPONENT, GameState, MatchState
from master.games.backgammon.matches.sgf_header import Setup, read_dice, read_player, write_setup
from master.games.backgammon.matches.sgf_tree import Node, parse_sgf
from master.games.errors import RecordError
from tests.engine_ext.backgammon.states import game_states


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
