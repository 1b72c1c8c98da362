"""What thousands who connect and say hardly anything do to an honest master, and to the memory.

Run as `python -m tests.benchmarks.slow_connections [--count 2000]`.  An analyser listens as a
process; so many connections are made to it that never finish what they begin: a byte of a line, or
the first bytes of a TLS handshake.  Then a master dials it that has what the endpoint asks for:
printed are the milliseconds until it was greeted, alone and beside the others, and the largest
resident memory of the analyser.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from protocol.aio import new_runner
from protocol.aio.descriptors import allow_descriptors
from tests.benchmarks.guard_cost import GUARDS, HERE, Guards, dial_ms, listening
from tests.benchmarks.measure import machine_description, print_table

DIALS = 10
TLS_BEGINNING = b"\x16\x03\x01\x02\x00\x01\x00"  # of a ClientHello of 512 bytes


def memory_mb(port: int) -> float:
    """Return the largest resident memory that the process listening on a port has had."""
    for folder in Path("/proc").glob("[0-9]*"):
        words = (folder / "cmdline").read_bytes().split(b"\0")
        if f"{HERE}:0".encode() in words and port in listening_ports(folder):
            status = (folder / "status").read_text()
            return int(status.partition("VmHWM:")[2].split()[0]) / 1024
    raise LookupError(f"nobody listens on port {port}")


def listening_ports(folder: Path) -> set[int]:
    """Return the ports that a process listens on."""
    inodes = {entry.readlink().name for entry in (folder / "fd").iterdir() if entry.is_symlink()}
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {
        int(words[1].partition(":")[2], 16)
        for words in lines
        if words[3] == "0A" and f"socket:[{words[9]}]" in inodes
    }


async def measure(guard: str, count: int) -> tuple[str, ...]:
    """Return a line of the table."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        guards = Guards(Path(folder))
        access = guards.access(guard)
        async with listening(guards.options(guard)) as address:
            alone = [await dial_ms(address, access) for _ in range(DIALS)]
            for number in range(count):
                sock = stack.enter_context(socket.create_connection((HERE, address.port)))
                sock.sendall(TLS_BEGINNING if "TLS" in guard else b"m")
                if number % 64 == 0:
                    await asyncio.sleep(0)
            first = await dial_ms(address, access)
            beside = [await dial_ms(address, access) for _ in range(DIALS)]
            memory = memory_mb(address.port)
    times = (median(alone), first, median(beside), max(beside))
    return (guard, str(count), *(f"{each:.1f}" for each in times), f"{memory:.0f}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2_000)
    options = parser.parse_args(arguments)
    allow_descriptors()
    print(machine_description())
    with new_runner() as runner:
        rows = [runner.run(measure(guard, options.count)) for guard in GUARDS]
    print_table(
        ("guard", "slow", "alone ms", "first ms", "beside ms", "worst ms", "memory MB"), rows
    )


if __name__ == "__main__":
    main()
