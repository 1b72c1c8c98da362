"""What is set cannot be taken back: each test asks a process of its own."""

import math
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from analyser.lending import (
    DAY_MIN,
    Hours,
    LendingError,
    cpu_quota,
    is_on_battery,
    opening,
    parse_hours,
    parse_size,
    size_text,
    worker_count,
)
from analyser.lending_options import Lending, lending_options
from analyser.limits import (
    LimitError,
    default_worker_count,
    least_memory,
    limit_memory,
    pin_to_cores,
    usable_cores,
)
from tests.daemons.analyser_programs import ENVIRON

BERLIN = ZoneInfo("Europe/Berlin")
ZONES = [BERLIN, *map(ZoneInfo, ("UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"))]
NIGHT = parse_hours("22:00-07:00")

all_hours = st.builds(
    Hours, st.integers(0, DAY_MIN - 1), st.integers(1, DAY_MIN)
).filter(lambda hours: hours.begin_min != hours.end_min)  # fmt: skip
instants = st.datetimes(
    datetime(2024, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC)  # noqa: DTZ001  # of UTC
)  # fmt: skip


def berlin(text: str, fold: int = 0) -> datetime:
    """A time in Berlin; fold=1 is the second one of an hour that comes twice."""
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN, fold=fold)


# Hours.
@given(all_hours)
def test_hours_that_are_written_are_read_back(hours: Hours) -> None:
    assert parse_hours(str(hours)) == hours


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("22:00-07:00", Hours(1320, 420)),
        ("7:30-9:00", Hours(450, 540)),
        ("20:00-00:00", Hours(1200, 1440)),
        ("00:00-24:00", Hours(0, 1440)),
    ],
)
def test_hours_are_read(text: str, hours: Hours) -> None:
    assert parse_hours(text) == hours


@pytest.mark.parametrize(
    "text",
    ["25:00-3", "24:00-07:00", "22:60-07:00", "22:00-24:01", "22-7", "", "07:00-07:00",
     "00:00-00:00", "-1:00-07:00", "22:00-07:00,", "२२:00-07:00"],
)  # fmt: skip
def test_what_are_no_hours_is_said_with_an_example(text: str) -> None:
    with pytest.raises(LendingError, match="expected HH:MM-HH:MM, such as 22:00-07:00"):
        parse_hours(text)


@given(
    instants, st.lists(all_hours, min_size=1, max_size=3), st.sampled_from(ZONES), st.floats(0, 1)
)
@pytest.mark.when_changed
def test_nothing_changes_before_the_change_and_then_it_does(
    now: datetime, hours: list[Hours], zone: ZoneInfo, share: float
) -> None:
    def is_open(instant: datetime) -> bool:
        local = instant.astimezone(zone)
        return any(each.holds(60 * local.hour + local.minute) for each in hours)

    found = opening(now, tuple(hours), zone)
    assert found.is_open is is_open(now)
    end = now + timedelta(days=1) if found.changes_at is None else found.changes_at.astimezone(UTC)
    assert now < end <= now + timedelta(hours=25)
    assert is_open(now + share * (end - now - timedelta(microseconds=1))) is found.is_open
    assert (found.changes_at is None) is all(
        any(each.holds(minute) for each in hours) for minute in range(DAY_MIN)
    )
    if found.changes_at is not None:
        assert is_open(found.changes_at) is not found.is_open


def test_no_hours_are_all_hours() -> None:
    found = opening(berlin("2026-07-01 12:00"), ())
    assert found.is_open
    assert found.changes_at is None


@pytest.mark.parametrize(
    ("now", "is_open", "changes_at"),
    [
        ("2026-07-01 21:59:59", False, "2026-07-01 22:00"),
        ("2026-07-01 22:00:00", True, "2026-07-02 07:00"),
        ("2026-07-02 06:59:59", True, "2026-07-02 07:00"),
        ("2026-07-02 07:00:00", False, "2026-07-02 22:00"),
    ],
)
def test_night_goes_across_midnight(now: str, is_open: bool, changes_at: str) -> None:
    found = opening(berlin(now), (NIGHT,), BERLIN)
    assert (found.is_open, found.changes_at) == (is_open, berlin(changes_at))


def test_hours_that_touch_are_one() -> None:
    hours = (parse_hours("12:00-13:00"), parse_hours("13:00-14:00"))
    found = opening(berlin("2026-07-01 12:30"), hours, BERLIN)
    assert found.changes_at == berlin("2026-07-01 14:00")


