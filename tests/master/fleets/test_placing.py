"""Placing of fleets: invitations, placers, programs with deadlines, the address to connect to."""

import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.config.fleet_specs import EXPECTED, parse_fleet_spec
from master.fleets.placers import make_placer
from master.fleets.placing import (
    ERROR_CHARACTERS_MAX,
    FleetFailedError,
    Invitation,
    call,
    local_host,
    one_line,
)


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


WRITTEN = {
    "local": "local:2",
    "ssh": "ssh:attic,cellar:2",
    "slurm": "slurm:2:night",
    "sge": "sge:2",
    "kubernetes": "kubernetes:2",
    "dask": "dask:tcp://127.0.0.1:8786",
    "ray": "ray:auto",
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=str)
def test_fleet_has_a_placer_with_all_that_is_asked_of_it(text: str) -> None:
    placer = make_placer(parse_fleet_spec(text), "night-1")
    asked = ("own_host", "start", "scale", "members", "stop")
    assert all(callable(getattr(placer, name)) for name in asked)


def test_every_kind_is_tried() -> None:
    kinds = {word.partition(":")[0] for word in EXPECTED.replace(" or ", ", ").split(", ")}
    assert kinds == {*WRITTEN}


async def test_input_goes_in_and_what_is_printed_comes_out() -> None:
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


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
async def test_this_machine_sees_itself_on_loopback(host: str) -> None:
    assert await local_host(host) in ("127.0.0.1", "::1")


async def test_host_that_is_not_known_is_one_line() -> None:
    with pytest.raises(FleetFailedError, match=r"no way to nowhere\.invalid is known \("):
        await local_host("nowhere.invalid")
