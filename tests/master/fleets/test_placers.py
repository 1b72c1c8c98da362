"""Every fleet that can be written has a placer."""

import pytest

from master.config.fleet_specs import EXPECTED, parse_fleet_spec
from master.fleets.placers import make_placer

WRITTEN = {
    "local": "local:2",
    "ssh": "ssh:attic,cellar:2",
    "slurm": "slurm:2:night",
    "sge": "sge:2",
    "kubernetes": "kubernetes:2",
    "dask": "dask:tcp://127.0.0.1:8786",
    "ray": "ray:auto",
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=str)
def test_fleet_has_a_placer_with_all_that_is_asked_of_it(text: str) -> None:
    placer = make_placer(parse_fleet_spec(text), "night-1")
    asked = ("own_host", "start", "scale", "members", "stop")
    assert all(callable(getattr(placer, name)) for name in asked)


def test_every_kind_is_tried() -> None:
    kinds = {word.partition(":")[0] for word in EXPECTED.replace(" or ", ", ").split(", ")}
    assert kinds == {*WRITTEN}
