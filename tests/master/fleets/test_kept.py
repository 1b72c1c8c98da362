"""The fleets of a state directory come back as they were, and their secrets with them."""

import re
import stat
from pathlib import Path

import pytest

from master.config.fleet_list import FleetError
from master.config.fleet_specs import parse_fleet_spec
from master.fleets.kept import FleetFolder, KeptFleet, new_ticket, with_count
from protocol.access.lock import TICKET_PATTERN, SharedSecret

SPEC = parse_fleet_spec("slurm:4:night")
ADDRESS = "login:4700"


@pytest.fixture
def folder(tmp_path: Path) -> FleetFolder:
    return FleetFolder(tmp_path / "state")


def proof(secret: SharedSecret) -> str:
    return secret.proof("master", "1", "2", b"")


def test_fleet_comes_back_as_it_was_saved(folder: FleetFolder) -> None:
    fleet, secret = folder.reserve(SPEC, "", ADDRESS)
    assert fleet == KeptFleet("slurm", fleet.ticket, SPEC, 4, ADDRESS)
    changed = with_count(fleet, 7, {"jobs": "12"})
    folder.save(changed)
    assert folder.load("slurm") == changed
    assert folder.load("slurm").kept == {"jobs": "12"}
    assert folder.secret(changed) == secret


def test_names_are_by_kind_and_numbered(folder: FleetFolder) -> None:
    for name in ("", "night", "", "slurm-4", ""):
        folder.reserve(SPEC, name, ADDRESS)
    assert folder.names() == ["night", "slurm", "slurm-2", "slurm-3", "slurm-4"]
    folder.remove(folder.load("slurm"))
    assert folder.reserve(SPEC, "", ADDRESS)[0].name == "slurm"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("night", "there is a fleet 'night' already"),
        ("a b", "is no name"),
        ("../x", "is no name"),
        ("-x", "is no name"),
        ("x" * 33, "is no name"),
    ],
)
def test_other_names_are_refused(folder: FleetFolder, name: str, words: str) -> None:
    folder.reserve(SPEC, "night", ADDRESS)
    with pytest.raises(FleetError, match=words):
        folder.reserve(SPEC, name, ADDRESS)
    assert folder.names() == ["night"]


def test_ticket_is_good_until_the_fleet_is_removed(folder: FleetFolder) -> None:
    fleet, secret = folder.reserve(SPEC, "", ADDRESS)
    found = folder.secret_of(fleet.ticket)
    assert found is not None
    assert proof(found) == proof(SharedSecret(secret.encode()))
    folder.remove(fleet)
    assert folder.secret_of(fleet.ticket) is None
    assert folder.secret_of("../../etc/passwd") is None


def test_secret_is_its_owners_alone(folder: FleetFolder, tmp_path: Path) -> None:
    fleet, secret = folder.reserve(SPEC, "", ADDRESS)
    files = sorted((tmp_path / "state" / "fleets").iterdir())
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert [path.name for path in files if secret in path.read_text()] == [f"{fleet.ticket}.secret"]
    assert secret not in repr(fleet)


def test_tickets_are_words_that_engines_take_and_never_the_same() -> None:
    tickets = {new_ticket("Night-" + "x" * 26) for _ in range(50)}
    assert len(tickets) == 50
    assert all(re.fullmatch(TICKET_PATTERN, ticket) and ticket.islower() for ticket in tickets)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"ticket": 1, "spec": "x", "count": 1}', "\0"])
def test_damaged_file_is_one_line(folder: FleetFolder, tmp_path: Path, text: str) -> None:
    folder.reserve(SPEC, "", ADDRESS)
    (tmp_path / "state" / "fleets" / "slurm.json").write_text(text)
    with pytest.raises(FleetError, match=r"slurm\.json is damaged") as caught:
        folder.load("slurm")
    assert "\n" not in str(caught.value)


def test_fleet_that_is_not_there_is_one_line(folder: FleetFolder) -> None:
    with pytest.raises(FleetError, match="there is no fleet 'night': there is none"):
        folder.load("night")


def test_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "fleets").write_text("")
    with pytest.raises(FleetError, match="cannot write into"):
        FleetFolder(tmp_path).reserve(SPEC, "", ADDRESS)
