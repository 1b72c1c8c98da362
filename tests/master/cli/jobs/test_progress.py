import io
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.console import Console

from engine_ext.othello.board import OthelloBoard
from master.cli.jobs import progress as progress_module
from master.cli.jobs.progress import ProgressDisplay
from master.contract.search_views import SearchView
from master.contract.views import Notice, NoticeKind, Update
from tests.master.cli.shown import job_view, update

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


def test_notices_are_always_told(capsys: pytest.CaptureFixture[str]) -> None:
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
