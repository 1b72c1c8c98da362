"""Files of drawings are tried before anything is computed, and written after it."""

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from master.cli.drawings import (
    check_writable,
    drawing_option,
    png_option,
    write_drawing,
    write_png,
)
from master.cli.errors import CommandError, ExitCode
from master.cli.output import (
    disturb,
    disturbances,
    echo,
    echo_drawing,
    echo_exactly,
    echo_json,
    echo_notice,
    echo_table,
    end_skipped,
    say_skipped,
    send,
    styled_or_plain,
)
from master.games.skipped import KEPT_MAX, SkippedGame, SkippedGames
from master.games.spans import Span
from tests.master.cli.terminals import terminal

DRAWING = [(Span("X", "mine"), Span(" . ", "dim"), Span("plain")), ()]


class Broken:
    """Standard output that fails."""

    def __init__(self, error: OSError, descriptor: int) -> None:
        self.error = error
        self.descriptor = descriptor

    def write(self, text: str) -> int:
        raise self.error

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return self.descriptor


@pytest.fixture
def spare_descriptor(tmp_path: Path) -> Iterator[int]:
    with (tmp_path / "out").open("w") as file:
        yield file.fileno()


def test_json_reads_back_to_the_same_bits(capsys: pytest.CaptureFixture[str]) -> None:
    thing = {"third": 1 / 3, "text": "é\n", "none": None}
    echo_json(thing)
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert json.loads(out) == thing


def test_what_json_has_no_word_for_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        echo_json({"equity": math.nan})


def test_table_lines_up(capsys: pytest.CaptureFixture[str]) -> None:
    echo_table("Title", ("Move", "Equity"), [("8/5 6/5", "+0.1"), ("13/9", "-0.02")])
    assert capsys.readouterr().out.splitlines() == [
        "Title", "Move     Equity", "8/5 6/5    +0.1", "13/9      -0.02",
    ]  # fmt: skip


def test_no_style_reaches_what_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    echo("bold", is_bold=True)
    assert capsys.readouterr().out == "bold\n"


@pytest.mark.parametrize(
    ("error", "raised"),
    [(BrokenPipeError(32, "Broken pipe"), SystemExit), (OSError(28, "No space"), CommandError)],
)
def test_output_that_fails_ends_the_command(
    monkeypatch: pytest.MonkeyPatch,
    spare_descriptor: int,
    error: OSError,
    raised: type[BaseException],
) -> None:
    monkeypatch.setattr(sys, "stdout", Broken(error, spare_descriptor))
    with pytest.raises(raised) as caught:
        echo("anything")
    reported = caught.value
    assert isinstance(reported, SystemExit | CommandError)
    code = reported.code if isinstance(reported, SystemExit) else reported.exit_code
    assert code in (ExitCode.OUTPUT_CLOSED, ExitCode.STORAGE)


def test_lines_for_people_are_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(20, monkeypatch) as screen:
        echo("some words that do not fit", is_bold=True)
        echo_exactly("some words that do not fit")
        echo_notice("it goes on elsewhere")
    assert screen.lines[:-1] == [
        "some words that do", "  not fit", "some words that do not fit",
        "manyply: it goes on", "  elsewhere",
    ]  # fmt: skip


def test_a_notice_is_one_line_of_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    echo_notice("word " * 50 + "end")
    assert capsys.readouterr().err == "manyply: " + "word " * 50 + "end\n"


def test_whatever_is_printed_disturbs_a_picture_but_what_steers_it() -> None:
    before = disturbances()
    send("\x1b[K")
    assert disturbances() == before
    for number, disturbing in enumerate((echo_exactly, echo_notice, echo), 1):
        disturbing("text")
        assert disturbances() == before + number
    disturb()
    assert disturbances() == before + 4


def test_what_steers_a_terminal_reaches_it_without_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert styled_or_plain("\x1b[1mX\x1b[0m") == "X"
    with terminal(80, monkeypatch) as screen:
        send("\x1b[K")
    assert screen.text == "\x1b[K"
    monkeypatch.delenv("NO_COLOR")
    assert styled_or_plain("\x1b[1mX") == "\x1b[1mX"


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


def test_a_drawing_is_plain_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    echo_drawing(DRAWING)
    assert capsys.readouterr().out == "\nX . plain\n\n"


def test_every_style_has_a_colour_or_a_weight(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("master.cli.output._is_styled", lambda: True)
    for style in ("mine", "theirs", "dim", "strong", "blue", "red", "highest"):
        echo_drawing([(Span("X", style), Span(" "))])
        assert "\x1b[" in capsys.readouterr().out
    echo_drawing([(Span("X"),)])
    assert "\x1b[" not in capsys.readouterr().out


@click.command()
@drawing_option("--svg", "Draw.")
def drawing(svg: Path | None) -> None:
    """Say what was given, and whether it is there."""
    click.echo(f"{svg} {svg is not None and svg.exists()}")


def test_file_that_can_be_written_is_not_made_by_trying(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    assert CliRunner().invoke(drawing, ["--svg", str(path)]).output == f"{path} False\n"
    assert CliRunner().invoke(drawing).output == "None False\n"
    write_drawing(path, "<svg/>")
    check_writable(path)
    assert path.read_text() == "<svg/>"


def test_file_that_cannot_be_written_is_named_first(tmp_path: Path) -> None:
    path = tmp_path / "no" / "a.svg"
    result = CliRunner().invoke(drawing, ["--svg", str(path)])
    assert isinstance(result.exception, CommandError)
    assert result.exception.exit_code is ExitCode.STORAGE
    assert str(result.exception) == f"cannot write {path}: No such file or directory"
    assert result.output == ""
    with pytest.raises(CommandError, match="cannot write"):
        write_drawing(path, "")


def test_directory_is_refused(tmp_path: Path) -> None:
    assert "is a directory" in CliRunner().invoke(drawing, ["--svg", str(tmp_path)]).output


@click.command()
@png_option("Draw.")
def picture(png: Path | None) -> None:
    """Say what was given."""
    click.echo(str(png))


SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>'


def test_png_is_a_file_of_that_kind(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="resvg-py is not installed (extra png)")
    path = tmp_path / "a.png"
    assert CliRunner().invoke(picture, ["--png", str(path)]).output == f"{path}\n"
    write_png(path, SVG)
    assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(CommandError, match="No such file or directory"):
        write_png(tmp_path / "no" / "a.png", SVG)


def test_png_without_its_extra_is_refused_while_options_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = CliRunner().invoke(picture, ["--png", str(tmp_path / "a.png")])
    assert isinstance(result.exception, CommandError)
    assert "pip install 'manyply[png]'" in str(result.exception)
    with pytest.raises(CommandError, match="optional extra"):
        write_png(tmp_path / "a.png", SVG)
