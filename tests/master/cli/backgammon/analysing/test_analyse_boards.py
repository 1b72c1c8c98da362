import pytest

from master.cli.backgammon.analysing.analyse_boards import ANSWERS, names_of, show_errors
from master.games.backgammon.analyse_report import position_of
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.judging import ActionChoice
from tests.master.games.backgammon.matches.analysed_matches import analysed
from tests.master.games.backgammon.matches.random_matches import Habits, random_match

MATCH = analysed(random_match(7, 3, habits=Habits(double=0.1, drop=0.5)), 1)
FIGURES = match_figures(MATCH)


def test_each_error_has_its_board_and_what_was_better(capsys: pytest.CaptureFixture[str]) -> None:
    show_errors(MATCH, FIGURES, 3)
    heading, *shown = capsys.readouterr().out.split("\n\n")
    assert heading == "The largest 3 errors:"
    # A board has an empty line above it.
    assert len(shown) == 6
    for each, title, drawn in zip(FIGURES.errors(), shown[::2], shown[1::2], strict=False):
        place, position = title.splitlines()
        assert place.startswith(f"{each.game + 1}.{each.action + 1}  ")
        assert f": {-each.error:+.3f} (" in place
        assert position == position_of(each)
        assert drawn.splitlines()[-2:] == [f" played: {each.played}", f" better: {each.best}"]
        roll = "" if each.dice is None else f"X rolled {each.dice[0]}-{each.dice[1]}"
        assert roll in drawn


def test_one_error_is_counted_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    show_errors(MATCH, FIGURES, 1)
    assert capsys.readouterr().out.startswith("The largest 1 error:\n")


def test_the_player_on_roll_sits_at_the_bottom() -> None:
    seen = set()
    for each in FIGURES.decisions:
        on_roll, other = names_of(MATCH, each)
        decider = other if each.choice in ANSWERS else on_roll
        assert decider == MATCH.match.players[each.player]
        assert {on_roll, other} == set(MATCH.match.players)
        # Whose double waits for an answer is on roll.
        assert each.state.match.is_double_offered == (each.choice in ANSWERS)
        seen.add(each.choice)
    assert {ActionChoice.MOVE, ActionChoice.NO_DOUBLE} < seen
    assert seen & set(ANSWERS)
