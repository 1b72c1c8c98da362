"""The dialler of one analyser of the fleet, and its waits between attempts."""

import asyncio
import os
import random
import shutil
import ssl
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from master.config.fleet_list import FleetEntry
from master.service.analysers.analyser_handler import AnalyserHandler
from master.service.analysers.endpoints import Endpoint
from protocol.access.rules import NOBODY_ELSE, Access
from protocol.address import Address
from protocol.aio import Link, connect_tcp, open_command
from protocol.aio.reasons import reason_of
from protocol.events import EOF_REASON
from protocol.sides import MasterSide

WAIT_S_MIN = 0.1
"""A blip is over at once."""

WAIT_S_MAX = 30.0
"""A machine that was switched on is found within half a minute."""

GROWTH_MAX = 3.0
"""Each wait is drawn from the minimum to this many times the last one."""


class Backoff:
    """Waits that grow at random, so that a fleet that lost its master does not return as a herd."""

    def __init__(self, uniform: Callable[[float, float], float]) -> None:
        """Start small; `uniform(a, b)` draws a number between the two."""
        self._uniform = uniform
        self._last_s = WAIT_S_MIN

    def next_wait_s(self) -> float:
        """Return the seconds to wait before the next attempt."""
        drawn = self._uniform(WAIT_S_MIN, self._last_s * GROWTH_MAX)
        self._last_s = min(WAIT_S_MAX, drawn)
        return self._last_s

    def reset(self) -> None:
        """Start small again, after a success."""
        self._last_s = WAIT_S_MIN


LINES_MAX = 100
"""Lines of a command that are shown until its analyser is ready; ssh writes a few."""

CANNOT_CONNECT = "cannot connect"
"""How the reason begins when no machine answers at an address."""

LEFT_AT_ONCE = "it left at once, without a greeting; inetd does so where no analyser starts"
NO_GREETING = "it left without a greeting; one that speaks TLS does so: give --tls FILE"
NO_GREETING_OVER_TLS = (
    "it left without a greeting; one that does not accept our certificate does so"
)

TLS_WAITS_S = 2.0
"""A peer over TLS waits longer than this for our part of the handshake, ours for 10 s. It gets no
line meanwhile, so it has no other reason to leave."""

_RANDOM = random.SystemRandom()
"""Only waits may differ between two runs of a master."""


class Dialler:
    """Keeps one analyser of the fleet connected.

    `first_reason` is done after the first attempt: empty when the analyser was ready, else why not.
    """

    def __init__(
        self,
        entry: FleetEntry,
        analyser_handler: AnalyserHandler,
        warn: Callable[[str], None],
        access: Access = NOBODY_ELSE,
        local_port: int | None = None,
        uniform: Callable[[float, float], float] = _RANDOM.uniform,
    ) -> None:
        """Prepare; `run` dials.

        Args:
            entry: the analyser.
            analyser handler: serves the link.
            warn: shows people a line.
            access: required of it if it is reached over a network.
            local_port: source port of the link then; None: any.
            uniform: draws the waits between attempts.
        """
        name = "" if entry.name == str(entry.address) else entry.name
        is_tcp = isinstance(entry.address, Address)
        self.endpoint = Endpoint(name, str(entry.address), is_returning=is_tcp, is_ours=not is_tcp)
        self.first_reason: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._address = entry.address
        self._analyser_handler = analyser_handler
        self._warn = warn
        self._access = access
        self._local_port = local_port
        self._warned = ""
        self._is_joined = False
        self._lines: set[str] = set()
        self._last_line = ""
        self._backoff = Backoff(uniform)

    async def run(self) -> None:
        """Connect, serve, and connect again, until the analyser is quarantined."""
        while True:
            reason = await self._attempt()
            if self.endpoint.state == "quarantined":
                self._on_failure(self.endpoint.text)
                return
            self.endpoint.state, self.endpoint.text = "connecting", reason
            self._on_failure(reason)
            await asyncio.sleep(self._backoff.next_wait_s())

    async def _attempt(self) -> str:
        self._last_line = ""
        try:
            link = await self._open()
        except ssl.SSLError as error:
            return reason_of(error)  # a machine that answers so is not off
        except OSError as error:
            return f"{CANNOT_CONNECT}: {reason_of(error)}"
        loop = asyncio.get_running_loop()
        connected_at = loop.time()
        reason = await self._analyser_handler.serve(link, self.endpoint, self._on_ready)
        side = link.connection
        assert isinstance(side, MasterSide)
        if reason == EOF_REASON and side.greeting is None and self._last_line:
            return self._last_line  # as ssh's "Permission denied"
        if reason == EOF_REASON and side.greeting is None and isinstance(self._address, Address):
            if self._access.tls is not None:
                return NO_GREETING_OVER_TLS
            return NO_GREETING if loop.time() - connected_at >= TLS_WAITS_S else LEFT_AT_ONCE
        return reason

    async def _open(self) -> Link:
        if isinstance(self._address, Address):
            address, side = self._address, MasterSide(lock=self._access.lock())
            return await connect_tcp(
                address.host, address.port, side, self._local_port, self._access.tls
            )
        host = self._address.host
        on_line = partial(self._pass_on, host) if host else None
        return await open_command(_found(self._address.argv), MasterSide(), on_line=on_line)

    def _pass_on(self, host: str, line: str) -> None:
        """Show a line of the command's stderr, once until the analyser has been ready again."""
        self._last_line = line
        if line not in self._lines and len(self._lines) < LINES_MAX:
            self._lines.add(line)
            self._warn(f"{host}: {line}")

    def _on_ready(self) -> None:
        self._is_joined = True
        self._backoff.reset()
        self._warned = ""
        self._lines.clear()
        if not self.first_reason.done():
            self.first_reason.set_result("")

    def _on_failure(self, reason: str) -> None:
        """Warn once about each reason until the analyser has been ready again."""
        if not self.first_reason.done():
            self.first_reason.set_result(reason)
        leaves, self._is_joined = " leaves" * self._is_joined, False
        if reason != self._warned and reason not in self._lines:
            self._warned = reason
            command = "" if isinstance(self._address, Address) else self.endpoint.name
            self._warn(f"analyser {command or self.endpoint.address}{leaves}: {reason}")


def _found(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command whose program, where PATH has none, is the one installed beside us."""
    beside = Path(sys.executable).parent / argv[0]  # a virtual environment need not be in PATH
    if "/" in argv[0] or shutil.which(argv[0]) or not os.access(beside, os.X_OK):
        return argv
    return (str(beside), *argv[1:])
