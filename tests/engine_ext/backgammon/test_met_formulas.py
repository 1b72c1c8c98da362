import pytest

from engine_ext.backgammon.met_formulas import FORMULAS, post_crawford, pre_crawford

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
