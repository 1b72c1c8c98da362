"""What people write to name an engine."""

import sys

import pytest

from engine_ext.chess.uci_engine.engine_spec import EngineSpec, EngineSpecError, read_spec

PYTHON = sys.executable


def test_program_arguments_and_options_are_read() -> None:
    found = read_spec(f"{PYTHON} -u 'a b',Hash=64,Skill Level = 3,Path=")
    options = (("Hash", "64"), ("Skill Level", "3"), ("Path", ""))
    assert found == EngineSpec((PYTHON, "-u", "a b"), options)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("no-such-program", "there is no program 'no-such-program'"),
        ("", "expected COMMAND"),
        ("'", "expected COMMAND"),
        (f"{PYTHON},", "'' is no option"),
        (f"{PYTHON},Hash", "'Hash' is no option"),
        (f"{PYTHON},=3", "'=3' is no option"),
        (f"{PYTHON},Hash=1\n", None),
        (f"{PYTHON},Hash=1\nquit", "is no option"),
        (f"{PYTHON},Hash=1,hash=2", "gives an option twice"),
        (f"{PYTHON},threads=2", "threads is not for you to set"),
    ],
)
def test_mistakes_are_named(text: str, complaint: str | None) -> None:
    if complaint is None:
        assert read_spec(text).options == (("Hash", "1"),)
        return
    with pytest.raises(EngineSpecError, match=complaint):
        read_spec(text)
