"""Fleets that stay until they are taken down: of a master that is elsewhere."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from master.config.fleet_list import FleetError
from master.config.fleet_specs import FleetSpec
from master.contract.views import AnalyserLine
from master.fleets.kept import FleetFolder, KeptFleet, new_ticket, with_count
from master.fleets.placers import make_placer
from master.fleets.placing import (
    SECRET_SHOWN,
    FleetFailedError,
    Invitation,
    Member,
    MemberState,
    Placer,
)
from protocol.access.addresses import is_own_machine
from protocol.address import Address, parse_address

WAITING = "waiting"
"""The engine runs an analyser, but it has not reached its master yet."""


_TWIN = re.compile("#[0-9]+$")
"""A master's addition to the name of a new analyser, while it waits for one of that name."""


@dataclass(frozen=True)
class FleetLine:
    """One analyser of a fleet, in its engine's words and in its master's.

    Args:
        fleet: the fleet's name.
        name: the analyser's.
        host: where it runs; empty: nowhere yet.
        engine: the engine's text.
        state: `pending`, `waiting`, `ending`, `lost`, or its master's word, such as `ready`.
        workers: its worker threads; 0 before it is ready.
        trials: results it has delivered that were new.
    """

    fleet: str
    name: str
    host: str
    engine: str
    state: str
    workers: int = 0
    trials: int = 0


@dataclass(frozen=True)
class FleetPreview:
    """What would be submitted for a fleet.

    Args:
        name: the fleet's.
        spec: the request.
        address: that its analysers would dial.
        lines: commands with their input, as one would type them.
    """

    name: str
    spec: FleetSpec
    address: Address
    lines: tuple[str, ...]


class PermanentFleets:
    """The fleets of one master."""

    def __init__(self, folder: FleetFolder, listens: Address | None) -> None:
        """Look after them.

        Args:
            folder: has them.
            listens: where their master listens for analysers; None: nowhere.
        """
        self._folder = folder
        self._listens = listens

    async def up(
        self, spec: FleetSpec, name: str, dial: Address | None, give_up_s: float
    ) -> KeptFleet:
        """Have a fleet placed.

        Args:
            spec: the request.
            name: its name; empty: by its kind.
            dial: where its analysers reach the master; None: on the address that faces the engine.
            give_up_s: see Invitation.

        Raises:
            FleetError: it is not asked for rightly, or the master cannot be reached.
            FleetFailedError: the engine refuses; nothing stays then.
        """
        address = await self._address(spec, dial)
        fleet, secret = self._folder.reserve(spec, name, str(address))
        invitation = Invitation(address.host, address.port, fleet.ticket, secret, give_up_s)
        try:
            kept = await make_placer(spec, fleet.ticket).start(invitation, spec.count)
        except FleetFailedError:
            self._folder.remove(fleet)
            raise
        fleet = replace(fleet, kept={**kept, "give_up_s": f"{give_up_s:g}"})
        self._folder.save(fleet)
        return fleet

    async def preview(
        self, spec: FleetSpec, name: str, dial: Address | None, give_up_s: float
    ) -> FleetPreview:
        """Return what `up` would submit; nothing is begun or written, and the secret is left out.

        Raises:
            FleetError: as of `up`; a whole `dial` needs no master.
            FleetFailedError: the engine cannot be had, or cannot be asked for this machine's
                address.
        """
        if dial is not None and dial.host and dial.port:
            address = dial
        elif self._listens is None:
            raise FleetError("no master that takes analysers runs here: give --dial HOST:PORT")
        else:
            address = await self._address(spec, dial)
        name = self._folder.name_of(spec, name)
        ticket = new_ticket(name)
        invitation = Invitation(address.host, address.port, ticket, SECRET_SHOWN, give_up_s)
        lines = make_placer(spec, ticket).preview(invitation, spec.count)
        return FleetPreview(name, spec, address, tuple(lines))

    async def _address(self, spec: FleetSpec, dial: Address | None) -> Address:
        if self._listens is None:
            raise FleetError(
                "the master takes no analysers that dial in: start it with --listen HOST:PORT"
            )
        host = dial.host if dial and dial.host else ""
        host = host or await make_placer(spec, "new").own_host()
        own = self._listens.host
        if own and is_own_machine(own) and not is_own_machine(host):
            raise FleetError(
                f"the master listens on {self._listens}, where {host} does not lead: start it with"
                f" --listen {host}:{self._listens.port}"
            )
        return Address(host, dial.port if dial and dial.port else self._listens.port)

    def names(self) -> list[str]:
        """Return the fleets' names, sorted."""
        return self._folder.names()

    def only_name(self) -> str:
        """Return the name of the one fleet that there is; FleetError."""
        names = self.names()
        if len(names) != 1:
            known = f"there are {', '.join(names)}" if names else "there is none"
            raise FleetError(f"name the fleet: {known}")
        return names[0]

    async def scale(self, name: str, count: int) -> KeptFleet:
        """Have more or fewer analysers; FleetError, FleetFailedError."""
        fleet = self._folder.load(name)
        address = parse_address(fleet.address)
        give_up_s = float(fleet.kept.get("give_up_s", Invitation.give_up_s))
        secret = self._folder.secret(fleet)
        invitation = Invitation(address.host, address.port, fleet.ticket, secret, give_up_s)
        kept = await _placer(fleet).scale(invitation, count)
        fleet = with_count(fleet, count, kept)
        self._folder.save(fleet)
        return fleet

    async def down(self, name: str) -> KeptFleet:
        """End a fleet and forget it; if its engine cannot be asked, it stays.

        Raises:
            FleetError: there is none of that name.
            FleetFailedError: its engine cannot be asked.
        """
        fleet = self._folder.load(name)
        await _placer(fleet).stop()
        self._folder.remove(fleet)
        return fleet

    async def _lines(self, name: str) -> list[FleetLine]:
        try:
            members = await _placer(self._folder.load(name)).members()
        except (FleetError, FleetFailedError) as error:
            return [FleetLine(name, "", "", str(error), "unknown")]
        if not members:
            return [FleetLine(name, "", "", "the engine knows none of its analysers", "lost")]
        return [_line(name, member) for member in members]

    async def lines(self, analysers: Sequence[AnalyserLine]) -> list[FleetLine]:
        """Return all analysers of all fleets.

        Args:
            analysers: the master's own list of them.
        """
        ordered = sorted(analysers, key=lambda line: line.state == "ready")
        known = {_TWIN.sub("", line.name): line for line in ordered}  # of twins one that works
        found = await asyncio.gather(*map(self._lines, self._folder.names()))
        return [_with_word(line, known.get(line.name)) for lines in found for line in lines]


def _placer(fleet: KeptFleet) -> Placer:
    return make_placer(fleet.spec, fleet.ticket, fleet.kept)


def _line(fleet: str, member: Member) -> FleetLine:
    is_running = member.state is MemberState.RUNNING
    state = WAITING if is_running else member.state.value
    return FleetLine(fleet, member.name, member.host, member.text, state)


def _with_word(line: FleetLine, known: AnalyserLine | None) -> FleetLine:
    """Return a line with its master's state, unless the engine has newer news."""
    if known is None or line.state in (MemberState.PENDING.value, MemberState.LOST.value):
        return line
    return replace(line, state=known.state, workers=known.workers, trials=known.trials)
