"""Files of drawings are tried before anything is computed, and written after it."""

import sys
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
