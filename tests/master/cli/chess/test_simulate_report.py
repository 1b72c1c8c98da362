"""The hypercube's speed-ups stand where they were measured."""

from master.cli.chess.simulate_report import HYPERCUBE


def test_speedups_stand_beside_the_processors() -> None:
    assert HYPERCUBE.cells("manyply", 256) == ("101",)
    assert HYPERCUBE.cells("manyply", 64) == ("",)
    assert len(HYPERCUBE.headings("manyply")) == 1
    (curve,) = HYPERCUBE.curves(["manyply"])
    assert dict(curve.points) == {256: 101.0, 512: 170.0}
