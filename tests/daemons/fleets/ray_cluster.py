"""Ray on this machine: a head node of two processors."""

import importlib.util
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from tests.daemons.analyser_programs import HERE, Process, line_with, started

IS_THERE = importlib.util.find_spec("ray") is not None
STARTED = "Ray runtime started"


@asynccontextmanager
async def ray_cluster(folder: Path) -> AsyncIterator[str]:
    """Run a head node of two processors; yield its address."""
    with socket.create_server((HERE, 0)) as free:
        address = f"{HERE}:{free.getsockname()[1]}"
    words = (
        "start", "--head", "--block", f"--node-ip-address={HERE}",
        f"--port={address.partition(':')[2]}", "--num-cpus=2", "--include-dashboard=false",
        "--object-store-memory=80000000", "--disable-usage-stats", f"--temp-dir={folder}",
    )  # fmt: skip
    program = (sys.executable, "-c", "from ray.scripts.scripts import main; main()")
    one_stream = ("sh", "-c", 'exec "$0" "$@" 1>&2')
    async with started(*one_stream, *program, *words) as process:
        await line_with(process, STARTED)
        try:
            yield address
        finally:
            await _end(process)


async def _end(process: Process) -> None:
    """Have it end all that it has started; killed, it would leave that behind."""
    process.terminate()
    await process.wait()


@contextmanager
def short_folder() -> Iterator[Path]:
    """A short path, as the names of sockets in it are at most 107 bytes long."""
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True) as path:
        yield Path(path)
