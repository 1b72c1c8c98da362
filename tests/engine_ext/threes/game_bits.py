"""Prints games of Threes! and values of moves, to the bit; run by another machine's Python too."""

import json
import platform

from engine_ext.control import RunControl
from engine_ext.threes.context import Lookahead, ThreesContext
from engine_ext.threes.engine import engine_digest, runner, self_test


def games(lookahead: Lookahead, count: int) -> list[list[str]]:
    """Return the values of some games."""
    text = ThreesContext(engine_digest(), lookahead, 9).to_text()
    played = runner(text).run(0, count, RunControl())
    return [[value.hex() for value in values] for values in played]


def bits() -> dict[str, object]:
    """Return what is compared."""
    return {
        "engine": engine_digest(),
        "values": self_test(),
        "games": [games(Lookahead(1, 1), 6), games(Lookahead(1, 2, 100), 1)],
    }


if __name__ == "__main__":
    print(json.dumps({"machine": platform.machine(), "bits": bits()}))
