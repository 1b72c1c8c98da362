"""The program divides the root's moves in small, and without a loss."""

import pytest

from engine_ext.chess.probes.probe_text import ProbeValue
from tests.benchmarks import uci_root_split
from tests.engine_ext.chess.uci_engine.programs import needs_stockfish

MOVES = tuple("abcdefghij")


@pytest.mark.parametrize("count", [2, 3, 4, 10])
@pytest.mark.parametrize("name", uci_root_split.DIVISIONS)
def test_each_move_is_in_one_of_two_parts(name: str, count: int) -> None:
    parts = uci_root_split.DIVISIONS[name](MOVES[:count])
    assert all(parts)
    assert sorted(parts[0] + parts[1]) == list(MOVES[:count])


@pytest.mark.slow
@pytest.mark.timeout(240)
@needs_stockfish
def test_a_position_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    uci_root_split.main(["BK2", "--depth", "6"])
    out = capsys.readouterr().out
    assert "BK2" in out
    assert "every other" in out
    assert "brothers less deep" in out


def test_nearer_mates_are_worth_more() -> None:
    values = [ProbeValue(-1, True), ProbeValue(-3, True), ProbeValue(-900), ProbeValue(0),
              ProbeValue(900), ProbeValue(5, True), ProbeValue(1, True)]  # fmt: skip
    found = [uci_root_split.worth(value) for value in values]
    assert found == sorted(found)
    assert len(set(found)) == len(found)
