"""An invitation is all that an analyser has to know."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.fleets.placing import ERROR_CHARACTERS_MAX, Invitation, one_line


@pytest.mark.parametrize(("host", "address"), [("attic", "attic:47"), ("::1", "[::1]:47")])
def test_arguments_are_those_of_the_analyser(host: str, address: str) -> None:
    invitation = Invitation(host, 47, "night-1", "x" * 20, give_up_s=90)
    assert invitation.arguments() == (
        "--connect", address, "--ticket", "night-1", "--secret", "-", "--give-up-after", "90",
    )  # fmt: skip


def test_secret_stands_neither_in_arguments_nor_where_it_is_shown() -> None:
    invitation = Invitation("attic", 4700, "night-1", "correct horse")
    for shown in (repr(invitation), str(invitation), *invitation.arguments()):
        assert "horse" not in shown


@given(st.text())
def test_what_an_engine_says_is_one_line(said: str) -> None:
    line = one_line(said)
    assert len(line.splitlines()) <= 1
    assert len(line) <= ERROR_CHARACTERS_MAX
    assert line == " ".join(line.split()) or line.endswith(" ")
