"""Programs of engines, called with a deadline."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Sequence

from master.fleets.placing import CALL_S, FleetFailedError, one_line
from protocol.aio.reasons import reason_of


async def call(argv: Sequence[str], *, stdin_text: str = "", within_s: float = CALL_S) -> str:
    """Run a program, out of reach of Ctrl-C; return its output.

    It inherits nothing but its standard streams, so that processes that it leaves running keep none
    of our links: a loop's own way of starting programs lets pipes of others through.

    Args:
        argv: the program and its arguments.
        stdin_text: goes to its standard input.
        within_s: it is killed if it takes longer.

    Raises:
        FleetFailedError: it is not there, failed, or took too long.
    """
    return await asyncio.to_thread(_call, argv, stdin_text, within_s)


def _call(argv: Sequence[str], stdin_text: str, within_s: float) -> str:
    try:
        ended = subprocess.run(
            argv, input=stdin_text.encode(), capture_output=True, timeout=within_s, check=False,
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise FleetFailedError(f"cannot run {argv[0]}: {reason_of(error)}") from None
    except subprocess.TimeoutExpired:
        raise FleetFailedError(f"{argv[0]} gave no answer in {within_s:g} s") from None
    if ended.returncode:
        said = one_line((ended.stderr or ended.stdout).decode(errors="replace"))
        raise FleetFailedError(f"{argv[0]}: {said or f'exit code {ended.returncode}'}")
    return ended.stdout.decode(errors="replace")
