"""The timing of a second analysis in small: that each run is made, not how long it takes."""

from pathlib import Path

import pytest

from master.games.backgammon.matches.mat_write import write_mat
from tests.benchmarks import match_again
from tests.master.games.backgammon.matches.random_matches import Habits, random_match


@pytest.mark.slow
@pytest.mark.sockets
def test_second_run_reads_back_what_the_first_one_kept(tmp_path: Path) -> None:
    file = tmp_path / "match.mat"
    file.write_text(write_mat(random_match(1, 1, habits=Habits(resign=0.3))))
    home = tmp_path / "home"
    home.mkdir()
    assert match_again.seconds(file, home, "--plies", "1") > 0
    assert (home / "manyply" / "jobs.sqlite3").exists()
    assert match_again.seconds(file, home, "--plies", "1") > 0


def test_lines_say_the_share_of_the_first_run() -> None:
    measured = [("first", 5.0), ("again", 0.5)]
    assert match_again.rows(measured) == [["first", "5.00", "100 %"], ["again", "0.50", "10 %"]]
