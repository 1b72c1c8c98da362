"""The timing of match analysis in small: that it runs and plays gnubg, not what comes out."""

from pathlib import Path

import pytest

from master.games.backgammon.matches.files import read_match_file
from tests.benchmarks import gnubg_program, match_analysis


@pytest.mark.slow
@pytest.mark.reference
def test_both_programs_analyse_a_match_that_gnubg_played(tmp_path: Path) -> None:
    gnubg = gnubg_program.find_gnubg()
    if gnubg is None:
        pytest.skip(gnubg_program.ABSENT)
    file = match_analysis.play_match(gnubg, tmp_path, 1, 3)
    assert read_match_file(file).match.length == 1
    assert match_analysis.decision_count(file) > 10
    timed = [match_analysis.our_time("ours", file, 0), match_analysis.gnubg_time(gnubg, file, 0)]
    timed += match_analysis.page_times(gnubg, file)
    assert all(each.wall_s > 0 and each.cpu_s > 0 for each in timed)
    assert {path.suffix for path in tmp_path.glob("*ours*")} == {".html"}
    assert list(tmp_path.glob("theirs*.html"))


def test_lines_say_how_many_times_faster_each_is_than_the_last() -> None:
    timed = [match_analysis.Timed("ours", 2.0, 3.0), match_analysis.Timed("gnubg", 8.0, 15.0)]
    assert match_analysis.rows("2-ply", timed) == [
        ["2-ply, ours", "2.00", "3.00", "4.0"],
        ["2-ply, gnubg", "8.00", "15.00", "1.0"],
    ]
