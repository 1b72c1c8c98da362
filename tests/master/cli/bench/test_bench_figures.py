"""Rates of an engine: the best of several runs, exact in JSON, short in print."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.cli.bench import bench_figures
from master.cli.bench.bench_figures import (
    Figures,
    _figure,
    announce,
    best_rate,
    cpu_description,
    echo_figures,
)

VALUES: dict[str, object] = {"rate_per_s": 1234567.8, "share": 0.96789, "cores": 2, "cpu": "x"}
WORDS = {"rate_per_s": "a rate", "share": "a share", "cores": "cores", "cpu": "processor"}
FIGURES = Figures(VALUES, WORDS)


def test_object_has_the_figures_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    echo_figures("title", FIGURES, is_json=True)
    out = capsys.readouterr().out
    assert json.loads(out) == VALUES
    assert list(json.loads(out)) == list(VALUES)
    assert "title" not in out


def test_table_has_a_figure_a_line_in_words_below_its_title(
    capsys: pytest.CaptureFixture[str],
) -> None:
    echo_figures("title", FIGURES, is_json=False)
    title, *lines = capsys.readouterr().out.splitlines()
    assert title == "title"
    assert [" ".join(line.split()) for line in lines if line.strip()] == [
        "a rate 1,234,568", "a share 0.9679", "cores 2", "processor x",
    ]  # fmt: skip


@given(st.floats(1000, 1e12))
def test_large_number_is_rounded_to_a_unit_in_groups_of_three(value: float) -> None:
    shown = _figure(value)
    assert re.fullmatch(r"[0-9]{1,3}(,[0-9]{3})+", shown)
    assert abs(int(shown.replace(",", "")) - value) <= 0.5


@given(st.floats(0, 1000, exclude_max=True))
def test_small_number_is_rounded_to_four_digits(value: float) -> None:
    shown = _figure(value)
    digits = shown.split("e")[0].replace(".", "").lstrip("0")
    assert len(digits) <= 4
    assert abs(float(shown) - value) <= 0.0005 * value


@given(st.integers() | st.text("aZ 0.", max_size=9) | st.booleans())
def test_what_is_no_measured_number_is_shown_whole(value: object) -> None:
    assert _figure(value) == str(value)


@pytest.mark.parametrize(
    ("is_json", "said"), [(False, "measuring for about 20 s ...\n"), (True, "")]
)
def test_how_long_it_takes_is_said_beside_the_result_and_to_people_alone(
    is_json: bool, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    announce(20, is_json=is_json)
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", said)


def test_rate_is_that_of_the_fastest_run(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two readings a run, but where the first call was too short: begin, begun so far, ...
    readings = iter([0.0, 2.0, 10.0, 10.25, 11.0, 20.0, 24.0])
    monkeypatch.setattr(f"{bench_figures.__name__}.time.thread_time", lambda: next(readings))
    calls: list[int] = []

    def work() -> int:
        calls.append(8)
        return 8

    assert best_rate(work) == 16 / 1.0
    assert len(calls) == 1 + 1 + 2 + 1, "the first warms up"


def test_processor_has_a_name() -> None:
    assert cpu_description()
