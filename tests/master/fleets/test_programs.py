"""Programs are called with a deadline, and complain in one line."""

import os
import time

import pytest

from master.fleets.placing import ERROR_CHARACTERS_MAX, FleetFailedError
from master.fleets.programs import call


async def test_what_is_told_goes_in_and_what_is_printed_comes_out() -> None:
    assert await call(("cat",), stdin_text="a secret\n") == "a secret\n"


async def test_program_that_reads_nothing_is_no_error() -> None:
    assert await call(("true",), stdin_text="x" * 100_000) == ""


@pytest.mark.slow
async def test_what_goes_on_in_the_background_is_not_waited_for() -> None:
    begun = time.monotonic()
    printed = await call(("sh", "-c", "sleep 20 >/dev/null 2>&1 & echo $!"))
    os.kill(int(printed), 9)
    assert time.monotonic() - begun < 15


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("no-such-program",), "cannot run no-such-program: No such file"),
        (("sh", "-c", "echo it is; echo so >&2; exit 3"), "sh: so$"),
        (("sh", "-c", "echo it is; exit 3"), "sh: it is$"),
        (("false",), "false: exit code 1"),
        (("sleep", "9"), "sleep gave no answer in 0.05 s"),
        (("sh", "-c", "yes | head -c 9000; exit 1"), "sh: y y"),
    ],
)
async def test_failure_is_one_line(argv: tuple[str, ...], words: str) -> None:
    within_s = 0.05 if argv[0] == "sleep" else 20
    with pytest.raises(FleetFailedError, match=words) as caught:
        await call(argv, within_s=within_s)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < ERROR_CHARACTERS_MAX + 20
