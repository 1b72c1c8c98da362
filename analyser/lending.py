"""Terms of lending a machine: hours, memory sizes, shares of processors, mains or battery.

It reads them as people and the kernel write them. It uses no clock: time and folders are arguments.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

DAY_MIN = 24 * 60
"""Minutes of a day, as clocks on walls have them."""

AHEAD_MIN = 2 * DAY_MIN
"""Hours repeat every day. If no change comes in two days, even with DST, none ever comes."""

SIZE_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
"""Powers of 1024, as memory is sold."""


class LendingError(ValueError):
    """A text is no range of hours, or no size; the message gives the expected form."""


@dataclass(frozen=True)
class Hours:
    """A part of each day in local time, half-open; across midnight if `end_min` is the smaller.

    Args:
        begin_min: Minutes since midnight, 0 to 1,439.
        end_min: The same, 1 to 1,440.
    """

    begin_min: int
    end_min: int

    def __str__(self) -> str:
        return f"{_clock(self.begin_min)}-{_clock(self.end_min)}"

    def holds(self, minute: int) -> bool:
        """Whether a minute of the day lies within."""
        if self.begin_min < self.end_min:
            return self.begin_min <= minute < self.end_min
        return minute >= self.begin_min or minute < self.end_min


@dataclass(frozen=True)
class Opening:
    """Whether masters are served at a given time.

    Args:
        is_open: They are served.
        changes_at: The next change, in local time; None: never.
    """

    is_open: bool
    changes_at: datetime | None = None


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def parse_hours(text: str) -> Hours:
    """Return the hours of a text such as 22:00-07:00; LendingError otherwise."""
    match = re.fullmatch(r"([0-9]{1,2}):([0-9]{2})-([0-9]{1,2}):([0-9]{2})", text)
    if match is not None:
        begin_h, begin_min, end_h, end_min = map(int, match.groups())
        begin, end = 60 * begin_h + begin_min, 60 * end_h + end_min
        is_clock = max(begin_min, end_min) < 60 and begin < DAY_MIN and end <= DAY_MIN
        if is_clock and begin != end:
            return Hours(begin, end or DAY_MIN)
    raise LendingError(f"{text!r} is no part of a day: expected HH:MM-HH:MM, such as 22:00-07:00")


def opening(now: datetime, hours: tuple[Hours, ...], zone: tzinfo | None = None) -> Opening:
    """Return whether a time lies within any of the hours, and when that changes next.

    Local time decides: an hour that summer time leaves out does not exist, and an hour that comes
    twice counts twice.

    Args:
        now: With any time zone.
        hours: Empty: always open.
        zone: Of the hours; None: this machine's.
    """
    if not hours:
        return Opening(is_open=True)
    is_open = _is_within(now.astimezone(zone), hours)
    # Summer time also changes on whole minutes, in every zone of today.
    first = now.astimezone(UTC).replace(second=0, microsecond=0)
    for minutes in range(1, AHEAD_MIN + 1):
        local = (first + timedelta(minutes=minutes)).astimezone(zone)
        if _is_within(local, hours) is not is_open:
            return Opening(is_open, local)
    return Opening(is_open)


def _is_within(local: datetime, hours: tuple[Hours, ...]) -> bool:
    minute = 60 * local.hour + local.minute
    return any(each.holds(minute) for each in hours)


def parse_size(text: str) -> int:
    """Return the bytes of a text such as 500M or 1.5G; LendingError otherwise."""
    match = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)([KMGT])(?:i?B)?", text)
    if match is None:
        raise LendingError(f"{text!r} is no size: expected a number and a unit, such as 500M or 2G")
    return int(float(match[1]) * SIZE_UNITS[match[2]])


def size_text(byte_count: int) -> str:
    """Return a size that is no less, in whole MiB, as `parse_size` reads it."""
    return f"{-(-byte_count // SIZE_UNITS['M'])}M"


def is_on_battery(supplies: Path) -> bool:
    """Whether a machine runs on a battery, by a folder such as /sys/class/power_supply.

    It is on mains while mains, or a USB charger, is `online`, or a battery charges. Otherwise it is
    on battery if a battery discharges, or if it has a battery and mains that is cut off. Batteries
    of mice and headsets (scope `Device`) do not count. A machine without the folder is on mains.
    """
    found = [_supply(path) for path in sorted(supplies.glob("*"))]
    statuses = {status for kind, _, status in found if kind == "Battery"}
    if "Charging" in statuses or any(kind != "Battery" and on == "1" for kind, on, _ in found):
        return False
    is_cut_off = any(kind == "Mains" for kind, _, _ in found)
    return "Discharging" in statuses or (is_cut_off and bool(statuses))


def _supply(path: Path) -> tuple[str, str, str]:
    """Return type, online and status of a power supply; empty texts for that of a device."""
    if _word(path / "scope") == "Device":
        return "", "", ""
    return _word(path / "type"), _word(path / "online"), _word(path / "status")


def _word(path: Path) -> str:
    """Return the text of a kernel file; empty if it is missing or cannot be read now."""
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""


def worker_count(core_count: int, quota: float | None) -> int:
    """Return how many threads keep these processors busy, under a quota of processor time.

    A quota is rounded up to a whole number. The kernel enforces the exact quota anyway: it stops
    the process for some ms of each period. Rounded down, 1.5 processors would be used as one.
    """
    return core_count if quota is None else max(1, min(core_count, math.ceil(quota)))


def cpu_quota(membership: str, root: Path) -> float | None:
    """Return the processor time a second that control groups allow; None: no limit.

    It is the least quota of the group and of all groups above it.

    Args:
        membership: The text of /proc/self/cgroup.
        root: Where control groups are mounted: /sys/fs/cgroup.
    """
    quotas = [quota for folder in _groups(membership, root) for quota in _quotas_of(folder)]
    return min(quotas, default=None)


def _groups(membership: str, root: Path) -> Iterator[Path]:
    """Yield the folders of a process's groups and of all groups above them.

    In a container the path may be that of the host. Then only the mount itself exists, and it is
    the container's own group.
    """
    for line in membership.splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:
            mounts = [root, root / "unified"]
        elif "cpu" in controllers.split(","):
            mounts = [root / controllers, root / "cpu"]
        else:
            continue
        parts = [part for part in path.split("/") if part not in ("", "..")]
        for mount in mounts:
            for depth in range(len(parts) + 1):
                yield mount.joinpath(*parts[:depth])


def _quotas_of(folder: Path) -> Iterator[float]:
    """Yield the quota of one group in processors, of either version of control groups."""
    version_2 = _word(folder / "cpu.max").split()
    version_1 = [_word(folder / "cpu.cfs_quota_us"), _word(folder / "cpu.cfs_period_us")]
    for words in (version_2, version_1):
        if len(words) == 2 and all(word.isdigit() for word in words) and int(words[1]) > 0:
            yield int(words[0]) / int(words[1])
