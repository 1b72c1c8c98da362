"""One call on a cluster of Ray, in a process of its own: `python -m master.fleets.ray_calls`.

Ray brings threads, signal handlers and prints of its own: no master has it in its process. The
order comes on standard input as JSON, the answer goes to standard output likewise.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from master.fleets.child import STOP_S, ChildState
from master.fleets.placing import one_line
from master.fleets.ray_actor import AnalyserActor

NAMESPACE = "manyply"

ANSWER_S = 5.0
"""An actor that has not answered by then has not been placed."""

DRAIN_S = STOP_S + 2.0
"""An actor that has not drained its analyser by then is killed with it."""

Order = Mapping[str, Any]
Answer = dict[str, Any]


def main() -> None:
    """Carry out the order; a failure is an answer, too."""
    order = json.load(sys.stdin)
    with _quiet() as answer:
        answer(_answer(order))


@contextmanager
def _quiet() -> Iterator[Callable[[Answer], None]]:
    """Keep Ray's output out of the answer."""
    out = os.dup(1)
    os.dup2(2, 1)

    def answer(found: Answer) -> None:
        with os.fdopen(out, "w") as file:
            json.dump(found, file)

    yield answer


def _answer(order: Order) -> Answer:
    try:
        import ray  # noqa: PLC0415  # an extra
    except ImportError:
        return {"failed": "this takes Ray: pip install 'manyply[ray]'"}
    try:
        ray.init(
            address=order["where"], namespace=NAMESPACE, log_to_driver=False,
            logging_level=logging.ERROR,
        )  # fmt: skip
        return CALLS[order["call"]](ray, order)
    except Exception as error:  # any: Ray raises all kinds
        return {"failed": one_line(error) or type(error).__name__}


def _host(ray: Any, order: Order) -> Answer:
    """Return the address of this node as other nodes see it."""
    return {"host": ray.util.get_node_ip_address()}


def _start(ray: Any, order: Order) -> Answer:
    """Have so many analysers, without waiting for them; those too many are ended."""
    count = order["count"] or max(1, int(ray.cluster_resources().get("CPU", 1)))
    there = _actors(ray, order["fleet"])
    try:
        for number in range(1, count + 1):
            if number not in there:
                _place(ray, order, number)
    except BaseException:
        _end(ray, [actor for n, actor in _actors(ray, order["fleet"]).items() if n not in there])
        raise
    _end(ray, [actor for number, actor in there.items() if number > count])
    return {"count": count}


def _place(ray: Any, order: Order, number: int) -> None:
    ray.remote(AnalyserActor).options(
        name=actor_name(order["fleet"], number), namespace=NAMESPACE, lifetime="detached",
        get_if_exists=True, max_restarts=-1, num_cpus=1,
    ).remote(
        order["fleet"], number, order["arguments"], order["secret"], order["version"],
    )  # fmt: skip


def _members(ray: Any, order: Order) -> Answer:
    """Return (number, name, state, text, host) of each actor that there is."""
    actors = _actors(ray, order["fleet"])
    asked = {number: actor.state.remote() for number, actor in actors.items()}
    answered = _answered(ray, [*asked.values()], ANSWER_S)
    unheard = ("", ChildState.PENDING.value, "actor not placed yet", "")
    return {
        "members": [
            (number, *(_said(ray, ref) if ref in answered else unheard))
            for number, ref in sorted(asked.items())
        ]
    }


def _answered(ray: Any, refs: Sequence[Any], within_s: float) -> Sequence[Any]:
    """Wait for all answers; return those that came in time."""
    if not refs:
        return ()
    answered: Sequence[Any] = ray.wait(refs, num_returns=len(refs), timeout=within_s)[0]
    return answered


def _said(ray: Any, ref: Any) -> Sequence[str]:
    try:
        said: Sequence[str] = ray.get(ref)
    except Exception as error:  # any: its node's exceptions come here
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return "", ChildState.LOST.value, lines[-1] if lines else type(error).__name__, ""
    return said


def _stop(ray: Any, order: Order) -> Answer:
    """End all of them."""
    _end(ray, [*_actors(ray, order["fleet"]).values()])
    return {}


def _end(ray: Any, actors: Sequence[Any]) -> None:
    """Drain and kill; Ray does not start actors again that are killed so."""
    _answered(ray, [actor.drain.remote() for actor in actors], DRAIN_S)
    for actor in actors:
        ray.kill(actor, no_restart=True)


def _actors(ray: Any, fleet: str) -> dict[int, Any]:
    """Return the actors of a fleet by number."""
    numbers = (number_of(name, fleet) for name in ray.util.list_named_actors())
    return {
        n: ray.get_actor(actor_name(fleet, n), NAMESPACE) for n in sorted(filter(None, numbers))
    }


def actor_name(fleet: str, number: int) -> str:
    """Return the name of an actor in Ray."""
    return f"manyply-{fleet}-{number}"


def number_of(name: str, fleet: str) -> int:
    """Return an actor's number; 0: it is another fleet's."""
    match = re.fullmatch(re.escape(f"manyply-{fleet}-") + "([0-9]+)", name)
    return int(match[1]) if match else 0


CALLS: dict[str, Callable[[Any, Order], Answer]] = {
    "host": _host,
    "start": _start,
    "members": _members,
    "stop": _stop,
}

if __name__ == "__main__":
    main()
