"""How a search by a fleet looks, in the words of its game and in none."""

import io
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console, Group

from engine_ext.othello.board import OthelloBoard
from master.cli.jobs import progress as progress_module
from master.cli.jobs.estimate import (
    ERROR_TRIALS_MIN,
    RATE_RESULTS_MIN,
    advance,
    duration,
    largest_std_error,
    progress_line,
    seconds_left,
    trials_needed,
)
from master.cli.jobs.live_view import live_view
from master.cli.jobs.progress import ProgressDisplay, search_view, status_line
from master.contract.search_views import HotSpot, SearcherLine, SearchView
from master.contract.views import AnalyserLine, Notice, NoticeKind, Update
from master.games.job_words import PLAIN_SEARCH, SearchWords
from master.games.othello.search_report import WORDS
from master.reports.job_table import round_count
from tests.master.cli.shown import TWO_MOVES, alternative, job_view, update

WARNING = Notice(NoticeKind.WARNING, "analyser attic: it is gone")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """A terminal on standard error; what it got so far."""
    out = io.StringIO()
    made = Console(file=out, force_terminal=True, width=80, height=24, _environ={"TERM": "xterm"})
    monkeypatch.setattr(progress_module, "error_console", lambda: made)
    return out.getvalue


def test_log_gets_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with ProgressDisplay() as progress:
        for step in range(40):
            now = 100.0 + step
            progress.show(update(job_view()))
        progress.show(update(job_view(), is_final=True))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("job 3: 36/100 trials")


def test_notices_are_always_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressDisplay(is_quiet=True) as progress:
        progress.show(Update(job_view(), (), (WARNING,), False))
    out, err = capsys.readouterr()
    assert (out, err) == ("", "manyply: warning: analyser attic: it is gone\n")


def test_terminal_gets_a_display_and_gets_it_cleared(terminal: Callable[[], str]) -> None:
    with ProgressDisplay() as progress:
        progress.show(Update(job_view(), (), (WARNING,), False))
        assert "36/100 trials" in terminal()
        assert "manyply: warning: analyser attic" in terminal()
    assert terminal().endswith("\x1b[2K")  # the last thing is that a line was erased
    assert "\x1b[?25h" in terminal()  # and the cursor is there again


def test_no_pipe_is_taken_for_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert not progress_module.error_console().is_terminal


def test_display_is_left_at_most_once(terminal: Callable[[], str]) -> None:
    with ProgressDisplay() as progress:
        progress.leave()
        length = len(terminal())
        progress.show(update(job_view()))
    assert terminal()[length:].count("\x1b") == 0


def test_one_line_is_cut_off_where_the_terminal_ends(terminal: Callable[[], str]) -> None:
    with ProgressDisplay() as progress:
        progress.draw_line("depth 12 " + 20 * "d3 c5 f6 ")
        assert "depth 12 d3" in terminal()
        assert terminal().count("d3") == 8


def test_search_is_shown_in_its_games_words(terminal: Callable[[], str]) -> None:
    board = OthelloBoard.start(8).to_text()
    search = SearchView("solving 60 empty squares", board, lower=-2, is_exact=True, nodes=7)
    view = replace(job_view(), game="othello", search=search)
    with ProgressDisplay() as progress:
        progress.show(update(view))
        assert "solving 60 empty squares: value at least -2" in terminal()
        length = len(terminal())
        progress.show(update(replace(view, search=SearchView(answer="x")), is_final=True))
        assert len(terminal()) == length


BOARD = OthelloBoard.start(8)
FLEET = (SearcherLine("attic", 2, 3, 80_000_000, 41.5e6), SearcherLine("cellar", 1, 1, 1, 0.0))
SPOTS = (HotSpot("attic", (0, 1), 57, 0.25), HotSpot("cellar", None, 50, 0.01))
VIEW = SearchView(
    "solving 60 empty squares", BOARD.to_text(), -4, 10, None, True, 90_000_000, 12.3, 1_200, 34,
    FLEET, SPOTS,
)  # fmt: skip


def shown(**changes: Any) -> SearchView:
    return replace(VIEW, **changes)


