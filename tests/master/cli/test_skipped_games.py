"""What a command says of games that it skips."""

import pytest

from master.cli.errors import CommandError, ExitCode
from master.cli.skipped_games import end_skipped, say_skipped
from master.games.skipped import KEPT_MAX, SkippedGame, SkippedGames


def test_each_is_named_and_the_end_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    skipped = SkippedGames("a.pgn")
    end_skipped(skipped, 2)
    say_skipped(skipped, SkippedGame(2, "no \x1b move", 9))
    assert capsys.readouterr().err == "manyply: a.pgn, game 2, line 9: no ? move; skipped\n"
    with pytest.raises(CommandError, match="1 game skipped; 2 read") as ended:
        end_skipped(skipped, 2)
    assert ended.value.exit_code is ExitCode.BAD_INPUT


def test_lines_about_a_spoilt_file_end(capsys: pytest.CaptureFixture[str]) -> None:
    skipped = SkippedGames("a.pgn")
    for number in range(KEPT_MAX + 50):
        say_skipped(skipped, SkippedGame(number, "why"))
    assert len(capsys.readouterr().err.splitlines()) == KEPT_MAX
