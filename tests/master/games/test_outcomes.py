import pytest

from master.games.outcomes import Outcome
from master.games.table import fronts, load
from tests.master.cli.shown import TWO_MOVES, job_view
from tests.master.games.threes.test_report import summary, view

PLACES = [front.job_outcomes for _, front in fronts() if front.job_outcomes]
VIEWS = (job_view(**TWO_MOVES), view(summary()))


def reported(place: str) -> list[tuple[Outcome, ...]]:
    """Return what a game says of the job that is of it."""
    (found,) = [each for each in VIEWS if place == front_place(each.game)]
    return list(load(place)(found))


def front_place(game: str) -> str:
    return dict(fronts())[game].job_outcomes


@pytest.mark.parametrize("place", PLACES)
def test_games_of_an_alternative_all_end_somehow(place: str) -> None:
    for outcomes in reported(place):
        assert sum(each.share for each in outcomes) == pytest.approx(1.0)
        assert len({each.name for each in outcomes}) == len(outcomes)
        assert {each.is_won for each in outcomes} in ({None}, {True, False})


@pytest.mark.parametrize("place", PLACES)
def test_before_the_first_round_nothing_has_ended(place: str) -> None:
    assert list(load(place)(job_view(alternatives=()))) == []
