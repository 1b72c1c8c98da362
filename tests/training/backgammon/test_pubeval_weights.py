"""PubEval's weights, checked by their sums."""

from training.backgammon.pubeval_weights import CONTACT_WEIGHTS, RACE_WEIGHTS


def test_weights_are_complete() -> None:
    assert len(CONTACT_WEIGHTS) == len(RACE_WEIGHTS) == 122
    assert RACE_WEIGHTS[0::5][:24] == (0.0,) * 24  # no opposing blots in a race
