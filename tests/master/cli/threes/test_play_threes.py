"""`manyply play threes`: options, files, advice and typed words."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.threes.board import ThreesBoard
from engine_ext.threes.context import Lookahead
from engine_ext.threes.depth import dynamic_plies
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net
from master.cli.app import manyply
from master.cli.errors import CommandError
from master.cli.place import Place
from master.cli.playing.game_file import GameFile
from master.cli.playing.words import CommandMistake
from master.cli.terminal import HIDE_CURSOR, SHOW_CURSOR
from master.cli.threes.decider import Decider
from master.cli.threes.play_advisor import ThreesAdvisor
from master.cli.threes.play_threes import THREES_FORMATS, read_game_file
from master.cli.threes.threes_session import ARROW_KEYS, read_moves
from master.games.errors import RecordError
from master.games.threes.record import DIRECTION_OF, LETTER_OF, RECORD_CHARACTERS_MAX, ThreesRecord
from tests.engine_ext.threes.plain_threes import played
from tests.master.cli.sessions import Session, session
from tests.master.cli.threes.scripts import FirstAdvisor, Script, play, session_of

QUICK = ("--name", "Ann", "--plies", "1")


def ran(*args: str, typed: str = "") -> Any:
    return CliRunner().invoke(manyply, ["play", "threes", *args], input=typed)


def kept(state_dir: Path) -> ThreesRecord:
    (path,) = (state_dir / "matches").iterdir()
    return read_game_file(path)[0]


def whole_game(seed: int) -> ThreesRecord:
    """Play the first legal move to the end."""
    record = ThreesRecord(seed)
    while moves := record.board.moves():
        record = record.played(LETTER_OF[moves[0]])
    return record


@pytest.mark.slow
def test_a_whole_game_is_typed_saved_and_shown(state_dir: Path) -> None:
    game = whole_game(3)
    result = ran("--seed", "3", *QUICK, typed="\n".join(game.moves) + "\nundo\nredo\nquit\n")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Seed 3\n")
    assert f"The game is over: {game.board.score:,} points" in result.stdout
    assert "go on with" not in result.stdout
    assert kept(state_dir) == game


def test_a_game_that_was_left_goes_on_from_its_file(state_dir: Path) -> None:
    result = ran("--seed", "3", *QUICK, typed="u\nhint\nld\nauto 3\n")
    found = re.search(r"go on with: manyply play threes (\S+)\n", result.stdout)
    assert found is not None
    record = kept(state_dir)
    assert (record.moves[:3], len(record.moves)) == ("uld", 6)
    assert ran(found[1], *QUICK, typed="auto 2\nquit\n").exit_code == 0
    assert kept(state_dir).moves[:6] == record.moves
    assert len(kept(state_dir).moves) == 8


def test_the_same_seed_and_look_ahead_play_the_same(state_dir: Path) -> None:
    for name in ("a", "b"):
        ran("--seed", "4", *QUICK, typed=f"auto 20\nsave {state_dir.parent}/{name}.threes\n")
    texts = [(state_dir.parent / f"{name}.threes").read_text() for name in ("a", "b")]
    assert texts[0] == texts[1]
    assert texts[0].startswith("threes 1 seed=4\n")


@pytest.mark.slow
def test_a_watched_game_is_played_to_its_end(state_dir: Path) -> None:
    result = ran("--seed", "3", "--auto", *QUICK)
    assert result.exit_code == 0, result.output
    assert "Your move?" not in result.stdout
    assert kept(state_dir).game.is_over


def test_a_seed_by_chance_is_said() -> None:
    first, second = (ran(typed="").stdout.splitlines()[0] for _ in range(2))
    assert re.fullmatch("Seed [0-9]+", first)
    assert first != second


def test_nothing_is_saved_where_nothing_was_played(state_dir: Path) -> None:
    result = ran(typed="quit\n")
    assert (result.exit_code, (state_dir / "matches").exists()) == (0, False)


def test_a_faulty_file_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "game.threes"
    path.write_text("threes 1 seed=3\nuq\n")
    result = ran(str(path))
    assert isinstance(result.exception, CommandError)
    assert str(result.exception) == f"{path}: move 2 is 'q', expected u, d, l or r"


@pytest.mark.parametrize(
    "args",
    [
        ("game.threes", "--seed", "3"),
        ("--plies", "9"),
        ("--plies", "3-2"),
        ("--rare", "1"),
        ("--seconds", "0"),
        ("--seed", "-1"),
    ],
)
def test_what_cannot_be_asked_is_refused(args: tuple[str, ...]) -> None:
    assert ran(*args).exit_code == 2


def test_the_help_says_that_chance_follows_the_moves() -> None:
    assert "made again draw the same cards" in " ".join(ran("--help").stdout.split())


@pytest.mark.parametrize("command", ["rollout", "play", "move"])
def test_look_ahead_is_named_as_in_other_games(command: str) -> None:
    said = CliRunner().invoke(manyply, [command, "threes", "--help"]).stdout
    assert "--plies N[-M]" in said
    assert "--depth" not in said


# At a terminal.
PROMPT = "Your move? "
UP, DOWN, LEFT = "\x1b[A", "\x1bOB", "\x1b[D"


@contextmanager
def sat(*args: str, columns: int = 80, environ: dict[str, str] | None = None) -> Iterator[Session]:
    """Sit at a terminal with a game by seed 3, up to the first prompt."""
    words = ("-m", "master.cli", "play", "threes", "--seed", "3", *QUICK, *args)
    with session(*words, columns=columns, environ=environ) as begun:
        begun.until(PROMPT)
        yield begun


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.parametrize("columns", [80, 40])
def test_arrow_keys_move_at_once_and_the_board_stays_where_it_is(
    columns: int, state_dir: Path
) -> None:
    with sat(columns=columns) as tried:
        for key in (UP, LEFT, DOWN):
            tried.press(key)
            tried.until(PROMPT)
        assert tried.shown.count("moves  ") == 1
        assert "moves  3" in tried.shown
        tried.press("\x04")
        assert tried.ended() == 0
        assert tried.is_as_usual
    assert kept(state_dir).moves == "uld"


@pytest.mark.slow
@pytest.mark.sockets
def test_words_are_typed_and_edited_where_arrow_keys_move(state_dir: Path) -> None:
    with sat() as tried:
        tried.press("xx\x7f\x1b[D\x04ul\r")  # in a line an arrow moves the cursor
        tried.until(PROMPT)  # the line editor shows it again
        tried.until(PROMPT)
        assert "moves  2" in tried.shown
        tried.press("hnit\r")
        tried.until("try help")
        tried.until(PROMPT)
        tried.press(DOWN)
        tried.until("moves  3")
        tried.until(PROMPT)
        assert "try help" not in tried.shown
        assert tried.shown.count("moves  ") == 1
        tried.press("hint\r")
        tried.until("Final score")
        tried.until(PROMPT)
        tried.press("undo\r")
        tried.until("moves  2")
        tried.until(PROMPT)
        assert tried.shown.count("moves  ") == 2
        assert f"{PROMPT}hint\n" in tried.shown
        assert "\n1. " in tried.shown
        tried.press("quit\r")
        assert tried.ended() == 0
    assert kept(state_dir).moves == "uld"


@pytest.mark.slow
@pytest.mark.sockets
def test_an_arrow_that_moves_nothing_is_remarked_on_below_the_board() -> None:
    with sat() as tried:
        tried.press(UP * 30)
        for _ in range(30):
            tried.until(PROMPT)
        shown = tried.shown
    assert shown.count("moves  ") == 1
    assert shown.splitlines()[-2].startswith("up moves nothing; you may move ")


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.parametrize("key", ["\x03", ""])
def test_ctrl_c_stops_the_watching_and_loses_nothing(key: str, state_dir: Path) -> None:
    with sat("--plies", "4") as tried:
        tried.press("auto\r")
        tried.until("speed")
        if key:
            tried.press(key)
        else:
            os.kill(tried.process.pid, signal.SIGINT)
        tried.until("Stopped.")
        tried.until(PROMPT)
        assert "speed" not in tried.shown
        assert tried.shown.count("moves  ") == 1
        assert tried.sent.rindex(HIDE_CURSOR) < tried.sent.rindex(SHOW_CURSOR)
        tried.press(LEFT)
        tried.until(PROMPT)
        tried.press("\x03")
        assert tried.ended() == 130
    assert kept(state_dir).moves


@pytest.mark.slow
@pytest.mark.sockets
def test_a_terminal_that_grows_narrow_gets_a_narrow_board() -> None:
    with sat("--plies", "4") as tried:
        tried.press("auto\r")
        tried.until("   speed")
        tried.resize(columns=40, lines=24)
        tried.until("\nspeed")
        tried.press("\x03")
        tried.until("Stopped.")


@pytest.mark.slow
@pytest.mark.sockets
def test_a_dumb_terminal_gets_boards_one_below_the_other() -> None:
    with sat(environ={"TERM": "dumb"}) as tried:
        tried.press("u\n")
        tried.until(PROMPT)
        tried.press("auto 50\n")
        tried.until(PROMPT)
        assert tried.sent.count("moves  ") == 3
        assert "\x1b[K" not in tried.sent
        assert "Arrow keys" not in tried.sent


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.when_changed
def test_a_watched_game_leaves_one_board_and_its_result(state_dir: Path) -> None:
    words = ("-m", "master.cli", "play", "threes", "--seed", "3", "--auto", *QUICK)
    with session(*words, environ={"NO_COLOR": "1"}) as tried:
        assert tried.ended() == 0
    assert tried.shown.count("moves  ") == 1
    assert "The game is over: " in tried.shown
    assert "\x1b[1m" not in tried.sent
    assert kept(state_dir).game.is_over


RECORD = ThreesRecord(3).played("u").played("l").played("d")


def test_a_game_that_was_loaded_goes_on_in_its_own_file(tmp_path: Path) -> None:
    path = GameFile(THREES_FORMATS).save(RECORD, tmp_path / "game.threes")
    assert path.read_text() == "threes 1 seed=3\nuld\n"
    kept = GameFile(THREES_FORMATS)
    record = kept.load(path)
    assert record == RECORD
    before = record.undo()
    assert before is not None
    assert kept.save(before) == path
    assert read_game_file(path) == (ThreesRecord(3, "ul"), ".threes")


def test_only_files_of_that_ending_are_written(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"game.txt: expected a name that ends with .threes"):
        GameFile(THREES_FORMATS).save(RECORD, tmp_path / "game.txt")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected a first line such as threes 1 seed=7"),
        (b"\xff\x00\n", "expected a first line"),
        (b"threes 1 seed=3\nu?", "move 2 is '[?]'"),
        (b"threes 1 seed=3\n" + b"\n" * RECORD_CHARACTERS_MAX, "expected one game"),
    ],
)
def test_a_faulty_file_is_named_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "game.threes"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=f"^{path}: {message}") as refused:
        read_game_file(path)
    assert "\n" not in str(refused.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot read"):
        read_game_file(tmp_path / "none.threes")


@pytest.fixture
def decider() -> Iterator[Decider]:
    with Decider(Place()) as decider:
        yield decider


@pytest.mark.parametrize("plies", [1, 2])
def test_moves_are_valued_as_by_the_engine_best_first(plies: int, decider: Decider) -> None:
    game = ThreesGame(3)
    engine = Adviser(shipped_net())
    advisor = ThreesAdvisor(decider, Lookahead(plies, plies))
    found = advisor.values(game)
    assert found.plies == plies
    assert found.values == engine.values(game.cells, game.bag, game.next_ranks, plies)
    assert list(found.values.values()) == sorted(found.values.values(), reverse=True)
    assert advisor.choose(game) == next(iter(found.values))
    assert advisor.values(game, 3).plies == 3


def test_engine_looks_as_far_as_the_board_asks_for(decider: Decider) -> None:
    advisor = ThreesAdvisor(decider, Lookahead(1, 3))
    lookaheads = set()
    for game in played(1)[:-1:30]:
        found = advisor.values(game)
        assert found.plies == dynamic_plies(game.cells, 1, 3)
        lookaheads.add(found.plies)
    assert len(lookaheads) > 1


@pytest.mark.slow
def test_time_makes_the_engine_look_deeper(decider: Decider) -> None:
    advisor = ThreesAdvisor(decider, Lookahead(1, 1), 0.3)
    assert advisor.values(played(1)[90]).plies > 2
    assert advisor.values(played(1)[90], 1).plies == 1


def test_a_move_loses_what_it_is_worth_less_than_the_best(decider: Decider) -> None:
    game, advisor = ThreesGame(3), ThreesAdvisor(decider, Lookahead(1, 1))
    values = advisor.values(game, 2).values
    for direction in ThreesBoard(game.cells).moves():
        judged = advisor.judge(game, direction)
        assert judged.loss == max(values.values()) - values[direction]
        assert (judged.value, judged.best) == (values[direction], next(iter(values)))


def test_what_this_process_computes_is_nobodys_share(decider: Decider) -> None:
    advisor = ThreesAdvisor(decider, Lookahead(1, 1))
    advisor.choose(ThreesGame(3))
    assert advisor.shares() == {}


Captured = pytest.CaptureFixture[str]
WAYS = {
    letter: (letter, letter.upper(), f" {name} ", f"\x1b[{arrow}", f"\x1bO{arrow}")
    for (letter, name), arrow in zip(DIRECTION_OF.items(), "ABDC", strict=True)
}


@given(st.data(), st.text("udlr", min_size=1, max_size=30))
def test_moves_are_read_however_they_are_typed(data: st.DataObject, letters: str) -> None:
    typed = "".join(data.draw(st.sampled_from(WAYS[letter])) for letter in letters)
    assert read_moves(typed) == letters


def test_an_arrow_key_is_a_move_that_can_be_read() -> None:
    assert {read_moves(line) for line in ARROW_KEYS.values()} == set(DIRECTION_OF)
    assert all(read_moves(sent) == read_moves(line) for sent, line in ARROW_KEYS.items())


@pytest.mark.parametrize("text", ["x", "ux", "\x1b[E", "\x1b", "u1", "1"])
def test_what_is_no_move_is_refused_without_steering_the_terminal(text: str) -> None:
    with pytest.raises(CommandMistake, match="is no command and no moves") as refused:
        read_moves(text)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("line", ["u", "U", "up", "\x1b[A"])
def test_u_is_a_move_and_no_undo(line: str) -> None:
    assert play(session_of(Script(line))).record.moves == "u"


def test_moves_are_made_until_one_is_illegal(capsys: Captured) -> None:
    session = play(session_of(Script("u" * 40 + "l")))
    made = len(session.record.moves)
    assert 0 < made < 40
    assert session.record.moves == "u" * made
    out = capsys.readouterr().out
    assert f"up moves nothing; not made: {'u' * (40 - made)}l; you may move " in out
    assert out.count("moves  ") == 2


def test_an_illegal_move_alone_changes_nothing(capsys: Captured) -> None:
    record = play(session_of(Script("u" * 40))).record
    script = Script("u")
    assert play(session_of(script, record)).record == record
    assert script.saved == []
    assert "up moves nothing; you may move " in capsys.readouterr().out


def test_hints_are_listed_best_first(capsys: Captured) -> None:
    advisor = FirstAdvisor()
    play(session_of(Script("hint", "hint 4"), advisor=advisor))
    lines = capsys.readouterr().out.splitlines()
    assert "1. up           1,000" in lines
    assert "2. down           990      -10" in lines
    assert advisor.asked == [None, 4]


def test_a_hint_looks_no_further_than_it_can(capsys: Captured) -> None:
    play(session_of(Script("hint 9", "auto 0")))
    out = capsys.readouterr().out
    assert "hint takes a number from 1 to 8, not '9'" in out
    assert "auto takes a number from 1 to 99999, not '0'" in out


def test_the_engine_makes_as_many_moves_as_it_is_let() -> None:
    script = Script("auto 7", "undo")
    session = play(session_of(script))
    assert (len(session.record.moves), len(session.record.undone)) == (6, 1)
    assert [len(record.moves) for record, _ in script.saved] == [7]


def test_a_review_has_the_largest_loss_first(capsys: Captured) -> None:
    advisor = FirstAdvisor()
    session = play(session_of(Script("dru", "review"), advisor=advisor))
    assert session.record.moves == "dru"
    assert advisor.asked == [2, 2, 2]
    lines = capsys.readouterr().out.splitlines()
    first = lines.index("3 moves judged, 1 of them best: 40 points lost")
    assert [line.split() for line in lines[first + 2 : first + 4]] == [
        ["2", "right", "up", "30"],
        ["1", "down", "up", "10"],
    ]


def test_a_review_that_is_stopped_shows_what_it_has(capsys: Captured) -> None:
    play(session_of(Script("dru", "review"), advisor=FirstAdvisor(interrupted_at=1)))
    assert "1 move judged, 0 of them best: 10 points lost" in capsys.readouterr().out


def test_a_start_has_nothing_to_review(capsys: Captured) -> None:
    play(session_of(Script("review")))
    assert "No move to judge." in capsys.readouterr().out


def test_a_game_that_is_over_takes_no_moves(capsys: Captured) -> None:
    script = Script("auto", "u", "hint", "auto", "")
    over = play(session_of(script)).record
    assert over.game.is_over
    assert capsys.readouterr().out.count("the game is over: expected new") == 4


def test_an_empty_line_asks_for_a_move(capsys: Captured) -> None:
    assert play(session_of(Script(""))).record == ThreesRecord(3)
    assert "expected a move, u, d, l or r: try help" in capsys.readouterr().out


def test_words_the_help_says_that_chance_follows_the_moves(capsys: Captured) -> None:
    play(session_of(Script("help")))
    out = capsys.readouterr().out
    assert "made again draw the same cards." in out
    for usage in ("u, d, l, r ", "hint [N] ", "auto [N] ", "undo [N], redo [N]", "review "):
        assert f"\n{usage}" in f"\n{out}"


def test_legal_moves_are_completed() -> None:
    session = session_of(Script())
    assert set(session.moves()) <= set(LETTER_OF)
