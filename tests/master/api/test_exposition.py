import sys

import pytest
from prometheus_client.parser import text_string_to_metric_families

from master.api.exposition import check_installed, to_text
from master.contract.errors import MasterError
from master.contract.views import ANALYSER_STATES, Figures

SEEN = Figures(7, 3, dict.fromkeys(ANALYSER_STATES, 1), {"running": 2, "done": 5}, 1000, 10, 4)


def samples() -> dict[tuple[str, str], float]:
    """Return each value by its name and state, as a reader of the format finds them."""
    families = text_string_to_metric_families(to_text(SEEN).decode())
    return {
        (sample.name, sample.labels.get("state", "")): sample.value
        for family in families
        for sample in family.samples
    }


def test_each_number_is_there_by_its_name_and_no_other() -> None:
    assert samples() == {
        ("manyply_parts_waiting", ""): 7,
        ("manyply_workers_busy", ""): 3,
        **{("manyply_analysers", state): 1 for state in ANALYSER_STATES},
        ("manyply_jobs", "running"): 2,
        ("manyply_jobs", "done"): 5,
        ("manyply_results_total", ""): 1000,
        ("manyply_duplicates_total", ""): 10,
        ("manyply_dropped_total", ""): 4,
    }


def test_lines_are_those_that_keda_looks_for() -> None:
    lines = to_text(SEEN).decode().splitlines()
    assert "manyply_parts_waiting 7.0" in lines
    assert "# TYPE manyply_parts_waiting gauge" in lines
    assert "# TYPE manyply_results_total counter" in lines


def test_missing_package_is_named_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    check_installed()
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(MasterError, match=r"^--metrics takes an extra: pip install 'manyply\[m"):
        check_installed()
