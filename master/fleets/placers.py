"""The placer of each kind of fleet.

An engine's library is loaded when a fleet of it is asked for.
"""

from __future__ import annotations

from master.config.fleet_specs import FleetSpec
from master.fleets.dask_fleet import DaskPlacer
from master.fleets.grid_engine_fleet import GridEnginePlacer
from master.fleets.placing import Kept, Placer
from master.fleets.process_fleet import ProcessPlacer
from master.fleets.ray_fleet import RayPlacer
from master.fleets.slurm_fleet import SlurmPlacer


def make_placer(spec: FleetSpec, ticket: str, kept: Kept | None = None) -> Placer:
    """Return the placer of a fleet.

    Args:
        spec: the request.
        ticket: the fleet's.
        kept: facts from its `start`; None: it is new.

    Raises:
        FleetFailedError: the engine's library is not installed.
    """
    if not spec.is_placed:
        return ProcessPlacer(spec, ticket, kept or {})
    if spec.kind == "kubernetes":
        from master.fleets.kubernetes_fleet import KubernetesPlacer  # noqa: PLC0415  # an extra

        return KubernetesPlacer(spec.where, ticket, kept or {})
    if spec.kind == "dask":
        return DaskPlacer(spec.where, ticket, kept or {})
    if spec.kind == "ray":
        return RayPlacer(spec.where, ticket, kept or {})
    if spec.kind == "sge":
        return GridEnginePlacer(spec.where, ticket, kept or {})
    assert spec.kind == "slurm", "a kind that can be written can be placed"
    return SlurmPlacer(spec.where, ticket, kept or {})
