"""Programs of engines, called with a deadline.

Knows processes.  Must not know what they say.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence

from master.fleets.placing import CALL_S, FleetFailedError

OUTPUT_CHARACTERS_MAX = 400
"""Of what a program complained of is shown."""


async def call(argv: Sequence[str], *, told: str = "", within_s: float = CALL_S) -> str:
    """Run a program; return what it printed.

    Args:
        argv: the program and its arguments.
        told: goes to its standard input.
        within_s: it is killed if it takes longer.

    Raises:
        FleetFailedError: it is not there, failed, or took too long.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
    except OSError as error:
        raise FleetFailedError(f"cannot run {argv[0]}: {_reason(error)}") from None
    try:
        async with asyncio.timeout(within_s):
            out, err = await process.communicate(told.encode())
    except TimeoutError:
        raise FleetFailedError(f"{argv[0]} gave no answer in {within_s:g} s") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        said = " ".join((err or out).decode(errors="replace").split())[:OUTPUT_CHARACTERS_MAX]
        raise FleetFailedError(f"{argv[0]}: {said or f'exit code {process.returncode}'}")
    return out.decode(errors="replace")


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)
