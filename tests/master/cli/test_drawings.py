"""Files of drawings are tried before anything is computed, and written after it."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from master.cli.drawings import check_writable, drawing_option, write_drawing
from master.cli.errors import CommandError, ExitCode


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
