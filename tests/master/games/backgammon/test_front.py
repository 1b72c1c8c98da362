"""What backgammon offers is what its commands, IDs and reports do."""

from typing import Any

import pytest

from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_state import GameState
from master.games.backgammon.front import FRONT
from master.games.backgammon.typed import read_dice, read_id
from master.games.spans import Screen
from master.reports.job_result import job_report
from tests.master.cli.shown import POSITION, TWO_MOVES, job_view


def test_position_that_was_typed_is_read_and_shown() -> None:
    assert FRONT.read_position is not None
    state = FRONT.read_position(POSITION)
    assert isinstance(state, GameState)
    assert FRONT.position_report is not None
    shown = FRONT.position_report(state)
    assert f"{shown['position_id']}:{shown['match_id']}".startswith(POSITION)
    assert FRONT.draw_position is not None
    drawn = FRONT.draw_position(state, Screen(80, lambda text: True))
    assert drawn.heading.startswith(POSITION)
    assert max(sum(len(span.text) for span in line) for line in drawn.lines) <= 80
    assert drawn.note == ""


@pytest.mark.parametrize("text", ["", "nonsense", POSITION[:-1], "XGID=x", "\0"])
def test_what_is_no_position_is_a_value_error(text: str) -> None:
    assert FRONT.read_position is not None
    with pytest.raises(ValueError, match=r"\S"):
        FRONT.read_position(text)


def test_job_is_reported_by_probabilities_and_equities() -> None:
    view = job_view(**TWO_MOVES)
    report: dict[str, Any] = dict(FRONT.job_report(view))
    assert report["alternatives"][0]["probs"]["win"] == 0.5
    assert set(report) > set(job_report(view))
    assert FRONT.job_lines(view, None)[0].split()[-1] == "Diff"


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