@pytest.mark.parametrize(("day", "night_h"), [("2026-03-28", 8), ("2026-10-24", 10)])
def test_night_of_a_change_of_summer_time_ends_by_the_clock(day: str, night_h: int) -> None:
    begin = berlin(f"{day} 22:00").astimezone(UTC)
    assert opening(begin, (NIGHT,), BERLIN).changes_at == begin + timedelta(hours=night_h)


@pytest.mark.parametrize(
    ("hours", "is_open"), [("02:30-05:00", False), ("22:00-02:30", True), ("22:00-02:00", True)]
)
def test_hour_that_is_left_out_is_over_at_once(hours: str, is_open: bool) -> None:
    found = opening(berlin("2026-03-29 01:59"), (parse_hours(hours),), BERLIN)
    assert (found.is_open, found.changes_at) == (is_open, berlin("2026-03-29 03:00"))


def test_hour_that_comes_twice_counts_twice() -> None:
    hours = (parse_hours("22:00-02:30"),)
    now, changes = berlin("2026-10-25 02:15").astimezone(UTC), []
    for _ in range(4):
        found = opening(now, hours, BERLIN)
        assert found.changes_at is not None
        changes.append((f"{found.changes_at:%d %H:%M}", found.changes_at.fold))
        now = found.changes_at.astimezone(UTC)
    assert changes == [("25 02:30", 0), ("25 02:00", 1), ("25 02:30", 1), ("25 22:00", 0)]


# Sizes.
@given(st.integers(1, 10**6))
def test_size_that_is_said_is_read_and_no_less(mebibytes: int) -> None:
    byte_count = mebibytes * 1_000_003
    assert byte_count <= parse_size(size_text(byte_count)) < byte_count + (1 << 20)


@pytest.mark.parametrize(
    ("text", "byte_count"),
    [("500M", 500 << 20), ("2G", 2 << 30), ("1.5GiB", 3 << 29), ("64KB", 1 << 16), ("1T", 1 << 40)],
)
def test_size_is_read(text: str, byte_count: int) -> None:
    assert parse_size(text) == byte_count


@pytest.mark.parametrize("text", ["1X", "", "G", "2", "-1G", "1,5G", "2 G", "9999999G", "2g"])
def test_what_is_no_size_is_said_with_an_example(text: str) -> None:
    with pytest.raises(LendingError, match="expected a number and a unit, such as 500M or 2G"):
        parse_size(text)


# Mains and battery.
def supplies_of(folder: Path, *supplies: dict[str, str]) -> Path:
    """Make a folder of power supplies as the kernel has it."""
    for number, supply in enumerate(supplies):
        (folder / str(number)).mkdir(parents=True)
        for name, text in supply.items():
            (folder / str(number) / name).write_text(text + "\n")
    return folder


MAINS, CUT_OFF = ({"type": "Mains", "online": online} for online in "10")
USB, NO_USB = ({"type": "USB", "online": online} for online in "10")
FULL, LOSING, GAINING, UNKNOWN = (
    {"type": "Battery", "status": status}
    for status in ("Full", "Discharging", "Charging", "Unknown")
)
MOUSE = {"type": "Battery", "status": "Discharging", "scope": "Device"}


@pytest.mark.parametrize(
    ("supplies", "is_battery"),
    [
        ([], False),
        ([MAINS, FULL], False),
        ([MAINS, LOSING], False),  # a weak charger: it is plugged in
        ([CUT_OFF, LOSING], True),
        ([CUT_OFF, UNKNOWN], True),
        ([CUT_OFF, FULL], True),  # a moment ago
        ([CUT_OFF, USB, LOSING], False),
        ([CUT_OFF, NO_USB, LOSING], True),
        ([NO_USB, GAINING], False),
        ([NO_USB, FULL], False),
        ([LOSING], True),
        ([FULL, LOSING], True),
        ([MOUSE], False),
        ([MAINS, FULL, MOUSE], False),
        ([CUT_OFF], False),  # a desktop's UPS that says nothing
        ([{}], False),
    ],
)
def test_power_is_read(tmp_path: Path, supplies: list[dict[str, str]], is_battery: bool) -> None:
    assert is_on_battery(supplies_of(tmp_path / "power_supply", *supplies)) is is_battery


# Shares of processors.
V2_OF_OURS = "0::/lent.slice/night.service\n"
V1_OF_OURS = "4:memory:/x\n3:cpu,cpuacct:/docker/4711\n2:cpuset:/y\n1:name=systemd:/z\n"


