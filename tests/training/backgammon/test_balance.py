"""A balanced net's look-ahead is where its static evaluation is, on average."""

from array import array
from dataclasses import replace
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.backgammon import net  # noqa: E402
from engine_ext.backgammon.evaluate import shared_evaluator  # noqa: E402
from engine_ext.backgammon.net import load_net  # noqa: E402
from engine_ext.backgammon.net_file import net_from_bytes  # noqa: E402
from training.backgammon import balance, generate  # noqa: E402
from training.backgammon.quantise import LOGIT_ONE  # noqa: E402
from training.backgammon.shards import position_path, save_whole  # noqa: E402

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
