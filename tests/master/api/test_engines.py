"""Engines of analysers: listed, and chosen by a name, its beginning, or a digest."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.api.engines import chosen_engine, engines_of
from master.api.rules import RefusedError
from master.contract.views import AnalyserLine, OfferedEngine
from master.games.handlers import NamedEngine
from tests.master.api.asgi import application, asked

FISH = OfferedEngine("go", "f" * 16, "Fish 15, Hash 64")
OTHER_FISH = OfferedEngine("go", "e" * 16, "Fish 16")
OWN = OfferedEngine("go", "0" * 16)
ELSEWHERE = OfferedEngine("nim", "d" * 16, "Fish 15")


def line(name: str, *engines: OfferedEngine, state: str = "ready") -> AnalyserLine:
    return AnalyserLine(name, f"{name}:4321", state, workers=4, engines=engines)


LINES = (
    line("attic", FISH, ELSEWHERE), line("cellar", OWN), line("loft", FISH),
    line("shed", OTHER_FISH, state="away"),
)  # fmt: skip


def test_engines_are_those_of_ready_analysers_together() -> None:
    found = [(each.game, each.name, each.analysers, each.workers) for each in engines_of(LINES)]
    assert found == [("go", "", 1, 4), ("go", "Fish 15, Hash 64", 2, 8), ("nim", "Fish 15", 1, 4)]
    assert [each.game for each in engines_of(LINES, "nim")] == ["nim"]


@pytest.mark.parametrize("text", ["f" * 16, "Fish 15, Hash 64", "fish", " FISH 15", "Fish 15, h"])
def test_an_engine_is_chosen_by_its_digest_or_the_beginning_of_its_name(text: str) -> None:
    assert chosen_engine(LINES, "go", text) == NamedEngine(FISH.engine, FISH.name)


def test_the_own_engine_is_chosen_by_its_digest() -> None:
    assert chosen_engine(LINES, "go", "0" * 16) == NamedEngine("0" * 16, "")


@pytest.mark.parametrize(
    ("lines", "text", "complaint"),
    [
        (LINES, "dragon", r"has the go engine 'dragon': there are our own .*, Fish 15, Hash 64"),
        (LINES, "Fish 16", r"no analyser that is ready has the go engine 'Fish 16'"),
        ((), "fish", r"none has an engine of go; start one with `manyply-analyser --engine go="),
        ((line("a", FISH), line("b", OTHER_FISH)), "fish", r"several go engines are called 'fish'"),
    ],
)
def test_an_engine_that_nobody_has_is_refused_and_the_others_are_named(
    lines: tuple[AnalyserLine, ...], text: str, complaint: str
) -> None:
    with pytest.raises(RefusedError) as caught:
        chosen_engine(lines, "go", text)
    assert caught.value.refusal.code == "unknown-engine"
    assert re.search(complaint, caught.value.refusal.text)


@given(st.text(max_size=300))
def test_any_name_is_an_engine_or_is_refused(text: str) -> None:
    try:
        digest = chosen_engine(LINES, "go", text).digest
    except RefusedError as error:
        digest = error.refusal.code
    assert digest in {FISH.engine, OWN.engine, "unknown-engine"}


async def test_engines_have_a_path() -> None:
    master, app = application()
    master.lines = LINES
    answer = await asked(app, "GET", "/api/engines?game=nim")
    assert answer.json["engines"] == [
        {"game": "nim", "engine": "d" * 16, "name": "Fish 15", "analysers": 1, "workers": 4}
    ]
