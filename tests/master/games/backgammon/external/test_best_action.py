import pytest

from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.notation import parse_move
from engine_ext.backgammon.play import SearchStopped, evaluate
from engine_ext.control import RunControl
from master.games.backgammon.external.best_action import Level, answer, evaluation_text, move_text
from master.games.backgammon.external.fibs_board import Due, DueQuestion
from tests.engine_ext.backgammon.positions import played_positions

LEVEL = Level()

START = "-b----E-C---eE---c-e----B-"
DANCE = f"{'-' * 19}bbbbbbA"
WON = "-BBB----------------ccccc-"  # the opponent has no time, and nothing is to be hit
LOST = "-CCCCC----------------bbb-"
GAMMON = "-BB--------------------o--"  # all of the opponent's checkers are far from home
MONEY, MATCH = "0:0:0:0:10", "0:0:0:7:10"


def asked(decision: Due, xgid: str, resignation: int = 0) -> str:
    return answer(DueQuestion(decision, parse_id(xgid), resignation), LEVEL)


def test_best_move_is_written_step_by_step() -> None:
    assert asked(Due.MOVE, f"{START}:0:0:1:31:0:0:0:7:10") == "8/5 6/5"
    assert asked(Due.MOVE, f"{START}:0:0:1:65:0:0:0:7:10") == "24/18 18/13"


def test_written_move_is_the_one_that_is_read() -> None:
    for position in played_positions(seed=3, count=4):
        for dice in ((6, 5), (3, 3), (2, 1)):
            for move in legal_moves(position, dice):
                if move.steps:
                    assert parse_move(position, dice, move_text(move.steps)).after == move.after


def test_no_legal_move_is_an_empty_text() -> None:
    assert asked(Due.MOVE, f"{DANCE}:0:0:1:66:{MATCH}") == ""


@pytest.mark.parametrize(
    ("position", "rest"),
    [
        (START, f"0:0:1:00:{MATCH}"),
        (WON, "0:0:1:00:0:6:1:7:10"),  # the Crawford game
        (WON, f"1:-1:1:00:{MATCH}"),  # the opponent's cube
        (WON, "1:1:1:00:5:0:0:7:10"),  # a win at this cube wins the match
        (LOST, f"0:0:1:00:{MONEY}"),
    ],
)
def test_who_may_not_double_or_gains_nothing_rolls(position: str, rest: str) -> None:
    assert asked(Due.TURN, f"{position}:{rest}") == "roll"


@pytest.mark.parametrize("match", [MONEY, MATCH])
def test_double_is_offered_when_it_wins_and_dropped_when_it_loses(match: str) -> None:
    assert asked(Due.TURN, f"{WON}:0:0:1:00:{match}") == "double"
    assert asked(Due.ANSWER, f"{WON}:0:0:1:D:{match}") == "drop"
    assert asked(Due.ANSWER, f"{START}:0:0:1:D:{match}") == "take"


def test_beaver_is_for_a_double_that_loses_where_there_are_beavers() -> None:
    assert asked(Due.ANSWER, f"{LOST}:0:0:1:D:0:0:3:0:10") == "beaver"
    assert asked(Due.ANSWER, f"{LOST}:0:0:1:D:0:0:1:0:10") == "take"


def test_beaver_is_dropped_by_who_has_lost_and_played_by_who_has_not() -> None:
    for position, word in ((LOST, "drop"), (START, "take"), (WON, "take")):
        assert asked(Due.BEAVERED, f"{position}:2:-1:1:00:{MONEY}") == word


def test_resignation_is_accepted_where_playing_on_wins_no_more() -> None:
    for position, games, word in ((WON, 1, "accept"), (START, 1, "accept"), (LOST, 1, "accept")):
        assert asked(Due.RESIGNATION, f"{position}:0:0:1:00:{MONEY}", games) == word
    assert asked(Due.RESIGNATION, f"{GAMMON}:0:0:1:00:{MONEY}", 1) == "reject"
    assert asked(Due.RESIGNATION, f"{GAMMON}:0:0:1:00:{MONEY}", 3) == "accept"


def test_evaluation_is_six_numbers_and_in_a_match_the_chance_to_win_it() -> None:
    money = parse_id(f"{START}:0:0:1:00:0:0:0:0:10")
    numbers = [float(word) for word in evaluation_text(money, 0).split()]
    evaluated = evaluate(money)
    assert numbers == pytest.approx([*evaluated.probs, evaluated.equity_cubeful], abs=1e-6)
    match = parse_id(f"{START}:0:0:1:00:0:0:0:7:10")
    *_, mwc = (float(word) for word in evaluation_text(match, 0).split())
    assert 0.45 < mwc < 0.55


def test_computation_can_be_stopped() -> None:
    control = RunControl()
    control.stop()
    question = DueQuestion(Due.MOVE, parse_id(f"{START}:0:0:1:31:0:0:0:7:10"))
    with pytest.raises(SearchStopped):
        answer(question, Level(2, 2), control)
