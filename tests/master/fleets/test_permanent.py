"""Permanent fleets: started, listed, scaled, stopped, and restored with their secrets."""

import os
import re
import stat
from pathlib import Path

import pytest

from master.config.fleet_list import FleetError
from master.config.fleet_specs import FleetSpec, parse_fleet_spec
from master.contract.views import AnalyserLine
from master.fleets import permanent
from master.fleets.kept import FleetFolder, KeptFleet, new_ticket, with_count
from master.fleets.permanent import FleetLine, PermanentFleets
from master.fleets.placing import SECRET_SHOWN, FleetFailedError, Kept, Member, MemberState
from protocol.access.lock import TICKET_PATTERN, SharedSecret
from protocol.address import Address, parse_address
from tests.master.fleets.fake_placer import FakePlacer

SPEC = parse_fleet_spec("slurm:2")
EVERYWHERE = Address("0.0.0.0", 4700)


@pytest.fixture
def placer(monkeypatch: pytest.MonkeyPatch) -> FakePlacer:
    found = FakePlacer(host="10.0.0.1")

    def make(spec: FleetSpec, ticket: str, kept: Kept | None = None) -> FakePlacer:
        assert (spec, bool(ticket)) == (SPEC, True)
        return found

    monkeypatch.setattr(permanent, "make_placer", make)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> FleetFolder:
    return FleetFolder(tmp_path)


async def test_fleet_goes_up_is_scaled_and_taken_down(
    placer: FakePlacer, folder: FleetFolder
) -> None:
    fleets = PermanentFleets(folder, EVERYWHERE)
    fleet = await fleets.up(SPEC, "", None, 90)
    assert (fleet.name, fleet.address) == ("slurm", "10.0.0.1:4700")
    [invitation] = placer.invitations
    assert invitation.secret == folder.secret(fleet)
    scaled = await fleets.scale(fleets.only_name(), 5)
    assert placer.invitations == [invitation, invitation]
    assert (scaled.count, {**scaled.kept}) == (5, {"tag": "7", "give_up_s": "90", "more": "8"})
    assert folder.load("slurm") == scaled
    await fleets.down("slurm")
    assert placer.asked[-1] == "stop"
    assert fleets.names() == []
    assert folder.secret_of(fleet.ticket) is None


async def test_preview_begins_and_keeps_nothing_and_has_no_secret(
    placer: FakePlacer, folder: FleetFolder, tmp_path: Path
) -> None:
    fleets = PermanentFleets(folder, EVERYWHERE)
    preview = await fleets.preview(SPEC, "night", None, 90)
    [invitation] = placer.invitations
    assert (preview.name, preview.spec, str(preview.address)) == ("night", SPEC, "10.0.0.1:4700")
    assert preview.lines == ("place 2", SECRET_SHOWN)
    assert (invitation.give_up_s, invitation.secret) == (90, SECRET_SHOWN)
    assert placer.asked == ["own_host"]
    assert os.listdir(tmp_path) == []


async def test_preview_without_a_master_takes_the_whole_address(
    placer: FakePlacer, folder: FleetFolder
) -> None:
    fleets = PermanentFleets(folder, None)
    preview = await fleets.preview(SPEC, "", Address("attic", 4700), 60)
    assert (preview.name, str(preview.address), placer.asked) == ("slurm", "attic:4700", [])
    for dial in (None, Address("attic", 0)):
        with pytest.raises(FleetError, match="give --dial HOST:PORT"):
            await fleets.preview(SPEC, "", dial, 60)
    await PermanentFleets(folder, EVERYWHERE).up(SPEC, "", None, 60)
    with pytest.raises(FleetError, match="there is a fleet 'slurm' already"):
        await fleets.preview(SPEC, "slurm", Address("attic", 4700), 60)


