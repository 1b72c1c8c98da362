"""`manyply play backgammon`: its options, and a match from the first line to the saved file."""

from __future__ import annotations

import re
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, OPPONENT, GameState, MatchState
from master.cli.app import manyply
from master.cli.backgammon.playing.backgammon_session import BackgammonSession, Settings
from master.cli.backgammon.playing.play_backgammon import BACKGAMMON_FORMATS
from master.cli.errors import CommandError, ExitCode
from master.cli.playing.game_file import GameFile, today
from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.record import (
    AnalysedMatch,
    Double,
    Game,
    Match,
    Play,
    Resign,
    Result,
)
from master.games.backgammon.play.advice import has_cube_decision
from master.games.backgammon.play.live_match import LiveMatch, Phase
from master.games.errors import RecordError
from tests.master.cli.backgammon.scripts import Script, play, session_of, sit

QUICK = ("--plies", "0", "--analysis-plies", "0", "--local", "1")


def ran(*args: str, typed: str = "") -> Any:
    return CliRunner().invoke(manyply, ["play", "backgammon", *args], input=typed)


def kept(state_dir: Path) -> Match:
    (path,) = (state_dir / "matches").iterdir()
    return read_match_file(path).match


@pytest.mark.slow
def test_a_match_is_saved_as_it_was_played_and_goes_on(state_dir: Path) -> None:
    result = ran(*QUICK, "--name", "Ann", "--match", "3", "--seed", "4", typed="8/5 6/5\nquit\n")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Dice seed: 4.  help lists what you can type.\n")
    found = re.search(r"\nSaved as \S+; go on with: manyply play (\S+)\n$", result.stdout)
    assert found is not None
    match = kept(state_dir)
    assert (match.players, match.length) == (("Ann", "manyply 0-ply"), 3)
    assert len(match.games[0].actions) == 2
    again = ran(found[1], *QUICK, "--seed", "4", typed="resign bg\ny\n")
    assert again.exit_code == 0, again.output
    assert "the match to 3.\n" in again.stdout
    assert "Luck-adjusted result" in again.stdout
    assert again.stdout.endswith(f"\n\nSaved as {found[1]}\n")
    assert len(kept(state_dir).games[0].actions) == 3


@pytest.mark.slow
def test_money_games_have_beavers_and_no_length(state_dir: Path) -> None:
    result = ran(*QUICK, "--money", "--manual-dice", typed="31\n8/5 6/5\nquit\n")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("\nMoney game, game 1 at 0-0.\n")
    match = kept(state_dir)
    assert (match.length, match.beavers, match.jacoby) == (0, True, True)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--match", "3", "--money"), "--match and --money exclude each other"),
        (("--seed", "1", "--manual-dice"), "--manual-dice leaves them to you"),
        (("--match", "65"), "Invalid value for '--match'"),
        (("--name", "a\x1b[31m"), "printable characters"),
        (("nowhere.sgf", "--match", "3"), "FILE has its players and length"),
    ],
)
def test_what_cannot_be_played_is_named(options: tuple[str, ...], expected: str) -> None:
    result = ran(*options)
    assert result.exit_code == 2
    assert expected in " ".join(result.stderr.split())


