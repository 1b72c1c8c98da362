"""Positions searched reproducibly: by one thread, by a fleet, the same."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.chess import search_fleet

FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"


def found(*options: str) -> Any:
    words = ["search", "chess", FEN, "--mode", "reproducible", "--json", *options]
    ended = CliRunner().invoke(manyply, words)
    assert ended.exit_code == 0, ended.output
    return json.loads(ended.stdout)


@pytest.mark.slow
@pytest.mark.when_changed
def test_fleet_of_local_workers_answers_as_one_thread_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_fleet, "ALONE_NODES", 0)
    depth = ("--depth", "12")
    answers = [
        found(*depth, "--strategy", "sequential"),
        found(*depth, "--local", "2"),
        found(*depth, "--local", "1", "--strategy", "nb0amg"),
    ]
    assert [one["strategy"] for one in answers] == ["sequential", "manyply", "nb0amg"]
    assert len({(one["value"], one["lines"][0]["move"]) for one in answers}) == 1
    assert len({tuple(one) for one in answers}) == 1  # the same keys, in the same order


def test_little_is_searched_by_one_thread() -> None:
    assert found("--depth", "6")["strategy"] == "sequential"
