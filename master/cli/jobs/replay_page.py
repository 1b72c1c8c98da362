"""A record's timeline on a page, until Ctrl-C."""

from __future__ import annotations

import asyncio
import secrets
import signal
from collections.abc import AsyncGenerator
from pathlib import Path

from master.api.messages import API_VERSION, MasterState
from master.api.routing import Operation
from master.api.rules import Need, read_token
from master.api.server import PageServer, page_url
from master.api.streams import EventStream
from master.api.timeline import TimelineHandlers
from master.api.watching import ALIVE, HEARTBEAT_S, Changes, changes_frame
from master.cli.output import echo, echo_notice
from master.contract.errors import MasterError
from master.timeline.reading import RecordedTimeline
from master.timeline.showing import ShownTimeline
from protocol.access.addresses import is_own_machine
from protocol.access.rules import NOBODY_ELSE
from protocol.address import Address
from protocol.aio.reasons import reason_of
from protocol.aio.tcp import listening_hosts
from protocol.guards.access_control import AccessControl

VIEW = "/timeline"
"""Follows the token in a link: the view that the page shows first."""


class RecordHandlers:
    """Says to the page that no master is there.

    Args:
        name: the record's.
        text: for people.
    """

    def __init__(self, name: str, text: str) -> None:
        self._state = MasterState(name, API_VERSION, None, text)

    @Operation("GET", "/api/events", Need.READING, media="text/event-stream")
    async def events(self) -> EventStream:
        """Follow nothing: an event `state` says why, and `alive` comes after it."""
        return EventStream(self._frames())

    async def _frames(self) -> AsyncGenerator[bytes, None]:
        yield changes_frame(Changes("0-0", True, {"master": [self._state]}, {}))
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            yield ALIVE


async def show_record(
    recorded: RecordedTimeline, name: str, address: Address, state_dir: Path
) -> None:
    """Serve a record's timeline until Ctrl-C, or SIGTERM.

    Args:
        recorded: the timeline.
        name: the file's.
        address: address of the page.
        state_dir: directory of the token.

    Raises:
        MasterError: it cannot be served there.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await _check_is_here(address)
    shown = ShownTimeline(
        recorded.timeline, secrets.token_hex(8), title=recorded.title or name,
        node_ns=recorded.node_ns, is_cut=recorded.is_cut,
    )  # fmt: skip
    text = f"This is the record {name}: no master runs here, and no job. Its timeline is shown."
    keeper = AccessControl(NOBODY_ELSE, echo_notice)
    handlers = (RecordHandlers(name, text), TimelineHandlers(shown))
    server = PageServer(handlers, keeper, state_dir)
    try:
        port = await server.open_page(address)
        echo(f"{page_url(address, port)}{read_token(state_dir).fragment}{VIEW}")
        echo_notice("shown until Ctrl-C")
        await stop.wait()
    finally:
        await server.aclose()


async def _check_is_here(address: Address) -> None:
    """Raise MasterError where others than this machine's would come in."""
    try:
        hosts = await listening_hosts(address.host or None, address.port)
    except OSError as error:
        raise MasterError(f"cannot show it on {address}: {reason_of(error)}") from None
    if not all(map(is_own_machine, hosts)):
        raise MasterError(
            f"a record is shown on this machine alone, and {address} is open to others: give"
            " localhost; `ssh -L 8642:localhost:8642 HOST` brings it to another machine"
        )