@pytest.mark.sockets
def test_opponent_that_is_not_there_is_named(state_dir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    result = ran(*QUICK, "--against", f"external:127.0.0.1:{port}")
    assert isinstance(result.exception, CommandError)
    assert result.exception.exit_code is ExitCode.UNREACHABLE
    assert f"cannot reach 127.0.0.1:{port}: " in str(result.exception)
    assert not state_dir.exists()
    assert "expected external:HOST:PORT" in ran("--against", "gnubg").stderr


@pytest.mark.slow
def test_match_begins_at_a_position_and_goes_on_from_its_file(state_dir: Path) -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:3:5:0:7:10"
    result = ran(*QUICK, "--from", xgid, "--name", "Ann", "--seed", "4", typed="8/5 6/5\nquit\n")
    assert result.exit_code == 0, result.output
    assert "cube 2" in result.stdout
    assert "5 of 7 points" in result.stdout
    found = re.search(r"go on with: manyply play (\S+)\n$", result.stdout)
    assert found is not None
    assert kept(state_dir).tags == {"date": today()}
    (game,) = kept(state_dir).games
    assert game.start is not None
    assert (game.score, game.start.match.cube_value, game.start.match.dice) == ((3, 5), 2, (3, 1))
    assert game.actions[0] == Play(0, (3, 1), ((8, 5), (6, 5)))
    again = ran(found[1], *QUICK, "--seed", "4", typed="new\nquit\n")
    assert again.exit_code == 0, again.output
    assert again.stdout.count("X 3-1, your move?") == 1  # another begins there again
    assert len(kept(state_dir).games[0].actions) == len(game.actions)


def test_position_has_its_own_length_and_score() -> None:
    start = ("--from", "4HPwATDgc/ABMA")
    for options, expected in (
        ((*start, "--match", "3"), "--from has its length and score"),
        ((*start, "--money"), "--from has its length and score"),
        (
            (*start, "nowhere.sgf"),
            "FILE has its players and length: leave --match, --money, --from",
        ),
        (("--from", "nonsense"), "no ID in 'nonsense'"),
        (("--from", "4HPwATDgc/ABMA:cCEAAAAAAAAA"), "a game cannot start with a resignation"),
    ):
        result = ran(*options)
        said = " ".join(result.stderr.split()) + str(result.exception)
        assert result.exit_code != 0
        assert expected in said


def new_file() -> GameFile[LiveMatch]:
    return GameFile(BACKGAMMON_FORMATS)


def a_match() -> LiveMatch:
    live = LiveMatch(AnalysedMatch(Match(("Ann", "manyply"), 3)))
    live.roll((3, 1))
    live.act(Play(0, (3, 1), live.legal_moves()[0].steps))
    return live


@pytest.mark.parametrize("name", ["match.sgf", "match.mat", "match.SGF"])
def test_a_match_that_was_saved_is_loaded_again(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    new_file().save(a_match(), path)
    assert read_match_file(path).match.games == a_match().match.games
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_name_of_no_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"expected a name that ends with .sgf or .mat"):
        new_file().save(a_match(), tmp_path / "match.doc")


def test_a_match_that_was_loaded_goes_on_in_its_own_file(tmp_path: Path) -> None:
    path = tmp_path / "theirs.sgf"
    new_file().save(
        LiveMatch(AnalysedMatch(replace(a_match().match, players=("Eve", "Bob")))), path
    )
    kept = new_file()
    live = kept.load(path)
    assert kept.save(live) == path
    live.undo()
    assert kept.save(live) == path
    assert read_match_file(path).match == live.match


def test_a_file_of_another_ending_is_left_and_the_match_goes_on_in_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    mat, path = tmp_path / "match.mat", tmp_path / "match.txt"
    new_file().save(a_match(), mat)
    text = mat.read_bytes()
    path.write_bytes(text)
    kept = new_file()
    live = kept.load(path)
    live.undo()
    own = kept.save(live)
    assert own.parent == tmp_path / "manyply" / "matches"
    assert path.read_bytes() == text


def test_a_file_in_which_nothing_changed_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "match.mat"
    new_file().save(a_match(), path)
    foreign = path.read_text().replace("\n", "\r\n")
    path.write_text(foreign, newline="")
    kept = new_file()
    kept.save(kept.load(path))
    assert path.read_bytes() == foreign.encode()


def test_a_match_that_breaks_the_crawford_rule_is_loaded_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.mat"
    path.write_text(
        " 3 point match\n\n Game 1\n Ann : 0    Bob : 0\n Wins 2 points\n\n"
        " Game 2\n Ann : 2    Bob : 0\n  1) 31: 8/5 6/5    Doubles => 2\n  2) Takes\n"
    )
    assert new_file().load(path).match.games[1].score == (2, 0)
    expected = "game 2: a double in the Crawford game; read without the Crawford rule"
    assert capsys.readouterr().err == f"manyply: warning: match.mat: {expected}\n"


def test_a_match_with_a_game_that_cannot_be_read_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "match.mat"
    path.write_text(
        " 3 point match\n\n Game 1\n Ann : 0    Bob : 0\n  1) 31: 24/1\n Wins 1 point\n\n"
        " Game 2\n Ann : 1    Bob : 0\n  1) 31: 8/5 6/5\n"
    )
    with pytest.raises(RecordError, match=r"match\.mat, game 1, line 5: Ann: illegal play .*all"):
        new_file().load(path)


@pytest.mark.parametrize("suffix", [".mat", ".sgf"])
def test_a_file_is_left_as_it_is_until_something_is_played(tmp_path: Path, suffix: str) -> None:
    """A next game that stands ready is nothing played, nor is an analysis of what was."""
    live = LiveMatch(AnalysedMatch(Match(("Ann", "manyply"), 0)))
    live.roll((3, 1))
    live.act(Play(0, (3, 1), live.legal_moves()[0].steps))
    live.act(Resign(1))
    path = tmp_path / f"session{suffix}"
    new_file().save(live, path)
    theirs = path.read_text().replace('; [Jacoby "On"]\n', "") + "\n\n"
    path.write_text(theirs)
    kept = new_file()
    live = kept.load(path)
    live.record_analysis(1, ActionAnalysis(None, None, 0.25))
    live.begin_next_game()
    assert kept.save(live) == path
    assert path.read_text() == theirs
    live.roll((4, 2))
    live.act(Play(0, (4, 2), live.legal_moves()[0].steps))
    assert kept.save(live) == path
    assert read_match_file(path).match.games == live.match.games
    live.undo()
    kept.save(live)
    assert read_match_file(path).match.games == live.match.games


Captured = pytest.CaptureFixture[str]

LEADING = ((2, 1), CENTRED, 1)
TRAILING = ((1, 2), CENTRED, 1)
REDOUBLED = ((0, 0), ON_ROLL, 4)
OWN_CUBE = ((0, 0), ON_ROLL, 2)
THEIR_CUBE = ((0, 0), OPPONENT, 2)


def session_at(
    script: Script, score: tuple[int, int], owner: int, value: int, *, is_auto_roll: bool = False
) -> BackgammonSession:
    """Have Ann on roll before her first turn in a match to three."""
    state = MatchState(
        cube_value=value, cube_owner=owner, match_length=3, score=score, player_on_roll=0
    )
    game = Game(score, start=GameState(START, state))
    match = Match(("Ann", "manyply"), 3, (game,))
    return session_of(script, Settings(3, is_auto_roll=is_auto_roll), match)


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
    sit(session_at(script, score, owner, value))
    assert script.prompts == [prompt]


def test_a_dead_cube_may_be_turned_and_its_hint_is_to_roll(capsys: Captured) -> None:
    session = session_at(Script("hint", "double"), *LEADING)
    sit(session)
    assert "There is nothing to decide: roll." in capsys.readouterr().out
    assert session.record.entries[0].action == Double(0)


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
    session = session_at(script, score, owner, value, is_auto_roll=True)
    sit(session)
    assert session.record.phase is Phase.MOVE
    assert "your move? " in script.prompts[0]


@pytest.mark.parametrize(("score", "owner", "value"), [TRAILING, OWN_CUBE])
def test_nothing_rolls_by_itself_where_a_double_is_a_choice(
    score: tuple[int, int], owner: int, value: int
) -> None:
    script = Script()
    session = session_at(script, score, owner, value, is_auto_roll=True)
    sit(session)
    assert (session.record.phase, script.prompts) == (Phase.TURN, ["X to roll or double? "])


OVER = Match(("Eve", "Bob"), 1, (Game((0, 0), (Resign(1),), Result(0, 1)),))
ENDED = "The match is over: load, new, undo, review or quit? "


def loading(*lines: str) -> tuple[Script, BackgammonSession]:
    """Return a session of a match, with another match to load, which is over."""
    script = Script(*lines, files={"over.sgf": LiveMatch(AnalysedMatch(OVER))})
    return script, session_at(script, *TRAILING)


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
    script, session = loading("load over.sgf", line)
    sit(session)
    reported, rest = capsys.readouterr().out.split("in the match to 1.\n", 1)
    assert reported.endswith("Eve wins 1 point.  Eve 1, Bob 0 ")
    assert expected in rest
    assert script.prompts[1:] == [ENDED, ENDED]
    assert session.record.match == OVER


def test_a_match_that_was_over_can_be_taken_up_again_and_then_ends() -> None:
    given_up = replace(OVER, games=(Game((0, 0), (Resign(0),), Result(1, 1)),))
    _, session = loading("undo", "resign bg", "y")
    session.record = LiveMatch(AnalysedMatch(given_up))
    sit(session)
    assert session.record.phase is Phase.MATCH_OVER
    assert session.record.entries[-1].action == Resign(0, 3)


def test_a_new_match_has_the_old_ones_rules_other_dice_and_a_file_of_its_own(
    capsys: Captured,
) -> None:
    script, session = loading("load over.sgf", "new")
    sit(session)
    assert script.begun == 1
    assert session.settings.seed == 4
    assert "Dice seed: 4." in capsys.readouterr().out
    assert script.matches[-1] == OVER
    expected = replace(OVER, games=(), tags={"date": today()})
    assert replace(session.record.match, games=()) == expected
    assert all(isinstance(entry.action, Play) for entry in session.record.entries)


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
load FILE            open another match
new                  begin another of this length
review               errors and luck so far
board                draw the board again
quit                 leave; the match is saved
"""


def test_help_lists_what_may_be_typed(capsys: Captured) -> None:
    sit(session_at(Script("help"), *TRAILING))
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
    session = session_at(Script(line), *TRAILING)
    sit(session)
    assert expected in capsys.readouterr().out
    assert (session.record.phase, session.record.entries) == (Phase.TURN, ())


@pytest.mark.parametrize("line", ["", "  r ", "ROLL", "dice 6-5", "dice 31"])
def test_dice_are_rolled_or_chosen(line: str) -> None:
    session = session_at(Script(line), *TRAILING)
    sit(session)
    assert session.record.phase is Phase.MOVE
    assert not line.startswith("dice") or session.record.dice in {(6, 5), (3, 1)}


@pytest.mark.parametrize(
    ("line", "multiple"), [("resign", 1), ("resign gammon", 2), ("resign 3", 3), ("Resign BG", 3)]
)
def test_a_game_is_given_up_for_as_much_as_is_said(line: str, multiple: int) -> None:
    session = play(Script("8/5 6/5", line, "y"), Settings(4), length=9)
    given_up = [e.action for e in session.record.entries if isinstance(e.action, Resign)]
    assert given_up == [Resign(0, multiple)]


def test_moves_are_listed_that_begin_so(capsys: Captured) -> None:
    sit(session_at(Script("dice 31", "moves 8/5", "m zz"), *TRAILING))
    out = capsys.readouterr().out
    assert "  8/5 6/5\n" in out
    assert "No legal move begins with 'zz'." in out
