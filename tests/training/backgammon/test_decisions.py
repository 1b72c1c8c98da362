"""Teachers label positions and decisions, and scores and balance are measured against them."""

import json
from array import array
from dataclasses import replace
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.backgammon import net  # noqa: E402
from engine_ext.backgammon.board import START, Position  # noqa: E402
from engine_ext.backgammon.evaluate import shared_evaluator  # noqa: E402
from engine_ext.backgammon.net import load_net  # noqa: E402
from engine_ext.backgammon.net_file import net_from_bytes  # noqa: E402
from training.backgammon import balance, generate  # noqa: E402
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
from training.backgammon.label import (  # noqa: E402
    bgsage_teacher,
    label,
    lookahead_teacher,
    without_impossible_gammons,
)
from training.backgammon.quantise import LOGIT_ONE  # noqa: E402
from training.backgammon.score import (  # noqa: E402
    back_game_mask,
    board_of,
    describe,
    equities,
    score_match,
    score_rollouts,
)
from training.backgammon.shards import (  # noqa: E402  # noqa: E402
    Boards,
    Probs,
    label_path,
    position_path,
    save_whole,
)
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


def test_equity_counts_gammons_twice_and_backgammons_three_times() -> None:
    probs = np.array([[0.6, 0.2, 0.1, 0.1, 0.05], [1, 1, 1, 0, 0], [0, 0, 0, 0, 0]])
    assert equities(probs) == pytest.approx([0.35, 3.0, -1.0])


@pytest.mark.parametrize("lookahead", [False, True])
def test_errors_are_measured_against_the_file(tmp_path: Path, lookahead: bool) -> None:
    truth = {"position_id": START.position_id, "equity": 0.07}
    path = tmp_path / "rollouts.jsonl"
    path.write_text(json.dumps(truth) + "\n" + json.dumps(truth | {"equity": 0.09}) + "\n")
    scores = score_rollouts(shared_evaluator(), path, lookahead)
    assert scores["all"].positions == scores["other"].positions == 2
    assert abs(scores["all"].mean) <= scores["all"].mean_absolute < 0.1
    assert scores["all"].root_mean_square >= scores["all"].mean_absolute
    assert len(describe(scores)) == 2


def test_two_anchors_make_a_back_game() -> None:
    side = [0] * 26
    side[22], side[20], side[6] = 2, 2, 11
    back_game = Position(side, (*START.opponent[:6], 5, *START.opponent[7:]))
    assert back_game_mask(np.stack([board_of(back_game), board_of(START)])).tolist() == [
        True,
        False,
    ]


def test_match_against_oneself_is_even() -> None:
    match = score_match(shared_evaluator(), shared_evaluator(), 1, 20)
    assert match.points_per_game == 0
    assert match.games == 40


def half(boards: Boards) -> Probs:
    probs: Probs = np.full((len(boards), 5), 0.5)
    return probs


def test_labels_are_written_once(tmp_path: Path) -> None:
    save_whole(position_path(tmp_path, 0), starts(1, 0, 30, 0.5))
    label(tmp_path, "half", half, range(5), 20)
    path = label_path(tmp_path, "half", 0)
    assert np.load(path).shape == (20, 5)
    stamp = path.stat().st_mtime_ns
    label(tmp_path, "half", half, range(5), 30)
    assert path.stat().st_mtime_ns == stamp


def test_shards_outside_the_range_are_left_out(tmp_path: Path) -> None:
    save_whole(position_path(tmp_path, 0), starts(1, 0, 3, 0.5))
    label(tmp_path, "half", half, range(1, 5), 20)
    assert not label_path(tmp_path, "half", 0).exists()


def test_look_ahead_teaches_cumulative_probabilities() -> None:
    probs = lookahead_teacher(shared_evaluator())(starts(1, 0, 5, 0.8))
    assert probs.shape == (5, 5)
    assert ((probs >= 0) & (probs <= 1)).all()


def test_a_side_that_bore_off_loses_no_gammon() -> None:
    boards = np.zeros((3, 52), np.uint8)
    boards[1, 0] = boards[2, 26] = 1
    probs = without_impossible_gammons(boards, half(boards)).tolist()
    assert probs == [[0.5] * 5, [0.5, 0.5, 0.5, 0, 0], [0.5, 0, 0, 0.5, 0.5]]


@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.parametrize("plies", [1, 2])
def test_bgsage_reads_our_boards_as_we_do(plies: int) -> None:
    """A board set up wrongly would differ by far more; bars and both sides are among them."""
    pytest.importorskip("bgsage", reason="the training extra is not installed")
    boards = starts(5, 0, 60, 0.9)
    theirs, ours = bgsage_teacher(plies)(boards), lookahead_teacher(shared_evaluator())(boards)
    assert np.abs(theirs[:, 0] - ours[:, 0]).mean() < 0.05


SHIPPED = Path(net.__file__).parent / "data/contact.net"


@pytest.mark.slow
def test_a_shifted_net_is_brought_back() -> None:
    recipe = generate.Recipe(400, special=0.0, position_class="contact")
    boards = generate.make_shard(shared_evaluator(), 3, 0, recipe)
    race, arrays = load_net("race"), net_from_bytes(SHIPPED.read_bytes())
    biases = [bias + round(0.2 * LOGIT_ONE) for bias in arrays.output_bias]
    shifted = replace(arrays, output_bias=array("i", biases))
    win_gap = balance.gap_and_slope(shifted, race, boards)[0][0]
    assert win_gap < -0.03
    balanced = balance.balanced(shifted, race, boards)
    assert abs(balance.gap_and_slope(balanced, race, boards)[0][0]) < 0.001
    assert balanced.rows == arrays.rows


def test_only_contact_counts(tmp_path: Path) -> None:
    race = np.zeros(52, np.uint8)
    race[1] = race[27] = 15
    contact = np.zeros(52, np.uint8)
    contact[24] = contact[26 + 24] = 15
    save_whole(position_path(tmp_path, 3), np.stack([race, contact, contact, contact]))
    assert len(balance.contact_positions(tmp_path, range(4), 3)) == 2
    with pytest.raises(FileNotFoundError, match="no positions"):
        balance.contact_positions(tmp_path, range(3), 3)