def groups_of(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return root


@pytest.mark.parametrize(
    ("membership", "files", "quota"),
    [
        (V2_OF_OURS, {}, None),
        (V2_OF_OURS, {"lent.slice/night.service/cpu.max": "max 100000"}, None),
        (V2_OF_OURS, {"lent.slice/night.service/cpu.max": "150000 100000"}, 1.5),
        (V2_OF_OURS, {"lent.slice/cpu.max": "50000 100000",
                      "lent.slice/night.service/cpu.max": "400000 100000"}, 0.5),
        (V2_OF_OURS, {"others.slice/cpu.max": "50000 100000"}, None),
        ("0::/\n", {"cpu.max": "200000 100000"}, 2.0),
        ("0::/../../else\n", {"cpu.max": "200000 100000"}, 2.0),
        (V1_OF_OURS, {"cpu,cpuacct/docker/4711/cpu.cfs_quota_us": "-1",
                      "cpu,cpuacct/docker/4711/cpu.cfs_period_us": "100000"}, None),
        (V1_OF_OURS, {"cpu,cpuacct/docker/4711/cpu.cfs_quota_us": "250000",
                      "cpu,cpuacct/docker/4711/cpu.cfs_period_us": "100000"}, 2.5),
        # Inside a container the mount is its own group, the path that of the host.
        (V1_OF_OURS, {"cpu/cpu.cfs_quota_us": "75000", "cpu/cpu.cfs_period_us": "50000"}, 1.5),
        (V1_OF_OURS, {"cpu/cpu.cfs_quota_us": "75000"}, None),
        ("", {"cpu.max": "50000 100000"}, None),
    ],
)  # fmt: skip
def test_quota_is_the_least_of_a_group_and_those_above(
    tmp_path: Path, membership: str, files: dict[str, str], quota: float | None
) -> None:
    assert cpu_quota(membership, groups_of(tmp_path, files)) == quota


@given(st.integers(1, 512), st.none() | st.floats(0.01, 1000))
def test_workers_use_up_the_quota_and_leave_no_core_twice(cores: int, quota: float | None) -> None:
    count = worker_count(cores, quota)
    assert 1 <= count <= cores
    if quota is None:
        assert count == cores
    else:
        assert count >= min(cores, quota)
        assert count - 1 < quota


found: list[Lending] = []


@click.command
@lending_options
@click.option("--other", default=1)
def lend(lending: Lending, other: int) -> None:
    """Take what a command is given."""
    assert other == 1
    found.append(lending)


def lent(*arguments: str) -> Lending:
    found.clear()
    result = CliRunner().invoke(lend, arguments)
    assert result.exit_code == 0, result.output
    return found[0]


def test_nothing_is_limited_unless_asked() -> None:
    assert lent() == Lending()
    assert lent().give_up_after == math.inf
    assert lent().drain_s == 25


def test_options_are_collected() -> None:
    everything = lent(
        *("--cores", "2", "--nice", "19", "--memory", "2G", "--hours", "22:00-07:00"),
        *("--hours", "12:00-13:00", "--battery", "stop", "--idle-exit", "600"),
        *("--give-up-after", "0.5", "--drain-s", "10", "--with-parent"),
    )
    hours = (Hours(1320, 420), Hours(720, 780))
    assert everything == Lending(2, 19, 2 << 30, hours, "stop", 600.0, 0.5, 10.0, with_parent=True)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--hours", "25:00-3"], "'25:00-3' is no part of a day: expected HH:MM-HH:MM"),
        (["--memory", "1X"], "'1X' is no size: expected a number and a unit"),
        (["--cores", "0"], "0 is not in the range"),
        (["--nice", "20"], "20 is not in the range"),
        (["--nice", "-5"], "-5 is not in the range"),
        (["--battery", "maybe"], "'maybe' is not one of"),
        (["--idle-exit", "0"], "0 is not in the range"),
        (["--give-up-after", "soon"], "'soon' is not a valid number"),
        (["--give-up-after", "nan"], "'nan' is not a number"),
        (["--drain-s", "-1"], "-1 is not in the range"),
    ],
)
def test_bad_option_is_named_in_one_sentence(arguments: list[str], text: str) -> None:
    result = CliRunner().invoke(lend, arguments)
    assert result.exit_code == 2
    assert text in result.output.splitlines()[-1]


