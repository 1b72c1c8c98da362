import pytest
from click.testing import CliRunner

from master.command import main


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--listen", "attic"], "'attic' is not an address: expected HOST:PORT"),
        (["--local", "many"], "'many' is not a valid whole number"),
        (["--local-port", "0"], "0 is not in the range"),
        (["--nothing"], "No such option"),
    ],
)
def test_bad_option_is_named_in_one_sentence(arguments: list[str], text: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert text in result.output
    assert "Traceback" not in result.output
