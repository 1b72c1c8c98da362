"""What a front promises of itself, whichever game it is of."""

import subprocess
import sys
from dataclasses import FrozenInstanceError, fields

import pytest

from engine_ext.noop.runner import noop_context
from master.games.front import Front
from master.games.search_words import PLAIN
from master.games.table import fronts
from tests.master.cli.shown import job_view

FRONTS = dict(fronts())


def test_fronts_load_nothing_but_themselves() -> None:
    code = (
        "import sys, master.games.table\n"
        "ours = ('engine_ext', 'protocol', 'analyser', 'master', 'pydantic', 'click')\n"
        "print(*(name for name in sys.modules if name.split('.')[0] in ours))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    games = {f"master.games.{game}" for game in FRONTS}
    assert {*shown.stdout.split()} == {
        "master", "master.games", "master.games.front", "master.games.table",
        *games, *(f"{game}.front" for game in games),
    }  # fmt: skip


@pytest.mark.parametrize("game", FRONTS)
def test_front_of_a_game_has_its_own_functions_and_the_common_ones(game: str) -> None:
    common = Front()
    for field in fields(common):
        value = getattr(FRONTS[game], field.name)
        for function in value.values() if isinstance(value, dict) else (value,):
            assert function is None or function.__module__ in {
                f"master.games.{game}.front", "master.games.front",
            }  # fmt: skip


@pytest.mark.parametrize("game", FRONTS)
def test_position_that_is_read_is_drawn_and_reported(game: str) -> None:
    front = FRONTS[game]
    found = {front.read_position, front.position_report, front.draw_position}
    assert None not in found


def test_game_without_anything_of_its_own_shows_the_common_report_of_a_job() -> None:
    front = Front()
    assert (front.read_position, front.draw_position, front.handlers) == (None, None, None)
    view = job_view(context=noop_context(), game="noop")
    assert front.job_report(view)["job"] == view.job
    assert front.job_lines(view, 80)
    assert front.job_words().best(job_view())
    assert front.search_words() == PLAIN
    assert front.job_unit() == 1.0


def test_fronts_cannot_be_changed_and_share_nothing() -> None:
    one, other = Front(), Front()
    assert one == other
    assert one.job_texts is not other.job_texts
    for field in fields(one):
        with pytest.raises(FrozenInstanceError):
            setattr(one, field.name, None)
