"""The fleets of a master, kept in its state directory, and their secrets.

A secret is a file of its own, its owner's alone. The fleet's permission goes with it: a master
reads the folder anew for each link.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from master.config.fleet_list import FleetError
from master.config.fleet_specs import FleetSpec, parse_fleet_spec
from master.fleets.placing import Kept
from protocol.access.lock import TICKET_PATTERN, SharedSecret
from protocol.guards.file_errors import file_error_text
from protocol.guards.secret_files import NEW_SECRET_BYTES, SecretError, read_secret

NAME_PATTERN = r"[A-Za-z][A-Za-z0-9-]{0,31}"
"""Of a fleet, as people call it."""

_SUFFIX_BYTES = 3
"""Tells fleets of one name apart that several masters have on one engine."""


@dataclass(frozen=True)
class KeptFleet:
    """A fleet that stays until it is taken down.

    Args:
        name: its name for people.
        ticket: its name to the engine, and of its secret.
        spec: the request.
        count: how many analysers, after the last change; None: the engine says.
        address: HOST:PORT that its analysers dial.
        kept: facts that its placer needs.
    """

    name: str
    ticket: str
    spec: FleetSpec
    count: int | None
    address: str
    kept: Kept = field(default_factory=dict)


class FleetFolder:
    """The fleets of a state directory."""

    def __init__(self, state_dir: Path) -> None:
        """Look there; the folder need not exist yet."""
        self._folder = state_dir / "fleets"

    def names(self) -> list[str]:
        """Return the fleets' names, sorted."""
        return sorted(path.stem for path in self._folder.glob("*.json"))

    def load(self, name: str) -> KeptFleet:
        """Return a fleet.

        Raises:
            FleetError: there is none of that name, or its file cannot be used.
        """
        path = self._path(name)
        try:
            return _from_json(name, json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            known = ", ".join(self.names()) or "none"
            raise FleetError(f"there is no fleet {name!r}: there is {known}") from None
        except OSError as error:
            raise FleetError(f"cannot read {path}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError):
            raise FleetError(f"{path} is damaged: its fleet has to be ended by hand") from None

    def reserve(self, spec: FleetSpec, name: str, address: str) -> tuple[KeptFleet, str]:
        """Make a fleet with a new secret, before anything of it is started.

        Args:
            spec: the request.
            name: its name; empty: by its kind.
            address: HOST:PORT that its analysers dial.

        Returns:
            It, and the secret.

        Raises:
            FleetError: the name is taken or none, or nothing can be written.
        """
        name = self.name_of(spec, name)
        fleet = KeptFleet(name, new_ticket(name), spec, spec.count, address)
        secret = secrets.token_urlsafe(NEW_SECRET_BYTES)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(self._secret_path(fleet.ticket), secret + "\n")
        except OSError as error:
            raise FleetError(
                f"cannot write into {self._folder}: {file_error_text(error)}"
            ) from None
        self.save(fleet)
        return fleet, secret

    def name_of(self, spec: FleetSpec, name: str) -> str:
        """Return the name of a new fleet, by its kind if none is given.

        Raises:
            FleetError: the name is taken or none.
        """
        name = name or self._free_name(spec.kind)
        if not re.fullmatch(NAME_PATTERN, name):
            raise FleetError(f"{name!r} is no name of a fleet: expected letters, digits, hyphens")
        if name in self.names():
            raise FleetError(f"there is a fleet {name!r} already: take it down, or use --name")
        return name

    def save(self, fleet: KeptFleet) -> None:
        """Store how a fleet is now; FleetError."""
        path = self._path(fleet.name)
        try:
            _write(path, json.dumps(_to_json(fleet), indent=1) + "\n")
        except OSError as error:
            raise FleetError(f"cannot write {path}: {file_error_text(error)}") from None

    def secret(self, fleet: KeptFleet) -> str:
        """Return a fleet's secret; FleetError."""
        try:
            return self._secret_path(fleet.ticket).read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            raise FleetError(f"the secret of fleet {fleet.name!r} is gone") from None

    def remove(self, fleet: KeptFleet) -> None:
        """Forget a fleet; its secret first: none of its analysers is let in again."""
        self._secret_path(fleet.ticket).unlink(missing_ok=True)
        self._path(fleet.name).unlink(missing_ok=True)

    def secret_of(self, ticket: str) -> SharedSecret | None:
        """Return the secret of a ticket, read anew; None: there is none, or no more."""
        if not re.fullmatch(TICKET_PATTERN, ticket):
            return None
        try:
            return read_secret(self._secret_path(ticket))
        except SecretError:
            return None

    def _free_name(self, kind: str) -> str:
        taken = self.names()
        names = (kind if number == 1 else f"{kind}-{number}" for number in range(1, len(taken) + 2))
        return next(name for name in names if name not in taken)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    def _secret_path(self, ticket: str) -> Path:
        return self._folder / f"{ticket}.secret"


def new_ticket(name: str) -> str:
    """Return a ticket for a fleet of a name that no other fleet has."""
    return f"{name.lower()}-{secrets.token_hex(_SUFFIX_BYTES)}"


def with_count(fleet: KeptFleet, count: int, kept: Kept) -> KeptFleet:
    """Return a fleet after a change of its size."""
    return replace(fleet, count=count, kept={**fleet.kept, **kept})


def _to_json(fleet: KeptFleet) -> dict[str, Any]:
    return {
        "ticket": fleet.ticket,
        "spec": fleet.spec.text,
        "count": fleet.count,
        "address": fleet.address,
        "kept": dict(fleet.kept),
    }


def _from_json(name: str, table: dict[str, Any]) -> KeptFleet:
    kept = {str(key): str(value) for key, value in table["kept"].items()}
    spec = parse_fleet_spec(table["spec"])
    return KeptFleet(name, table["ticket"], spec, table["count"], table["address"], kept)


def _write(path: Path, text: str) -> None:
    """Replace a file at once; it is its owner's alone."""
    new = path.with_suffix(path.suffix + ".new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    new.replace(path)
