"""What the person at a backgammon board may type: master.cli.backgammon.playing.play_words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, OPPONENT, GameState, MatchState
from master.cli.backgammon.playing.play_table import BackgammonTable, Settings
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.record import Double, Game, Match, Play, Resign, Result
from master.games.backgammon.play.advice import has_cube_decision
from master.games.backgammon.play.live_match import LiveMatch, Phase
from tests.master.cli.backgammon.tables import Script, play, sit, table_of

Captured = pytest.CaptureFixture[str]

LEADING = ((2, 1), CENTRED, 1)
TRAILING = ((1, 2), CENTRED, 1)
REDOUBLED = ((0, 0), ON_ROLL, 4)
OWN_CUBE = ((0, 0), ON_ROLL, 2)
THEIR_CUBE = ((0, 0), OPPONENT, 2)


def game_at_table(
    script: Script, score: tuple[int, int], owner: int, value: int, *, is_auto_roll: bool = False
) -> BackgammonTable:
    """Have Ann on roll before her first turn in a match to three."""
    state = MatchState(
        cube_value=value, cube_owner=owner, match_length=3, score=score, player_on_roll=0
    )
    game = Game(score, start=GameState(START, state))
    match = Match(("Ann", "manyply"), 3, (game,))
    return table_of(script, Settings(3, is_auto_roll=is_auto_roll), match)


@pytest.mark.parametrize(
    ("score", "owner", "value", "prompt"),
    [
        (*TRAILING, "X to roll or double? "),
        (*OWN_CUBE, "X to roll or double? "),
        (*LEADING, "X to roll? "),
        (*REDOUBLED, "X to roll? "),
        (*THEIR_CUBE, "X to roll? "),
    ],
)
def test_a_double_is_offered_only_where_the_cube_lives(
    score: tuple[int, int], owner: int, value: int, prompt: str
) -> None:
    script = Script()
    sit(game_at_table(script, score, owner, value))
    assert script.prompts == [prompt]


def test_a_dead_cube_may_be_turned_and_its_hint_is_to_roll(capsys: Captured) -> None:
    table = game_at_table(Script("hint", "double"), *LEADING)
    sit(table)
    assert "There is nothing to decide: roll." in capsys.readouterr().out
    assert table.record.entries[0].action == Double(0)


def test_the_highest_cube_of_the_engine_is_dead_in_money_play() -> None:
    for value, is_alive in ((2048, True), (4096, False), (8192, False)):
        state = MatchState(cube_value=value, cube_owner=ON_ROLL, player_on_roll=0)
        game = Game((0, 0), start=GameState(START, state))
        live = LiveMatch(AnalysedMatch(Match(("Ann", "manyply"), 0, (game,))))
        assert has_cube_decision(live.state) == is_alive
        assert live.state.may_double


@pytest.mark.parametrize(("score", "owner", "value"), [LEADING, REDOUBLED, THEIR_CUBE])
def test_rolls_come_by_themselves_where_no_cube_lives(
    score: tuple[int, int], owner: int, value: int
) -> None:
    script = Script()
    table = game_at_table(script, score, owner, value, is_auto_roll=True)
    sit(table)
    assert table.record.phase is Phase.MOVE
    assert "your move? " in script.prompts[0]


@pytest.mark.parametrize(("score", "owner", "value"), [TRAILING, OWN_CUBE])
def test_nothing_rolls_by_itself_where_a_double_is_a_choice(
    score: tuple[int, int], owner: int, value: int
) -> None:
    script = Script()
    table = game_at_table(script, score, owner, value, is_auto_roll=True)
    sit(table)
    assert (table.record.phase, script.prompts) == (Phase.TURN, ["X to roll or double? "])


OVER = Match(("Eve", "Bob"), 1, (Game((0, 0), (Resign(1),), Result(0, 1)),))
ENDED = "The match is over: load, new, undo, review or quit? "


def loading(*lines: str) -> tuple[Script, BackgammonTable]:
    """Have a match at the table, and another, which is over, to load."""
    script = Script(*lines, files={"over.sgf": LiveMatch(AnalysedMatch(OVER))})
    return script, game_at_table(script, *TRAILING)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", "expected nothing: the match is over"),
        ("8/5 6/5", "there is no roll to move"),
        ("double", "you cannot double now"),
        ("resign", "the game is over"),
        ("hint", "There is nothing to decide."),
        ("dice 31", "no roll of yours is due"),
        ("load over.sgf", "Eve wins 1 point.  Eve 1, Bob 0 in the match to 1."),
        ("board", "Bob"),
    ],
)
def test_a_loaded_match_that_is_over_tells_its_result_and_ends_nothing(
    capsys: Captured, line: str, expected: str
) -> None:
    script, table = loading("load over.sgf", line)
    sit(table)
    reported, rest = capsys.readouterr().out.split("in the match to 1.\n", 1)
    assert reported.endswith("Eve wins 1 point.  Eve 1, Bob 0 ")
    assert expected in rest
    assert script.prompts[1:] == [ENDED, ENDED]
    assert table.record.match == OVER


def test_a_match_that_was_over_can_be_taken_up_again_and_then_ends() -> None:
    given_up = replace(OVER, games=(Game((0, 0), (Resign(0),), Result(1, 1)),))
    _, table = loading("undo", "resign bg", "y")
    table.record = LiveMatch(AnalysedMatch(given_up))
    sit(table)
    assert table.record.phase is Phase.MATCH_OVER
    assert table.record.entries[-1].action == Resign(0, 3)


def test_a_new_match_has_the_old_ones_rules_other_dice_and_a_file_of_its_own(
    capsys: Captured,
) -> None:
    script, table = loading("load over.sgf", "new")
    sit(table)
    assert script.begun == 1
    assert table.settings.seed == 4
    assert "Dice by seed 4." in capsys.readouterr().out
    assert script.matches[-1] == OVER
    assert replace(table.record.match, games=()) == replace(OVER, games=())
    assert all(isinstance(entry.action, Play) for entry in table.record.entries)


HELP = """\
(Enter), roll        roll, or play the only move
8/5 6/5, bar/20*     move; also 8/5(2)
double, redouble     offer the cube
take, pass, beaver   answer a double
resign [gammon]      give the game up; also backgammon
moves [8/]           list legal moves, or those from there
hint [N]             list the N best
undo [N], redo [N]   take back, or do again
dice 31              choose the roll
save FILE            write a copy, .sgf or .mat
load FILE            go over to another match
new                  begin another of this length
review               errors and luck so far
board                draw the board again
quit                 leave; the match is saved
"""


def test_help_lists_what_may_be_typed(capsys: Captured) -> None:
    sit(game_at_table(Script("help"), *TRAILING))
    assert HELP in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("frobnicate", "'frobnicate' is no command and no move: try help"),
        ("take it", "take stands alone: what is 'it'?"),
        ("resign tomorrow", "resign what? single, gammon or backgammon, not 'tomorrow'"),
        ("hint 0", "hint takes a number from 1 to 60, not '0'"),
        ("dice 71", "'71' is not a roll: expected two dice of 1 to 6"),
        ("dice", "'' is not a roll"),
        ("n", "'n' is no command and no move"),
    ],
)
def test_a_line_that_means_nothing_says_what_was_expected(
    capsys: Captured, line: str, expected: str
) -> None:
    table = game_at_table(Script(line), *TRAILING)
    sit(table)
    assert expected in capsys.readouterr().out
    assert (table.record.phase, table.record.entries) == (Phase.TURN, ())


@pytest.mark.parametrize("line", ["", "  r ", "ROLL", "dice 6-5", "dice 31"])
def test_dice_are_rolled_or_chosen(line: str) -> None:
    table = game_at_table(Script(line), *TRAILING)
    sit(table)
    assert table.record.phase is Phase.MOVE
    assert not line.startswith("dice") or table.record.dice in {(6, 5), (3, 1)}


@pytest.mark.parametrize(
    ("line", "multiple"), [("resign", 1), ("resign gammon", 2), ("resign 3", 3), ("Resign BG", 3)]
)
def test_a_game_is_given_up_for_as_much_as_is_said(line: str, multiple: int) -> None:
    table = play(Script("8/5 6/5", line, "y"), Settings(4), length=9)
    given_up = [e.action for e in table.record.entries if isinstance(e.action, Resign)]
    assert given_up == [Resign(0, multiple)]


def test_moves_are_listed_that_begin_so(capsys: Captured) -> None:
    sit(game_at_table(Script("dice 31", "moves 8/5", "m zz"), *TRAILING))
    out = capsys.readouterr().out
    assert "  8/5 6/5\n" in out
    assert "No legal move begins with 'zz'." in out
