"""`manyply secret` makes one, and keeps what is there."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from master.cli.access.secret_command import secret_command
from master.cli.errors import CommandError
from protocol.guards.secret_files import default_secret_path, read_secret


def run(*words: str) -> str:
    result = CliRunner().invoke(secret_command, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_secret_is_where_it_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert run().startswith(f"{default_secret_path()}: a new secret")
    read_secret(default_secret_path())


def test_secret_is_in_the_file_and_not_in_the_output(tmp_path: Path) -> None:
    said = run(str(tmp_path / "s"))
    assert (tmp_path / "s").read_text().strip() not in said


def test_secret_that_is_there_is_kept(tmp_path: Path) -> None:
    run(str(tmp_path / "s"))
    before = (tmp_path / "s").read_text()
    with pytest.raises(CommandError, match="is there already"):
        run(str(tmp_path / "s"))
    assert (tmp_path / "s").read_text() == before
