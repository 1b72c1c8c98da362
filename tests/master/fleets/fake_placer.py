"""An engine that places analysers at once, in this process, and fails when told to."""

from dataclasses import dataclass, field

from master.fleets.placing import FleetFailedError, Invitation, Kept, Member, MemberState


@dataclass
class FakePlacer:
    """What a fleet was asked for, in order."""

    host: str = "127.0.0.1"
    failing: str = ""
    asked: list[str] = field(default_factory=list)
    invitations: list[Invitation] = field(default_factory=list)
    present: tuple[Member, ...] = ()
    state: MemberState = MemberState.RUNNING

    async def own_host(self) -> str:
        self._ask("own_host")
        return self.host

    def preview(self, invitation: Invitation, count: int | None) -> list[str]:
        self.invitations.append(invitation)
        return [f"place {count}", invitation.secret]

    async def start(self, invitation: Invitation, count: int | None) -> Kept:
        self.invitations.append(invitation)
        self._ask("start")
        self._place(count or 0)
        return {"tag": "7"}

    async def scale(self, invitation: Invitation, count: int) -> Kept:
        self.invitations.append(invitation)
        self._ask("scale")
        self._place(count)
        return {"more": "8"}

    async def members(self) -> tuple[Member, ...]:
        self._ask("members")
        return self.present

    async def stop(self) -> None:
        self._ask("stop")
        self.present = ()

    def _place(self, count: int) -> None:
        self.present = tuple(
            Member(f"fake-{number}", self.state, "runs", "n1") for number in range(1, count + 1)
        )

    def _ask(self, what: str) -> None:
        self.asked.append(what)
        if what == self.failing:
            raise FleetFailedError(f"no {what} today")
