"""Match equity tables keep their laws, travel in texts bit for bit, and have one word each."""

import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.match_state import MatchState
from engine_ext.backgammon.match_table import MatchTable, shared_match_table
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
from engine_ext.backgammon.met_code import (
    CODE_PATTERN,
    MET_CODE_CHARS_MAX,
    met_code,
    met_from_code,
)
from engine_ext.backgammon.met_formulas import FORMULAS, post_crawford, pre_crawford
from engine_ext.backgammon.met_words import NO_MET, met_word, table_of
from engine_ext.backgammon.met_xml import met_from_xml
from engine_ext.backgammon.rollout_settings import MET_NAME
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


GNUBG_METS = Path("/usr/share/gnubg/met")


@st.composite
def tables(draw: st.DrawFn) -> Met:
    """Tables whose chances fall with the points to go: of alike players, or of two."""
    size = draw(st.integers(2, 7))
    decimals = draw(st.integers(3, MET_DECIMALS))
    steps = draw(st.lists(st.floats(0.3, 1.0), min_size=size, max_size=size))
    edge = draw(st.sampled_from([0.0, 0.0, 0.05]))
    worth = [sum(steps[: i + 1]) / 20.0 for i in range(size)]
    rows = tuple(
        tuple(round(0.5 + edge + theirs - own, decimals) for theirs in worth) for own in worth
    )
    posts = [
        tuple(round(share / (i + 2), decimals) for i in range(size - draw(st.integers(0, 1))))
        for share in (1.0 + 2 * edge, 1.0 - 2 * edge)
    ]
    try:
        return Met("any", size, rows, posts[0], posts[1] if edge else None)
    except MetError:
        assume(False)
        raise


def assert_same_up_to(away_max: int, met: Met, again: Met) -> None:
    for player in (0, 1):
        for mine in range(1, away_max + 1):
            for other in range(1, away_max + 1):
                for post in (False, True):
                    numbers = [
                        table.mwc(mine, other, post_crawford=post, player=player)
                        for table in (met, again)
                    ]
                    assert numbers[0].hex() == numbers[1].hex()


@given(tables(), st.integers(1, 9), st.integers(0, 1))
@pytest.mark.when_changed
def test_what_can_be_reached_comes_back_with_the_same_bits(
    met: Met, away_max: int, player: int
) -> None:
    code = met_code(met, away_max, player)
    again, on_roll = met_from_code(code)
    assert CODE_PATTERN.fullmatch(code)
    assert_same_up_to(away_max, met, again)
    assert on_roll == (0 if met.is_alike else player)
    assert met_code(again, away_max, player) == code


def test_codes_say_what_they_hold() -> None:
    assert met_code(SMALL, 3) == "half.2.3.jS3jJig"
    assert met_code(SMALL, 1) == met_code(SMALL, 2)
    assert met_code(FAVOURITE, 3, 1).startswith("pair1.2.3.")
    assert met_code(kazaross_xg2(), 25).startswith("half.6.25.")


def test_a_match_beyond_the_table_takes_all_of_it_along() -> None:
    assert met_code(SMALL, 64) == met_code(SMALL, 3)
    assert_same_up_to(12, SMALL, met_from_code(met_code(SMALL, 12))[0])


def test_a_table_that_does_not_add_up_is_written_whole() -> None:
    met = Met("rounded", 2, ((0.5, 0.701), (0.3, 0.5)), (0.5, 0.4))
    code = met_code(met, 2)
    assert code.startswith("full.3.2.")
    assert_same_up_to(2, met, met_from_code(code)[0])


def a_long_table(size: int) -> Met:
    """Nine decimals, as a formula has."""
    steps = [[(j - i) / 200 + 1e-9 * (j - i) for j in range(size)] for i in range(size)]
    pre = tuple(tuple(round(0.5 + step, MET_DECIMALS) for step in row) for row in steps)
    post = tuple(round(0.5 - i / 200, MET_DECIMALS) for i in range(size))
    return Met("long", size, pre, post)