def lines(
    what: SearchView, width: int = 100, height: int = 20, words: SearchWords = WORDS
) -> list[str]:
    return [line.plain.rstrip() for line in search_view(what, words, width, height)]


def test_head_analysers_and_hot_spots_are_shown() -> None:
    assert lines(shown(move=2)) == [
        "solving 60 empty squares: value -4 to +10, best f5",
        "90,000,000 nodes, 12 s, 1,200 parts, 34 hot spots split",
        "attic     41.5 M/s       80,000,000 nodes  3 parts   2 workers",
        "cellar     0.0 M/s                1 nodes  1 part    1 worker",
        "",
        "attic       250 ms  57 empty squares behind d3 e3",
        "cellar       10 ms  50 empty squares behind ?",
    ]


def test_game_without_words_is_shown_in_numbers() -> None:
    found = lines(shown(move=2), words=PLAIN_SEARCH)
    assert found[0] == "solving 60 empty squares: value -4 to 10, best move 3"
    assert found[-2] == "attic       250 ms  57 deep behind move 1 move 2"


@pytest.mark.parametrize("height", range(6, 30))
def test_display_fits_the_terminal(height: int) -> None:
    many = shown(searchers=FLEET * 20, hot_spots=SPOTS * 20)
    found = lines(many, 40, height)
    assert 3 <= len(found) < height
    assert max(map(len, found)) <= 40


def test_log_line_names_the_fleet() -> None:
    assert status_line(shown(), WORDS) == (
        "solving 60 empty squares, value -4 to +10: 90,000,000 nodes, 41.5 M/s, 12 s, 2 analysers"
    )
    nobody = status_line(shown(searchers=()), WORDS)
    assert nobody.endswith("0.0 M/s, 12 s, no analyser is ready")


NOTHING_YET = job_view(alternatives=(), folded=0, trials_per_s=0.0)


def test_number_of_trials_is_what_is_needed() -> None:
    assert trials_needed(job_view()) == 100


def test_time_left_waits_for_a_rate_that_holds() -> None:
    assert seconds_left(job_view(folded=RATE_RESULTS_MIN - 1, held=0)) is None
    assert seconds_left(job_view(folded=RATE_RESULTS_MIN - 1, held=1)) is not None


def test_time_left_waits_for_an_error_that_holds() -> None:
    few, enough = (
        replace(alternative(0.1), trials=count)
        for count in (ERROR_TRIALS_MIN - 1, ERROR_TRIALS_MIN)
    )
    assert seconds_left(job_view(stop_se=0.005, folded=200, alternatives=(few,))) is None
    assert seconds_left(job_view(stop_se=0.005, folded=200, alternatives=(enough,))) is not None


def test_half_the_standard_error_needs_four_times_the_games() -> None:
    assert trials_needed(job_view(trials=None, stop_se=0.02)) == pytest.approx(4 * 36)


def test_trial_limit_bounds_what_a_standard_error_needs() -> None:
    assert trials_needed(job_view(stop_se=0.0001)) == 100


def test_error_that_is_small_enough_needs_nothing_more() -> None:
    assert trials_needed(job_view(trials=None, stop_se=0.05)) == 36


def test_nobody_knows_before_the_first_error() -> None:
    view = job_view(alternatives=(), trials=None, stop_se=0.1)
    assert trials_needed(view) is None
    assert largest_std_error(view) is None
    assert seconds_left(view) is None


def test_largest_error_is_of_all_alternatives() -> None:
    assert largest_std_error(job_view(**TWO_MOVES)) == 0.04


