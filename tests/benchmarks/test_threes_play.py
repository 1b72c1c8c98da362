"""The benchmark of Threes! in small: that it plays and prints, not what comes out."""

import json
from dataclasses import replace

import pytest

from engine_ext.control import RunControl
from engine_ext.threes.board import card_of
from engine_ext.threes.context import Lookahead
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.player import play_game
from tests.benchmarks import threes_play
from tests.benchmarks.threes_play import (
    PUBLISHED,
    RANKS,
    Rate,
    by_plies,
    counts,
    lookaheads,
    played,
    row,
)


def test_figures_are_those_of_the_games() -> None:
    found = played(Lookahead(1, 1), 30, 5)
    games = [play_game(shipped_net(), 5, number, 1, RunControl()) for number in range(30)]
    scores = [game[2] for game in games if game is not None]
    assert found.score == pytest.approx(sum(scores) / 30)
    assert found.std_error is not None
    assert found.std_error > 0
    assert found.moves_per_s > 0
    assert replace(found, moves_per_s=0) == replace(played(Lookahead(1, 1), 30, 5), moves_per_s=0)
    assert played(Lookahead(1, 1), 1, 5).std_error is None


def test_ranks_are_those_of_their_cards() -> None:
    assert {card_of(rank): rank for rank in RANKS.values()} == RANKS


def test_what_is_published_stands_behind_ours() -> None:
    ours = [replace(PUBLISHED[0], program="manyply", plies=plies) for plies in ("3", "1", "4")]
    named = [(each.program, each.plies) for each in by_plies(ours)]
    assert named == [
        ("manyply", "3"), ("CGI 2015", "3"), ("prototype", "3"),
        ("manyply", "1"), ("CGI 2015", "1"), ("prototype", "1"), ("manyply", "4"),
    ]  # fmt: skip


def test_row_says_how_sure_it_is_where_that_is_known() -> None:
    assert row(PUBLISHED[2]) == ["CGI 2015", "3", "", "221,000", "65.8%", "9.0%", "298"]
    reached = {3072: Rate(0.64, 0.584, 0.692), 6144: Rate(0.0, 0.0, 0.0126)}
    ours = replace(PUBLISHED[2], games=300, std_error=8151.2, reached=reached)
    assert row(ours)[2:6] == ["300", "221,000 +- 8,151", "64.0% (58.4-69.2)", "0.0% (0.0-1.3)"]


def test_program_prints_a_table_or_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    threes_play.main(["--plies", "1", "--games", "3"])
    _, headings, *lines = capsys.readouterr().out.splitlines()
    assert headings.split()[:2] == ["plies", "games"]
    assert [line.split()[0] for line in lines] == ["manyply", "CGI", "prototype"]
    threes_play.main(["--plies", "1,2", "--games", "2,1", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [each["games"] for each in found["played"]] == [2, None, None, 1, None, None]


def test_look_may_be_dynamic_and_leave_out_what_is_rare() -> None:
    (lookahead,) = lookaheads("1-3")
    found = played(replace(lookahead, rare=20), 1, 5)
    assert found.plies == "1-3"
    assert found.score not in {played(Lookahead(1, 1), 1, 5).score, played(lookahead, 1, 5).score}


@pytest.mark.parametrize("args", [["--plies", "9"], ["--plies", "3-2"], ["--games", "1,2"]])
def test_what_cannot_be_measured_is_refused(args: list[str]) -> None:
    with pytest.raises(SystemExit):
        threes_play.main(args)
    with pytest.raises(ValueError, match="above 0"):
        counts("1,0")
