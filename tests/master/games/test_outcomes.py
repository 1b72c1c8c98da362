import pytest

from master.games.table import fronts
from tests.master.cli.shown import TWO_MOVES, job_view
from tests.master.games.threes.test_report import summary, view

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
