"""Who sits where, and what the arrows of a turn's board show."""

from engine_ext.backgammon.xgid import state_from_xgid, to_xgid
from master.games.backgammon.review.boards import asked_state, bottom, drawing, scene
from tests.master.games.backgammon.review.reviews import played_review

NAMES = ("Ann", "Bob")


def test_the_player_on_roll_sits_at_the_bottom_with_his_own_colour() -> None:
    for turn in played_review(3, 7).turns:
        drawn, seen = drawing(turn, NAMES), scene(turn, NAMES)
        assert seen.position == turn.state.position
        assert seen.names[0] == NAMES[bottom(turn)]
        assert drawn.is_bottom_dark == (bottom(turn) == 1)
        assert seen.dice == turn.dice
        assert drawn.is_double_offered == turn.state.match.is_double_offered
        if turn.dice is not None:
            assert bottom(turn) == turn.player


def test_a_better_move_has_arrows_only_where_there_is_one() -> None:
    for turn in played_review().turns:
        drawn = drawing(turn, NAMES)
        if turn.checker is None:
            assert (drawn.played, drawn.better) == ("", "")
            continue
        assert drawn.played == turn.text
        best = turn.checker.moves[0].text
        assert drawn.better == (best if turn.checker.error > 0.0 else "")


def test_ids_ask_what_was_decided() -> None:
    for turn in played_review(3, 7).turns:
        asked = asked_state(turn)
        assert asked.match.dice == turn.dice
        assert asked_state(turn, is_rolled=False).match.dice is None
        assert asked.position == state_from_xgid(to_xgid(asked)).position
