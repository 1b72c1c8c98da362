"""Which positions a stage is fitted to, and the whole way to weights in the small."""

from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.othello.pattern_file import weights_to_bytes  # noqa: E402
from engine_ext.othello.patterns import (  # noqa: E402
    STAGE_COUNT,
    PatternEvaluation,
    load_patterns,
    stage,
)
from engine_ext.othello.training import outcome, strong_games  # noqa: E402
from engine_ext.othello.training.fit import Plan, empties  # noqa: E402
from engine_ext.othello.training.strong_games import Manner, empty_batch, play_batches  # noqa: E402
from tests.engine_ext.othello.positions import running  # noqa: E402


def test_followed_positions_are_those_that_an_outcome_reaches() -> None:
    batch = empty_batch(2)
    batch.boards[:, 30] = [(1, 2), (3, 4)]
    batch.boards[:, 14] = [(5, 8), (7, 8)]
    batch.side_boards[0, 30], batch.side_boards[0, 14] = (9, 16), (11, 16)
    batch.values[:, 30], batch.side_values[0, 30] = (100, 200), 300
    batch.links[1, 30] = -1
    for followed, count, labels in ((True, 1, [20]), (False, 3, [100, 20, 300])):
        sources = outcome.Sources([], share=0.9, is_followed=followed)
        boards, values = outcome.stage_positions([batch], stage(30), sources)
        assert len(boards) == count
        assert values.tolist() == pytest.approx(labels)
        assert len(outcome.stage_positions([batch], stage(14), sources)[0]) == 3


@pytest.mark.slow
def test_games_become_weights_bit_for_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(strong_games, "BATCH_GAMES", 25)
    manner = Manner(depth=1, side_depth=1, exact=5)
    assert len(list(play_batches(tmp_path, load_patterns(), manner, range(2)))) == 2
    batches = outcome.batches_of([tmp_path])
    for number in range(STAGE_COUNT):
        boards, _ = outcome.stage_positions(batches, number, outcome.Sources([]))
        assert {stage(left) for left in empties(boards).tolist()} == {number}
    first = outcome.run(outcome.Sources([tmp_path]), Plan(iterations=2))
    assert capsys.readouterr().out.count("mean absolute error") == STAGE_COUNT
    assert first == outcome.run(outcome.Sources([tmp_path]), Plan(iterations=2))
    evaluation = PatternEvaluation(weights_to_bytes(first, preset=0))
    assert any(evaluation.value(board) for board in running(30, 5))
