from master.web.openapi import operation
from master.web.route import Route
from master.web.rules import Need
from master.web.shapes import COUNT


def test_what_a_route_takes_behind_its_path_is_described() -> None:
    route = Route("look", "GET", "/api/jobs/{job}/look", "Look.", Need.READING, query={"at": COUNT})
    described = operation(route)
    places = [(each["name"], each["in"]) for each in described["parameters"]]
    assert places == [("job", "path"), ("at", "query")]
    assert "requestBody" not in described
