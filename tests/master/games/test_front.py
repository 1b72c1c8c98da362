"""Fronts and their table: what each promises, whichever game it is of."""

import subprocess
import sys
from dataclasses import FrozenInstanceError, fields, replace
from importlib.resources import files
from itertools import islice

import pytest

from engine_ext.noop.runner import noop_context
from master.contract.search_views import SearchView
from master.games.front import Front
from master.games.job_words import PLAIN, PLAIN_SEARCH
from master.games.table import GAMES as TABLE
from master.games.table import front_of, fronts
from master.games.watched import WatchedGame
from tests.master.cli.shown import TWO_MOVES, job_view
from tests.master.games.threes.test_report import summary, view

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
            assert function is None or isinstance(function, str) or function.__module__ in {
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
    assert front.search_words() == PLAIN_SEARCH
    assert front.job_unit() == 1.0


def test_fronts_cannot_be_changed_and_share_nothing() -> None:
    one, other = Front(), Front()
    assert one == other
    assert one.job_texts is not other.job_texts
    for field in fields(one):
        with pytest.raises(FrozenInstanceError):
            setattr(one, field.name, None)


VIEW = job_view(**TWO_MOVES)


def test_best_comes_first_with_its_error() -> None:
    heading, *rows = PLAIN.rows(VIEW, 60)
    assert heading.split() == [VIEW.value_names[-1]]
    assert [row.split() for row in rows] == [
        ["1.", "8/5", "6/5", "0.3500", "[0.0400]"],
        ["2.", "13/10", "6/5", "0.1000", "[0.0100]"],
    ]
    assert PLAIN.best(VIEW) == "8/5 6/5 0.3500 [0.0400]"


def test_single_round_has_no_error() -> None:
    first = replace(VIEW.alternatives[0], std_errors=(None,) * 7)
    view = job_view(alternative_names=("only",), alternatives=(first,))
    assert PLAIN.best(view) == "only 0.1000"


@pytest.mark.parametrize("width", [30, 40, 80])
def test_rows_fit(width: int) -> None:
    assert max(map(len, PLAIN.rows(VIEW, width))) <= width


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        (None, None, "value unknown"),
        (None, 10, "value at most 10"),
        (2, None, "value at least 2"),
        (2, 4, "value 2 to 4"),
        (-3, -3, "value -3"),
    ],
)
def test_bracket_says_what_is_proved(lower: int | None, upper: int | None, text: str) -> None:
    assert PLAIN_SEARCH.bracket(SearchView(lower=lower, upper=upper)) == text


def test_moves_count_from_one_and_depths_are_numbers() -> None:
    assert PLAIN_SEARCH.moves(SearchView(), (0, 4)) == ["move 1", "move 5"]
    assert PLAIN_SEARCH.depth(SearchView(), 7) == "7 deep"


VIEWS = {each.game: each for each in (job_view(**TWO_MOVES), view(summary()))}
GAMES = {name: front.job_outcomes for name, front in fronts() if front.job_outcomes is not None}


@pytest.mark.parametrize("game", GAMES)
def test_games_of_an_alternative_all_end_somehow(game: str) -> None:
    for outcomes in GAMES[game](VIEWS[game]):
        assert sum(each.share for each in outcomes) == pytest.approx(1.0)
        assert len({each.name for each in outcomes}) == len(outcomes)
        assert {each.is_won for each in outcomes} in ({None}, {True, False})


@pytest.mark.parametrize("game", GAMES)
def test_before_the_first_round_nothing_has_ended(game: str) -> None:
    assert list(GAMES[game](job_view(alternatives=()))) == []


WATCHED_GAMES = {name: front.watched() for name, front in fronts() if front.watched is not None}


def test_there_is_a_game_to_watch() -> None:
    assert WATCHED_GAMES


@pytest.mark.parametrize("watched", WATCHED_GAMES.values(), ids=WATCHED_GAMES)
def test_what_is_said_of_a_game_is_there(watched: WatchedGame) -> None:
    assert watched.level in watched.levels
    assert watched.title
    assert watched.text
    assert watched.files[0].endswith(".js")
    for name in watched.files:
        assert (files(watched.package) / "page" / name).is_file()
    for level in watched.levels:
        for seed in (0, watched.seed_max):
            assert len([*islice(watched.begin(seed, level), 2)]) == 2


def test_fronts_are_those_of_the_table() -> None:
    assert dict(fronts()) == TABLE
    assert [front_of(game) for game in TABLE] == [*TABLE.values()]


def test_game_that_nobody_plays_has_an_empty_front() -> None:
    assert front_of("noop") == Front()