def test_a_table_too_large_for_a_context_says_how_far_it_fits() -> None:
    met = a_long_table(AWAY_MAX)
    with pytest.raises(MetError, match="has room for 7168: it fits up to 53 points to go") as error:
        met_code(met, AWAY_MAX)
    assert "at 64 points to go" in str(error.value)
    assert len(met_code(met, 53)) <= MET_CODE_CHARS_MAX
    with pytest.raises(MetError):
        met_code(met, 54)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("kazaross", "unknown match equity table"),
        ("half.2.3.", "unknown match equity table"),
        ("half.0.3.jS3jJig", "unknown match equity table"),
        ("half.2.1.jS3jJig", "2 to 64 rows"),
        ("half.2.65.jS3jJig", "2 to 64 rows"),
        ("half.2.3.jS3jJigA", "6 values is longer or shorter"),
        ("half.2.3.jS3jJi", "values is longer or shorter"),
        ("full.2.3.jS3jJig", "12 values is longer or shorter"),
        ("half.2.3.AAAAAAA", "between 0 and 1"),
        ("half.2.3._______", "between 0 and 1"),
    ],
)
def test_a_code_that_is_none_gets_a_sentence(code: str, says: str) -> None:
    with pytest.raises(MetError, match=says):
        met_from_code(code)


def test_bits_left_over_are_zero() -> None:
    code = met_code(FAVOURITE, 3)
    assert code.endswith("Y")
    with pytest.raises(MetError, match="15 values is longer or shorter"):
        met_from_code(code[:-1] + "Z")


@given(st.text(max_size=40), st.from_regex(CODE_PATTERN, fullmatch=True))
@pytest.mark.when_changed
def test_no_text_of_a_code_does_anything_but_read_or_fail(text: str, code: str) -> None:
    for given_code in (text, code[:400]):
        try:
            met, player = met_from_code(given_code)
        except MetError:
            continue
        assert met_from_code(met_code(met, met.length, player))[0] == met


@pytest.mark.reference
@pytest.mark.skipif(not GNUBG_METS.exists(), reason="gnubg's match equity tables not installed")
@pytest.mark.parametrize("path", sorted(GNUBG_METS.glob("[!c]*.xml")), ids=lambda path: path.stem)
def test_every_table_that_gnubg_ships_goes_along_with_a_match_to_25(path: Path) -> None:
    met = met_from_xml(path.read_text(encoding="utf-8"))
    code = met_code(met, 25, 1)
    assert len(code) < 2000
    assert re.fullmatch(r"[A-Za-z0-9._-]+", code)
    assert_same_up_to(25, met, met_from_code(code)[0])


FREE_DROPS = {"free-drop-2-away": 0.015, "free-drop-4-away": 0.004}
NO_FREE_DROPS = {"free-drop-2-away": 0.0, "free-drop-4-away": 0.0}
MEC = {"gammon-rate": 0.2, "win-rate": 0.5}
ZADEH = {"gammon-rate-leader": 0.25, "gammon-rate-trailer": 0.15, "delta": 0.08, "delta-bar": 0.06}
PRE_PARAMETERS = {"mec": MEC, "zadeh": ZADEH}
POST_PARAMETERS = {"mec": MEC | FREE_DROPS, "zadeh": {"gammon-rate-trailer": 0.25} | FREE_DROPS}
KINDS = sorted(FORMULAS)


def table(kind: str, size: int) -> tuple[tuple[float, ...], ...]:
    post = post_crawford(POST_PARAMETERS[kind], kind, size)
    return pre_crawford(PRE_PARAMETERS[kind], kind, post)


def test_each_formula_names_its_parameters() -> None:
    for kind in KINDS:
        assert FORMULAS[kind].pre_names == PRE_PARAMETERS[kind].keys()
        assert FORMULAS[kind].post_names == POST_PARAMETERS[kind].keys()


def test_zadehs_trailer_doubles_at_once_and_pays_for_free_drops() -> None:
    post = post_crawford(POST_PARAMETERS["zadeh"], "zadeh", 6)
    assert post[:4] == (0.5, 0.485, 0.3125, 0.5 * (0.75 * 0.485 + 0.25) - 0.004)
    assert post[4] == 0.5 * (0.75 * post[2] + 0.25 * post[0])


def test_calculators_even_scores_are_the_odd_ones_before_them() -> None:
    post = post_crawford(MEC | NO_FREE_DROPS, "mec", 9)
    assert post[1::2] == post[:-1:2]
    dropped = post_crawford(MEC | FREE_DROPS, "mec", 9)
    assert dropped[1] == post[1] - 0.015
    assert dropped[3] == post[3] - 0.004


@pytest.mark.parametrize("kind", KINDS)
def test_a_gammon_wins_more_in_the_crawford_game(kind: str) -> None:
    gammon = 0.2 if kind == "mec" else 0.25
    post = post_crawford(POST_PARAMETERS[kind], kind, 5)
    trailer = [row[0] for row in table(kind, 5)]
    assert trailer[:2] == [0.5, 0.5 * ((1.0 - gammon) * 0.5 + gammon)]
    assert trailer[4] == 0.5 * ((1.0 - gammon) * post[3] + gammon * post[2])


