import pytest

from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import Met
from engine_ext.backgammon.met_code import met_code
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from master.games.backgammon.typed import read_id
from master.games.errors import AskedError
from tests.engine_ext.backgammon.tables import SMALL
from tests.master.cli.shown import POSITION

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
OVER = "/38AAAAAAAAAAA"


def names(text: str, **options: object) -> list[str]:
    context = to_context(read_id(text), RolloutOptions(**options))  # type: ignore[arg-type]
    return [alternative.name for alternative in context.alternatives]


def test_position_itself_is_rolled_out_without_alternatives() -> None:
    assert names(POSITION) == ["position"]


def test_roll_gives_its_best_moves() -> None:
    assert names(POSITION, dice=(3, 1))[0] == "8/5 6/5"
    assert len(names(POSITION, dice=(3, 1))) == 5
    assert len(names(POSITION, dice=(3, 1), candidates=0)) == 16


def test_dice_in_the_id_are_the_roll() -> None:
    assert names(OPENING, candidates=2) == names(POSITION, dice=(3, 1), candidates=2)
    assert names(OPENING, dice=(6, 5))[0] == "24/13"
    assert names(OPENING, moves=("8/5 6/5",)) == ["8/5 6/5"]


def test_moves_keep_their_order_and_are_written_as_gnubg_does() -> None:
    assert names(POSITION, dice=(3, 1), moves=("6/5 13/10", "6/5 8/5")) == ["13/10 6/5", "8/5 6/5"]


def test_cube_compares_its_two_answers() -> None:
    assert names(POSITION, is_cube=True) == ["no double", "double, take"]


@pytest.mark.parametrize(
    ("text", "options", "complaint"),
    [
        (POSITION, {"is_cube": True, "dice": (3, 1)}, "before the roll"),
        (POSITION, {"is_cube": True, "moves": ("8/5 6/5",)}, "before the roll"),
        (POSITION, {"is_cube": True, "cubeful": False}, "leave out --cubeless"),
        (POSITION, {"dice": (3, 1), "moves": ("8/5 6/4",)}, "not one of the 16 legal moves"),
        (POSITION, {"dice": (3, 1), "moves": ("nonsense",)}, "not a checker move"),
        (POSITION, {"dice": (3, 1), "moves": ("8/5 6/5", "6/5 8/5")}, "given twice"),
        (OVER, {}, "the game is over"),
        (OPENING, {"rollout_initial": True}, "--initial rolls a position out"),
        (POSITION, {"rollout_initial": True, "is_cube": True}, "--initial rolls a position out"),
        (POSITION, {"evaluation_ply": 1}, "give --truncate"),
        (POSITION, {"late_ply": 1}, "need --late-after"),
        (POSITION, {"late_after": 4}, "--late-after needs"),
        (POSITION, {"cubeful": False, "cube_ply": 1}, "no cube plies"),
    ],
)
def test_question_that_makes_no_sense_is_one_line(
    text: str, options: dict[str, object], complaint: str
) -> None:
    with pytest.raises(AskedError, match=complaint) as caught:
        names(text, **options)
    assert "\n" not in str(caught.value)


def test_a_table_goes_along_in_the_context() -> None:
    state = read_id(f"{POSITION}:cAngAFAAGAAE")
    context = to_context(state, RolloutOptions(table=MatchTable(SMALL), dice=(3, 1)))
    assert context.met == met_code(SMALL, 5)
    assert to_context(state, RolloutOptions()).met == "kazaross-xg2"


def test_a_table_that_does_not_fit_is_one_line() -> None:
    size = 64
    pre = tuple(
        tuple(round(0.5 + (j - i) / 200 + 1e-9 * (j - i), 9) for j in range(size))
        for i in range(size)
    )
    met = Met("large", size, pre, tuple(round(0.5 - i / 200, 9) for i in range(size)))
    state = GameState(read_id(POSITION).position, MatchState(match_length=size))
    with pytest.raises(AskedError, match="fits up to 53 points to go"):
        to_context(state, RolloutOptions(table=MatchTable(met)))


def test_settings_reach_the_context() -> None:
    options = RolloutOptions(
        seed=9, ply=1, cubeful=False, variance_reduction=False, truncation_ply=7
    )
    context = to_context(read_id(POSITION), options)
    assert (context.seed, context.ply, context.cube_ply, context.truncation_ply) == (9, 1, 1, 7)
    assert not context.cubeful
    assert not context.variance_reduction


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ({"ply": 2}, "ply=2 cube_ply=2 opponent_ply=same opponent_cube_ply=same late_after=0"),
        ({"ply": 1, "cube_ply": 2}, "ply=1 cube_ply=2 opponent_ply=same opponent_cube_ply=same"),
        ({"opponent_ply": 1}, "ply=0 cube_ply=0 opponent_ply=1 opponent_cube_ply=1"),
        (
            {"cube_ply": 2, "opponent_cube_ply": 0},
            "ply=0 cube_ply=2 opponent_ply=same opponent_cube_ply=0",
        ),
        ({"ply": 2, "late_after": 4, "late_ply": 0}, "late_after=4 late_ply=0 late_cube_ply=0"),
        (
            {"ply": 2, "late_after": 4, "late_cube_ply": 0},
            "late_after=4 late_ply=same late_cube_ply=0 move_filter=normal",
        ),
        ({"truncation_ply": 11, "evaluation_ply": 2}, "truncation_ply=11 evaluation_ply=2"),
        (
            {"bearoff_truncation": False, "quasi_random": False, "rollout_initial": True},
            "bearoff_truncation=no quasi_random=no rollout_initial=yes",
        ),
    ],
)
def test_levels_follow_what_is_nearest_to_them(options: dict[str, object], fields: str) -> None:
    context = to_context(read_id(POSITION), RolloutOptions(**options))  # type: ignore[arg-type]
    assert f" {fields}" in context.to_text()
