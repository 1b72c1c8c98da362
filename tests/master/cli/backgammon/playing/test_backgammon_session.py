"""Matches at the terminal, with a player who reads from a script."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, OPPONENT, GameState, MatchState
from engine_ext.backgammon.play import decide_cube, rank_moves
from master.cli.backgammon.external.external_opponent import OpponentGoneError
from master.cli.backgammon.playing.backgammon_session import (
    ENGINE,
    HUMAN,
    BackgammonSession,
    Settings,
    entry_text,
    names_of,
    result_text,
    scene_of,
    show_cube,
    show_moves,
    show_review,
)
from master.cli.backgammon.playing.play_backgammon import BackgammonWords
from master.cli.errors import ExitCode
from master.cli.playing.play_terminal import Leave
from master.cli.playing.player import play as scripted_play
from master.games.backgammon.external.best_action import Level, answer
from master.games.backgammon.external.fibs_board import DueQuestion
from master.games.backgammon.external.session import read_reply
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Take,
)
from master.games.backgammon.matches.replay import check_match
from master.games.backgammon.play.live_match import LiveMatch, Phase
from tests.master.cli.backgammon.scripts import Script, best_lines, play, session_of, sit


def human_moves_first(seed: int) -> bool:
    session = play(Script(), Settings(seed))
    return not session.record.entries


SEED = next(seed for seed in range(50) if human_moves_first(seed))


@pytest.mark.when_changed
def test_a_whole_match_is_played_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    script = Script()
    session = session_of(script, Settings(3), Match(("Ann", "manyply"), 3))
    script.lines = best_lines(session)
    sit(session)
    check_match(session.record.match)
    last = session.record.match.games[-1]
    assert last.result is not None
    assert session.record.phase is Phase.MATCH_OVER
    assert script.matches[-1] == session.record.match
    out = capsys.readouterr().out
    assert "in the match to 3." in out
    assert out.count("begins.") == len(session.record.match.games)
    assert out.index("Luck-adjusted result") > out.index("in the match to 3.")


def test_the_same_seed_and_moves_are_the_same_match() -> None:
    matches = []
    for _ in range(2):
        script = Script()
        session = session_of(script, Settings(5), Match(("Ann", "manyply"), 1))
        script.lines = best_lines(session)
        sit(session)
        matches.append(session.record.match)
    assert matches[0] == matches[1]


def test_a_mistyped_line_says_what_was_expected_and_loses_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    session = play(Script("frobnicate", "8/9", "24/3", "double", "take", "load"), Settings(SEED))
    out = capsys.readouterr().out
    for expected in (
        "'frobnicate' is no command and no move",
        "cannot double now: expected a move",
        "nothing was doubled",
        "load which file?",
    ):
        assert expected in out
    assert session.record.entries == ()
    assert session.record.phase is Phase.MOVE


def test_undo_brings_the_same_roll_back_and_redo_the_move() -> None:
    first = Script()
    session = play(first, Settings(SEED))
    moves = rank_moves(session.record.state.game, session.record.dice or (1, 1))
    best, other = moves[0].text, moves[1].text
    session = play(Script(best, "undo", "redo", "undo", other), Settings(SEED))
    texts = [e.action for e in session.record.entries if e.action.player == 0]
    assert len(texts) == 1
    undone = play(Script(best, "undo"), Settings(SEED))
    assert undone.record.entries == ()
    redone = play(Script(best, "undo", "redo"), Settings(SEED))
    assert redone.record.entries[:2] == play(Script(best), Settings(SEED)).record.entries[:2]


def test_nothing_of_the_engine_is_taken_back_when_the_person_did_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seed = next(seed for seed in range(50) if not human_moves_first(seed))
    session = play(Script("undo"), Settings(seed))
    assert len(session.record.entries) == 1
    assert "nothing to take back" in capsys.readouterr().out


def test_the_tutor_warns_before_a_blunder_and_a_no_takes_it_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    session = play(Script(), Settings(SEED))
    assert session.record.dice is not None
    worst = rank_moves(session.record.state.game, session.record.dice)[-1].text
    capsys.readouterr()
    session = play(Script(worst, "n"), Settings(SEED, tutor_loss=0.05))
    assert session.record.entries == ()
    assert "Tutor: that gives away" in capsys.readouterr().out
    session = play(Script(worst, "y"), Settings(SEED, tutor_loss=0.05))
    assert isinstance(session.record.entries[0].action, Play)


def test_the_tutor_warns_of_a_wild_double(capsys: pytest.CaptureFixture[str]) -> None:
    script = Script("moves", "hint 2")
    session = play(script, Settings(SEED, tutor_loss=0.05))
    assert session.record.dice is not None
    best = rank_moves(session.record.state.game, session.record.dice)[0].text
    capsys.readouterr()
    session = play(Script(best, "double", "n", "quit"), Settings(SEED, tutor_loss=0.05))
    assert "Tutor: that gives away" in capsys.readouterr().out
    assert not any(isinstance(entry.action, Double) for entry in session.record.entries)


def resignations(session: BackgammonSession) -> list[int]:
    return [e.action.multiple for e in session.record.entries if isinstance(e.action, Resign)]


def test_a_resignation_is_asked_about(capsys: pytest.CaptureFixture[str]) -> None:
    script = Script("resign", "n")
    assert not resignations(play(script, Settings(SEED), length=5))
    assert script.prompts[1] == "Give up 1 point? [y/N] "
    script = Script("resign gammon", "y")
    assert resignations(play(script, Settings(SEED), length=5)) == [2]
    assert script.prompts[1] == "Give up 2 points? [y/N] "
    assert "resigns a gammon" in capsys.readouterr().out


def test_a_resignation_that_gives_too_little_is_not_accepted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """All checkers stand in the home board of an engine that has one left."""
    lost = Position([0] * 20 + [15] + [0] * 5, [14, 1] + [0] * 24)
    start = GameState(lost, MatchState(match_length=5, player_on_roll=0))
    match = Match(("Ann", "manyply"), 5, (Game((0, 0), start=start),))
    script = Script("resign", "resign gammon", "resign backgammon", "y")
    session = sit(session_of(script, Settings(SEED), match))
    assert resignations(session) == [3]
    assert capsys.readouterr().out.count("manyply plays on: resign more, or play.") == 2


def test_dice_by_hand_are_asked_for_until_they_are_dice(capsys: pytest.CaptureFixture[str]) -> None:
    script = Script("77", "33", "62", "24/18 13/11", "11", "dice 21", "quit")
    session = play(script, Settings(None))
    out = capsys.readouterr().out
    assert "two dice of 1 to 6" in out
    assert "no double: roll again" in out
    assert [e.action.dice for e in session.record.entries if isinstance(e.action, Play)] == [
        (6, 2),
        (1, 1),
    ]
    assert any(prompt.startswith("Dice of manyply") for prompt in script.prompts)


@pytest.mark.parametrize("typed", ["quit", " Q"])
def test_the_person_may_leave_where_dice_are_asked_for(
    capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    script = Script(typed, "31")
    play(script, Settings(None))
    assert len(script.prompts) == 1
    assert "not a roll" not in capsys.readouterr().out


def test_a_file_that_cannot_be_read_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    play(Script("load nowhere.sgf"), Settings(SEED))
    assert "nowhere.sgf: No such file or directory" in capsys.readouterr().out


@pytest.mark.parametrize("word", ["load", "save"])
def test_a_name_that_no_file_can_have_is_one_line(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    script = Script(f"{word} a\0b.sgf")
    play(script, Settings(SEED))
    assert "a file's name cannot hold the character NUL" in capsys.readouterr().out
    assert not script.saved


def test_a_match_is_kept_before_another_is_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    other = LiveMatch(AnalysedMatch(Match(("Eve", "manyply"), 7)))
    script = Script(first_move(), "load other.sgf", files={"other.sgf": other})
    first = session_of(script, Settings(SEED), Match(("Ann", "manyply"), 3))
    match = first.record
    session = sit(first)
    assert "This match is kept in own.file" in capsys.readouterr().out
    assert session.record is other
    assert match.match in script.matches


def first_move() -> str:
    live = play(Script(), Settings(SEED)).record
    assert live.dice is not None
    return rank_moves(live.state.game, live.dice)[0].text


def test_names_in_a_file_steer_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    script = Script("board")
    session = session_of(script, Settings(3), Match(("\x1b]0;Ann\x07", ""), 1))
    script.lines = best_lines(session)
    sit(session)
    out = capsys.readouterr().out
    assert "\x1b" not in out.replace("\x1b[", "")
    assert "\x07" not in out
    assert "?]0;Ann? rolls" in out
    assert "player 2 rolls" in out


def test_a_match_that_cannot_be_saved_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    script = Script()
    script.is_disk_full = True
    session = session_of(script, Settings(SEED), Match(("Ann", "manyply"), 1))
    script.lines = best_lines(session)
    sit(session)
    assert "not saved: cannot write own.file: No space left" in capsys.readouterr().out


def test_a_pass_ends_the_game_and_the_next_begins(capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(60):
        script = Script()
        session = session_of(script, Settings(seed), Match(("Ann", "manyply"), 5))

        def lines(session: BackgammonSession = session) -> Iterator[str]:
            for line in best_lines(session):
                if session.record.game_index:
                    return
                yield "pass" if line == "take" else line

        script.lines = lines()
        sit(session)
        if any(isinstance(entry.action, Drop) for entry in session.record.entries):
            assert "game 2 at 0-1" in capsys.readouterr().out
            return
    raise AssertionError("no double in sixty games")


class Twin:
    """A program that decides as the static engine does; it may go after some decisions."""

    def __init__(self, decisions_max: int = 1_000_000) -> None:
        self.left = decisions_max

    def decide(self, question: DueQuestion, player: int) -> Action | None:
        self.left -= 1
        if self.left < 0:
            raise OpponentGoneError("twin is lost: it has ended the connection")
        return read_reply(question, player, answer(question, Level()))


@pytest.mark.when_changed
def test_another_program_plays_in_the_engines_place() -> None:
    matches = []
    for opponent in (None, Twin()):
        script = Script()
        settings = Settings(5, opponent=opponent)
        session = session_of(script, settings, Match(("Ann", "twin"), 3))
        script.lines = best_lines(session)
        sit(session)
        assert session.is_over
        matches.append(session.record.match)
    assert matches[0] == matches[1]


def test_program_that_goes_leaves_the_match_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    script = Script()
    session = session_of(script, Settings(5, opponent=Twin(3)), Match(("Ann", "twin"), 3))
    script.lines = best_lines(session)
    with pytest.raises(Leave) as left:
        scripted_play(session, BackgammonWords(session).commands())
    assert left.value.code is ExitCode.UNREACHABLE
    assert capsys.readouterr().err == "manyply: twin is lost: it has ended the connection\n"
    assert script.matches[-1] == session.record.match
    assert not session.is_over


Captured = pytest.CaptureFixture[str]
STATE = MatchState(match_length=0, player_on_roll=0)


def money(state: MatchState = STATE) -> LiveMatch:
    game = Game((0, 0), start=GameState(START, state))
    return LiveMatch(AnalysedMatch(Match(("Ann", "Bob"), 0, (game,), beavers=True)))


def said(*actions: Action) -> str:
    """Return what is said of the last action."""
    live = money()
    entries = [live.act(action) for action in actions]
    return entry_text(entries[-1], live.match)


def test_each_action_is_a_sentence() -> None:
    doubled = Double(HUMAN)
    assert said(Play(HUMAN, (1, 3), ((8, 5), (6, 5)))) == "X Ann rolls 3-1: 8/5 6/5"
    assert said(doubled) == "X Ann doubles to 2"
    assert said(doubled, Take(ENGINE)) == "O Bob takes"
    assert said(doubled, Drop(ENGINE)) == "O Bob passes"
    assert said(doubled, Beaver(ENGINE)) == "O Bob takes and beavers to 4"
    assert said(Resign(HUMAN, 2)) == "X Ann resigns a gammon"


def test_a_result_counts_points() -> None:
    live = LiveMatch(AnalysedMatch(Match(("Ann", "Bob"), 5)))
    live.act(Resign(HUMAN, 3))
    assert live.state.result is not None
    expected = "Bob wins 3 points.  Ann 0, Bob 3 in the match to 5."
    assert result_text(live.match, live.state.result) == expected
    live = money()
    live.act(Resign(ENGINE))
    assert live.state.result is not None
    assert result_text(live.match, live.state.result) == "Ann wins 1 point.  Ann 1, Bob 0."


@pytest.mark.parametrize(
    ("owner", "player", "player_index"),
    [(CENTRED, 1, CENTRED), (ON_ROLL, 0, 0), (ON_ROLL, 1, 1), (OPPONENT, 0, 1), (OPPONENT, 1, 0)],
)
def test_the_player_is_at_the_bottom_on_any_turn(
    owner: int, player: int, player_index: int
) -> None:
    state = MatchState(cube_value=2, cube_owner=owner, player_on_roll=player)
    scene = scene_of(money(state))
    assert (scene.cube_owner, scene.turn, scene.names) == (player_index, player, ("Ann", "Bob"))


def test_names_steer_no_terminal_and_are_never_empty() -> None:
    assert names_of(Match(("\x07Ann", ""), 1)) == ("?Ann", "player 2")


def test_hints_are_listed_with_their_differences(capsys: Captured) -> None:
    ranked = rank_moves(GameState(START, STATE), (3, 1))
    show_moves(ranked, 2)
    first, second = capsys.readouterr().out.splitlines()[1:]
    assert first.split()[:3] == ["1.", "8/5", "6/5"]
    behind = ranked[1].equity_cubeful - ranked[0].equity_cubeful
    assert f"{behind:+.3f}" in second


def test_the_cube_question_has_three_answers_and_a_proper_one(capsys: Captured) -> None:
    decision = decide_cube(GameState(START, STATE))
    show_cube(decision)
    out = capsys.readouterr().out
    assert [line[:12].strip() for line in out.splitlines()[1:4]] == [
        "No double", "Double, take", "Double, pass"
    ]  # fmt: skip
    assert out.endswith(f"Proper cube action: {decision.action}\n")


def test_a_review_of_what_is_not_analysed_has_no_figures(capsys: Captured) -> None:
    live = money()
    live.act(Resign(HUMAN, 1))
    show_review(live.analysed)
    assert "Luck-adjusted result" in capsys.readouterr().out
