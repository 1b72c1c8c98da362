import re
from dataclasses import replace

import pytest

from master.contract.views import JobView
from master.games.backgammon.rollout_report import (
    WORDS,
    best_play,
    ranked,
    rollout_lines,
    rollout_report,
    rollout_rows,
)
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from master.games.backgammon.rollout_texts import export_lines, xg_lines
from master.games.backgammon.typed import read_id
from tests.master.cli.shown import POSITION, TWO_MOVES, alternative, job_view

NAMES = {"probs", "equity_cubeless", "equity_cubeful"}
PROBS = ["win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"]


def test_object_has_the_documented_keys() -> None:
    report = rollout_report(job_view(stopped_by="trials", **TWO_MOVES))
    assert list(report) == [
        "job", "trials", "stopped_by", "seed", "engine", "id", "settings", "alternatives",
    ]  # fmt: skip
    assert report["id"] == POSITION
    assert isinstance(report["settings"], dict)
    assert report["settings"]["seed"] == report["seed"]
    assert (report["job"], report["trials"], report["stopped_by"]) == (3, 36, "trials")
    assert (report["seed"], report["engine"]) == (5, "e" * 16)
    alternatives = report["alternatives"]
    assert isinstance(alternatives, list)
    first, second = alternatives
    differences = {"diff_to_best", "diff_std_error"}
    assert set(first) == {"name", "trials", "std_error"} | NAMES | differences
    assert set(first["std_error"]) == NAMES
    assert list(first["probs"]) == list(first["std_error"]["probs"]) == PROBS
    assert (first["name"], first["diff_to_best"], first["diff_std_error"]) == (
        "13/10 6/5", -0.25, 0.02,
    )  # fmt: skip
    assert (second["equity_cubeful"], second["std_error"]["equity_cubeful"]) == (0.35, 0.04)


def test_job_that_runs_is_stopped_by_nothing() -> None:
    assert rollout_report(job_view())["stopped_by"] is None


def test_object_before_the_first_round_is_empty() -> None:
    report = rollout_report(job_view(alternatives=()))
    assert (report["trials"], report["alternatives"]) == (0, [])
    assert rollout_lines(job_view(alternatives=())) == [
        "no trial of every alternative is finished yet"
    ]


def test_table_lists_the_best_first_with_errors_below() -> None:
    heading, best, best_errors, other, other_errors = rollout_lines(job_view(**TWO_MOVES))
    assert heading.split()[-3:] == ["Cubeless", "Cubeful", "Diff"]
    assert best.startswith(" 1. 8/5 6/5 ")
    assert best.split()[3:] == [
        "0.5000", "0.1250", "0.2500", "-", "0.5000", "0.0625", "0.0312", "+0.7500", "+0.3500",
    ]  # fmt: skip
    assert best_errors.strip().startswith("[0.0010")
    assert best_errors.endswith("0.0400]")
    assert other.endswith("+0.1000  -0.2500")
    assert other_errors.endswith("0.0100   0.0200]")
    assert heading.index("Diff") + 4 == len(heading) == len(other)


def cube_view(no_double: float, double_take: float, rules: str) -> JobView:
    """A rollout of the cube question of the start."""
    options = RolloutOptions(is_cube=True)
    state = read_id(f"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:{rules}:10")
    return job_view(
        context=to_context(state, options).to_text(),
        alternative_names=("no double", "double, take"),
        alternatives=(alternative(no_double), alternative(double_take, diff=-0.1)),
    )


