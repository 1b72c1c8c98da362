"""Fleets and analysers on a command line."""

import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from master.config.fleet_list import (
    ExecAddress,
    FleetEntry,
    FleetError,
    parse_fleet,
    parse_fleet_address,
    read_fleet,
)
from master.config.fleet_specs import (
    COUNT_MAX,
    HOSTS_MAX,
    SSH,
    WORKERS_MAX,
    FleetSpec,
    parse_fleet_spec,
    read_analysers,
    read_fleets,
    with_arguments,
)
from protocol.address import Address

HOSTS = st.from_regex(r"([a-z]{1,8}@)?[a-z0-9][a-z0-9.-]{0,12}", fullmatch=True)


@given(st.integers(1, WORKERS_MAX))
def test_local_fleet_is_so_many_analysers_of_one_worker(count: int) -> None:
    entries = parse_fleet_spec(f"local:{count}").entries()
    assert len({entry.name for entry in entries}) == len(entries) == count
    for entry in entries:
        assert isinstance(entry.address, ExecAddress)
        assert entry.address.argv[:4] == (sys.executable, "-P", "-m", "analyser")
        assert entry.address.argv[-4:] == ("--workers", "1", "--name", entry.name)


@given(
    st.lists(st.tuples(HOSTS, st.none() | st.integers(1, 64)), min_size=1, unique_by=lambda x: x[0])
)
def test_ssh_fleet_is_an_analyser_on_each_host(hosts: list[tuple[str, int | None]]) -> None:
    words = [host if workers is None else f"{host}:{workers}" for host, workers in hosts]
    entries = parse_fleet_spec(f"ssh:{','.join(words)}").entries()
    assert [entry.name for entry in entries] == [host for host, _ in hosts]
    for entry, (host, workers) in zip(entries, hosts, strict=True):
        tail = () if workers is None else ("--workers", str(workers))
        expected = (*SSH, host, "manyply-analyser", "--stdio", *tail)
        assert entry.address == ExecAddress(expected, host)


@given(
    st.sampled_from(["slurm", "sge", "kubernetes"]),
    st.integers(1, COUNT_MAX),
    st.sampled_from(["", "a.b"]),
)
def test_engine_is_asked_for_so_many(kind: str, count: int, where: str) -> None:
    text = f"{kind}:{count}:{where}" if where else f"{kind}:{count}"
    spec = parse_fleet_spec(text)
    assert spec == FleetSpec(text, kind, count, where)
    assert spec.is_placed


@pytest.mark.parametrize("text", ["pbs:2", "torque:2:night", "lsf:1", "condor:4"])
def test_other_batch_systems_take_a_job_script(text: str) -> None:
    with pytest.raises(FleetError, match=r"jobs that run `manyply-analyser --connect`"):
        parse_fleet_spec(text)


@pytest.mark.parametrize(
    ("text", "count", "where"),
    [
        ("dask:tcp://head.example:8786", None, "tcp://head.example:8786"),
        ("dask:tls://[::1]:8786", None, "tls://[::1]:8786"),
        ("ray:auto", None, "auto"),
        ("ray:auto:4", 4, "auto"),
        ("ray:10.0.0.1:6379", None, "10.0.0.1:6379"),
        ("ray:[::1]:6379:12", 12, "[::1]:6379"),
    ],
)
def test_cluster_is_named_by_its_address(text: str, count: int | None, where: str) -> None:
    spec = parse_fleet_spec(text)
    assert spec == FleetSpec(text, text.partition(":")[0], count, where)
    assert spec.is_placed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "names no fleet: expected local:N, ssh:HOST"),
        ("dask:10.0.0.1:8786", "is no scheduler of Dask: expected dask:tcp://HOST:PORT"),
        ("dask:tcp://head", "is no scheduler of Dask"),
        ("dask:tcp://head:0", "is no scheduler of Dask"),
        ("dask:udp://head:1", "is no scheduler of Dask"),
        ("ray:", "is no cluster of Ray: expected ray:auto"),
        ("ray:4", "is no cluster of Ray"),
        ("ray:auto:0", "is no number: expected ray:auto"),
        ("ray:head:65536", "is no cluster of Ray"),
        ("local", "names no fleet"),
        ("slum:4", "names no fleet"),
        ("local:0", "from 1 to 1024"),
        ("local:two", "is no number"),
        ("local:99999", "is no number"),
        ("ssh:", "is no host"),
        ("ssh:a,,b", "is no host"),
        ("ssh:-oProxyCommand=x", "is no host"),
        ("ssh:x@-oProxyCommand=x", "is no host"),
        ("ssh:attic;ls", "is no host"),
        ("ssh:attic ls", "is no host"),
        ("slurm:2:", "is no partition: expected slurm:N"),
        ("slurm:2:a b", "is no partition"),
        ("slurm:night", "is no number: expected slurm:N"),
        ("sge:4097", "is no number: expected sge:N.:QUEUE., from 1 to 4096"),
        ("sge:2:", "is no queue: expected sge:N"),
        ("sge:2:a;b", "is no queue"),
        ("kubernetes:4097", "from 1 to 4096"),
        ("kubernetes:4:-x", "is no namespace"),
        ("ssh:attic:0", "from 1 to 1024"),
        ("ssh:attic,cellar,attic:2", "attic is named twice"),
        ("ssh:" + ",".join(f"h{i}" for i in range(HOSTS_MAX + 1)), "1025 hosts"),
    ],
)
def test_other_text_is_one_line(text: str, words: str) -> None:
    with pytest.raises(FleetError, match=words) as caught:
        parse_fleet_spec(text)
    assert "\n" not in str(caught.value)


