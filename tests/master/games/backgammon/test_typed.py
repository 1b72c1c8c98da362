"""How IDs and dice are read."""

import pytest

from engine_ext.backgammon.ids import to_gnubg_id
from master.games.backgammon.typed import read_dice, read_id
from tests.master.cli.shown import POSITION

GNUBG_ID = f"{POSITION}:cAkAAAAAAAAA"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10"


@pytest.mark.parametrize("text", [POSITION, GNUBG_ID, f"  {GNUBG_ID}\n"])
def test_id_forms_say_the_same(text: str) -> None:
    assert to_gnubg_id(read_id(text)) == GNUBG_ID


def test_xgid_is_read() -> None:
    assert read_id(XGID).position.position_id == POSITION


@pytest.mark.parametrize("text", ["", "xyz", "XGID=foo", "4HPwATDgc/ABMB", GNUBG_ID + "A"])
def test_bad_id_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w+ \w+ \w+"):
        read_id(text)


@pytest.mark.parametrize(
    ("text", "dice"), [("31", (3, 1)), ("1-3", (1, 3)), (" 6,6 ", (6, 6)), ("5 2", (5, 2))]
)
def test_dice_are_read(text: str, dice: tuple[int, int]) -> None:
    assert read_dice(text) == dice


@pytest.mark.parametrize("text", ["", "3", "37", "00", "333", "3--1", "ab"])
def test_what_is_no_roll_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a roll"):
        read_dice(text)
