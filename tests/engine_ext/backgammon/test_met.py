import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.met import (
    AWAY_MAX,
    MET_CHARS_MAX,
    MET_DECIMALS,
    Met,
    MetError,
    extended_post,
    kazaross_xg2,
    met_from_text,
    numbers_from_text,
)
from tests.engine_ext.backgammon.tables import FAVOURITE, SMALL

TABLES = [SMALL, FAVOURITE, kazaross_xg2()]


def test_shipped_table_says_what_is_published() -> None:
    met = kazaross_xg2()
    assert met.length == 25
    assert met.mwc(1, 2) == 0.67736
    assert met.mwc(2, 3) == 0.59947
    assert met.mwc(25, 1) == 0.00095
    assert met.mwc(2, 1, post_crawford=True) == 0.48803
    assert met.mwc(1, 3, post_crawford=True) == 1.0 - 0.32264
    assert met.mwc(7, 7) == 0.5


def test_shipped_table_keeps_its_digest() -> None:
    # A rollout's context names it: a change here is a change of every match rollout.
    assert kazaross_xg2().digest == (
        "a042be6e04308f3e7cc406bb4c59609870bfe153cb22f7618e282ffa348aeb1b"
    )


@pytest.mark.parametrize("met", TABLES, ids=lambda met: met.name)
def test_text_form_round_trips(met: Met) -> None:
    again = met_from_text(met.to_text())
    assert again == met
    assert again.digest == met.digest


@pytest.mark.parametrize("met", TABLES, ids=lambda met: met.name)
@pytest.mark.parametrize("post_crawford", [False, True])
def test_equities_of_the_two_sides_add_up_to_one_at_every_score(
    met: Met, post_crawford: bool
) -> None:
    for mine in range(1, AWAY_MAX + 1):
        for other in range(1, AWAY_MAX + 1):
            own = met.mwc(mine, other, post_crawford=post_crawford)
            others = met.mwc(other, mine, post_crawford=post_crawford, player=1)
            assert own + others == pytest.approx(1.0, abs=1e-15)


def test_players_who_are_alike_have_one_table() -> None:
    assert SMALL.is_alike
    for mine in range(1, 6):
        for other in range(1, 6):
            assert SMALL.mwc(mine, other, player=1) == SMALL.mwc(mine, other)


def test_players_who_differ_have_each_his_own_chances() -> None:
    assert not FAVOURITE.is_alike
    assert FAVOURITE.mwc(2, 3) == 0.65
    assert FAVOURITE.mwc(2, 3, player=1) == 1.0 - 0.45
    assert FAVOURITE.mwc(3, 1, post_crawford=True) == 0.34
    assert FAVOURITE.mwc(3, 1, post_crawford=True, player=1) == 0.27
    assert FAVOURITE.mwc(1, 3, post_crawford=True) == 1.0 - 0.27
    assert FAVOURITE.mwc(1, 3, post_crawford=True, player=1) == 1.0 - 0.34


def test_equity_falls_with_every_point_to_go_even_beyond_the_table() -> None:
    met = kazaross_xg2()
    for other in range(2, AWAY_MAX + 1):
        row = [met.mwc(mine, other) for mine in range(AWAY_MAX + 1)]
        assert row == sorted(row, reverse=True)
        assert len(set(row)) == len(row)


def test_extension_goes_on_smoothly() -> None:
    met = kazaross_xg2()
    # At an equal lead the mwc moves little from the last row given to the first extended one.
    for lead in range(1, 20):
        inside = met.mwc(25 - lead, 25) - met.mwc(24 - lead, 24)
        across = met.mwc(26 - lead, 26) - met.mwc(25 - lead, 25)
        assert across == pytest.approx(inside, abs=2e-3)