def said_by(program: str) -> str:
    """Return what a program says that has everything of `limits`."""
    program = f"import os, resource, signal\nfrom analyser.limits import *\n{program}"
    argv = [sys.executable, "-c", program]
    done = subprocess.run(
        argv, env=ENVIRON, capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_last_cores_are_used_by_threads_to_come_too() -> None:
    program = """
import threading
pin_to_cores(1)
thread = threading.Thread(target=lambda: print(sorted(os.sched_getaffinity(0))))
thread.start()
thread.join()
print(default_worker_count())
"""
    assert said_by(program).splitlines() == [str(usable_cores()[-1:]), "1"]


def test_more_cores_than_there_are_are_refused() -> None:
    count = len(usable_cores())
    text = f"{count + 1} is more than the {count} that this process may use"
    with pytest.raises(LimitError, match=text):
        pin_to_cores(count + 1)
    assert len(usable_cores()) == count


def test_workers_are_no_more_than_the_cores() -> None:
    assert 1 <= default_worker_count() <= len(usable_cores())


def test_nice_is_raised_and_never_lowered() -> None:
    program = "for n in (18, 19, 3):\n be_nice(n)\n print(os.getpriority(os.PRIO_PROCESS, 0))"
    was = os.getpriority(os.PRIO_PROCESS, 0)
    assert said_by(program).split() == [str(max(was, 18)), "19", "19"]


@pytest.mark.parametrize(("workers", "words"), [(1, "1 worker"), (8, "8 workers")])
def test_too_little_memory_is_refused_with_the_least(workers: int, words: str) -> None:
    least = least_memory(workers)
    with pytest.raises(LimitError, match=f"is too little: {words} need {size_text(least)}$"):
        limit_memory(least - 1, workers)


def test_memory_beyond_the_limit_is_refused_by_the_kernel_and_the_rest_goes_on() -> None:
    program = """
limit_memory(least_memory(1), 1)
print(resource.getrlimit(resource.RLIMIT_DATA)[0] == least_memory(1))
kept = bytearray(ENGINES_BYTES // 2)
try:
    bytearray(ENGINES_BYTES)
except MemoryError:
    print("no more")
"""
    assert said_by(program).splitlines() == ["True", "no more"]


def test_lower_limit_of_before_stays() -> None:
    program = """
resource.setrlimit(resource.RLIMIT_DATA, (300 << 20, 400 << 20))
limit_memory(500 << 20, 1)
print(*(limit >> 20 for limit in resource.getrlimit(resource.RLIMIT_DATA)))
"""
    assert said_by(program) == "300 400"


@pytest.mark.parametrize(
    ("call", "limit"),
    [
        ("os.sched_setaffinity", "pin_to_cores(1)"),
        ("os.setpriority", "be_nice(19)"),
        ("resource.setrlimit", "limit_memory(1 << 40, 1)"),
    ],
)
def test_what_may_not_be_asked_for_is_said(call: str, limit: str) -> None:
    program = f"""
def refuse(*_):
    raise PermissionError(1, "Operation not permitted")
os.getpriority = lambda *_: 0
{call} = refuse
try:
    {limit}
except LimitError as error:
    print(error)
"""
    assert "may not be asked for here: [Errno 1] Operation not permitted" in said_by(program)


# Parents.
CHILD = """
import os, time
from analyser.limits import *
end_with_parent()
print(os.getpid(), flush=True)
time.sleep(60)
"""


def test_child_ends_with_its_parent() -> None:
    program = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {CHILD!r}], stdout=subprocess.PIPE, text=True)
child.stdout.readline()
print("begun", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    argv = [sys.executable, "-c", "import os, signal\n" + program]
    # The pipe's end comes when the last of both has ended: long before the child's minute.
    done = subprocess.run(
        argv, env=ENVIRON, capture_output=True, text=True, timeout=20, check=False
    )
    assert (done.returncode, done.stdout) == (-9, "begun\n")


def test_parent_that_is_gone_already_is_noticed() -> None:
    program = """
real = os.getppid
answers = iter([real(), real() + 1])
os.getppid = lambda: next(answers)
try:
    end_with_parent()
except LimitError as error:
    print(error)
"""
    assert said_by(program) == "the process that started this one has ended"


def test_orphan_has_no_parent_to_end_with() -> None:
    program = """
os.getppid = lambda: 1
try:
    end_with_parent()
except LimitError as error:
    print(error)
"""
    assert said_by(program) == "the process that started this one has ended"


@pytest.mark.when_changed
def test_system_without_the_call_is_named() -> None:
    program = """
import ctypes
ctypes.CDLL = lambda *_, **__: object()
try:
    end_with_parent()
except LimitError as error:
    print(error)
"""
    assert said_by(program).startswith("this system cannot tell when the process")
