import pytest
from click.testing import CliRunner

from master.cli.relay.command import main


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--up-listen", ":1"], "nobody would compute: give --listen HOST:PORT"),
        (["--up-listen", "attic", "--local", "1"], "'attic' is not an address"),
        (["--up-listen", ":1", "--stdio", "--local", "1"], "exclude one another"),
        (["--fleet", "nowhere", "--local", "1"], "nowhere"),
    ],
)
def test_bad_option_is_named_in_one_sentence(arguments: list[str], text: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert text in result.output
    assert "Traceback" not in result.output
