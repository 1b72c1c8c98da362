import json
from dataclasses import asdict, replace

from hypothesis import given
from hypothesis import strategies as st

from master.contract.search_views import SearchView
from master.contract.views import AnalyserLine, HeldPart, PastIncident
from master.web.resources import JobRows, analyser_resources, job_page, job_resource
from tests.master.web.fake_master import LINE, VIEW


def test_job_is_the_object_of_the_list_and_how_it_goes() -> None:
    shown = job_resource(VIEW)
    assert (shown["job"], shown["trials"], shown["eta_s"]) == (1, 1000, 396.0)
    assert shown["question"]
    assert "settings" not in shown
    assert json.loads(json.dumps(shown)) == shown


def test_page_of_a_job_adds_its_report() -> None:
    report = job_page(VIEW)["report"]
    assert isinstance(report, dict)
    assert report["job"] == 1


@given(
    st.lists(st.builds(AnalyserLine, *[st.sampled_from(["a", "a 1", "1"])] * 2, st.just("ready")))
)
def test_keys_tell_analysers_apart(lines: list[AnalyserLine]) -> None:
    keys = [each["key"] for each in analyser_resources(lines)]
    assert len(set(keys)) == len(lines)


def test_analyser_without_trouble_has_none() -> None:
    (shown,) = analyser_resources([LINE])
    assert shown["text"] is None
    assert shown["results"] == 77


def test_shares_of_the_rate_add_up_to_one() -> None:
    assert [each["share"] for each in analyser_resources([replace(LINE, trials_per_s=0.0)])] == [
        None
    ]
    lines = [replace(LINE, name=name, trials_per_s=rate) for name, rate in (("a", 1.0), ("b", 3.0))]
    assert [each["share"] for each in analyser_resources(lines)] == [0.25, 0.75]


def test_analyser_tells_what_it_has_in_hand_and_what_went_wrong() -> None:
    incident = PastIncident("2026-01-02T03:04:05+00:00", "stalled", "no progress")
    line = replace(
        LINE,
        powers=(("noop", 2.5),),
        part=HeldPart(3, 120, 8),
        incident_counts=(("stalled", 4),),
        incidents=(incident,),
    )
    (shown,) = analyser_resources([line])
    assert shown["powers"] == {"noop": 2.5}
    assert shown["part"] == {"job": 3, "first_seq": 120, "count": 8}
    assert shown["incident_counts"] == {"stalled": 4}
    assert shown["incidents"] == [asdict(incident)]


def test_rows_are_made_anew_only_of_what_changed() -> None:
    rows = JobRows()
    other = replace(VIEW, job=2)
    first, second = rows.rows([VIEW, other])
    changed = replace(other, folded=11)
    same, new = rows.rows([VIEW, changed])
    assert same is first
    assert (second["folded"], new["folded"]) == (10, 11)
    assert rows.rows([changed]) == [new]


def test_search_tells_its_nodes() -> None:
    assert job_resource(VIEW)["search"] is None
    search = SearchView(phase="depth 3", nodes=12, seconds=1.5)
    seen = replace(VIEW, search=search)
    assert job_resource(seen)["search"] == {"phase": "depth 3", "nodes": 12, "seconds": 1.5}