@pytest.mark.parametrize(
    ("dial", "expected"),
    [
        (None, "10.0.0.1:4700"),
        ("login:0", "login:4700"),
        (":9", "10.0.0.1:9"),
        ("login:9", "login:9"),
    ],
)
async def test_address_that_is_dialled_may_be_another(
    placer: FakePlacer, folder: FleetFolder, dial: str | None, expected: str
) -> None:
    fleets = PermanentFleets(folder, EVERYWHERE)
    address = None if dial is None else parse_address(dial)
    assert (await fleets.up(SPEC, "", address, 60)).address == expected


async def test_master_that_cannot_be_reached_is_said(
    placer: FakePlacer, folder: FleetFolder
) -> None:
    with pytest.raises(FleetError, match="start it with --listen HOST:PORT"):
        await PermanentFleets(folder, None).up(SPEC, "", None, 60)
    with pytest.raises(FleetError, match=r"start it with --listen 10\.0\.0\.1:4700"):
        await PermanentFleets(folder, Address("127.0.0.1", 4700)).up(SPEC, "", None, 60)
    assert not folder.names()


async def test_fleet_that_is_refused_leaves_nothing(
    placer: FakePlacer, folder: FleetFolder
) -> None:
    placer.failing = "start"
    with pytest.raises(FleetFailedError, match="no start today"):
        await PermanentFleets(folder, EVERYWHERE).up(SPEC, "", None, 60)
    assert not folder.names()
    assert folder.secret_of(placer.invitations[0].ticket) is None


async def test_fleet_whose_engine_is_away_stays(placer: FakePlacer, folder: FleetFolder) -> None:
    fleets = PermanentFleets(folder, EVERYWHERE)
    await fleets.up(SPEC, "", None, 60)
    placer.failing = "stop"
    with pytest.raises(FleetFailedError):
        await fleets.down("slurm")
    placer.failing = "members"
    expected = [FleetLine("slurm", "", "", "no members today", "unknown")]
    assert await fleets.lines(()) == expected


async def test_damaged_fleet_hides_no_other(
    placer: FakePlacer, folder: FleetFolder, tmp_path: Path
) -> None:
    fleets = PermanentFleets(folder, EVERYWHERE)
    for name in ("a", "b"):
        await fleets.up(SPEC, name, None, 60)
    (tmp_path / "fleets" / "a.json").write_text("{")
    states = [(line.fleet, line.state) for line in await fleets.lines(())]
    assert states == [("a", "unknown"), ("b", "waiting"), ("b", "waiting")]


async def test_list_has_both_words(placer: FakePlacer, folder: FleetFolder) -> None:
    fleets = PermanentFleets(folder, EVERYWHERE)
    await fleets.up(SPEC, "", None, 60)
    placer.present = (
        Member("a", MemberState.RUNNING, "R", "n1"),
        Member("b", MemberState.RUNNING, "R", "n2"),
        Member("c", MemberState.PENDING, "PD", ""),
        Member("d", MemberState.ENDING, "CG", "n4"),
        Member("e", MemberState.LOST, "gone", ""),
    )
    known = [
        AnalyserLine("a#2", "", "ready", workers=4, trials=9),
        AnalyserLine("a", "", "away"),
        AnalyserLine("c", "", "away"),
        AnalyserLine("d", "", "draining", workers=1),
        AnalyserLine("e", "", "away"),
        AnalyserLine("other", "", "ready"),
    ]
    assert await fleets.lines(known) == [
        FleetLine("slurm", "a", "n1", "R", "ready", 4, 9),
        FleetLine("slurm", "b", "n2", "R", "waiting"),
        FleetLine("slurm", "c", "", "PD", "pending"),
        FleetLine("slurm", "d", "n4", "CG", "draining", 1),
        FleetLine("slurm", "e", "", "gone", "lost"),
    ]
    placer.present = ()
    [line] = await fleets.lines(known)
    assert line.state == "lost"


async def test_name_is_needed_unless_there_is_one(placer: FakePlacer, folder: FleetFolder) -> None:
    fleets = PermanentFleets(folder, EVERYWHERE)
    with pytest.raises(FleetError, match="name the fleet: there is none"):
        fleets.only_name()
    await fleets.up(SPEC, "", None, 60)
    await fleets.up(SPEC, "night", None, 60)
    with pytest.raises(FleetError, match="name the fleet: there are night, slurm"):
        fleets.only_name()


