"""`manyply ubgi` as a process, with an interface at the other end of its pipes."""

import signal
import sys
from contextlib import AbstractContextManager

import pytest

from tests.master.cli.pipes import Pipes, talked_to
from tests.master.games.backgammon.external.gnubg_lines import FIBS_LINE, TURN_OF_1

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}:0:0:0:7:10"
WON = "XGID=-BBB----------------ccccc-:0:0:1:{}:0:0:0:7:10"
DANCE = f"XGID={'-' * 19}bbbbbbA:0:0:1:66:0:0:0:7:10"


def engine(*args: str) -> AbstractContextManager[Pipes]:
    return talked_to((sys.executable, "-m", "master.cli", "ubgi", *args))


def test_positions_are_answered_by_the_best_action_alone() -> None:
    with engine("--plies", "0") as interface:
        interface.send("ubgi")
        assert "ubgiok" in interface.hear("readyok")
        lines = [START.format(dice) for dice in ("31", "65", "00", "D")]
        lines += [DANCE, WON.format("00"), WON.format("D"), FIBS_LINE, TURN_OF_1, "XGID="]
        interface.send(*lines)
        assert interface.hear("sorry") == [
            "8/5 6/5", "24/18 18/13", "roll", "take", "", "double", "drop", "24/18 13/11", "",
            "sorry",
        ]  # fmt: skip
        interface.send("quit")
        assert interface.rest() == ("", "", 0)


def test_dueller_that_checks_an_engine_is_content() -> None:
    """The lines of `bgci check`, which looks whether an engine speaks version 0.1."""
    with engine("--plies", "0") as interface:
        interface.send("ubgi", "isready", "newgame", "isready")
        interface.send("setoption name Variant value backgammon", "isready")
        for position, dice, word in (
            ("4HPwATDgc/ABMA", "6 1", "13/7 8/7"),
            ("Np7BQSCYZ/AAWA", "5 3", "bar/"),
            ("/z0AADDeaxsAAA", "5 5", "/off"),
        ):
            interface.send(f"position gnubgid {position}", f"dice {dice}", "go role chequer")
            *before, answer = interface.hear("bestmove ")
            assert word in answer
            assert not any(line.startswith("error") for line in before)
        interface.send("quit")
        assert interface.rest() == ("", "", 0)


def test_end_of_the_input_ends_it_when_all_is_answered() -> None:
    with engine("--plies", "1") as interface:
        interface.send(START.format("31"))
        assert interface.rest() == ("8/5 6/5\n", "", 0)


def test_stop_hastens_an_answer_that_takes_long() -> None:
    with engine("--plies", "3") as interface:
        interface.send(*[START.format("65")] * 50, "stop", "ubgi")
        lines = interface.hear("readyok")
        assert lines[:50] == ["24/18 18/13"] * 50
        assert interface.rest() == ("", "", 0)


def test_ctrl_c_ends_it() -> None:
    with engine() as interface:
        interface.send("ubgi")
        interface.hear("readyok")
        interface.process.send_signal(signal.SIGINT)
        assert interface.process.wait(20) == 130
