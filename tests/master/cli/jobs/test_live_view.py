import io
from typing import Any

import pytest
from rich.console import Console, Group

from master.cli.jobs.live_view import live_view
from master.contract.views import AnalyserLine, Update
from tests.master.cli.shown import TWO_MOVES, alternative, job_view, update

READY = AnalyserLine("attic", "attic:4321", "ready", 2, 4, 1234, 98.6)
AWAY = AnalyserLine("cellar:4321", "cellar:4321", "connecting", text="cannot connect: refused")


def shown(what: Update, width: int = 100, height: int = 30) -> list[str]:
    """Return the lines as a terminal of that size would show them."""
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system=None)
    console.print(Group(*live_view(what, width, height)))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def many(count: int) -> dict[str, Any]:
    names = tuple(f"24/{number} 13/{number}" for number in range(count))
    values = tuple(alternative(-number / 10, diff=-number / 10) for number in range(count))
    return {"alternative_names": names, "alternatives": values}


def test_everything_is_shown_where_there_is_room() -> None:
    title, bar, heading, first, second, gap, *analysers = shown(
        update(job_view(**TWO_MOVES), READY, AWAY)
    )
    assert title == "Job 3  4HPwATDgc/ABMA"
    assert bar.endswith("36/100 trials each, 8/s, 16 s left")
    assert heading.split() == ["Win", "W", "g", "W", "bg", "L", "g", "L", "bg", "Cubeful", "Diff"]
    assert first.split()[-2:] == ["+0.3500", "[0.0400]"]
    assert second.split()[-4:] == ["+0.1000", "[0.0100]", "-0.2500", "[0.0200]"]
    assert gap == ""
    assert analysers[0].split()[:4] == ["attic", "ready", "99/s", "1234"]
    assert analysers[1] == "cellar:4321  connecting  cannot connect: refused"


def test_alternatives_are_in_the_order_of_their_ranks() -> None:
    lines = shown(update(job_view(**TWO_MOVES)))
    assert [line.split("  ")[0] for line in lines[3:]] == [" 1. 8/5 6/5", " 2. 13/10 6/5"]


def test_narrow_terminal_leaves_gammons_out() -> None:
    lines = shown(update(job_view(**TWO_MOVES), READY), width=70)
    assert lines[2].split() == ["Win", "Cubeful", "Diff"]
    assert lines[4].split()[-1] == "[0.0200]"


def test_narrowest_terminal_keeps_equities_whole_and_says_what_it_cuts() -> None:
    lines = shown(update(job_view(**TWO_MOVES), READY, AWAY), width=55)
    assert lines[2].split() == ["Cubeful", "Diff"]
    assert lines[4].endswith("+0.1000 [0.0100]  -0.2500 [0.0200]")
    assert lines[6].endswith("1234 trials")
    assert shown(update(job_view(**TWO_MOVES), AWAY), width=40)[-1].endswith("c...")


def test_bar_gives_way_to_the_words_beside_it() -> None:
    _, words, *_ = shown(update(job_view(stop_se=0.02, trials_per_s=8.0)), width=58)
    assert words == "36/~100, error 0.0400 of 0.02"


@pytest.mark.parametrize("width", [1, 10, 20, 33, 60, 80, 200])
@pytest.mark.parametrize("height", [1, 4, 8, 24])
def test_display_never_outgrows_the_terminal(width: int, height: int) -> None:
    lines = [READY] * 20 + [AWAY] * 20
    shown_lines = shown(update(job_view(**many(40)), *lines), width, height)
    assert all(len(line) <= width for line in shown_lines)
    assert len(shown_lines) <= max(height - 1, 7)


def test_what_does_not_fit_is_counted() -> None:
    lines = shown(update(job_view(**many(40)), *[READY] * 20), height=20)
    assert "... and 31 more alternatives" in lines
    assert "... and 16 more analysers" in lines


def test_before_the_first_round_it_says_what_it_waits_for() -> None:
    begun = job_view(alternatives=(), folded=0)
    assert shown(update(begun, READY))[2] == "waiting for the first trial of every alternative"
    for lines in ((), (AWAY,)):
        assert shown(update(begun, *lines))[2] == "waiting for an analyser to be ready"


def test_standard_error_to_stop_at_is_shown_beside_the_one_reached() -> None:
    _, bar, *_ = shown(update(job_view(stop_se=0.02)), width=120)
    assert bar.endswith("error 0.0400 of 0.02")