READ: list[tuple[FleetEntry, ...]] = []


@click.command()
@click.option("--analyser", multiple=True, callback=read_analysers)
@click.option("--fleet", multiple=True, callback=read_fleets)
def command(analyser: tuple[FleetEntry, ...], fleet: tuple[FleetSpec, ...]) -> None:
    READ.append((*analyser, *(entry for spec in fleet for entry in spec.entries())))


def test_analysers_of_local_and_ssh_fleets_take_more_arguments_and_others_do_not() -> None:
    words = ("--engine", "go=uci:fish,Style=Very Wild")
    (local,), (there,) = (parse_fleet_spec(text).entries() for text in ("local:1", "ssh:attic"))
    for entry, last in ((local, words[1]), (there, "'go=uci:fish,Style=Very Wild'")):
        assert isinstance(entry.address, ExecAddress)
        more = with_arguments(entry, words).address
        assert isinstance(more, ExecAddress)
        assert more.argv == (*entry.address.argv, "--engine", last)
    for text in ("attic:4321", "exec:manyply-analyser --stdio", "exec:ssh attic date"):
        other = FleetEntry("other", parse_fleet_address(text))
        assert with_arguments(other, words) == other


def test_each_is_named_once_however_often_it_is_written() -> None:
    arguments = ["--analyser", "a:1", "--analyser", "a:1", "--fleet", "local:2"]
    assert CliRunner().invoke(command, arguments).exit_code == 0
    first, *others = READ.pop()
    assert first == FleetEntry("", Address("a", 1))
    assert [other.name for other in others] == ["local-1", "local-2"]


@pytest.mark.parametrize("arguments", [["--analyser", "attic"], ["--fleet", "what:2"]])
def test_what_names_nobody_is_a_bad_option(arguments: list[str]) -> None:
    done = CliRunner().invoke(command, arguments)
    assert done.exit_code == 2
    assert "names no" in done.output or "is not an address" in done.output


def test_fleet_file_lists_addresses_and_commands_in_order() -> None:
    text = """
    [[analyser]]
    name = "attic"
    address = "192.168.1.20:4455"
    [[analyser]]
    command = "ssh cellar 'manyply-analyser' --stdio"
    [[analyser]]
    command = ["a b", "c"]
    """
    attic, cellar, third = parse_fleet(text, "fleet.toml")
    assert (attic.name, attic.address) == ("attic", Address("192.168.1.20", 4455))
    assert cellar.address == ExecAddress(("ssh", "cellar", "manyply-analyser", "--stdio"))
    assert cellar.name == "exec:ssh cellar manyply-analyser --stdio"
    assert third.address == ExecAddress(("a b", "c"))


def test_empty_fleet_file_is_an_empty_fleet() -> None:
    assert parse_fleet("", "fleet.toml") == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("analyser = 1", "own \\[\\[analyser\\]\\] table"),
        ("[[analyser]]\nname='x'", "analyser 1: give either address or command"),
        ("[[analyser]]\naddress='a:1'\ncommand='b'", "analyser 1: give either"),
        ("[[analyser]]\naddress='a:1'\n[[analyser]]\nadress='b:1'", "analyser 2: unknown key"),
        ("[[analyser]]\naddress=1", "are text"),
        ("[[analyser]]\naddress=['a:1']", "are text"),
        ("[[analyser]]\ncommand=''", "command is empty"),
        ("[[analyser]]\ncommand=[1]", "command is empty"),
        ('[[analyser]]\ncommand="\'"', "No closing quotation"),
        ("[[analyser]]\naddress='a:1'\nname=3", "name must be printable"),
        ("[[analyser]]\naddress='a:1'\n[[analyser]]\naddress='a:1'", "listed twice"),
        ("port = 1", "unknown key 'port'"),
        ("[[analyser", "fleet.toml: "),
    ],
)
def test_bad_fleet_file_gets_one_line_that_says_what_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(FleetError, match=reason) as caught:
        parse_fleet(text, "fleet.toml")
    assert str(caught.value).startswith("fleet.toml: ")
    assert "\n" not in str(caught.value)


def test_missing_fleet_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FleetError, match=r"none\.toml: No such file"):
        read_fleet(tmp_path / "none.toml")


def test_fleet_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "fleet.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FleetError, match="not UTF-8"):
        read_fleet(path)


def test_addresses_read_back_as_written() -> None:
    for text in ("localhost:1", "[::1]:65535", "exec:ssh host run"):
        assert str(parse_fleet_address(text)) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("localhost", "expected HOST:PORT"),
        ("localhost:65536", "expected HOST:PORT"),
        ("localhost:0", "names no analyser"),
        (":80", "names no analyser"),
        ("exec:", "empty"),
    ],
)
def test_bad_address_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(FleetError, match=reason):
        parse_fleet_address(text)


@given(st.text())
def test_any_text_is_an_address_or_a_fleet_error(text: str) -> None:
    try:
        address = parse_fleet_address(text)
    except FleetError:
        return
    assert parse_fleet_address(str(address)) == address