def test_time_left_counts_the_games_of_every_alternative() -> None:
    assert seconds_left(job_view()) == 8.0
    assert seconds_left(job_view(**TWO_MOVES)) == (200 - 72) / 8
    assert seconds_left(job_view(held=30)) == (100 - 66) / 8
    assert seconds_left(job_view(trials_per_s=0.0)) is None
    assert seconds_left(job_view(folded=101)) == 0.0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-1, "0 s"), (59.4, "59 s"), (60, "1 min 0 s"), (200, "3 min 20 s"), (18725, "5 h 12 min")],
)
def test_times_are_written_as_people_say_them(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_advance_says_what_is_done_how_fast_and_how_long() -> None:
    assert advance(job_view()) == "36/100 trials, 8/s, 8 s left"
    assert advance(job_view(**TWO_MOVES)) == "36/100 trials each, 8/s, 16 s left"
    assert advance(job_view(trials=None, stop_se=0.02)) == "36/~144 trials, 8/s"
    assert advance(NOTHING_YET) == "0/100 trials, 0/s"


def test_progress_line_names_the_best() -> None:
    line = progress_line(job_view(**TWO_MOVES))
    assert line.startswith("job 3: 36/100 trials each")
    assert line.endswith("; 8/5 6/5 +0.3500 [0.0400]")
    assert progress_line(NOTHING_YET) == "job 3: 0/100 trials, 0/s"


def test_games_done_are_those_of_each_alternative() -> None:
    assert round_count(job_view(**TWO_MOVES)) == 36
    assert round_count(NOTHING_YET) == 0


def test_nobody_knows_when_a_job_is_settled() -> None:
    view = job_view(stop_settled=2.33, **TWO_MOVES)
    assert seconds_left(view) is None
    assert advance(view) == "36/<=100 trials each, 8/s"


READY = AnalyserLine("attic", "attic:4321", "ready", 2, 4, 1234, 98.6)
AWAY = AnalyserLine("cellar:4321", "cellar:4321", "connecting", text="cannot connect: refused")


def live(what: Update, width: int = 100, height: int = 30) -> list[str]:
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
    title, bar, heading, first, second, gap, *analysers = live(
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
    lines = live(update(job_view(**TWO_MOVES)))
    assert [line.split("  ")[0] for line in lines[3:]] == [" 1. 8/5 6/5", " 2. 13/10 6/5"]


def test_narrow_terminal_leaves_gammons_out() -> None:
    lines = live(update(job_view(**TWO_MOVES), READY), width=70)
    assert lines[2].split() == ["Win", "Cubeful", "Diff"]
    assert lines[4].split()[-1] == "[0.0200]"


def test_narrowest_terminal_keeps_equities_whole_and_says_what_it_cuts() -> None:
    lines = live(update(job_view(**TWO_MOVES), READY, AWAY), width=55)
    assert lines[2].split() == ["Cubeful", "Diff"]
    assert lines[4].endswith("+0.1000 [0.0100]  -0.2500 [0.0200]")
    assert lines[6].endswith("1234 trials")
    assert live(update(job_view(**TWO_MOVES), AWAY), width=40)[-1].endswith("c...")


def test_bar_gives_way_to_the_words_beside_it() -> None:
    _, words, *_ = live(update(job_view(stop_se=0.02, trials_per_s=8.0)), width=58)
    assert words == "36/~100, error 0.0400 of 0.02"


@pytest.mark.parametrize("width", [1, 10, 20, 33, 60, 80, 200])
@pytest.mark.parametrize("height", [1, 4, 8, 24])
def test_display_never_outgrows_the_terminal(width: int, height: int) -> None:
    lines = [READY] * 20 + [AWAY] * 20
    shown_lines = live(update(job_view(**many(40)), *lines), width, height)
    assert all(len(line) <= width for line in shown_lines)
    assert len(shown_lines) <= max(height - 1, 7)


def test_what_does_not_fit_is_counted() -> None:
    lines = live(update(job_view(**many(40)), *[READY] * 20), height=20)
    assert "... and 31 more alternatives" in lines
    assert "... and 16 more analysers" in lines


def test_before_the_first_round_it_says_what_it_waits_for() -> None:
    begun = job_view(alternatives=(), folded=0)
    assert live(update(begun, READY))[2] == "waiting for the first trial of every alternative"
    for lines in ((), (AWAY,)):
        assert live(update(begun, *lines))[2] == "waiting for an analyser to be ready"


def test_standard_error_to_stop_at_is_shown_beside_the_one_reached() -> None:
    _, bar, *_ = live(update(job_view(stop_se=0.02)), width=120)
    assert bar.endswith("error 0.0400 of 0.02")
