"""What is asked of a timeline at the endpoint."""

from dataclasses import replace

from master.web.application import make_application
from tests.master.web.asgi import asked, site_of
from tests.master.web.fake_master import FakeMaster
from tests.master.web.timeline.made_up import made_up


async def test_a_reader_goes_on_from_a_cursor() -> None:
    app = make_application(replace(site_of(FakeMaster()), timeline=made_up()))
    first = (await asked(app, "GET", "/api/timeline")).json
    assert [lane[1] for lane in first["lanes"]] == ["attic", "barn"]
    again = await asked(app, "GET", f"/api/timeline?since={first['next']}")
    assert again.json["lanes"] == []
    anew = (await asked(app, "GET", "/api/timeline?since=ff-1-1")).json
    assert anew["is_whole"]
    assert anew["lanes"] == first["lanes"]


async def test_a_endpoint_without_one_shows_an_empty_one() -> None:
    reported = (await asked(make_application(site_of(FakeMaster())), "GET", "/api/timeline")).json
    assert (reported["lanes"], reported["is_live"]) == ([], False)


async def test_who_may_not_read_is_refused() -> None:
    app = make_application(site_of(FakeMaster(), is_reading_free=False))
    assert (await asked(app, "GET", "/api/timeline")).status == 401