def test_a_favourite_stays_one_beyond_the_table() -> None:
    for away in range(1, AWAY_MAX + 1):
        assert FAVOURITE.mwc(away, away) > 0.5 > FAVOURITE.mwc(away, away, player=1)
        row = [FAVOURITE.mwc(away, other) for other in range(1, AWAY_MAX + 1)]
        column = [FAVOURITE.mwc(other, away) for other in range(1, AWAY_MAX + 1)]
        assert row == sorted(row)
        assert column == sorted(column, reverse=True)


def test_favourite_of_the_crawford_game_wins_it_as_often_as_the_last_game() -> None:
    # 4 away against 1 away, beyond the table: the game is won, by a gammon in a quarter of wins.
    post = FAVOURITE.second_post or ()
    trailer = 0.45 * (0.75 * post[2] + 0.25 * post[1])
    assert FAVOURITE.mwc(4, 1, player=1) == pytest.approx(trailer, abs=1e-15)
    post = FAVOURITE.post
    assert FAVOURITE.mwc(4, 1) == pytest.approx(0.55 * (0.75 * post[2] + 0.25 * post[1]))


def test_trailer_goes_on_as_often_as_he_wins() -> None:
    assert extended_post((0.5, 0.49)) == extended_post((0.5, 0.49), 0.5)
    extended = extended_post((0.4, 0.39), 0.4)
    assert len(extended) == AWAY_MAX
    assert extended[2] == 0.4 * (0.75 * 0.4 + 0.25 * 1.0)


def test_finished_match_is_won_or_lost() -> None:
    assert SMALL.mwc(0, 3) == 1.0
    assert SMALL.mwc(3, -1) == 0.0


def test_away_score_beyond_the_limit_names_the_limit() -> None:
    with pytest.raises(ValueError, match=str(AWAY_MAX)):
        SMALL.mwc(AWAY_MAX + 1, 2)


def test_overlong_text_is_refused_unread() -> None:
    with pytest.raises(MetError):
        met_from_text("manyply-met/1\n" + " " * MET_CHARS_MAX)


@given(st.text(max_size=200))
def test_no_text_does_anything_but_read_or_fail(text: str) -> None:
    for given_text in (text, "manyply-met/1\n" + text):
        with pytest.raises(MetError):
            met_from_text(given_text)


@given(st.integers(0, 30), st.sampled_from(["", "name x", "length 3", "length 9", "pre 1 2", "?"]))
def test_text_form_with_one_line_changed_is_read_or_refused(index: int, line: str) -> None:
    lines = SMALL.to_text().splitlines()
    lines[index % len(lines)] = line
    try:
        met = met_from_text("\n".join(lines))
    except MetError:
        return
    assert met.pre == SMALL.pre


@pytest.mark.parametrize(
    ("pre", "posts", "says"),
    [
        (((0.5, 0.3), (0.7, 0.5)), [(0.5, 0.5)], "at 2-away 2-away a point won is worth less"),
        (((0.5, 0.7), (0.4, 0.5)), [(0.5, 0.5)], "at 1-away 2-away do not add up to 1"),
        (((0.6, 0.7), (0.4, 0.6)), [(0.6, 0.5), (0.5, 0.4)], "chances at 1-away 1-away do not"),
        (((0.6, 0.7), (0.4, 0.6)), [(0.6, 0.5), (0.4, 0.4, 0.4)], "post-Crawford value"),
        (((0.5, 0.7), (0.3, 0.5)), [(0.5, 1.0)], "between 0 and 1"),
        (((0.5, 2 / 3), (1 / 3, 0.5)), [(0.5, 0.5)], f"at most {MET_DECIMALS} decimals"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(
    pre: tuple[tuple[float, ...], ...], posts: list[tuple[float, ...]], says: str
) -> None:
    with pytest.raises(MetError, match=says):
        Met("two", 2, pre, *posts)


@given(st.lists(st.floats(0.0, 1.0), max_size=5))
def test_numbers_are_read_as_they_are_written(numbers: list[float]) -> None:
    assert numbers_from_text(" ".join(map(repr, numbers))) == tuple(numbers)
    with pytest.raises(MetError, match="not numbers"):
        numbers_from_text("0.5 one")
