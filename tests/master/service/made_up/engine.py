"""The made-up game as an engine declares it: `made-up-whole/1 engine=DIGEST seed=N depth=N`."""

import re
from collections.abc import Callable

from engine_ext.contexts import ContextError, Description
from engine_ext.control import RunControl
from engine_ext.front import WHOLE_SEARCH, EngineFront, TextKind
from tests.master.search.fake_fleet import MadeUpWording

ENGINE = MadeUpWording.engine
_TEXT = re.compile(r"made-up-whole/1 engine=[0-9a-f]{16} seed=([0-9]{1,4}) depth=([0-9]{1,2})")


def engine_digest() -> str:
    return ENGINE


def power_work() -> Callable[[RunControl], int]:
    return lambda control: 1


def whole_text(seed: int, depth: int, engine: str = ENGINE) -> str:
    return f"made-up-whole/1 engine={engine} seed={seed} depth={depth}"


def read_whole(text: str) -> tuple[int, int]:
    match = _TEXT.fullmatch(text)
    if match is None:
        raise ContextError("bad-context", "expected 'made-up-whole/1 engine=DIGEST seed=N depth=N'")
    return int(match[1]), int(match[2])


def describe(context: str) -> Description:
    seed, depth = read_whole(context)
    return Description(f"game {seed}, depth {depth}", {"seed": seed, "depth": depth})


FRONT = EngineFront(
    engine_digest,
    power_work,
    kinds={"made-up-whole/1": TextKind(WHOLE_SEARCH, describe=describe)},
)
