"""Who is below, and what all can do together."""

import pytest

from master.contract.events import EngineOffer
from master.relay.crew import HELD_PER_WORKER, Crew, Member
from master.relay.parts import PartKind, RelayPart
from protocol.messages import CORE_COUNT_MAX, POWER_MAX
from tests.master.relay.fake_crew import DIGEST, offer, trials


def member(number: int, workers: int = 1, *offers: EngineOffer) -> Member:
    return Member(number, f"a{number}", workers, {one.game: one for one in offers or (offer(),)})


def crew_of(*members: Member) -> Crew:
    crew = Crew()
    for one in members:
        crew.add(one)
    return crew


def part(number: int, *, urgent: bool = False, game: str = "noop") -> RelayPart:
    request = trials(number, urgent=urgent)
    return RelayPart(request, PartKind.of(game, request), number)


def test_workers_and_powers_are_summed_of_each_game() -> None:
    othello = EngineOffer("othello", DIGEST, 5.0, ("search",))
    threes = EngineOffer("noop", DIGEST, 2.0, ("trials", "expectimax"))
    crew = crew_of(member(1, 2, offer(power=1.5), othello), member(2, 3, threes))
    assert crew.workers == 5
    noop, only_one = crew.offers()
    assert (noop.game, noop.power) == ("noop", 3.5)
    assert noop.services == ("trials", "analyse", "search", "expectimax")
    assert (only_one.game, only_one.power, only_one.services) == ("othello", 5.0, ("search",))


def test_who_drains_counts_for_nothing_but_that_somebody_is_there() -> None:
    leaving = member(1, 4, offer(power=3.0))
    crew = crew_of(leaving, member(2, 2))
    leaving.is_draining = True
    assert crew.workers == 2
    assert crew.offers()[0].power == 1.0
    crew.remove(2)
    assert crew.workers == 1
    crew.remove(1)
    assert (crew.workers, crew.offers(), crew.remove(1)) == (0, (), None)


def test_sums_stay_within_the_protocols_limits() -> None:
    crew = crew_of(*(member(number, 40_000, offer(power=9e14)) for number in (1, 2)))
    assert crew.workers == CORE_COUNT_MAX
    assert crew.offers()[0].power == POWER_MAX


def test_the_least_loaded_is_chosen_and_a_full_one_never() -> None:
    small, large = member(1), member(2, 3)
    crew = crew_of(small, large)
    for number in range(HELD_PER_WORKER * 4):
        chosen = crew.choose(part(number))
        assert chosen is not None
        assert chosen.load(part(0).kind) == min(one.load(part(0).kind) for one in (small, large))
        chosen.add(part(number))
    assert crew.choose(part(100)) is None
    assert crew.choose(part(100, urgent=True)) is small


@pytest.mark.parametrize("what", ["game", "draining", "shunned"])
def test_who_cannot_is_not_chosen(what: str) -> None:
    one, asked = member(1), part(1, game="othello" if what == "game" else "noop")
    one.is_draining = what == "draining"
    asked.shunned |= {1} if what == "shunned" else set()
    crew = crew_of(one)
    assert crew.choose(asked) is None
    assert crew.is_too_long(asked) is (what == "shunned")


def test_a_game_has_one_engine() -> None:
    crew = crew_of(member(1))
    assert crew.misfit(member(2)) == ""
    assert "that of the others" in crew.misfit(member(2, 1, offer("f" * 16)))
    assert crew.misfit(member(1, 1, offer("f" * 16))) == "", "one may change its own"
    assert crew.misfit(member(2, 1, offer("f" * 16, game="othello"))) == ""


def test_what_is_held_is_counted() -> None:
    one = member(1)
    asked = part(1, urgent=True)
    one.add(asked)
    assert (one.urgent_count, one.load(asked.kind)) == (1, 1.0)
    one.remove(asked)
    assert (one.urgent_count, len(one.held)) == (0, 0)