@pytest.mark.parametrize(
    ("equities", "rules", "said"),
    [
        ((0.2, 0.3), "0:0", ("Doubled: take +0.3000, pass +1.0000", "double, take")),
        ((0.8, 1.2), "0:0", ("Doubled: take +1.2000, pass +1.0000", "double, pass")),
        ((1.1, 1.2), "0:0", ("Doubled: take +1.2000, pass +1.0000", "too good to double, pass")),
        # The better alternative is the double; not if it is beavered.
        (
            (-0.2, -0.15),
            "3:0",
            ("Doubled: take -0.1500, beaver -0.3000, pass +1.0000", "no double, beaver"),
        ),
        ((-0.2, -0.15), "1:0", ("Doubled: take -0.1500, pass +1.0000", "double, take")),
        ((0.3, 0.4), "0:7", ("Doubled: take +0.4000, pass +1.0000", "double, take")),
    ],
)
def test_cube_question_is_answered(
    equities: tuple[float, float], rules: str, said: tuple[str, str]
) -> None:
    doubled, action = said
    lines = rollout_lines(cube_view(*equities, rules))
    assert lines[-2:] == [doubled, f"Proper cube action: {action}"]
    assert not any("cube action" in line for line in rollout_lines(job_view(**TWO_MOVES)))


def test_names_go_above_the_numbers_where_the_terminal_is_narrow() -> None:
    lines = rollout_lines(job_view(**TWO_MOVES), 70)
    assert max(map(len, lines)) <= 70
    assert lines[1] == " 1. 8/5 6/5"
    assert lines[4] == " 2. 13/10 6/5  -0.2500 [0.0200]"
    assert rollout_lines(job_view(**TWO_MOVES), 200) == rollout_lines(job_view(**TWO_MOVES))


def test_error_of_a_single_trial_is_not_known() -> None:
    single = replace(alternative(0.25), trials=1, std_errors=(None,) * 7)
    _, values, errors = rollout_lines(job_view(alternatives=(single,)))
    assert values.endswith("+0.2500")
    assert errors.strip("[] ").split() == ["-"] * 9


def test_who_is_out_of_contention_is_said_and_comes_last() -> None:
    out = replace(alternative(0.9, diff=0.1), trials=12)
    names = ("13/10 6/5", "8/5 6/5", "24/20")
    two = job_view(**TWO_MOVES).alternatives
    view = job_view(alternative_names=names, alternatives=(*two, out), stop_settled=2.33)
    lines = rollout_lines(view)
    assert [line.split()[1] for line in lines[1:-1:2]] == ["8/5", "13/10", "24/20"]
    assert lines[-1] == "Out of contention: 24/20 after 12"


def test_chance_that_rounds_to_zero_has_no_minus_anywhere() -> None:
    found = replace(alternative(-0.00001), means=(-0.00001,) * 7)
    view = job_view(alternatives=(found,))
    texts = [rollout_lines(view), rollout_lines(view, 40), rollout_rows(view, 80)]
    texts += [export_lines(view), xg_lines(view), [best_play(view)]]
    for lines in texts:
        assert not re.search(r"-0[.]0+(?![0-9])", "\n".join(lines))
        assert re.search(r"0[.]000", "\n".join(lines))


def test_alternatives_that_are_equal_are_ranked_by_cubeless_equity() -> None:
    worse, better = (
        replace(alternative(-1.0), means=(0.1, 0.0, 0.0, 0.0, 0.0, cubeless, -1.0))
        for cubeless in (-0.9, -0.7)
    )
    names = ("6/1 6/2", "5/off 4/off")
    assert ranked(job_view(alternative_names=names, alternatives=(worse, better))) == [1, 0]


def test_best_play_has_its_equity_and_error() -> None:
    assert WORDS.best(job_view(**TWO_MOVES)) == "8/5 6/5 +0.3500 [0.0400]"


@pytest.mark.parametrize("width", range(60, 141, 10))
def test_rows_fit_and_stand_below_their_headings(width: int) -> None:
    heading, *rows = WORDS.rows(job_view(**TWO_MOVES), width)
    assert [row.split()[:2] for row in rows] == [["1.", "8/5"], ["2.", "13/10"]]
    assert max(map(len, (heading, *rows))) <= width
    assert ("W bg" in heading) == (width >= 100)