KEPT_SPEC = parse_fleet_spec("slurm:4:night")
ADDRESS = "login:4700"


@pytest.fixture
def kept_folder(tmp_path: Path) -> FleetFolder:
    return FleetFolder(tmp_path / "state")


def proof(secret: SharedSecret) -> str:
    return secret.proof("master", "1", "2", b"")


def test_fleet_comes_back_as_it_was_saved(kept_folder: FleetFolder) -> None:
    fleet, secret = kept_folder.reserve(KEPT_SPEC, "", ADDRESS)
    assert fleet == KeptFleet("slurm", fleet.ticket, KEPT_SPEC, 4, ADDRESS)
    changed = with_count(fleet, 7, {"jobs": "12"})
    kept_folder.save(changed)
    assert kept_folder.load("slurm") == changed
    assert kept_folder.load("slurm").kept == {"jobs": "12"}
    assert kept_folder.secret(changed) == secret


def test_names_are_by_kind_and_numbered(kept_folder: FleetFolder) -> None:
    for name in ("", "night", "", "slurm-4", ""):
        kept_folder.reserve(KEPT_SPEC, name, ADDRESS)
    assert kept_folder.names() == ["night", "slurm", "slurm-2", "slurm-3", "slurm-4"]
    kept_folder.remove(kept_folder.load("slurm"))
    assert kept_folder.reserve(KEPT_SPEC, "", ADDRESS)[0].name == "slurm"


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
def test_other_names_are_refused(kept_folder: FleetFolder, name: str, words: str) -> None:
    kept_folder.reserve(KEPT_SPEC, "night", ADDRESS)
    with pytest.raises(FleetError, match=words):
        kept_folder.reserve(KEPT_SPEC, name, ADDRESS)
    assert kept_folder.names() == ["night"]


def test_ticket_is_good_until_the_fleet_is_removed(kept_folder: FleetFolder) -> None:
    fleet, secret = kept_folder.reserve(KEPT_SPEC, "", ADDRESS)
    found = kept_folder.secret_of(fleet.ticket)
    assert found is not None
    assert proof(found) == proof(SharedSecret(secret.encode()))
    kept_folder.remove(fleet)
    assert kept_folder.secret_of(fleet.ticket) is None
    assert kept_folder.secret_of("../../etc/passwd") is None


def test_secret_is_its_owners_alone(kept_folder: FleetFolder, tmp_path: Path) -> None:
    fleet, secret = kept_folder.reserve(KEPT_SPEC, "", ADDRESS)
    files = sorted((tmp_path / "state" / "fleets").iterdir())
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert [path.name for path in files if secret in path.read_text()] == [f"{fleet.ticket}.secret"]
    assert secret not in repr(fleet)


def test_tickets_are_words_that_engines_take_and_never_the_same() -> None:
    tickets = {new_ticket("Night-" + "x" * 26) for _ in range(50)}
    assert len(tickets) == 50
    assert all(re.fullmatch(TICKET_PATTERN, ticket) and ticket.islower() for ticket in tickets)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"ticket": 1, "spec": "x", "count": 1}', "\0"])
def test_damaged_file_is_one_line(kept_folder: FleetFolder, tmp_path: Path, text: str) -> None:
    kept_folder.reserve(KEPT_SPEC, "", ADDRESS)
    (tmp_path / "state" / "fleets" / "slurm.json").write_text(text)
    with pytest.raises(FleetError, match=r"slurm\.json is damaged") as caught:
        kept_folder.load("slurm")
    assert "\n" not in str(caught.value)


def test_fleet_that_is_not_there_is_one_line(kept_folder: FleetFolder) -> None:
    with pytest.raises(FleetError, match="there is no fleet 'night': there is none"):
        kept_folder.load("night")


def test_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "fleets").write_text("")
    with pytest.raises(FleetError, match="cannot write into"):
        FleetFolder(tmp_path).reserve(KEPT_SPEC, "", ADDRESS)
