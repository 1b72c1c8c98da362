"""The analysers below a relay: their engines together, and the choice of one for the next part."""

from dataclasses import dataclass

from master.contract.events import EngineOffer
from master.contract.leases import Window
from master.relay.parts import PartKind, RelayLease, RelayPart
from protocol.messages import CORE_COUNT_MAX, POWER_MAX, SERVICE_COUNT_MAX, Engine

HELD_PER_WORKER = 2
"""One part is computed, and one waits at hand while the result of the other is on its way."""


@dataclass(slots=True, eq=False)
class Member(Window[RelayLease]):
    """One session of one analyser below; `number` is the session's."""

    number: int
    name: str
    workers: int
    offers: dict[str, EngineOffer]
    is_draining: bool = False

    def can(self, kind: PartKind) -> bool:
        """Whether it computes such parts, as long as it is not draining."""
        offer = self.offers.get(kind.game)
        return offer is not None and kind.service in offer.services and not self.is_draining

    def load(self, kind: PartKind) -> float:
        """Return how many parts, for each worker, would go before a further one."""
        return (self.urgent_count if kind.is_urgent else len(self.leases)) / self.workers


class Pool:
    """All analysers below that are ready."""

    def __init__(self) -> None:
        """Begin with none."""
        self._members: dict[int, Member] = {}

    def get(self, number: int) -> Member | None:
        """Return the analyser with a number, if there is one."""
        return self._members.get(number)

    def add(self, member: Member) -> None:
        """Count an analyser in."""
        self._members[member.number] = member

    def remove(self, number: int) -> Member | None:
        """Count an analyser out; return it, if there was one."""
        return self._members.pop(number, None)

    @property
    def workers(self) -> int:
        """Workers for the master above; 1 while the last analysers only finish their parts."""
        active = sum(one.workers for one in self._members.values() if not one.is_draining)
        return min(CORE_COUNT_MAX, active) or min(1, len(self._members))

    def misfit(self, newcomer: Member) -> str:
        """Return why an analyser cannot join; empty: it can. Each game has one engine per relay."""
        digests = {
            offer.game: offer.digest
            for one in self._members.values()
            if one.number != newcomer.number
            for offer in one.offers.values()
        }
        for offer in newcomer.offers.values():
            known = digests.get(offer.game, offer.digest)
            if known != offer.digest:
                return f"its {offer.game} engine is {offer.digest}, that of the others {known}"
        return ""

    def offers(self) -> tuple[Engine, ...]:
        """Return the engines of all together: powers are summed, of each game by itself."""
        powers: dict[str, float] = {}
        digests: dict[str, str] = {}
        names: dict[str, str] = {}
        services: dict[str, dict[str, None]] = {}
        for one in self._members.values():
            for offer in one.offers.values():
                digests[offer.game], names[offer.game] = offer.digest, offer.name
                is_there = not one.is_draining
                powers[offer.game] = powers.get(offer.game, 0.0) + offer.power * is_there
                services.setdefault(offer.game, {}).update(dict.fromkeys(offer.services))
        return tuple(
            Engine(
                game=game,
                digest=digests[game],
                power=min(POWER_MAX, powers[game]),
                services=tuple(services[game])[:SERVICE_COUNT_MAX],
                name=names[game],
            )
            for game in sorted(digests)
        )

    def is_too_long(self, part: RelayPart) -> bool:
        """Whether a part is too long for the lines of all analysers that could compute it."""
        able = {one.number for one in self._members.values() if one.can(part.kind)}
        return bool(able) and able <= part.shunned

    def choose(self, part: RelayPart) -> Member | None:
        """Return the analyser for a part: the one with least to do per worker, then the oldest."""
        kind = part.kind
        fit = [
            (one.load(kind), one.number)
            for one in self._members.values()
            if one.can(kind) and one.number not in part.shunned
        ]
        load, number = min(fit, default=(float(HELD_PER_WORKER), 0))
        return self._members[number] if load < HELD_PER_WORKER else None
