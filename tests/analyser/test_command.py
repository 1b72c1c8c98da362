import pytest
from click.testing import CliRunner

from analyser.command import main


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--listen", "attic"], "'attic' is not an address: expected HOST:PORT"),
        (["--connect", "attic:99999"], "'attic:99999' is not an address"),
        (["--listen", ":1", "--stdio"], "exclude one another"),
        (["--listen", ":1", "--connect", "attic:1"], "exclude one another"),
        (["--listen", ":1", "--local-port", "5"], "--local-port belongs to --connect"),
        (["--workers", "0", "--listen", ":1"], "0 is not in the range"),
        (["--name", "a\nb", "--listen", ":1"], "a name has 1 to 64 printable characters"),
        (["--name", "n" * 65, "--listen", ":1"], "a name has 1 to 64 printable characters"),
        (["--lend"], "No such option"),
        (["--stdio", "--secret", "-"], "--stdio speaks with a master there"),
    ],
)
def test_bad_option_is_named_in_one_sentence(arguments: list[str], text: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert text in result.output
    assert "Traceback" not in result.output


def test_help_names_every_endpoint_and_exit_code() -> None:
    output = CliRunner().invoke(main, ["--help"]).output
    for word in ("--listen", "--connect", "--stdio", "LISTEN_FDS", "Exit codes"):
        assert word in output
