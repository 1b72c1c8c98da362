"""A master's numbers as text in Prometheus's format.

The `prometheus-client` package is an extra and loaded when it is first needed.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from master.contract.errors import MasterError
from master.contract.views import Figures

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""All readers of the format take this one, KEDA too."""

_EXTRA = "--metrics takes an extra: pip install 'manyply[metrics]'"


def check_installed() -> None:
    """Raise MasterError, which names the command, if the package is not there."""
    try:
        importlib.import_module("prometheus_client")
    except ImportError:
        raise MasterError(_EXTRA) from None


def to_text(figures: Figures) -> bytes:
    """Return the numbers as the body of an answer."""
    from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415

    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(figures))
    return generate_latest(registry)


@dataclass(frozen=True, eq=False)
class _Collector:
    """The package's source of numbers: only ours are shown, none of the process."""

    figures: Figures

    def collect(self) -> Iterator[Metric]:
        """Yield each number with its description."""
        from prometheus_client.core import (  # noqa: PLC0415
            CounterMetricFamily,
            GaugeMetricFamily,
        )

        def by_state(name: str, text: str, counts: Mapping[str, int]) -> Metric:
            family = GaugeMetricFamily(name, text, labels=["state"])
            for state, count in counts.items():
                family.add_metric([state], count)
            return family

        seen = self.figures
        waiting = "Parts that could be handed to further analysers now."
        yield GaugeMetricFamily("manyply_parts_waiting", waiting, seen.parts_waiting)
        busy = "Worker threads that have a part to compute."
        yield GaugeMetricFamily("manyply_workers_busy", busy, seen.workers_busy)
        yield by_state("manyply_analysers", "Analysers, by state.", seen.analysers)
        yield by_state("manyply_jobs", "Jobs that are stored, by state.", seen.jobs)
        new = "Results of trials and questions that were new."
        yield CounterMetricFamily("manyply_results", new, seen.results)
        twice = "Results that were computed twice and equal."
        yield CounterMetricFamily("manyply_duplicates", twice, seen.duplicates)
        gone = "Results of parts that were gone."
        yield CounterMetricFamily("manyply_dropped", gone, seen.dropped)
