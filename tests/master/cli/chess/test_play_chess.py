"""`manyply play chess`: options, levels, files, and the engine's moves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine_ext.chess.fast.search import DEPTH_MAX, FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import START, read_fen
from master.cli.app import manyply
from master.cli.chess.play_advisor import SECONDS_DEFAULT, ChessAdvisor, Level, read_level
from master.cli.chess.play_chess import CHESS_FORMATS, read_game_file
from master.cli.errors import CommandError, ExitCode
from master.cli.playing.game_file import GameFile
from master.games.chess.game import ChessGame, game_from
from master.games.chess.record import GAME_CHARACTERS_MAX, ChessRecord, write_pgn
from master.games.chess.threaded_search import ThreadedSearch, mate_moves
from master.games.errors import RecordError
from tests.master.games.chess.games import games, random_game

QUICK = ("--name", "Ann", "--depth", "2")
FORCED = "k6R/2r5/1K6/8/8/8/8/8 b - - 0 1"


def ran(*args: str, typed: str = "") -> Any:
    return CliRunner().invoke(manyply, ["play", "chess", *args], input=typed)


def kept(state_dir: Path) -> ChessRecord:
    (path,) = (state_dir / "matches").iterdir()
    return read_game_file(path)[0]


def test_a_game_is_saved_as_it_was_played_and_goes_on(state_dir: Path) -> None:
    result = ran(*QUICK, typed="e4\nhint 1\ngo\nquit\n")
    assert result.exit_code == 0, result.output
    found = re.search(r"go on with: manyply play chess (\S+)\n", result.stdout)
    assert found is not None
    record = kept(state_dir)
    assert (record.white, record.black, len(record.game.moves)) == ("Ann", "manyply depth 2", 4)
    again = ran(found[1], *QUICK[2:], typed="go\n")
    assert again.exit_code == 0
    assert "White Ann plays" in again.stdout
    more = kept(state_dir).game
    assert more.moves[:4] == record.game.moves
    assert len(more.moves) == 6
    with open(found[1], encoding="utf-8") as file:
        judged = chess.pgn.read_game(file)
    assert judged is not None
    assert [move.uci() for move in judged.mainline_moves()] == list(more.moves)
    assert re.fullmatch(r"\d{4}\.\d\d\.\d\d", judged.headers["Date"])


def test_the_same_moves_get_the_same_answers(state_dir: Path) -> None:
    games = []
    for number in range(2):
        path = state_dir.parent / f"{number}.pgn"
        ran(*QUICK, "--black", typed="go\n" * 5 + f"save {path}\n")
        games.append(read_game_file(path)[0].game)
    assert games[0] == games[1]
    assert len(games[0].moves) == 11


def test_nothing_is_saved_where_nothing_was_played(state_dir: Path) -> None:
    result = ran(typed="")
    assert (result.exit_code, (state_dir / "matches").exists()) == (0, False)
    assert "Saved" not in result.stdout


def test_going_on_with_black_says_so() -> None:
    assert "play chess --side black /" in ran(*QUICK, "--black", typed="quit\n").stdout


def test_a_game_may_begin_from_any_position(state_dir: Path) -> None:
    result = ran(*QUICK, "--fen", FORCED, "--side", "both", typed="\nrecord\n")
    assert "1... Rc8" in result.stdout
    assert kept(state_dir).game.start.is_black
    over = ran("--fen", "7k/5Q2/6K1/8/8/8/8/8 b - -", typed="")
    assert "The game is over, a draw: stalemate." in over.stdout


def test_an_engine_against_the_clock_moves(state_dir: Path) -> None:
    result = ran("--seconds", "0.1", "--name", "Ann", typed="e4\nquit\n")
    assert result.exit_code == 0, result.output
    assert (kept(state_dir).black, len(kept(state_dir).game.moves)) == ("manyply 0.1 s", 2)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--depth", "3", "--seconds", "1"), "--plies and --seconds exclude each other"),
        (("--depth", "0"), "Invalid value for '--plies'"),
        (("--side", "red"), "'red' is not one of 'white', 'black', 'both'"),
        (("--black", "--side", "white"), "give --black or --side white, not both"),
        (("--fen", "8/8"), "a FEN is: pieces"),
        (("game.pgn", "--fen", FORCED), "leave --from"),
        (("--name", "\x1b"), "printable characters"),
        (("--time", "nan"), "expected 0.1 to 3600 seconds, not 'nan'"),
        (("--match", "3"), "No such option '--match'"),
    ],
)
def test_what_cannot_be_played_is_named(options: tuple[str, ...], expected: str) -> None:
    result = ran(*options)
    assert result.exit_code == 2
    assert expected in " ".join(result.stderr.split())


def test_a_file_that_is_not_there_is_named() -> None:
    result = ran("nowhere.pgn")
    assert isinstance(result.exception, CommandError)
    assert "cannot read nowhere.pgn: No such file or directory" in str(result.exception)
    assert result.exception.exit_code is ExitCode.BAD_INPUT


RECORD = ChessRecord(random_game(1, 6), "Ann", "Bob")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(games)
@pytest.mark.when_changed
def test_what_is_saved_is_loaded_again(tmp_path: Path, game: ChessGame) -> None:
    path = tmp_path / "game.pgn"
    GameFile(CHESS_FORMATS).save(ChessRecord(game, "Ann", "Bob"), path)
    record, ending = read_game_file(path)
    assert (record.game, record.white, record.black, ending) == (game, "Ann", "Bob", ".pgn")


def test_a_game_goes_on_in_its_own_file(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(write_pgn(RECORD))
    kept = GameFile(CHESS_FORMATS)
    assert kept.save(kept.load(path)) == path


@pytest.mark.parametrize("comment", ["1. e4 {best} *", "1. e4 (1. d4) *", "1. e4 1-0"])
def test_what_would_be_lost_is_left_alone(tmp_path: Path, state_dir: Path, comment: str) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(comment)
    kept = GameFile(CHESS_FORMATS)
    assert kept.save(kept.load(path)).parent == state_dir / "matches"
    assert path.read_text() == comment


def test_what_does_not_fit_a_position_is_said_and_the_file_left_alone(
    tmp_path: Path, state_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.pgn"
    text = '[FEN "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1"]\n\n1. O-O *\n'
    path.write_text(text)
    kept = GameFile(CHESS_FORMATS)
    record = kept.load(path)
    expected = "castling KQ does not fit the position: read as K"
    assert capsys.readouterr().err == f"manyply: game.pgn: {expected}\n"
    assert kept.save(record).parent == state_dir / "matches"
    assert path.read_text() == text
    path.write_text("1. e4 \x1b[2Jbad\x1b *".replace("[", ""))
    with pytest.raises(RecordError) as refused:
        read_game_file(path)
    assert "\x1b" not in str(refused.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_game_is_read_in_every_marked_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(write_pgn(RECORD), encoding=encoding)
    assert read_game_file(path)[0].game == RECORD.game


@pytest.mark.parametrize("content", [b"\x7fELF\0\0", b"$ ls\n", b'{"a": [1]}', b"\0\0a"])
def test_a_file_of_no_pgn_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.pgn"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=r"game\.pgn: expected PGN: tags such as"):
        read_game_file(path)


def test_a_file_of_several_games_is_said_to_be_one(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    for text, count in ((write_pgn(RECORD), 6), ("1. e4 e5 *\n", 2), ("1. Ke5 *\n", 3)):
        path.write_text(text * count)
        with pytest.raises(RecordError, match=rf"games\.pgn has {count} games, expected one"):
            read_game_file(path)


def test_what_is_no_game_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match=r"game\.pgn: expected PGN: tags such as"):
        read_game_file(path)
    path.write_text(" " * (GAME_CHARACTERS_MAX + 1))
    with pytest.raises(RecordError, match="200000 characters at most"):
        read_game_file(path)
    with pytest.raises(RecordError, match=r"expected a name that ends with \.pgn"):
        GameFile(CHESS_FORMATS).save(RECORD, tmp_path / "game.txt")


BYTES = 1 << 20
BEGUN = game_from(read_fen(START))
MATE_IN_ONE = game_from(read_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"))
ADVISOR_FORCED = game_from(read_fen("k6R/2r5/1K6/8/8/8/8/8 b - - 0 1"))


def advisor(level: Level) -> ChessAdvisor:
    return ChessAdvisor(level, BYTES)


def test_to_a_depth_the_same_game_has_the_same_answer_whatever_was_asked_before() -> None:
    asked = advisor(Level(4, None))
    for seed in range(4):
        game = random_game(seed, 20)
        search = FastSearch(game.board, game.boards[:-1], FastTable(BYTES), is_chess960=False)
        while search.depth < 4 and search.deepen():
            pass
        choice = asked.choose(game)
        assert (choice.value, choice.moves) == search.lines[0]
        assert advisor(Level(4, None)).choose(game) == choice


def test_hints_are_the_best_moves_in_order() -> None:
    hints = advisor(Level(3, None)).hints(BEGUN, 60)
    assert sorted(hint.moves[0] for hint in hints) == BEGUN.board.moves()
    values = [hint.value for hint in hints]
    assert values == sorted(values, reverse=True)


def test_against_the_clock_there_is_a_move() -> None:
    asked = advisor(Level(None, 0.1))
    assert asked.choose(BEGUN).moves[0] in BEGUN.board.moves()
    assert mate_moves(advisor(Level(None, 3600.0)).choose(MATE_IN_ONE).value) == 1


def test_a_single_move_takes_no_time() -> None:
    assert advisor(Level(None, 3600.0)).choose(ADVISOR_FORCED).moves[0] == "c7c8"


def test_ctrl_c_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: ThreadedSearch, __: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ThreadedSearch, "wait", interrupt)
    with pytest.raises(KeyboardInterrupt):
        advisor(Level(None, 3600.0)).choose(BEGUN)


@given(st.integers(1, DEPTH_MAX))
def test_a_depth_is_read_as_it_is_written(depth: int) -> None:
    level = Level(depth, None)
    assert read_level(level.text) == read_level(str(depth)) == level
    assert level.name == f"manyply depth {depth}"


@given(st.integers(1, 36_000))
def test_a_time_is_read_as_it_is_written(tenths: int) -> None:
    level = Level(None, tenths / 10)
    assert read_level(f"{tenths / 10:.1f}s") == read_level(level.text) == level


def test_the_usual_level_is_a_time() -> None:
    assert Level().name == "manyply 1 s"
    assert Level().seconds == SECONDS_DEFAULT


@pytest.mark.parametrize("text", ["", "0", "101", "0s", "3601 s", "hard", "-1", "1e2s", "depth"])
def test_what_is_no_level_is_named(text: str) -> None:
    expected = (
        "a level is a word such as casual, a depth of 1 to 100, or a time of 0.1s to 3600s, "
        f"not {text!r}"
    )
    with pytest.raises(ValueError, match=re.escape(expected)):
        read_level(text)
