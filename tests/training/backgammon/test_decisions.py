"""Sets of decisions: narrowing, losses, scores, and the file."""

from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.backgammon.evaluate import shared_evaluator  # noqa: E402
from training.backgammon.decisions import (  # noqa: E402
    LEFT_OUT_LOSS,
    DecisionSet,
    SetRecipe,
    load_set,
    make_set,
    narrowed,
    save_set,
    score_choices,
    static_teacher,
)
from training.backgammon.shards import Boards, Probs  # noqa: E402
from training.backgammon.starts import starts  # noqa: E402


def boards_worth(wins: list[float]) -> Boards:
    """Return boards whose first slot is the opponent's win in hundredths."""
    boards: Boards = np.zeros((len(wins), 52), np.uint8)
    boards[:, 0] = [round(100 * win) for win in wins]
    return boards


def by_first_slot(boards: Boards) -> Probs:
    probs: Probs = np.zeros((len(boards), 5))
    probs[:, 0] = boards[:, 0] / 100
    return probs


def upside_down(boards: Boards) -> Probs:
    probs: Probs = np.zeros((len(boards), 5))
    probs[:, 0] = 1 - boards[:, 0] / 100
    return probs


def test_bad_plays_are_not_searched_deeper() -> None:
    boards = boards_worth([0.50, 0.55, 0.90, 0.20, 0.21])
    asked: list[int] = []

    def deeper(seen: Boards) -> Probs:
        asked.extend(seen[:, 0].tolist())
        return by_first_slot(seen)

    values, kept = narrowed(boards, np.array([0, 3, 5]), [by_first_slot, deeper])
    assert asked == [50, 55, 20, 21]
    assert kept.tolist() == [True, True, False, True, True]
    assert values == pytest.approx([0.0, -0.1, -0.8, 0.6, 0.58])


def test_a_choice_costs_what_its_play_loses() -> None:
    losses = np.array([0.0, 0.1, LEFT_OUT_LOSS, 0.0, 0.02])
    boards = boards_worth([0.50, 0.55, 0.90, 0.20, 0.21])
    decisions = DecisionSet(boards, np.array([0, 3, 5]), losses)
    best = score_choices(decisions, by_first_slot)
    assert (best.decisions, best.mean_loss_mp) == (2, 0.0)
    worst = score_choices(decisions, upside_down)
    assert worst.mean_loss_mp == pytest.approx(1000 * (LEFT_OUT_LOSS + 0.02) / 2)
    assert worst.std_error_mp > 0


def test_a_set_is_read_back(tmp_path: Path) -> None:
    decisions = DecisionSet(boards_worth([0.5, 0.6]), np.array([0, 2]), np.array([0.0, 0.2]))
    save_set(tmp_path / "set.npz", decisions)
    again = load_set(tmp_path / "set.npz")
    assert np.array_equal(again.boards, decisions.boards)
    assert again.first.tolist() == [0, 2]
    assert again.losses.tolist() == [0.0, 0.2]


def test_our_static_evaluation_answers_for_boards() -> None:
    probs = static_teacher(shared_evaluator())(starts(1, 0, 3, 1.0))
    assert probs.shape == (3, 5)
    assert ((probs >= 0) & (probs <= 1)).all()


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_set_holds_candidates_with_the_best_at_no_loss() -> None:
    pytest.importorskip("bgsage", reason="the reference of decisions is not installed")
    decisions = make_set(shared_evaluator(), SetRecipe(count=20, plies=2))
    best = np.minimum.reduceat(decisions.losses, decisions.first[:-1])
    assert len(best) == 20
    assert not best.any()
    assert (np.diff(decisions.first) >= 2).all()