@pytest.mark.parametrize("kind", KINDS)
def test_both_players_together_have_the_whole_match(kind: str) -> None:
    rows = table(kind, 25)
    for i, row in enumerate(rows):
        assert row[i] == 0.5
        assert row == pytest.approx([1.0 - other[i] for other in rows], abs=1e-15)


@pytest.mark.parametrize("kind", KINDS)
def test_a_point_more_to_go_is_worse_at_every_score(kind: str) -> None:
    rows = table(kind, 64)
    for row in rows:
        assert list(row) == sorted(set(row))


@pytest.mark.parametrize("kind", KINDS)
def test_a_shorter_table_is_a_corner_of_a_longer_one(kind: str) -> None:
    long = table(kind, 30)
    assert table(kind, 12) == tuple(row[:12] for row in long[:12])


def test_zadehs_first_score_is_what_his_formula_gives_by_hand() -> None:
    rows = table("zadeh", 4)
    # The leader cashes at his mwc after a point: the doubled game is for the match.
    cash = rows[0][2]
    # The trailer goes to 2-away 2-away by a drop, or wins: 1-away 2-away, a gammon the match.
    trailer_cash = 0.5 / (0.75 * rows[0][1] + 0.25)
    won, lost = rows[0][2], rows[1][1]
    by_hand = ((trailer_cash - 0.44) * won + (cash - 0.44) * lost) / (trailer_cash + cash - 0.88)
    assert rows[1][2] == pytest.approx(by_hand, abs=1e-15)


def test_parameters_without_a_table_are_a_division_by_zero() -> None:
    with pytest.raises(ZeroDivisionError):
        pre_crawford({"gammon-rate": 0.0, "win-rate": 0.5}, "mec", (2.0, 2.0, 2.0))


def equities(met: Met, player: int) -> list[float]:
    """The mwc of winning a point at every score, by a table of the Met."""
    table = MatchTable(met)
    cubes = (
        Cube(match_length=length, score=(score, 0), table=table, player=player)
        for length in (2, 3, 9, AWAY_MAX)
        for score in range(length)
    )
    return [cube.equity_to_mwc(1.0) for cube in cubes]


def expected(met: Met, player: int) -> list[float]:
    return [
        met.mwc(length - score - 1, length, post_crawford=length - score == 1, player=player)
        for length in (2, 3, 9, AWAY_MAX)
        for score in range(length)
    ]


def close(numbers: list[float], others: list[float]) -> bool:
    return all(abs(one - other) < 1e-15 for one, other in zip(numbers, others, strict=True))


def test_a_table_says_what_its_met_says_of_each_player() -> None:
    for met in (SMALL, FAVOURITE, kazaross_xg2()):
        assert MatchTable(met).met is met
        for player in (0, 1):
            assert close(equities(met, player), expected(met, player))
    assert equities(SMALL, 0) == equities(SMALL, 1)
    assert equities(FAVOURITE, 0) != equities(FAVOURITE, 1)


def test_the_shipped_table_is_made_once() -> None:
    assert shared_match_table() is shared_match_table()
    assert shared_match_table().met == kazaross_xg2()


MATCH = MatchState(match_length=3, score=(1, 0))


def test_money_has_none_and_the_shipped_table_its_name() -> None:
    assert met_word(MatchState(), MatchTable(SMALL)) == NO_MET
    assert met_word(MATCH) == met_word(MATCH, MatchTable(kazaross_xg2())) == MET_NAME
    assert table_of(NO_MET) == (None, None)
    assert table_of(MET_NAME) == (shared_match_table(), None)


@pytest.mark.parametrize("player", [0, 1])
def test_any_other_table_comes_back_with_its_player(player: int) -> None:
    match = MatchState(match_length=3, score=(1, 0), player_on_roll=player)
    alike, nobody = table_of(met_word(match, MatchTable(SMALL)))
    differing, who = table_of(met_word(match, MatchTable(FAVOURITE)))
    assert alike is not None
    assert differing is not None
    assert (alike.met.pre, alike.met.post, nobody) == (SMALL.pre, SMALL.post, None)
    assert (differing.met.second_post, who) == (FAVOURITE.second_post, player)


def test_what_is_no_table_is_named() -> None:
    with pytest.raises(MetError, match="woolsey"):
        table_of("woolsey")
