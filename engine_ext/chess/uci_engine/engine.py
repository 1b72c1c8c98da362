"""The UCI program that the user chose instead of our own engine, for `engine_ext.services`.

A process uses at most one such program.
"""

from __future__ import annotations

import atexit

from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.probes.probe_text import ProbeQuestion
from engine_ext.chess.uci_engine.engine_lines import EngineOptionError
from engine_ext.chess.uci_engine.engine_probes import EngineProbes
from engine_ext.chess.uci_engine.engine_process import EngineGoneError
from engine_ext.chess.uci_engine.engine_spec import EngineSpecError, read_spec
from engine_ext.contexts import ContextError, EngineChoiceError
from engine_ext.control import RunControl
from engine_ext.front import ChosenEngine

POWER_NODES = 20_000
POWER_UNIT_NODES = 1_000

POWER_SILENCE_S = 20.0
"""The measurement of power must end before the master's own time limit for an analyser."""

_IN_USE: list[EngineProbes] = []
"""None or one."""


def use(text: str) -> ChosenEngine:
    """Use a program from now on; its name contains the options that are set.

    Raises:
        EngineChoiceError: there is none, or it is none that speaks UCI.
    """
    try:
        chosen = EngineProbes(read_spec(text))
    except (EngineSpecError, EngineOptionError, EngineGoneError) as error:
        raise EngineChoiceError(str(error)) from error
    _close()
    _IN_USE.append(chosen)
    return ChosenEngine(chosen.title, ("looks",), engine_digest, power_work, answer, kill)


@atexit.register
def _close() -> None:
    while _IN_USE:
        _IN_USE.pop().close()


def kill() -> None:
    """End all programs at once."""
    for probes in _IN_USE:
        probes.kill()


def engine_digest() -> str:
    """Return the digest of the program's name, version and options."""
    return _IN_USE[0].digest


def power_work(control: RunControl) -> int:
    """Look at the start; a unit is POWER_UNIT_NODES nodes."""
    asked = ProbeQuestion("", (read_fen(START),), (), POWER_NODES)
    found = _IN_USE[0].probe(asked, control, POWER_SILENCE_S)
    return 0 if found is None else found.nodes // POWER_UNIT_NODES


def answer(question: str, control: RunControl) -> str | None:
    """Look at a position; see services.answer."""
    asked = ProbeQuestion.from_text(question)
    if asked.engine != engine_digest():
        raise ContextError(
            "engine-mismatch", f"that is of engine {asked.engine}, this one is {engine_digest()}"
        )
    found = _IN_USE[0].probe(asked, control)
    return None if found is None else found.to_text()
