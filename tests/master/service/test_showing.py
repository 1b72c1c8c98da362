from pathlib import Path
from typing import Any

from master.service.analysers.doors import Door
from master.service.service import MasterService
from master.service.showing import analyser_lines, durability_line, status_lines


async def test_doors_without_an_analyser_are_shown_with_their_reason(
    service: MasterService, fake_analyser: Any
) -> None:
    fake_analyser("zoe").join(service, "z:1")
    door = Door("attic", "a:1", text="refused")
    lines = analyser_lines(service._core, [door, Door("x", "z:1", state="ready")])
    assert [(line.name, line.state, line.text) for line in lines][:1] == [
        ("attic", "connecting", "refused")
    ]


async def test_status_counts_workers_of_ready_analysers(service: MasterService) -> None:
    doors = [Door("attic", "a:1", text="refused")]
    assert status_lines(service._core, [])[0] == "analysers: 0 ready of 0, 0 workers"
    assert status_lines(service._core, doors)[0] == "analysers: 0 ready of 1, 0 workers"


def test_durability_names_the_file() -> None:
    assert "committed to jobs.sqlite3 (WAL" in durability_line(Path("/x/jobs.sqlite3"))
